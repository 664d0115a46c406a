import Foundation
import HoldfastDownloads
import HoldfastFiles
import HoldfastTestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What is left in the folder by processes that ended, and what comes from the system's sessions.
struct RecoveryTests {
  private typealias Reply = HostileServer.Reply
  private static let content = DownloadFixture.bytes(1000)
  private static let key = "0123456789abcdef0123456789abcdef"

  @Test func remainsAreRemovedAndNothingElse() async throws {
    let fixture = try DownloadFixture()
    await (try fixture.downloader()).close()
    let strangers = [
      "notes.txt", "x.part", "\(Self.key).txt", ".hidden", "\(Self.key.uppercased()).part",
    ]
    let zombies = [
      "\(Self.key).part", ".\(Self.key).json.new", "f\(Self.key.dropFirst()).json",
      "e\(Self.key.dropFirst()).handed",
    ]
    for name in strangers + zombies {
      try Data("{}".utf8).write(to: try fixture.folder.appending(path: name))
    }
    let book = try DownloadFixture.request(URL(filePath: "/"))
    let finished = try fixture.container.url(for: book.destination)
    try FileManager.default.createDirectory(
      at: finished.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("book".utf8).write(to: finished)

    let downloader = try await fixture.downloader()
    #expect(downloader.recovered.removed.sorted() == zombies.sorted())
    #expect(try fixture.remains == strangers.sorted())
    #expect(try Data(contentsOf: finished) == Data("book".utf8))
    await downloader.close()
  }

  @Test func anEntryThatCannotBeReadIsPostponed() async throws {
    let fixture = try DownloadFixture()
    await (try fixture.downloader()).close()
    // A link to itself cannot be read.
    let entry = try fixture.folder.appending(path: "\(Self.key).json")
    try FileManager.default.createSymbolicLink(at: entry, withDestinationURL: entry)
    let folder = try fixture.folder.appending(path: "f\(Self.key.dropFirst()).part")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let server = try HostileServer { _, _ in Reply(200, [:], Self.content) }
    let request = try DownloadFixture.request(server.url())
    _ = try await fixture.download(request)
    #expect(try fixture.content(request) == Self.content)
    #expect(
      try fixture.remains == [entry.lastPathComponent, folder.lastPathComponent].sorted())
    let downloader = try await fixture.downloader()
    #expect(downloader.recovered.unreadable.map(\.name).sorted() == (try fixture.remains))
    #expect(downloader.recovered.unreadable.allSatisfy { $0.error is DownloadError })
    await downloader.close()
  }

