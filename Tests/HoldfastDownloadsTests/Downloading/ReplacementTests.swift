import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastDownloads

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Downloads of one id that follow each other: each begins when all earlier ones have ended.
struct ReplacementTests {
  private typealias Reply = HostileServer.Reply
  private static let content = DownloadFixture.bytes(1000)

  /// A downloader whose first recording lasts until it is released.
  private struct Slow {
    let fixture: DownloadFixture
    let server: HostileServer
    let downloader: Downloader
    let entered: AsyncStream<Void>
    let release: AsyncStream<Void>.Continuation

    init() async throws {
      let fixture = try DownloadFixture()
      let (entered, entry) = AsyncStream.makeStream(of: Void.self)
      let (released, release) = AsyncStream.makeStream(of: Void.self)
      self.fixture = fixture
      self.entered = entered
      self.release = release
      server = try HostileServer { _, _ in Reply(200, [:], ReplacementTests.content) }
      downloader = try await Downloader(
        in: fixture.container, configuration: DownloadFixture.configuration
      ) { file in
        entry.finish()
        for await _ in released {}
        fixture.records.append(file)
      }
    }

    /// Starts a download that is being recorded.
    func start(_ request: DownloadRequest) async throws -> Download {
      let download = try downloader.start(request)
      for await _ in entered {}
      return download
    }
  }

  @Test(.timeLimit(.minutes(1))) func oneThatIsForcedTwiceEnds() async throws {
    let slow = try await Slow()
    var request = try DownloadFixture.request(slow.server.url())
    let first = try await slow.start(request)
    request.isForced = true
    let second = try slow.downloader.start(request)
    let third = try slow.downloader.start(request)
    #expect(second !== third)
    let failure = await #expect(throws: DownloadError.self) { _ = try await second.value() }
    #expect(failure?.code == .cancelled)
    slow.release.finish()
    _ = try await third.value()
    #expect(first.state == .finished)
    #expect(slow.fixture.records.entries.count == 2)
    #expect(slow.server.requests.count == 2)
    #expect(slow.downloader.downloads.isEmpty)
    await slow.downloader.close()
    #expect(try slow.fixture.remains.isEmpty)
  }

  enum End: CaseIterable {
    case cancelledTask, replaced
  }

  @Test(.timeLimit(.minutes(1)), arguments: End.allCases)
  func theFolderIsFreeAfterTheLastDownload(_ end: End) async throws {
    let slow = try await Slow()
    var request = try DownloadFixture.request(slow.server.url())
    let first = try await slow.start(request)
    request.isForced = true
    if end == .replaced { _ = try slow.downloader.start(request) }
    let (cancelled, continuation) = AsyncStream.makeStream(of: Void.self)
    let closing = Task { [downloader = slow.downloader] in
      // It ends when the task is cancelled.
      if end == .cancelledTask { for await _ in cancelled {} }
      await downloader.close()
      return first.state.isFinal
    }
    if end == .cancelledTask { closing.cancel() }
    // It waits a second for the folder.
    await #expect(throws: DownloadError.self) { _ = try await slow.fixture.downloader() }
    slow.release.finish()
    #expect(await closing.value)
    continuation.finish()
    await (try slow.fixture.downloader()).close()
    #expect(slow.fixture.records.entries.count == 1)
    #expect(try slow.fixture.remains.isEmpty)
  }

  @Test(.timeLimit(.minutes(1))) func aDiscardedDownloadHasEnded() async throws {
    let slow = try await Slow()
    let first = try await slow.start(try DownloadFixture.request(slow.server.url()))
    let (cancelled, continuation) = AsyncStream.makeStream(of: Void.self)
    let discarding = Task { [downloader = slow.downloader] in
      // It ends when the task is cancelled.
      for await _ in cancelled {}
      try await downloader.discard(id: "book")
      return first.state.isFinal
    }
    discarding.cancel()
    await until { first.isCancellationDemanded }
    slow.release.finish()
    #expect(try await discarding.value)
    continuation.finish()
    await slow.downloader.close()
  }

