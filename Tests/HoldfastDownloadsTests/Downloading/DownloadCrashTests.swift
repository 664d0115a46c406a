import Foundation
import HoldfastDownloads
import HoldfastFiles
import HoldfastTestSupport
import Testing

/// A process that ends at any call of a download: nothing is lost, nothing is half there.
struct DownloadCrashTests {
  // A database, which is recognized without being read.
  private static let content = Data("SQLite format 3\0".utf8) + DownloadFixture.bytes(984)
  private static let record = "records.txt"

  /// What the process runs that is ended: one download, recorded by a line in a file.
  private static func download(in folder: URL, from url: URL, isForced: Bool) async throws {
    let container = Container(at: folder)
    var configuration = DownloadFixture.configuration
    configuration.rangeByteCount = 600
    let downloader = try await Downloader(in: container, configuration: configuration) { file in
      try append("\(file.destination)\n", to: folder.appending(path: record))
    }
    var request = try DownloadFixture.request(url)
    request.isForced = isForced
    _ = try await downloader.start(request).value()
    await downloader.close()
  }

  private static func append(_ line: String, to url: URL) throws {
    if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
    let file = try FileHandle(forWritingTo: url)
    try file.seekToEnd()
    try file.write(contentsOf: Data(line.utf8))
    try file.close()
  }

  private static func server() throws -> HostileServer {
    try HostileServer { request, _ in
      let first = request.first ?? 0
      let end = min((request.last ?? 999) + 1, 1000)
      return HostileServer.Reply(
        206, ["Content-Range": "bytes \(first)-\(end - 1)/1000", "ETag": "\"1\""],
        content[first..<end])
    }
  }

  /// The calls of a download that nothing disturbs.
  private func calls(
    isForced: Bool, onOtherVolume: Bool = false
  ) async throws -> [SystemCalls.Name] {
    let server = try Self.server()
    let fixture = try DownloadFixture()
    let volume = onOtherVolume ? try Self.volume(fixture) : nil
    defer { withExtendedLifetime(volume) {} }
    try prepare(fixture, isForced: isForced)
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    try await SystemCalls.$fault.withValue(trace) {
      try await Self.download(in: fixture.directory.url, from: server.url(), isForced: isForced)
    }
    return trace.callsSeen
  }

  /// A forced download replaces a file that was there.
  private func prepare(_ fixture: DownloadFixture, isForced: Bool) throws {
    guard isForced else { return }
    let request = try DownloadFixture.request(URL(filePath: "/"))
    let url = try fixture.container.url(for: request.destination)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("old".utf8).write(to: url)
  }

  private func records(_ fixture: DownloadFixture) throws -> Int {
    let url = fixture.directory.file(Self.record)
    guard FileManager.default.fileExists(atPath: url.path) else { return 0 }
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").count
  }

  /// With `HOLDFAST_CRASHES=all`, the process ends at each call of the whole download; otherwise at
  /// each one of the completion, which begins with the attributes.
  private static let isComplete =
    ProcessInfo.processInfo.environment["HOLDFAST_CRASHES"] == "all"

  /// Before a call that only reads, the disk is as before the next one that changes it.
  private static let changes: Set<SystemCalls.Name> = [
    .open, .write, .fsync, .rename, .renameat2, .unlink, .setxattr, .mkdir, .ftruncate,
  ]

  @Test(arguments: isComplete ? [false, true] : [false])
  func aProcessThatEndsAtAnyCallLosesNothing(_ isForced: Bool) async throws {
    let calls = try await calls(isForced: isForced)
    let completion = try #require(calls.lastIndex(of: .setxattr))
    #expect(completion > 40)
    let server = try Self.server()
    let ordinals = (1...calls.count).filter { ordinal in
      Self.isComplete || (ordinal > completion && Self.changes.contains(calls[ordinal - 1]))
    }
    #expect(ordinals.count > 10)
    for ordinal in ordinals {
      let fixture = try DownloadFixture()
      try prepare(fixture, isForced: isForced)
      let (path, url) = (fixture.directory.url.path, server.url().absoluteString)
      let result = await #expect(processExitsWith: .failure) {
        [
          path = path as String, url = url as String, isForced = isForced as Bool,
          ordinal = ordinal as Int
        ] in
        let fault = SystemFault(atCall: ordinal, .exit(status: 9))
        try await SystemCalls.$fault.withValue(fault) {
          try await Self.download(
            in: URL(filePath: path), from: try #require(URL(string: url)), isForced: isForced)
        }
      }
      #expect(result?.exitStatus == .exitCode(9))
      try await expectNextLaunch(
        fixture, isForced, from: server.url(), "call \(ordinal) of \(calls.count)")
    }
  }