  @Test func aFolderThatCannotBeListedIsAnError() async throws {
    let fixture = try DownloadFixture()
    await (try fixture.downloader()).close()
    let refusal = SystemFault(atCall: 1, .refuse([.readdir: .inputOutput]))
    await #expect(throws: DownloadError.self) {
      try await SystemCalls.$fault.withValue(refusal) { _ = try await fixture.downloader() }
    }
  }

  @Test(.enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"))
  func aDestinationOnAnotherVolumeIsCopied() async throws {
    let fixture = try DownloadFixture()
    let server = try HostileServer { _, _ in Reply(200, [:], Self.content) }
    let request = try DownloadFixture.request(server.url())
    let documents = try fixture.container.url(for: .documents)
    let volume = try SmallVolume(at: documents, kilobytes: 1024)
    _ = try await fixture.download(request)
    #expect(try fixture.content(request) == Self.content)
    #expect(try fixture.remains.isEmpty)
    withExtendedLifetime(volume) {}
  }

  @Test(.enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"))
  func aFullVolumeKeepsWhatWasReceived() async throws {
    let fixture = try DownloadFixture()
    let content = DownloadFixture.bytes(300_000)
    let volume = try SmallVolume(
      at: fixture.directory.url.appending(path: "Library"), kilobytes: 600)
    let filler = volume.url.appending(path: "filler")
    let server = try HostileServer { request, number in
      // Used up by another writer, once the first part was received.
      if number == 3 { #expect(throws: Never.self) { try Data(count: 420_000).write(to: filler) } }
      let first = request.first ?? 0
      let end = min((request.last ?? content.count - 1) + 1, content.count)
      return Reply(
        206, ["Content-Range": "bytes \(first)-\(end - 1)/\(content.count)", "ETag": "\"1\""],
        content[first..<end])
    }
    var configuration = DownloadFixture.configuration
    configuration.rangeByteCount = 100_000
    let request = try DownloadFixture.request(server.url())
    // Asked before anything is kept.
    configuration.freeSpaceReserve = 400_000
    #expect(try await fixture.failure(request, configuration) == .noSpace)
    #expect(try fixture.remains.isEmpty)
    configuration.freeSpaceReserve = 0
    #expect(try await fixture.failure(request, configuration) == .noSpace)
    #expect(server.requests.map(\.first) == [0, 0, 100_000])
    #expect(try fixture.remains.count == 2)
    #expect(try fixture.content(request) == nil)
    try FileManager.default.removeItem(at: filler)
    let before = server.requests.count
    _ = try await fixture.download(request, configuration)
    #expect(try fixture.content(request) == content)
    #expect(server.requests.dropFirst(before).allSatisfy { ($0.first ?? 0) >= 100_000 })
    withExtendedLifetime(volume) {}
  }

  // MARK: Files of the system

  private func response(
    _ status: Int, _ fields: [String: String] = [:]
  ) throws -> HTTPURLResponse {
    let url = try #require(URL(string: "http://127.0.0.1/book"))
    return try #require(
      HTTPURLResponse(
        url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields))
  }

  private func request() throws -> DownloadRequest {
    try DownloadFixture.request(#require(URL(string: "http://127.0.0.1:1/book")))
  }

  @Test(arguments: TemporaryDirectory.volumes)
  func aFileOfTheSystemIsCompletedLikeAnyOther(_ volume: URL) async throws {
    let fixture = try DownloadFixture()
    // Also from another volume.
    let system = try TemporaryDirectory(in: volume)
    let downloader = try await fixture.downloader()
    try Self.content.write(to: system.file("tmp"))
    var request = try request()
    request.expectedSHA256 = DownloadFixture.digest(Self.content)
    let download = try downloader.start(
      request, withFileAt: system.file("tmp"),
      response: try response(200, ["Content-Length": "1000"]))
    let file = try await download.value()
    #expect(file.sha256 == request.expectedSHA256)
    #expect(try fixture.content(request) == Self.content)
    #expect(fixture.records.entries == [file])
    await downloader.close()
    #expect(try fixture.remains.isEmpty)
  }

  @Test(
    arguments: [
      (404, [:]), (200, ["Content-Length": "999"]), (200, ["Content-Encoding": "gzip"]),
      (206, ["Content-Range": "bytes 0-999/2000"]), (206, [:]),
    ] as [(Int, [String: String])])
  func aWrongFileOfTheSystemIsRefused(_ status: Int, _ fields: [String: String]) async throws {
    let fixture = try DownloadFixture()
    let downloader = try await fixture.downloader()
    let file = fixture.directory.file("tmp-file")
    try Self.content.write(to: file)
    let (request, response) = (try request(), try response(status, fields))
    #expect(throws: DownloadError.self) {
      try downloader.start(request, withFileAt: file, response: response)
    }
    #expect(try fixture.content(request) == nil)
    await downloader.close()
    #expect(try fixture.remains.isEmpty)
  }

  @Test func aFileOfTheSystemWithAnotherDigestIsNotKept() async throws {
    let fixture = try DownloadFixture()
    var configuration = DownloadFixture.configuration
    configuration.retryPolicy.attemptLimit = 1
    let downloader = try await fixture.downloader(configuration)
    let file = fixture.directory.file("tmp-file")
    try Self.content.write(to: file)
    var request = try request()
    request.expectedSHA256 = DownloadFixture.digest(Data())
    let download = try downloader.start(request, withFileAt: file, response: try response(200))
    await #expect(throws: DownloadError.self) { _ = try await download.value() }
    #expect(try fixture.content(request) == nil)
    await downloader.close()
    #expect(try fixture.remains.isEmpty)
  }
}
