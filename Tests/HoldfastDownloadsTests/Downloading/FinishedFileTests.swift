import Foundation
import HoldfastDownloads
import HoldfastFiles
import HoldfastTestSupport
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Files that have their name and could not be recorded: nothing removes their entry before they are.
struct FinishedFileTests {
  private typealias Reply = HostileServer.Reply
  private static let content = DownloadFixture.bytes(1000)

  /// What would remove the entry.
  enum Cause: CaseIterable {
    case discard, force, newURL, newDestination, handedFile
  }

  private struct Refused: Error {}

  /// What records into the fixture's list while it may.
  private final class Recorder: Sendable {
    let isRefusing = Mutex(true)
    let fixture: DownloadFixture

    init(_ fixture: DownloadFixture) {
      self.fixture = fixture
    }

    func downloader() async throws -> Downloader {
      try await Downloader(
        in: fixture.container, configuration: DownloadFixture.configuration
      ) { file in
        if self.isRefusing.withLock({ $0 }) { throw Refused() }
        self.fixture.records.append(file)
      }
    }
  }

  private static func server() throws -> HostileServer {
    try HostileServer { _, _ in Reply(200, [:], Self.content) }
  }

  private func perform(
    _ cause: Cause, _ request: DownloadRequest, _ server: HostileServer,
    _ downloader: Downloader, _ fixture: DownloadFixture
  ) async throws {
    var next = request
    switch cause {
    case .discard: return try await downloader.discard(id: request.id)
    case .force: next.isForced = true
    case .newURL: next.url = server.url("other")
    case .newDestination: next.destination = try RelocatablePath(.documents, "elsewhere.m4b")
    case .handedFile:
      let file = fixture.directory.file("handed")
      try Self.content.write(to: file)
      let response = try #require(
        HTTPURLResponse(
          url: request.url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:]))
      _ = try await downloader.start(request, withFileAt: file, response: response).value()
      return
    }
    _ = try await downloader.start(next).value()
  }

  @Test(arguments: Cause.allCases)
  func isRecordedBeforeItsEntryIsRemoved(_ cause: Cause) async throws {
    let fixture = try DownloadFixture()
    let recorder = Recorder(fixture)
    let server = try Self.server()
    let downloader = try await recorder.downloader()
    let request = try DownloadFixture.request(server.url())
    await #expect(throws: DownloadError.self) { _ = try await downloader.start(request).value() }
    #expect(try fixture.content(request) == Self.content)
    #expect(try fixture.remains.count == 1)

    let failure = await #expect(throws: DownloadError.self) {
      try await perform(cause, request, server, downloader, fixture)
    }
    #expect(failure?.code == .notRecorded)
    #expect(failure?.underlying is Refused)
    // Not yet replaced either.
    #expect(server.requests.count == 1)
    #expect(try fixture.content(request) == Self.content)
    #expect(try fixture.remains.count == 1)

    recorder.isRefusing.withLock { $0 = false }
    try await perform(cause, request, server, downloader, fixture)
    let first = try #require(fixture.records.entries.first)
    #expect(first.source == request.url)
    #expect(first.destination == request.destination)
    #expect(first.sha256 == DownloadFixture.digest(Self.content))
    #expect(try fixture.content(request) == Self.content)
    await downloader.close()
    #expect(try fixture.remains.isEmpty)
  }

  /// The cancellation comes while the file is recorded for the first time.
  @Test(arguments: [1, 2])
  func isRecordedBeforeACancellationRemovesItsEntry(_ refusals: Int) async throws {
    let fixture = try DownloadFixture()
    let (entered, entry) = AsyncStream.makeStream(of: Void.self)
    let (released, release) = AsyncStream.makeStream(of: Void.self)
    let calls = Mutex(0)
    let server = try Self.server()
    let downloader = try await Downloader(
      in: fixture.container, configuration: DownloadFixture.configuration
    ) { file in
      entry.finish()
      for await _ in released {}
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      if call <= refusals { throw Refused() }
      fixture.records.append(file)
    }
    let request = try DownloadFixture.request(server.url())
    let download = try downloader.start(request)
    for await _ in entered {}
    download.cancel()
    release.finish()
    if refusals == 1 {
      // Like any download whose content is complete.
      let file = try await download.value()
      #expect(download.state == .finished)
      #expect(fixture.records.entries == [file])
    } else {
      let failure = await #expect(throws: DownloadError.self) { _ = try await download.value() }
      #expect(failure?.code == .notRecorded)
      #expect(download.state == .failed)
      #expect(try fixture.remains.count == 1)
    }
    await downloader.close()
    let next = try await fixture.downloader()
    #expect(fixture.records.entries.count == 1)
    await next.close()
    #expect(try fixture.content(request) == Self.content)
    #expect(try fixture.remains.isEmpty)
  }
}
