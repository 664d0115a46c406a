import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastLedger

/// SS-B15: a crash between the move of a file and the change of its record.
struct FileMoveTests {
  private let folder: TemporaryDirectory

  init() throws {
    // In memory, where syncing costs nothing; hundreds of moves are made.
    folder = try TemporaryDirectory(in: TemporaryDirectory.volumes.last!)
  }

  /// Creates an app whose caches are on another volume if there is one.
  private static func app(at url: URL, otherVolume: URL?) async throws -> DownloadsApp {
    if let otherVolume {
      let library = url.appending(path: "home/Library")
      let caches = library.appending(path: "Caches")
      if !FileManager.default.fileExists(atPath: caches.path) {
        try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: caches, withDestinationURL: otherVolume)
      }
    }
    return try await DownloadsApp(at: url)
  }

  /// Whether the documents and the caches are on different volumes.
  enum Volumes: CaseIterable { case one, two }

  /// Another volume, in memory if one can be mounted, because syncing costs nothing there.
  private final class OtherVolume {
    let url: URL
    private let mounted: SmallVolume?
    private let folder: TemporaryDirectory?

    init(at mountPoint: URL) throws {
      mounted =
        SmallVolume.isPossible ? try SmallVolume(at: mountPoint, kilobytes: 262_144) : nil
      folder = mounted == nil ? try TemporaryDirectory() : nil
      url = mounted?.url ?? folder!.url
    }

    func subfolder(_ name: String) throws -> URL {
      let url = url.appending(path: name)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      return url
    }
  }

  private func otherVolume(_ volumes: Volumes) throws -> OtherVolume? {
    switch volumes {
    case .one: nil
    case .two: try OtherVolume(at: folder.file("volume"))
    }
  }

  private static func names(_ app: DownloadsApp) throws -> [String] {
    try [StorageRoot.documents, .caches].flatMap { root in
      let names = FileManager.default.enumerator(
        atPath: try app.container.url(for: root).resolvingSymlinksInPath().path)
      return (names?.compactMap { $0 as? String } ?? []).filter {
        $0.hasSuffix(".m4b") || $0.hasSuffix(".moving") || $0.hasSuffix(".lock")
      }.map { "\(root)/\($0)" }
    }.sorted()
  }

  /// The record has its file, and there is nothing else; `problem` says what is wrong.
  private static func problem(_ app: DownloadsApp) async throws -> String? {
    guard let path = try await app.path(of: "a") else { return "no record" }
    guard app.exists(path) else { return "no file at \(path)" }
    guard try Data(contentsOf: app.url(path)) == Data("audio".utf8) else { return "other content" }
    let names = try names(app)
    guard names == ["\(path)"] else { return "files: \(names)" }
    guard try await app.storedMoves() == 0 else { return "a stored move" }
    return nil
  }

  @Test(arguments: zip(Volumes.allCases, [StorageRoot.caches, .documents]))
  func aProcessThatEndsAtAnyCallLeavesTheRecordWithItsFile(
    _ volumes: Volumes, to root: StorageRoot
  ) async throws {
    let origin: StorageRoot = root == .caches ? .documents : .caches
    let other = try otherVolume(volumes)
    let counting = SystemFault(atCall: .max, .fail(.inputOutput))
    let app = try await Self.app(
      at: folder.url.appending(path: "first"), otherVolume: other?.subfolder("first"))
    try await app.add("a", origin)
    try await SystemCalls.$fault.withValue(counting) {
      _ = try await app.lifecycle.move("a", to: root)
    }
    #expect(try await Self.problem(app) == nil)
    var outcomes: Set<RecoveredMove.Outcome?> = []
    for number in Self.callsAfterChanges(counting.callsSeen) {
      let url = folder.url.appending(path: "\(number)")
      let caches = try other?.subfolder("\(number)")
      let app = try await Self.app(at: url, otherVolume: caches)
      try await app.add("a", origin)
      try app.pool.close()
      await #expect(processExitsWith: .exitCode(77), "call \(number)") {
        [
          number = number as Int, url = url as URL, caches = caches as URL?,
          tag = root.tag as String
        ] in
        let app = try await Self.app(at: url, otherVolume: caches)
        let fault = SystemFault(atCall: number, .exit(status: 77))
        try await SystemCalls.$fault.withValue(fault) {
          _ = try await app.lifecycle.move("a", to: StorageRoot(tag: tag)!)
        }
      }
      let next = try await Self.app(at: url, otherVolume: caches)
      if let path = try await next.path(of: "a"), !next.exists(path) {
        #expect(try await next.storedMoves() == 1, "call \(number)")
        #expect(try await next.ledger.launchCheck().hasUnfinishedMoves)
      }
      let recovered = try await next.lifecycle.recoverMoves()
      #expect(try await Self.problem(next) == nil, "call \(number)")
      outcomes.insert(recovered.first?.outcome)
      #expect(try await next.ledger.launchCheck().hasUnfinishedMoves == false)
    }
    #expect(outcomes == [nil, .undone, .completed])
  }

  /// The numbers of the calls before which the files have changed since the call before.
  ///
  /// All calls when `HOLDFAST_ALL_CALLS` is set. Commits have a test of their own.
  private static func callsAfterChanges(_ calls: [SystemCalls.Name]) -> [Int] {
    if ProcessInfo.processInfo.environment["HOLDFAST_ALL_CALLS"] != nil {
      return Array(1...calls.count)
    }
    let reading: Set<SystemCalls.Name> = [
      .stat, .lstat, .fstat, .realpath, .read, .readdir, .getxattr, .listxattr, .statvfs, .readlink,
      .listDescriptors, .getcwd, .close, .fsync, .flock,
    ]
    return [1] + (2...calls.count).filter { !reading.contains(calls[$0 - 2]) } + [calls.count]
  }

  /// Ends the process before or after a commit.
  final class Killer: TransactionObserver {
    private var rest: Int
    private let isAfter: Bool

    init(atCommit number: Int, isAfter: Bool) {
      rest = number
      self.isAfter = isAfter
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidRollback(_ db: Database) {}

    func databaseWillCommit() throws {
      rest -= 1
      if rest == 0, !isAfter { SystemCalls.exitImmediately(status: 78) }
    }

    func databaseDidCommit(_ db: Database) {
      if rest == 0, isAfter { SystemCalls.exitImmediately(status: 78) }
    }
  }

  @Test(arguments: 1...2, [false, true])
  func aProcessThatEndsAtACommitLeavesTheRecordWithItsFile(
    _ commit: Int, isAfter: Bool
  ) async throws {
    let app = try await DownloadsApp(at: folder.url)
    try await app.add("a")
    try app.pool.close()
    await #expect(processExitsWith: .exitCode(78)) {
      [commit = commit as Int, isAfter = isAfter as Bool, url = folder.url as URL] in
      let app = try await DownloadsApp(at: url)
      app.pool.add(
        transactionObserver: Killer(atCommit: commit, isAfter: isAfter), extent: .databaseLifetime)
      _ = try await app.lifecycle.move("a", to: .caches)
    }
    let next = try await DownloadsApp(at: folder.url)
    let isMoved = app.exists(try DownloadsApp.path(.caches, "a.m4b"))
    #expect(isMoved == (commit == 2))
    let recovered = try await next.lifecycle.recoverMoves()
    #expect(
      recovered.first?.outcome
        == [[nil, .undone], [.completed, nil]][commit - 1][isAfter ? 1 : 0])
    #expect(try await Self.problem(next) == nil)
  }

  /// SS-B14: an error leaves no part of a copy.
  @Test(arguments: Volumes.allCases)
  func anErrorAtAnyCallLeavesTheRecordWithItsFile(_ volumes: Volumes) async throws {
    let other = try otherVolume(volumes)
    let app = try await Self.app(at: folder.url, otherVolume: other?.url)
    try await app.add("a")
    let counting = SystemFault(atCall: .max, .fail(.inputOutput))
    try await SystemCalls.$fault.withValue(counting) {
      _ = try await app.lifecycle.move("a", to: .caches)
    }
    try await app.lifecycle.move("a", to: .documents)
    var failures = 0
    for number in 1...counting.callsSeen.count {
      do {
        let fault = SystemFault(atCall: number, .fail(.inputOutput))
        try await SystemCalls.$fault.withValue(fault) {
          _ = try await app.lifecycle.move("a", to: .caches)
        }
      } catch {
        failures += 1
      }
      try await app.lifecycle.recoverMoves()
      #expect(try await Self.problem(app) == nil, "call \(number)")
      try await app.lifecycle.move("a", to: .documents)
    }
    #expect(failures > 5)
  }

  @Test func aFullVolumeIsAskedBeforeAFileIsCopied() async throws {
    let other = try #require(try otherVolume(.two))
    var app = try await Self.app(at: folder.url, otherVolume: other.url)
    try await app.add("a")
    app.lifecycle.policy.freeSpaceReserve = .max
    let lifecycle = app.lifecycle
    await #expect { try await lifecycle.move("a", to: .caches) } throws: { error in
      (error as? LedgerError)?.code == .noSpace
    }
    #expect(try await Self.problem(app) == nil)
    try await lifecycle.finish("a")
    let report = try await lifecycle.apply()
    #expect(report.refused.map(\.id) == ["a"])
  }

  @Test func nothingIsReplacedAtTheNewPath() async throws {
    let app = try await DownloadsApp(at: folder.url)
    let path = try await app.add("a")
    let taken = try app.write(DownloadsApp.path(.caches, "a.m4b"), "other")
    await #expect { try await app.lifecycle.move("a", to: .caches) } throws: { error in
      (error as? LedgerError)?.code == .occupied
    }
    #expect(try Data(contentsOf: taken) == Data("other".utf8))
    #expect(app.exists(path))
    #expect(try await app.storedMoves() == 0)
  }

  @Test func aFileReturnsWhenTheTableRefusesItsNewPath() async throws {
    let app = try await DownloadsApp(at: folder.url)
    try await app.add("a")
    try await app.pool.write { db in
      try db.execute(
        sql: """
          CREATE TRIGGER refused BEFORE UPDATE ON local_audio_file_downloads
          WHEN NEW.storage_location = 'caches' BEGIN SELECT RAISE(ABORT, 'refused'); END
          """)
    }
    await #expect(throws: DatabaseError.self) { try await app.lifecycle.move("a", to: .caches) }
    #expect(try await Self.problem(app) == nil)
  }

  @Test func aRowThatRefusesItsMoveStopsNoOther() async throws {
    let app = try await DownloadsApp(at: folder.url)
    for id in ["a", "b", "c"] {
      try await app.add(id)
      try await app.lifecycle.finish(RecordID(id))
    }
    try await app.pool.write { db in
      try db.execute(
        sql: """
          CREATE TRIGGER refused BEFORE UPDATE ON local_audio_file_downloads
          WHEN NEW.storage_location = 'caches' AND NEW.audio_file_id = 'a'
          BEGIN SELECT RAISE(ABORT, 'not this one'); END
          """)
    }
    let report = try await app.lifecycle.apply()
    #expect(report.moved.map(\.id) == ["b", "c"])
    #expect(report.refused.map(\.id) == ["a"])
    #expect(report.refused.first?.problem.contains("not this one") == true)
    #expect(try await app.path(of: "a")?.root == .documents)
    #expect(app.exists(try DownloadsApp.path(.documents, "a.m4b")))
  }

  @Test func aFileIsUsedInTheCachesWhenTheTableRefusesItsMove() async throws {
    let app = try await DownloadsApp(at: folder.url)
    let path = try await app.add("a", .caches)
    try await app.pool.write { db in
      try db.execute(
        sql: """
          CREATE TRIGGER refused BEFORE UPDATE ON local_audio_file_downloads
          WHEN NEW.storage_location = 'documents' BEGIN SELECT RAISE(ABORT, 'refused'); END
          """)
    }
    let file = try await app.lifecycle.prepareForUse("a")
    #expect(file.url == (try app.url(path)))
    #expect(file.problem == "refused")
    #expect(app.exists(path))
  }

  @Test func aFileDoesNotMoveToThePathOfAnotherRecord() async throws {
    let app = try await DownloadsApp(at: folder.url)
    let origin = try await app.add("a")
    // The system has deleted the file of "b".
    let other = try await app.add("b", .caches, named: "a.m4b")
    try FileManager.default.removeItem(at: app.url(other))
    await #expect { try await app.lifecycle.move("a", to: .caches) } throws: { error in
      (error as? LedgerError)?.code == .occupied
    }
    #expect(try await app.path(of: "a") == origin)
    #expect(app.exists(origin))
    #expect(!app.exists(other))
    #expect(try await app.storedMoves() == 0)
  }

  @Test func everyRecordOfAFileFollowsItWhateverItsTextIs() async throws {
    let app = try await DownloadsApp(at: folder.url)
    let path = try await app.add("a", named: "50% Caf\u{E9}.m4b")
    let url = try app.url(path)
    let name = "downloads/li_1/50% Caf\u{E9}.m4b"
    try await app.pool.write { db in
      for (id, text, location) in [
        ("tagged", "D:" + name, "caches"), ("absolute", url.path, "caches"),
        ("url", url.absoluteString, "documents"), ("other", name, "caches"),
      ] {
        try db.execute(
          sql: """
            INSERT INTO local_audio_file_downloads
              (audio_file_id, download_path, downloaded_at, updated_at, storage_location)
            VALUES (?, ?, 1, 1, ?)
            """, arguments: [id, text, location])
      }
      try db.execute(
        sql: "DELETE FROM local_audio_file_downloads WHERE audio_file_id = 'other'")
    }
    let destination = try DownloadsApp.path(.caches, "50% Caf\u{E9}.m4b")
    try await app.lifecycle.move("a", to: .caches)
    for id in ["a", "tagged", "absolute", "url"] {
      #expect(try await app.path(of: id) == destination, "\(id)")
    }
    let text = try await app.ledger.record("tagged")?.storedText
    #expect(text == "C:" + name)
  }

  /// Suspends the database after a commit, and takes the lock that is free then.
  private final class Suspender: TransactionObserver {
    let app: DownloadsApp
    let pool: DatabasePool
    let resumes: Bool
    var isDone = false
    var wasFree: Bool?

    init(_ app: DownloadsApp, _ pool: DatabasePool, resumes: Bool) {
      self.app = app
      self.pool = pool
      self.resumes = resumes
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidRollback(_ db: Database) {}

    func databaseDidCommit(_ db: Database) {
      guard !isDone else { return }
      isDone = true
      pool.suspend()
      do {
        let url = try app.container.url(for: .applicationSupport)
        try FileLock(at: url.appending(path: ".app.db.moves.lock")).release()
        wasFree = true
      } catch {
        wasFree = false
      }
      if resumes { pool.resume() }
    }
  }

  @Test(arguments: [true, false])
  func aSuspensionReleasesTheLockOfAMove(_ resumes: Bool) async throws {
    let app = try await DownloadsApp(at: folder.url)
    try await app.add("a")
    var configuration = Configuration()
    configuration.allowsSuspension = true
    let pool = try DatabasePool(
      path: #require(app.pool.path), configuration: configuration)
    let suspender = Suspender(app, pool, resumes: resumes)
    pool.add(transactionObserver: suspender, extent: .databaseLifetime)
    let lifecycle = FileLifecycle(
      FileLedger(pool, container: app.container, table: .audioFileDownloads))
    do {
      let moved = try await lifecycle.move("a", to: .caches)
      #expect(resumes)
      #expect(moved?.to == (try DownloadsApp.path(.caches, "a.m4b")))
    } catch let error as DatabaseError {
      #expect(!resumes, "\(error)")
    }
    #expect(suspender.wasFree == true)
    pool.resume()
    if !resumes { #expect(try await lifecycle.recoverMoves().map(\.outcome) == [.undone]) }
    #expect(try await Self.problem(app) == nil)
    #expect(try await app.path(of: "a")?.root == (resumes ? .caches : .documents))
  }

  @Test func aRecordThatGotAnotherPathMeanwhileKeepsIt() async throws {
    let app = try await DownloadsApp(at: folder.url)
    let old = try await app.add("a")
    let new = try DownloadsApp.path(.documents, "b.m4b")
    try app.write(new)
    // Stored by a process that was killed after its file had moved.
    try await app.pool.write { db in
      try MoveIntent(
        key: "a".databaseValue, origin: old,
        destination: DownloadsApp.path(.caches, "a.m4b"), byteCount: 5
      ).insert(1, db)
    }
    try await app.ledger.record("a", at: new)
    #expect(try await app.lifecycle.recoverMoves().map(\.outcome) == [.undone])
    #expect(try await app.path(of: "a") == new)
    #expect(app.exists(old))
  }

  @Test func everyRecordOfAFileFollowsIt() async throws {
    let app = try await DownloadsApp(at: folder.url)
    let path = try await app.add("a")
    try await app.ledger.record("b", at: path)
    try await app.lifecycle.move("a", to: .caches)
    let moved = try await app.path(of: "b")
    #expect(moved == (try DownloadsApp.path(.caches, "a.m4b")))
  }

  @Test func aDatabaseIsNotMoved() async throws {
    let app = try await DownloadsApp(at: folder.url)
    let path = try DownloadsApp.path(.documents, "a.m4b")
    let url = try app.write(path)
    try FileManager.default.removeItem(at: url)
    try await DatabaseQueue(path: url.path).write { db in try db.execute(sql: "CREATE TABLE t (x)")
    }
    try await app.ledger.record("a", at: path)
    await #expect(throws: FileError.self) { try await app.lifecycle.move("a", to: .caches) }
    #expect(app.exists(path))
    #expect(try await app.storedMoves() == 0)
  }

  /// SS-B22.
  @Test func theExclusionFromBackupsIsSetAgainAndReadBack() async throws {
    var app = try await DownloadsApp(at: folder.url)
    try await app.add("a", .caches)
    let moved = try await app.lifecycle.move("a", to: .documents)
    #expect(moved?.exclusion?.isExcluded == true)
    #expect(moved?.exclusion?.path == moved?.to)
    #expect(try FileAttributes(of: app.url(#require(moved?.to))).isExcludedFromBackup)

    let downloads = try RelocatablePath(.documents, "downloads")
    app.lifecycle.policy.excludedFolders = [downloads]
    #expect(await app.lifecycle.excludeFromBackup().map(\.isExcluded) == [true])
    // As after a restored backup.
    try FileAttributes().set(on: app.url(downloads))
    try await app.lifecycle.move("a", to: .caches)
    let again = try await app.lifecycle.move("a", to: .documents)
    #expect(again?.exclusion == BackupExclusion(downloads, in: app.container))
    #expect(try FileAttributes(of: app.url(downloads)).isExcludedFromBackup)
  }

  /// SS-B22.
  @Test func anExclusionThatDoesNotStickIsReported() async throws {
    var app = try await DownloadsApp(at: folder.url)
    app.lifecycle.policy.excludedFolders = [try RelocatablePath(.documents, "downloads")]
    let lifecycle = app.lifecycle
    let fault = SystemFault(atCall: 1, .refuse([.setxattr: .notSupported]))
    let states = await SystemCalls.$fault.withValue(fault) { await lifecycle.excludeFromBackup() }
    #expect(states.map(\.isExcluded) == [false])
    #expect(states.first?.problem != nil)
  }

  @Test func theInnermostFolderIsExcludedAndNeverARoot() throws {
    let file = try RelocatablePath(.documents, "downloads", "li_1", "a.m4b")
    let folders = [
      try RelocatablePath(.documents), try RelocatablePath(.documents, "downloads"),
      try RelocatablePath(.documents, "downloads", "li_1"),
      try RelocatablePath(.documents, "downloads", "li_1", "a.m4b"),
      try RelocatablePath(.caches, "downloads", "li_1"),
    ]
    #expect(BackupExclusion.target(for: file, in: folders) == folders[2])
    #expect(BackupExclusion.target(for: file, in: [folders[0], folders[4]]) == file)
  }
}

struct MoveRecoveryTests {
  @Test func nothingIsDoneOnAGuess() {
    for other in [Presence.present, .absent, .unknown] {
      for hasLength in [false, true] {
        #expect(
          MoveRecovery(origin: .unknown, destination: other, hasLength: hasLength) == .postpone)
        #expect(
          MoveRecovery(origin: other, destination: .unknown, hasLength: hasLength) == .postpone)
      }
    }
  }

  @Test func theFilesDecide() {
    #expect(MoveRecovery(origin: .present, destination: .absent, hasLength: false) == .undo)
    #expect(MoveRecovery(origin: .present, destination: .present, hasLength: true) == .complete)
    #expect(MoveRecovery(origin: .present, destination: .present, hasLength: false) == .undo)
    #expect(MoveRecovery(origin: .absent, destination: .present, hasLength: true) == .complete)
    #expect(MoveRecovery(origin: .absent, destination: .present, hasLength: false) == .forget)
    #expect(MoveRecovery(origin: .absent, destination: .absent, hasLength: false) == .forget)
  }
}