  /// All later calls fail, so the disk is as if the process had ended.
  @Test(arguments: [false, true])
  func aVolumeThatFailsFromAnyCallOnLosesNothing(_ isForced: Bool) async throws {
    let calls = try await calls(isForced: isForced)
    let count = calls.count
    let server = try Self.server()
    for ordinal in 1...count where Self.isComplete || Self.changes.contains(calls[ordinal - 1]) {
      let fixture = try DownloadFixture()
      try prepare(fixture, isForced: isForced)
      let fault = SystemFault(atCall: ordinal, .failFromHere(.inputOutput))
      do {
        try await SystemCalls.$fault.withValue(fault) {
          try await Self.download(in: fixture.directory.url, from: server.url(), isForced: isForced)
        }
      } catch {
        #expect(error is DownloadError)
      }
      try await expectNextLaunch(
        fixture, isForced, from: server.url(), "from call \(ordinal) of \(count) on")
    }
  }

  private static func volume(_ fixture: DownloadFixture) throws -> SmallVolume {
    try SmallVolume(at: try fixture.container.url(for: .documents), kilobytes: 256)
  }

  /// The file is copied there, so that it is at two places for a while.
  @Test(
    .enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"),
    arguments: [false, true])
  func anotherVolumeThatFailsFromAnyCallOnLosesNothing(_ isForced: Bool) async throws {
    let calls = try await calls(isForced: isForced, onOtherVolume: true)
    // The first rename to a destination fails there; everything before is as on one volume.
    let first = try #require(
      calls.lastIndex(of: .setxattr).map { index in
        calls[..<index].lastIndex(of: .setxattr) ?? index
      })
    let server = try Self.server()
    for ordinal in first...calls.count
    where ordinal > 0 && Self.changes.contains(calls[ordinal - 1]) {
      let fixture = try DownloadFixture()
      let volume = try Self.volume(fixture)
      try prepare(fixture, isForced: isForced)
      let fault = SystemFault(atCall: ordinal, .failFromHere(.inputOutput))
      do {
        try await SystemCalls.$fault.withValue(fault) {
          try await Self.download(in: fixture.directory.url, from: server.url(), isForced: isForced)
        }
      } catch {
        #expect(error is DownloadError)
      }
      try await expectNextLaunch(
        fixture, isForced, from: server.url(), "from call \(ordinal) of \(calls.count) on")
      let request = try DownloadFixture.request(server.url())
      let folder = try fixture.container.url(for: request.destination).deletingLastPathComponent()
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["book.m4b"])
      withExtendedLifetime(volume) {}
    }
  }

  @Test func aFullVolumeAtAnyCallIsAnErrorAndTheNextAttemptSucceeds() async throws {
    let count = try await calls(isForced: false).count
    let server = try Self.server()
    for ordinal in 1...count {
      let fixture = try DownloadFixture()
      let fault = SystemFault(atCall: ordinal, .fail(.noSpace))
      do {
        try await SystemCalls.$fault.withValue(fault) {
          try await Self.download(in: fixture.directory.url, from: server.url(), isForced: false)
        }
        let request = try DownloadFixture.request(server.url())
        #expect(try fixture.content(request) == Self.content)
      } catch let error as DownloadError {
        #expect(error.advice != nil)
        if error.errno == Errno.noSpace.rawValue { #expect(error.code == .noSpace) }
      }
      try await expectNextLaunch(fixture, false, from: server.url(), "call \(ordinal) of \(count)")
    }
  }

  /// Expects that the next launch leaves no file without its record and no record without its file.
  private func expectNextLaunch(
    _ fixture: DownloadFixture, _ isForced: Bool, from url: URL, _ comment: Comment
  ) async throws {
    let request = try DownloadFixture.request(url)
    let before = try fixture.content(request)
    // A file has its name only when it is complete.
    #expect(
      before == nil || before == Self.content || (isForced && before == Data("old".utf8)), comment)
    let isOld = before == Data("old".utf8)
    if before == nil || isOld { #expect(try records(fixture) == 0, comment) }

    let record = fixture.directory.file(Self.record)
    let next = try await Downloader(
      in: fixture.container, configuration: DownloadFixture.configuration
    ) { file in try Self.append("\(file.destination)\n", to: record) }
    #expect(next.recovered.postponed.isEmpty, comment)
    #expect(next.recovered.lost.isEmpty, comment)
    #expect(next.recovered.occupied.isEmpty, comment)
    let after = try fixture.content(request)
    #expect((after == Self.content) == (try records(fixture) > 0), comment)
    #expect(before != Self.content || after == before, comment)
    // Each part has its entry and each entry its part.
    let remains = try fixture.remains
    let stems = Set(remains.map { $0.split(separator: ".")[0] })
    #expect(remains.count == stems.count * 2, comment)
    #expect(next.recovered.unfinished.count == stems.count, comment)
    if after == Self.content { #expect(remains.isEmpty, comment) }

    // The app starts it again, and it is finished.
    var again = request
    again.isForced = isForced && after != Self.content
    _ = try await next.start(again).value()
    await next.close()
    #expect(try fixture.content(request) == Self.content, comment)
    #expect(try records(fixture) > 0, comment)
    #expect(try fixture.remains.isEmpty, comment)
  }
}
