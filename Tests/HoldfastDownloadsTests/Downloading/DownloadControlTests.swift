import Foundation
import HoldfastDownloads
import HoldfastFiles
import HoldfastTestSupport
import Testing

/// Pause, cancellation, duplicates and existing files.
struct DownloadControlTests {
  private typealias Reply = HostileServer.Reply
  private static let content = DownloadFixture.bytes(1000)

  /// A server whose first reply stops after 400 bytes until the gate is open.
  private static func stalling(until gate: Gate) throws -> HostileServer {
    try HostileServer { request, number in
      let first = request.first ?? 0
      var reply = Reply(
        206, ["Content-Range": "bytes \(first)-999/1000", "ETag": "\"1\""], content[first...])
      if number == 1 {
        reply.bytes = reply.bytes.dropLast(600)
        reply.gate = gate
      }
      return reply
    }
  }

  /// A download that has received 400 bytes, and waits for the rest until the gate is open.
  private final class Stalled: Sendable {
    let gate = Gate()
    let server: HostileServer
    let fixture: DownloadFixture
    let downloader: Downloader
    let request: DownloadRequest
    let download: Download

    init(_ change: (inout DownloadRequest) -> Void = { _ in }) async throws {
      server = try DownloadControlTests.stalling(until: gate)
      fixture = try DownloadFixture()
      downloader = try await fixture.downloader()
      var request = try DownloadFixture.request(server.url())
      change(&request)
      self.request = request
      download = try downloader.start(request)
      for await progress in download.progress where progress.byteCount >= 400 { return }
    }

    deinit {
      gate.open()
    }

    /// The content of the file at the destination; `nil` when there is none.
    var content: Data? {
      get throws { try fixture.content(request) }
    }
  }

  private func reach(_ state: DownloadState, of download: Download) async {
    for await progress in download.progress where progress.state == state { return }
  }

  @Test func aPausedDownloadContinuesWhereItWas() async throws {
    let stalled = try await Stalled()
    let (fixture, download) = (stalled.fixture, stalled.download)
    download.pause()
    await reach(.paused, of: download)
    #expect(try fixture.remains.count == 2)
    #expect(try stalled.content == nil)
    download.resume()
    _ = try await download.value()
    #expect(try stalled.content == Self.content)
    #expect(stalled.server.requests.map(\.first) == [0, 400])
    await stalled.downloader.close()
  }

  @Test func aCancelledDownloadLeavesNothing() async throws {
    let stalled = try await Stalled()
    let (fixture, download) = (stalled.fixture, stalled.download)
    download.cancel()
    let failure = await #expect(throws: DownloadError.self) { _ = try await download.value() }
    #expect(failure?.code == .cancelled)
    #expect(download.state == .cancelled)
    #expect(try fixture.remains.isEmpty)
    #expect(stalled.downloader["book"] == nil)
    await stalled.downloader.close()
  }

  @Test func aClosedDownloaderKeepsWhatItReceived() async throws {
    let stalled = try await Stalled { $0.headers = ["Authorization": "secret"] }
    let (fixture, downloader, request) = (stalled.fixture, stalled.downloader, stalled.request)
    await downloader.close()
    let failure = await #expect(throws: DownloadError.self) {
      _ = try await stalled.download.value()
    }
    #expect(failure?.code == .closed)
    #expect(throws: DownloadError.self) { try downloader.start(request) }
    // Fields of a request are secrets.
    for name in try fixture.remains where name.hasSuffix(".json") {
      let text = try String(contentsOf: try fixture.folder.appending(path: name), encoding: .utf8)
      #expect(!text.contains("secret"))
      #expect(!text.contains(fixture.directory.url.path))
    }

