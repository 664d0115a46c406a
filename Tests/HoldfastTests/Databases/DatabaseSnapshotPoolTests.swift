import CFaults
import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Snapshots with several connections, in a SQLite that has them and in one that has not.
@Suite(.timeLimit(.minutes(1))) struct DatabaseSnapshotPoolTests {
  private let folder: TemporaryDirectory
  private let path: String
  private let pool: DatabasePool

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
    var configuration = Configuration()
    configuration.maximumReaderCount = 2
    configuration.allowsSuspension = true
    pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { db in try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
  }

  private static func values(_ db: Database) throws -> [Int] {
    try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a")
  }

  private func insert(_ value: Int, checkpoints: Bool = false) throws {
    try pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [value]) }
    if checkpoints { try pool.checkpoint(.passive) }
  }

  @Test(.enabled(if: !LogSnapshot.isAvailable, "This SQLite has snapshots."))
  func withoutSnapshotsTheErrorSaysWhatToDo() throws {
    for make: () throws -> DatabaseSnapshotPool in [
      { try pool.makeSnapshotPool() }, { try DatabaseSnapshotPool(path: path) },
      { try pool.read { db in try DatabaseSnapshotPool(db) } },
    ] {
      let error = #expect(throws: DatabaseError.self) { try make() }
      #expect(error?.resultCode == .SQLITE_ERROR)
      #expect(error?.message?.contains("use `makeSnapshot()`") == true)
    }
    // Nothing of it keeps the log.
    #expect(try pool.checkpoint(.truncate).walFrameCount == 0)
  }

  @Test func aDatabaseInMemoryHasNoLog() throws {
    let error = #expect(throws: DatabaseError.self) {
      try DatabaseQueue().read { db in try DatabaseSnapshotPool(db) }
    }
    #expect(error?.message?.contains("a database in memory or a temporary one") == true)
  }

  private static let snapshots: ConditionTrait = .enabled(
    // Where a SQLite with snapshots was put in place, its absence is a failure.
    if: LogSnapshot.isAvailable || ProcessInfo.processInfo.environment["HOLDFAST_SNAPSHOTS"] != nil,
    "This SQLite was built without SQLITE_ENABLE_SNAPSHOT.")

  @Test(snapshots) func twoConnectionsSeeOneStateAtOnce() async throws {
    let made: [@Sendable () throws -> DatabaseSnapshotPool] = [
      { [pool] in try pool.makeSnapshotPool() }, { [path] in try DatabaseSnapshotPool(path: path) },
      { [pool] in try pool.read { db in try DatabaseSnapshotPool(db) } },
    ]
    for (number, make) in made.enumerated() {
      let before = try pool.unsafeReentrantRead(Self.values)
      let snapshot = try make()
      try insert(number + 2, checkpoints: true)
      // Each waits for the other inside of its read. Its connection is opened after the commit.
      let (first, second) = (Gate(), Gate())
      let readers = [
        OwnThread {
          try snapshot.read { db in
            first.open()
            second.wait()
            return try Self.values(db)
          }
        },
        OwnThread {
          try snapshot.read { db in
            second.open()
            first.wait()
            return try Self.values(db)
          }
        },
      ]
      for reader in readers { #expect(try await reader.value == before) }
      try insert(-number)
      #expect(try await snapshot.unsafeRead { db in try Self.values(db) } == before)
      #expect(snapshot.configuration.readonly && snapshot.path == path)
    }
  }

  @Test(snapshots) func theStateIsTheOneOfTheTransaction() throws {
    let snapshot = try pool.read { db in
      let values = try Self.values(db)
      try OwnThread { try insert(2) }.blockingValue()
      let snapshot = try DatabaseSnapshotPool(db)
      #expect(values == [1])
      return snapshot
    }
    #expect(try snapshot.read(Self.values) == [1])
    #expect(try pool.read(Self.values) == [1, 2])
    // Outside of a transaction it is the last committed one, and the changes of an open one are in none.
    let outside = try pool.writeWithoutTransaction { db in
      try db.execute(sql: "INSERT INTO t VALUES (3)")
      return try DatabaseSnapshotPool(db)
    }
    let after = #expect(throws: DatabaseError.self) {
      try pool.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (4)")
        _ = try DatabaseSnapshotPool(db)
      }
    }
    #expect(after?.message?.contains("not committed") == true)
    #expect(try outside.read(Self.values) == [1, 2, 3])
    try outside.close()
    // It keeps the log until it is released, which its pool need not outlive.
    try pool.close()
    #expect(try snapshot.read(Self.values) == [1])
    try snapshot.close()
    #expect(throws: DatabaseError.self) { try snapshot.read { _ in } }
  }

  /// After a complete checkpoint a reader needs nothing of the log, which the next writer restarts.
  @Test(snapshots, arguments: [Database.CheckpointMode.passive, .restart, .truncate])
  func theLogIsNotRestarted(after mode: Database.CheckpointMode) throws {
    for (number, make)
      in ([
        { try pool.makeSnapshotPool() }, { try DatabaseSnapshotPool(path: path) },
        { try pool.read { db in try DatabaseSnapshotPool(db) } },
        { try pool.writeWithoutTransaction { db in try DatabaseSnapshotPool(db) } },
      ] as [() throws -> DatabaseSnapshotPool]).enumerated()
    {
      try pool.checkpoint(mode)
      let before = try pool.read(Self.values)
      let snapshot = try make()
      try insert(number + 2)
      try insert(-number, checkpoints: true)
      #expect(try snapshot.read(Self.values) == before)
      try snapshot.close()
    }
  }

  @Test(snapshots) func aReopenedFileHasAnEmptyLog() throws {
    try pool.write { db in try db.execute(sql: "PRAGMA user_version = 7") }
    // One that can be suspended leaves its log as it closes.
    try pool.close()
    try DatabasePool(path: path).close()
    for isInWrite in [false, true] {
      let reopened = try DatabasePool(path: path)
      defer { #expect(throws: Never.self) { try reopened.close() } }
      var readonly = Configuration()
      readonly.readonly = true
      let reader = try DatabasePool(path: path, configuration: readonly)
      for make: () throws -> DatabaseSnapshotPool in [
        { try reader.makeSnapshotPool() }, { try DatabaseSnapshotPool(path: path) },
        { try reopened.read { db in try DatabaseSnapshotPool(db) } },
      ] {
        let error = #expect(throws: DatabaseError.self) { try make() }
        #expect(error?.message?.contains("which is empty since the file was opened") == true)
      }
      try reader.close()
      let snapshot =
        isInWrite
        ? try reopened.writeWithoutTransaction { db in try DatabaseSnapshotPool(db) }
        : try reopened.makeSnapshotPool()
      try reopened.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
      let version = try snapshot.read { db in try Int.fetchOne(db, sql: "PRAGMA user_version") }
      #expect(version == 7)
      #expect(try snapshot.read(Self.values) == (isInWrite ? [1, 2] : [1]))
      try snapshot.close()
    }
  }

  /// Each file operation fails in turn, as on a full disk, while an empty log is filled.
  @Test(snapshots, .disabled(if: ConnectionKeys.areUsed, "a key is given before the faults"))
  func aLogThatCannotBeFilledHarmsNothing() async {
    await #expect(processExitsWith: .success) {
      try #require(holdfast_put_faults_in_files())
      let folder = try TemporaryDirectory()
      for lasts in [false, true] {
        var (call, failures) = (Int64(1), 0)
        while let hasFailed = try Self.fillLog(
          folder.file("\(lasts)-\(call).db").path, failingAt: call, lasts: lasts)
        {
          if hasFailed { failures += 1 }
          call += 1
        }
        #expect(failures > 5, "\(failures) of \(call) calls")
      }
    }
  }

  /// Returns whether a snapshot was refused because of a failed call; `nil` when there are not so many.
  private static func fillLog(
    _ path: String, failingAt call: Int64, lasts: Bool
  ) throws -> Bool? {
    let first = try DatabasePool(path: path)
    try first.write { db in try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
    try first.close()
    let pool = try DatabasePool(path: path)
    defer { #expect(throws: Never.self) { try pool.close() } }
    holdfast_arm_fault(call, lasts)
    var hasFailed = false
    do { try pool.makeSnapshotPool().close() } catch { hasFailed = true }
    let strikes = holdfast_disarm_fault()
    let snapshot = try pool.makeSnapshotPool()
    try pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
    #expect(try snapshot.read(Self.values) == [1])
    try snapshot.close()
    #expect(try pool.read(Self.values) == [1, 2])
    let check = try pool.read { db in try String.fetchOne(db, sql: "PRAGMA integrity_check") }
    #expect(check == "ok")
    return strikes > 0 ? hasFailed : nil
  }

  @Test(snapshots) func aConnectionThatLostTheStateIsOpenedAgain() throws {
    let snapshot = try pool.makeSnapshotPool()
    try insert(2)
    let accesses: [(Database) throws -> Void] = [
      { try $0.rollback() }, { try $0.commit() },
      { db in
        try db.commit()
        try db.beginTransaction()
      },
    ]
    for access in accesses + accesses {
      let values = try snapshot.read { db in
        try access(db)
        return try Self.values(db)
      }
      #expect(values == [1, 2])
      try pool.checkpoint(.passive)
      #expect(try snapshot.read(Self.values) == [1])
    }
    // An error after it does not keep the connection either.
    #expect(throws: CancellationError.self) {
      try snapshot.read { db in
        try accesses[2](db)
        throw CancellationError()
      }
    }
    #expect(try snapshot.read(Self.values) == [1])
  }

  @Test(snapshots, arguments: [false, true])
  func aSuspensionEndsIt(isOfConnection: Bool) async throws {
    let snapshot =
      isOfConnection
      ? try await pool.read { db in try DatabaseSnapshotPool(db) } : try pool.makeSnapshotPool()
    #expect(try await snapshot.read { db in try Self.values(db) } == [1])
    let report = await pool.suspend()
    #expect(report.heldLocks.isEmpty)
    #expect(report.endedReadTransactionCount == 2)
    pool.resume()
    for _ in 0..<3 {
      let error = await #expect(throws: DatabaseError.self) {
        try await snapshot.read { db in try Self.values(db) }
      }
      #expect(error?.isDatabaseSuspensionError == true)
    }
    #expect(try await pool.read { db in try Self.values(db) } == [1])
  }
}
