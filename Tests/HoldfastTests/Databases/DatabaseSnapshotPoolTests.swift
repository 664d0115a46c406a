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

  private static let snapshots: ConditionTrait = .enabled(
    if: LogSnapshot.isAvailable, "This SQLite was built without SQLITE_ENABLE_SNAPSHOT.")

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
    let outside = #expect(throws: DatabaseError.self) {
      try pool.unsafeRead { db in try DatabaseSnapshotPool(db) }
    }
    #expect(outside?.resultCode == .SQLITE_MISUSE)
    // It keeps the log until it is released, which its pool need not outlive.
    try pool.close()
    #expect(try snapshot.read(Self.values) == [1])
    try snapshot.close()
    #expect(throws: DatabaseError.self) { try snapshot.read { _ in } }
  }

  @Test(snapshots) func aSuspensionEndsIt() async throws {
    let snapshot = try pool.makeSnapshotPool()
    #expect(try await snapshot.read { db in try Self.values(db) } == [1])
    let report = await pool.suspend()
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
