import Foundation
import HoldfastDownloads
import HoldfastFiles
import HoldfastTestSupport
import Synchronization
import Testing

/// Destinations that belong to a database, are in use, or lie on another volume.
struct DestinationTests {
  private typealias Reply = HostileServer.Reply
  private static let content = DownloadFixture.bytes(1000)
  private static let database = Data("SQLite format 3\0".utf8) + DownloadFixture.bytes(1000)

  private func server(_ content: Data = content) throws -> HostileServer {
    try HostileServer { _, _ in Reply(200, [:], content) }
  }

  @discardableResult
  private func place(
    _ data: Data, for request: DownloadRequest, suffix: String = "", in fixture: DownloadFixture
  ) throws -> URL {
    let url = try fixture.container.url(for: request.destination)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let place = url.deletingLastPathComponent().appending(path: url.lastPathComponent + suffix)
    try data.write(to: place)
    return place
  }

  @Test(arguments: ["-wal", "-journal"], [false, true])
  func aDatabaseDoesNotGetAnothersLog(_ suffix: String, _ isForced: Bool) async throws {
    let server = try server(Self.database)
    let fixture = try DownloadFixture()
    var request = try DownloadFixture.request(server.url(), name: "app.db")
    request.isForced = isForced
    let old = Data("SQLite format 3\0old".utf8)
    if isForced { try place(old, for: request, in: fixture) }
    let log = try place(Data("changes".utf8), for: request, suffix: suffix, in: fixture)
    #expect(try await fixture.failure(request) == .destinationOccupied)
    #expect(try fixture.content(request) == (isForced ? old : nil))
    #expect(try Data(contentsOf: log) == Data("changes".utf8))
    // The content is kept for the time after.
    try FileManager.default.removeItem(at: log)
    _ = try await fixture.download(request)
    #expect(try fixture.content(request) == Self.database)
    // The next launch has finished it; one that is forced is fetched again.
    #expect(server.requests.count == (isForced ? 2 : 1))
  }

  @Test func aFileThatThisProcessHasOpenIsNotReplaced() async throws {
    let server = try server()
    let fixture = try DownloadFixture()
    var request = try DownloadFixture.request(server.url())
    request.isForced = true
    let url = try place(Data("mine".utf8), for: request, in: fixture)
    let file = try FileHandle(forReadingFrom: url)
    #expect(try await fixture.failure(request) == .destinationOccupied)
    #expect(try fixture.content(request) == Data("mine".utf8))
    try file.close()
    _ = try await fixture.download(request)
    #expect(try fixture.content(request) == Self.content)
  }

  @Test func aPartThatWasExchangedIsNotPublished() async throws {
    let server = try server()
    let fixture = try DownloadFixture()
    let request = try DownloadFixture.request(server.url())
    let gate = try place(Data("changes".utf8), for: request, suffix: "-wal", in: fixture)
    #expect(try await fixture.failure(request) == .destinationOccupied)
    try FileManager.default.removeItem(at: gate)
    let name = try #require(fixture.remains.first { $0.hasSuffix(".part") })
    let part = try fixture.folder.appending(path: name)
    try DownloadFixture.bytes(1000, seed: 3).write(to: part)
    #expect(try await fixture.failure(request) == .file)
    #expect(try fixture.content(request) == nil)
    let downloader = try await fixture.downloader()
    #expect(downloader.recovered.postponed.count == 1)
    try await downloader.discard(id: request.id)
    _ = try await downloader.start(request).value()
    #expect(try fixture.content(request) == Self.content)
    await downloader.close()
  }

  // MARK: Other volumes

  private func volume(_ fixture: DownloadFixture) throws -> SmallVolume {
    try SmallVolume(at: try fixture.container.url(for: .documents), kilobytes: 1024)
  }

  @Test(.enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"))
  func aFileThatAppearsAtTheRenameOnAnotherVolumeIsKept() async throws {
    let server = try server()
    func download(_ fault: SystemFault, _ fixture: DownloadFixture) async throws -> DownloadError
      .Code?
    {
      try await SystemCalls.$fault.withValue(fault) {
        try await fixture.failure(try DownloadFixture.request(server.url()))
      }
    }
    let first = try DownloadFixture()
    let firstVolume = try volume(first)
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    #expect(try await download(trace, first) == nil)
    let rename = try #require(trace.callsSeen.lastIndex { [.rename, .renameat2].contains($0) })
    let fixture = try DownloadFixture()
    let otherVolume = try volume(fixture)
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
    withExtendedLifetime((firstVolume, otherVolume)) {}
  }

  @Test(
    .enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"),
    arguments: [false, true])
  func aDatabaseOnAnotherVolumeIsRecordedAtTheNextLaunch(_ isForced: Bool) async throws {
    let server = try server(Self.database)
    let fixture = try DownloadFixture()
    let volume = try volume(fixture)
    var request = try DownloadFixture.request(server.url(), name: "app.db")
    request.isForced = isForced
    if isForced { try place(Data("SQLite format 3\0old".utf8), for: request, in: fixture) }
    struct Refused: Error {}
    let downloader = try await Downloader(
      in: fixture.container, configuration: DownloadFixture.configuration
    ) { _ in throw Refused() }
    await #expect(throws: DownloadError.self) { _ = try await downloader.start(request).value() }
    await downloader.close()
    #expect(try fixture.content(request) == Self.database)
    #expect(try fixture.remains.count == 1)
    let next = try await fixture.downloader()
    #expect(next.recovered.recorded.map(\.id) == ["book"])
    #expect(next.recovered.postponed.isEmpty)
    await next.close()
    #expect(fixture.records.entries.count == 1)
    #expect(try fixture.remains.isEmpty)
    let folder = try fixture.container.url(for: request.destination).deletingLastPathComponent()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["app.db"])
    withExtendedLifetime(volume) {}
  }

  // MARK: Existing files

  @Test func anExistingFileIsExcludedFromBackupsAndDurable() async throws {
    let server = try server()
    let fixture = try DownloadFixture()
    let request = try DownloadFixture.request(server.url())
    let url = try place(Self.content, for: request, in: fixture)
    #expect(try !FileAttributes(of: url).isExcludedFromBackup)
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    try await SystemCalls.$fault.withValue(trace) {
      let downloader = try await fixture.downloader()
      let before = trace.callsSeen.count
      #expect(try await downloader.start(request).value().isExisting)
      // The file, and the folder that has its name.
      #expect(trace.callsSeen.dropFirst(before).count { $0 == .fsync } == 2)
      await downloader.close()
    }
    #expect(try FileAttributes(of: url).isExcludedFromBackup)
    #expect(server.requests.isEmpty)
  }
}