    let next = try await fixture.downloader()
    #expect(next.recovered.unfinished.map(\.id) == ["book"])
    #expect(next.recovered.unfinished.first?.destination == request.destination)
    _ = try await next.start(request).value()
    #expect(try stalled.content == Self.content)
    #expect(stalled.server.requests.map(\.first) == [0, 400])
    #expect(stalled.server.requests.last?.fields["if-range"] == "\"1\"")
    await next.close()
    #expect(try fixture.remains.isEmpty)
  }

  /// Damages the part that a closed downloader has kept.
  private func damagePart(of fixture: DownloadFixture, _ body: (inout Data) -> Void) throws {
    let name = try #require(fixture.remains.first { $0.hasSuffix(".part") })
    let url = try fixture.folder.appending(path: name)
    var data = try Data(contentsOf: url)
    #expect(data.count == 400)
    body(&data)
    try data.write(to: url)
  }

  /// A URL that is signed for an hour is another one in the next launch.
  @Test(arguments: [true, false])
  func aURLThatIsSignedAnewContinues(_ hasDigest: Bool) async throws {
    let stalled = try await Stalled {
      if hasDigest { $0.expectedSHA256 = DownloadFixture.digest(Self.content) }
    }
    await stalled.downloader.close()
    var request = stalled.request
    request.url = try #require(URL(string: request.url.absoluteString + "?signature=2"))
    let file = try await stalled.fixture.download(request)
    #expect(file.source == request.url)
    #expect(try stalled.content == Self.content)
    #expect(stalled.server.requests.map(\.first) == [0, hasDigest ? 400 : 0])
    #expect(stalled.server.requests.last?.fields["if-range"] == nil)
  }

  @Test func aDamagedPartIsFetchedAgain() async throws {
    let stalled = try await Stalled { $0.expectedSHA256 = DownloadFixture.digest(Self.content) }
    await stalled.downloader.close()
    try damagePart(of: stalled.fixture) { $0[7] ^= 1 }
    _ = try await stalled.fixture.download(stalled.request)
    #expect(try stalled.content == Self.content)
    #expect(stalled.server.requests.map(\.first) == [0, 400, 0])
  }

  @Test func bytesThatAPowerLossMayHaveDamagedAreNotUsed() async throws {
    let stalled = try await Stalled()
    await stalled.downloader.close()
    // The length was written, the bytes were not, and the journal knows nothing of them.
    try damagePart(of: stalled.fixture) { $0 += Data(count: 100) }
    _ = try await stalled.fixture.download(stalled.request)
    #expect(try stalled.content == Self.content)
    #expect(stalled.server.requests.map(\.first) == [0, 400])
  }

  @Test func aDuplicateJoinsTheRunningDownload() async throws {
    let gate = Gate()
    let server = try Self.stalling(until: gate)
    let fixture = try DownloadFixture()
    let downloader = try await fixture.downloader()
    let request = try DownloadFixture.request(server.url())
    let download = try downloader.start(request)
    #expect(try downloader.start(request) === download)
    #expect(downloader["book"] === download)
    var other = try DownloadFixture.request(server.url(), id: "other")
    #expect(throws: DownloadError.self) { try downloader.start(other) }
    other.id = ""
    #expect(throws: DownloadError.self) { try downloader.start(other) }
    gate.open()
    _ = try await download.value()
    await downloader.close()
  }

  @Test func aForcedDuplicateBeginsAgain() async throws {
    let stalled = try await Stalled()
    let (downloader, first) = (stalled.downloader, stalled.download)
    var request = stalled.request
    request.isForced = true
    let second = try downloader.start(request)
    #expect(second !== first)
    _ = try await second.value()
    #expect(first.state == .cancelled)
    #expect(try stalled.content == Self.content)
    #expect(stalled.server.requests.map(\.first) == [0, 0])
    await downloader.close()
    #expect(try stalled.fixture.remains.isEmpty)
  }

  @Test func severalConsumersSeeTheProgress() async throws {
    let stalled = try await Stalled()
    let download = stalled.download
    async let one = download.progress.reduce(into: [DownloadProgress]()) { $0.append($1) }
    async let two = download.progress.reduce(into: [DownloadProgress]()) { $0.append($1) }
    stalled.gate.open()
    for seen in await [one, two] {
      #expect(seen.last?.state == .finished)
      #expect(seen.last?.byteCount == 1000)
      #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.byteCount <= $1.byteCount })
      #expect(seen.last?.fraction == 1)
    }
    // A late one sees the end.
    #expect(await download.progress.reduce(0) { count, _ in count + 1 } == 1)
    await stalled.downloader.close()
  }

  @Test func anyOrderOfPausesAndCancellationsEndsRight() async throws {
    let server = try HostileServer { request, number in
      let first = request.first ?? 0
      let end = min((request.last ?? 999) + 1, 1000)
      var reply = Reply(
        206, ["Content-Range": "bytes \(first)-\(end - 1)/1000", "ETag": "\"1\""],
        Self.content[first..<end])
      // Every third connection breaks.
      if number.isMultiple(of: 3) { reply.bytes = reply.bytes.dropLast(50) }
      return reply
    }
    let fixture = try DownloadFixture()
    var configuration = DownloadFixture.configuration
    configuration.rangeByteCount = 200
    configuration.retryPolicy.attemptLimit = 1000
    let downloader = try await fixture.downloader(configuration)
    var random = SeededRandom()
    var downloads: [Download] = []
    for number in 1...12 {
      let request = try DownloadFixture.request(server.url(), id: "\(number)", name: "\(number)")
      let download = try downloader.start(request)
      downloads.append(download)
      for _ in 1...12 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: download.pause()
        case 5..<9: download.resume()
        default: if number.isMultiple(of: 2) { download.cancel() }
        }
        if Bool.random(using: &random) { await Task.yield() }
      }
      download.resume()
    }
    for download in downloads {
      do {
        _ = try await download.value()
        #expect(try fixture.content(download.request) == Self.content)
      } catch let error as DownloadError {
        #expect(error.code == .cancelled)
        #expect(try fixture.content(download.request) == nil)
      }
    }
    #expect(downloader.downloads.isEmpty)
    await downloader.close()
    #expect(try fixture.remains.isEmpty)
  }

  // MARK: Existing files

  private func place(_ data: Data, for request: DownloadRequest, in fixture: DownloadFixture) throws
  {
    let url = try fixture.container.url(for: request.destination)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  private func unusedServer() throws -> HostileServer {
    try HostileServer { _, _ in Reply(200, [:], Self.content) }
  }

  @Test func aFinishedFileCompletesADownloadAtOnce() async throws {
    let server = try unusedServer()
    let fixture = try DownloadFixture()
    var request = try DownloadFixture.request(server.url())
    request.expectedSHA256 = DownloadFixture.digest(Self.content)
    let file = try await fixture.download(request)
    let again = try await fixture.download(request)
    #expect(again.isExisting)
    #expect(again.sha256 == file.sha256)
    #expect(server.requests.count == 1)
    #expect(fixture.records.entries == [file, again])
  }

  @Test func anotherFileIsKept() async throws {
    let server = try unusedServer()
    let fixture = try DownloadFixture()
    var request = try DownloadFixture.request(server.url())
    let old = Data("mine".utf8)
    try place(old, for: request, in: fixture)
    request.expectedByteCount = 1000
    #expect(try await fixture.failure(request) == .destinationOccupied)
    request.expectedByteCount = nil
    request.expectedSHA256 = DownloadFixture.digest(Self.content)
    #expect(try await fixture.failure(request) == .destinationOccupied)
    #expect(try fixture.content(request) == old)
    #expect(server.requests.isEmpty)
    request.isForced = true
    _ = try await fixture.download(request)
    #expect(try fixture.content(request) == Self.content)
    #expect(try fixture.remains.isEmpty)
  }

  @Test func anEmptyFileIsNoFinishedDownload() async throws {
    let server = try unusedServer()
    let fixture = try DownloadFixture()
    let request = try DownloadFixture.request(server.url())
    try place(Data(), for: request, in: fixture)
    #expect(try await fixture.failure(request) == .destinationOccupied)
  }

  @Test func aFileThatAppearsMeanwhileIsKept() async throws {
    for isSame in [true, false] {
      let stalled = try await Stalled()
      let (fixture, downloader) = (stalled.fixture, stalled.downloader)
      let (request, download) = (stalled.request, stalled.download)
      let other = isSame ? Self.content : Data("mine".utf8)
      try place(other, for: request, in: fixture)
      stalled.gate.open()
      if isSame {
        _ = try await download.value()
        await downloader.close()
        #expect(try fixture.remains.isEmpty)
      } else {
        let failure = await #expect(throws: DownloadError.self) { _ = try await download.value() }
        #expect(failure?.code == .destinationOccupied)
        await downloader.close()
        // The content is not lost: the app decides.
        #expect(try fixture.remains.count == 2)
        let next = try await fixture.downloader()
        #expect(next.recovered.occupied.map(\.id) == ["book"])
        let url = try fixture.container.url(for: request.destination)
        try FileManager.default.removeItem(at: url)
        _ = try await next.start(request).value()
        #expect(try stalled.content == Self.content)
        #expect(stalled.server.requests.count == 2)
        await next.close()
        #expect(try fixture.remains.isEmpty)
      }
      #expect(try stalled.content == (isSame ? other : Self.content))
    }
  }

  @Test func aFileThatAppearsAtTheRenameIsKept() async throws {
    let server = try unusedServer()
    func download(_ fault: SystemFault, _ fixture: DownloadFixture) async throws -> DownloadError
      .Code?
    {
      try await SystemCalls.$fault.withValue(fault) {
        try await fixture.failure(try DownloadFixture.request(server.url()))
      }
    }
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    #expect(try await download(trace, try DownloadFixture()) == nil)
    let rename = try #require(trace.callsSeen.lastIndex(of: .renameat2))
    let fixture = try DownloadFixture()
    let request = try DownloadFixture.request(server.url())
    let url = try fixture.container.url(for: request.destination)
    let other = SystemFault(
      atCall: rename + 1,
      .overtake {
        // The check below fails if this does.
        try? Data("mine".utf8).write(to: url)
      })
    #expect(try await download(other, fixture) == .destinationOccupied)
    #expect(try fixture.content(request) == Data("mine".utf8))
    #expect(try fixture.remains.count == 2)
  }

  @Test(arguments: ["app.db-wal", "app.db-journal", "app.db-shm"])
  func theLogOfADatabaseIsNotWritten(_ name: String) async throws {
    let server = try unusedServer()
    let fixture = try DownloadFixture()
    let database = try DownloadFixture.request(server.url(), name: "app.db")
    try place(Data("SQLite format 3\0".utf8), for: database, in: fixture)
    let request = try DownloadFixture.request(server.url(), name: name)
    #expect(try await fixture.failure(request) == .file)
    #expect(server.requests.isEmpty)
  }

  @Test func aLinkIsNotFollowed() async throws {
    let server = try unusedServer()
    let fixture = try DownloadFixture()
    var request = try DownloadFixture.request(server.url())
    try place(Data("mine".utf8), for: request, in: fixture)
    let url = try fixture.container.url(for: request.destination)
    let real = url.deletingLastPathComponent().appending(path: "real")
    try FileManager.default.moveItem(at: url, to: real)
    try FileManager.default.createSymbolicLink(at: url, withDestinationURL: real)
    #expect(try await fixture.failure(request) == .destinationOccupied)
    request.isForced = true
    #expect(try await fixture.failure(request) == .destinationOccupied)
    #expect(try Data(contentsOf: real) == Data("mine".utf8))
  }

  @Test func oneDownloaderUsesAFolder() async throws {
    let fixture = try DownloadFixture()
    let downloader = try await fixture.downloader()
    await #expect(throws: DownloadError.self) { _ = try await fixture.downloader() }
    await downloader.close()
    await (try fixture.downloader()).close()
    await #expect(throws: DownloadError.self) {
      _ = try await Downloader(
        at: try RelocatablePath(.appGroup("group.a"), "x"), in: fixture.container
      ) { _ in }
    }
  }

  @Test func aFailedRecordIsRepeated() async throws {
    let server = try unusedServer()
    let fixture = try DownloadFixture()
    struct Refused: Error {}
    let request = try DownloadFixture.request(server.url())
    let downloader = try await Downloader(
      in: fixture.container, configuration: DownloadFixture.configuration
    ) { _ in throw Refused() }
    let failure = await #expect(throws: DownloadError.self) {
      _ = try await downloader.start(request).value()
    }
    #expect(failure?.code == .notRecorded)
    #expect(failure?.underlying is Refused)
    await downloader.close()
    #expect(try fixture.content(request) == Self.content)
    let next = try await fixture.downloader()
    #expect(next.recovered.recorded.map(\.id) == ["book"])
    #expect(fixture.records.entries.map(\.sha256) == [DownloadFixture.digest(Self.content)])
    await next.close()
    #expect(try fixture.remains.isEmpty)
    #expect(server.requests.count == 1)
  }
}
