import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Moving a database into a container that several processes share.
@Suite(.timeLimit(.minutes(3))) struct SharedDatabaseTests {
  private let folder: TemporaryDirectory
  private let old: URL
  private let new: URL

  init() throws {
    folder = try TemporaryDirectory()
    old = folder.file("app/stops.db")
    new = folder.file("group/shared.db")
    try Self.reset(folder, old)
  }

  /// Creates two folders and, in the first, a database whose latest changes are in its log.
  private static func reset(_ folder: TemporaryDirectory, _ old: URL) throws {
    for name in ["app", "group"] {
      try? FileManager.default.removeItem(at: folder.file(name))
      try FileManager.default.createDirectory(
        at: folder.file(name), withIntermediateDirectories: true)
    }
    var configuration = Configuration()
    configuration.keepsWriteAheadLog = true
    configuration.allowsSuspension = true
    let pool = try DatabasePool(path: old.path, configuration: configuration)
    try pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a); INSERT INTO t VALUES ('first');
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
          INSERT INTO t SELECT hex(randomblob(40)) FROM n;
          """)
    }
    // A suspension closes the connections without a checkpoint, like a crash.
    _ = pool.blockingSuspend()
  }

  private func names(_ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.file(name).path).sorted()
  }

  private func count(_ url: URL) throws -> Int? {
    let queue = try DatabaseQueue(path: url.path)
    return try queue.read { db in
      #expect(try db.integrityProblems() == [])
      return try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
    }
  }

  @Test func everythingIsMoved() throws {
    let wal = try Data(contentsOf: URL(filePath: old.path + "-wal"))
    try #require(wal.count > 500_000)
    try FileAttributes(isExcludedFromBackup: true).set(on: old)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: old.path)
    #expect(try SharedDatabase.move(from: old, to: new))
    #expect(try names("app") == [])
    #expect(try names("group") == ["shared.db"])
    #expect(try FileAttributes(of: new).isExcludedFromBackup)
    let mode = try FileManager.default.attributesOfItem(atPath: new.path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    #expect(try count(new) == 6001)
    // The move can be requested at each launch.
    #expect(try !SharedDatabase.move(from: old, to: new))
    #expect(try count(DatabasePool.shared(at: new).path.map { URL(filePath: $0) } ?? old) == 6001)
  }

  @Test func anotherDatabaseIsNotOverwritten() throws {
    try DatabaseQueue(path: new.path).write { db in try db.execute(sql: "CREATE TABLE theirs (a)") }
    let before = try Data(contentsOf: new)
    let error = #expect(throws: SharingError.self) { try SharedDatabase.move(from: old, to: new) }
    #expect(error?.code == .alreadyExists)
    #expect(try Data(contentsOf: new) == before)
    #expect(try names("group") == ["shared.db"])
    #expect(try count(old) == 6001)
  }

  @Test(arguments: ["-wal", "-shm", "-journal", "-signal"])
  func aDatabaseIsNotMovedOntoACompanionFile(suffix: String) throws {
    try DatabaseQueue(path: new.path).writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE t (a)")
    }
    let place = URL(filePath: new.path + suffix)
    #expect(throws: FileError.self) { try SharedDatabase.move(from: old, to: place) }
    #expect(throws: FileError.self) {
      try SharedDatabase.move(from: old, to: URL(filePath: old.path + suffix))
    }
    #expect(try names("group") == ["shared.db"])
    #expect(try count(old) == 6001)
  }

  @Test func aLogAtTheDestinationIsNotApplied() throws {
    try Data("a log".utf8).write(to: URL(filePath: new.path + "-wal"))
    let error = #expect(throws: FileError.self) { try SharedDatabase.move(from: old, to: new) }
    #expect(error?.code == .sidecarPresent)
    #expect(try count(old) == 6001)
  }

  @Test func anOpenDatabaseIsNotMoved() throws {
    let pool = try DatabasePool(path: old.path)
    let error = #expect(throws: SharingError.self) { try SharedDatabase.move(from: old, to: new) }
    #expect(error?.code == .busy)
    #expect(try names("group") == [])
    try pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('second')") }
    try pool.close()
    #expect(try SharedDatabase.move(from: old, to: new))
    #expect(try count(new) == 6002)
  }

  @Test(arguments: ["wal", "delete"]) func aDatabaseInUseIsNotMoved(mode: String) async throws {
    let holds = try Signal(at: folder.file("holds").path)
    let ends = try Signal(at: folder.file("ends").path)
    let ours = OwnThread { [old, new] in
      try holds.wait()
      var configuration = Configuration()
      configuration.busyMode = .immediateError
      let error = #expect(throws: (any Error).self) {
        try SharedDatabase.move(from: old, to: new, configuration: configuration)
      }
      try ends.send()
      return error
    }
    await #expect(processExitsWith: .success) {
      [
        old = old as URL, mode = mode as String, holds = holds.path as String,
        ends = ends.path as String
      ] in
      let queue = try DatabaseQueue(path: old.path)
      try queue.blockingWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = \(mode); SELECT * FROM t LIMIT 1")
        // In write-ahead-log mode an idle connection is detected too.
        if mode == "delete" { try db.execute(sql: "BEGIN IMMEDIATE") }
        try Signal(at: holds).send()
        try Signal(at: ends).wait()
        if mode == "delete" { try db.execute(sql: "ROLLBACK") }
      }
    }
    try holds.send()
    let error = try await ours.value
    let isBusy =
      (error as? SharingError)?.code == .busy
      || (error as? DatabaseError)?.resultCode == .SQLITE_BUSY
    #expect(isBusy, "\(String(describing: error))")
    #expect(try names("group") == [])
    #expect(try SharedDatabase.move(from: old, to: new))
  }

  @Test func aMoveWaitsForAnOpeningOfTheDestination() throws {
    let lock = try FileLock(at: folder.file("group/.shared.db.opening"))
    let error = #expect(throws: SharingError.self) {
      try SharedDatabase.move(from: old, to: new, within: .milliseconds(5))
    }
    #expect(error?.code == .busy)
    lock.release()
    #expect(try names("app").contains("stops.db"))
  }

  @Test func whoOpensTheOldPlaceThroughALinkWaits() throws {
    let link = folder.file("link.db")
    try FileManager.default.createSymbolicLink(
      atPath: link.path, withDestinationPath: "app/stops.db")
    let lock = try FileLock(at: folder.file("app/.stops.db.opening"))
    let error = #expect(throws: SharingError.self) {
      try SharedDatabase.move(from: link, to: new, within: .milliseconds(5))
    }
    #expect(error?.code == .busy)
    lock.release()
    #expect(try count(old) == 6001)
  }

  /// In a process of its own, because the notification is for all databases of the process.
  @Test func aSuspensionEndsTheMoveAndItsLocks() async throws {
    let calls = try onThisThread { try trace() }
    let write = try #require(calls.firstIndex(of: .write)) + 1
    await #expect(processExitsWith: .success) {
      [old = old as URL, new = new as URL, write = write as Int] in
      var configuration = Configuration()
      configuration.observesSuspensionNotifications = true
      let own = configuration
      let held = Journal<[String]>()
      let fault = SystemFault(
        atCall: write,
        .overtake {
          NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
          held.append((try? HeldLocks.onDatabase(at: old.path)) ?? ["unknown"])
          let folders = [old, new].map { $0.deletingLastPathComponent().path }
          held.append(
            folders.flatMap { folder in
              ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? ["unknown"])
                .filter { $0.hasSuffix(".opening") }
            })
        })
      let error = #expect(throws: DatabaseError.self) {
        try SystemCalls.$fault.withValue(fault) {
          try SharedDatabase.move(from: old, to: new, configuration: own)
        }
      }
      #expect(error?.isDatabaseSuspensionError == true)
      #expect(held.entries == [[], []])
    }
    #expect(try names("group") == [])
    #expect(try count(old) == 6001)
    try expectTheNextMoveEnds("after a suspension")
  }

  // MARK: - Failures and crashes

  private func trace() throws -> [SystemCalls.Name] {
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    _ = try SystemCalls.$fault.withValue(trace) { try SharedDatabase.move(from: old, to: new) }
    try Self.reset(folder, old)
    return trace.callsSeen
  }

  /// Expects that the next call completes the move and leaves nothing else.
  private func expectTheNextMoveEnds(_ comment: Comment) throws {
    _ = try SharedDatabase.move(from: old, to: new, within: .seconds(60))
    #expect(try count(new) == 6001, comment)
    // The empty lock file that a killed process leaves is harmless.
    let left = try (names("app") + names("group")).filter { !$0.hasSuffix(".opening") }
    #expect(left == ["shared.db"], comment)
    try Self.reset(folder, old)
  }

  @Test func anyFailureLeavesOneCompleteDatabase() throws {
    let calls = try trace()
    #expect(calls.count > 20)
    for ordinal in 1...calls.count {
      let fault = SystemFault(atCall: ordinal, .fail(.noSpace))
      let isDone = SystemCalls.$fault.withValue(fault) {
        (try? SharedDatabase.move(from: old, to: new)) != nil
      }
      let comment: Comment = "\(calls[ordinal - 1]), call \(ordinal), done: \(isDone)"
      #expect(fault.hasStruck)
      let isNew = FileManager.default.fileExists(atPath: new.path)
      if isDone { #expect(isNew, comment) }
      if !isNew { #expect(try !names("group").contains(".shared.db.moving"), comment) }
      #expect(try count(isNew ? new : old) == 6001, comment)
      try expectTheNextMoveEnds(comment)
    }
  }

  @Test func aCrashAtAnyCallLeavesOneCompleteDatabase() async throws {
    let calls = try onThisThread { try trace() }
    var found: Set<[Bool]> = []
    for ordinal in 1...calls.count {
      await #expect(processExitsWith: .exitCode(77)) {
        [ordinal = ordinal as Int, old = old as URL, new = new as URL] in
        let fault = SystemFault(atCall: ordinal, .exit(status: 77))
        _ = try SystemCalls.$fault.withValue(fault) {
          try SharedDatabase.move(from: old, to: new)
        }
      }
      let comment: Comment = "crash at \(calls[ordinal - 1]), call \(ordinal)"
      let exist = [old, new].map { FileManager.default.fileExists(atPath: $0.path) }
      found.insert(exist)
      #expect(exist.contains(true), comment)
      try expectTheNextMoveEnds(comment)
    }
    #expect(found == [[true, false], [true, true], [false, true]])
  }
}