  @Test func oneThatIsStartedAfterACancellationBeginsAgain() async throws {
    let gate = Gate()
    defer { gate.open() }
    let server = try HostileServer { _, number in
      var reply = Reply(206, ["Content-Range": "bytes 0-999/1000", "ETag": "\"1\""], Self.content)
      if number == 1 {
        reply.bytes = reply.bytes.dropLast(600)
        reply.gate = gate
      }
      return reply
    }
    let fixture = try DownloadFixture()
    let downloader = try await fixture.downloader()
    let request = try DownloadFixture.request(server.url())
    let first = try downloader.start(request)
    for await progress in first.progress where progress.byteCount >= 400 { break }
    first.cancel()
    let second = try downloader.start(request)
    #expect(second !== first)
    #expect(try downloader.start(request) === second)
    _ = try await second.value()
    #expect(first.state == .cancelled)
    #expect(try fixture.content(request) == Self.content)
    #expect(server.requests.map(\.first) == [0, 0])
    await downloader.close()
    #expect(try fixture.remains.isEmpty)
  }

  @Test func theIDOfAHandedFileIsReservedBeforeItIsTaken() async throws {
    let response = try #require(
      HTTPURLResponse(
        url: URL(filePath: "/"), statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:]))
    let server = try HostileServer { _, _ in Reply(404) }
    let request = try DownloadFixture.request(server.url())
    func take(_ fixture: DownloadFixture, _ fault: SystemFault, _ downloader: Downloader)
      async throws -> Range<Int>
    {
      let file = fixture.directory.file("handed")
      try Self.content.write(to: file)
      let before = fault.callsSeen.count
      let download = try downloader.start(request, withFileAt: file, response: response)
      _ = try await download.value()
      return before..<fault.callsSeen.count
    }
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    let fixture = try DownloadFixture()
    let calls = try await SystemCalls.$fault.withValue(trace) {
      let downloader = try await fixture.downloader()
      let calls = try await take(fixture, trace, downloader)
      await downloader.close()
      return calls
    }
    let rename = try #require(trace.callsSeen[calls].firstIndex(of: .rename))
    let other = try DownloadFixture()
    let found = Journal<Bool>()
    let holder = Journal<Downloader>()
    let fault = SystemFault(
      atCall: rename + 1, .overtake { found.append(holder.entries.first?["book"] != nil) })
    try await SystemCalls.$fault.withValue(fault) {
      let downloader = try await other.downloader()
      holder.append(downloader)
      _ = try await take(other, fault, downloader)
      await downloader.close()
    }
    #expect(found.entries == [true])
    #expect(try other.content(request) == Self.content)
    #expect(server.requests.isEmpty)
  }

  @Test func aForcedDownloadIsStillForcedAfterALaunch() async throws {
    let gate = Gate()
    defer { gate.open() }
    let server = try HostileServer { request, number in
      let first = request.first ?? 0
      var reply = Reply(
        206, ["Content-Range": "bytes \(first)-999/1000", "ETag": "\"1\""],
        Self.content[first...])
      if number == 1 {
        reply.bytes = reply.bytes.dropLast(600)
        reply.gate = gate
      }
      return reply
    }
    let fixture = try DownloadFixture()
    var request = try DownloadFixture.request(server.url())
    request.isForced = true
    let url = try fixture.container.url(for: request.destination)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("old".utf8).write(to: url)
    let downloader = try await fixture.downloader()
    let download = try downloader.start(request)
    for await progress in download.progress where progress.byteCount >= 400 { break }
    await downloader.close()
    let next = try await fixture.downloader()
    let unfinished = try #require(next.recovered.unfinished.first)
    #expect(unfinished.isForced)
    _ = try await next.start(unfinished).value()
    #expect(try fixture.content(request) == Self.content)
    #expect(server.requests.map(\.first) == [0, 400])
    await next.close()
  }
}
