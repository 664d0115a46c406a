import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastSQLite

struct CheckpointTests {
  private let folder: TemporaryDirectory
  private let connection: Connection

  init() throws {
    folder = try TemporaryDirectory()
    connection = try Connection(folder.file("t.db").path)
    try connection.withAccess { db in
      try db.turnOnWriteAheadLog()
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 1; CREATE TABLE t (a)")
    }
  }

  private static func isEverythingMoved(_ db: Database) throws -> Bool? {
    try db.writeAheadLogState().map {
      $0.frameCount > 0 && $0.checkpointedFrameCount == $0.frameCount
    }
  }

  /// The app may forbid pragmas, and counts what it traces.
  @Test func theAppDoesNotNoticeWhatACheckpointAsks() throws {
    try connection.withAccess { db in
      let noticed = Journal<String>()
      db.setAuthorizer { action in
        guard action.code != .pragma else {
          noticed.append("pragma")
          return .deny
        }
        return .allow
      }
      db.trace { noticed.append("\($0)") }
      try db.execute(sql: "INSERT INTO t VALUES (1)")
      _ = try db.checkpoint(.passive)
      _ = try db.checkpoint(.truncate, on: nil)
      try db.execute(sql: "INSERT INTO t VALUES (2)")
      db.setAuthorizer(nil)
      db.trace()
      #expect(noticed.entries == ["INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (2)"])
      #expect(try Self.isEverythingMoved(db) == true)
    }
  }

  /// In exclusive locking mode there is no shared memory, and none is created.
  @Test func anExclusiveConnectionCheckpoints() throws {
    try connection.withAccess { db in
      _ = try String.fetchOne(db, sql: "PRAGMA locking_mode = EXCLUSIVE")
      try db.execute(sql: "INSERT INTO t VALUES (1)")
      let state = try db.checkpoint(.passive)
      #expect(state.walFrameCount > 0)
      #expect(state.checkpointedFrameCount == state.walFrameCount)
    }
  }

  /// The lock of a checkpoint is one on a mark, as a reader has; it must not end that of a transaction.
  @Test func aCheckpointInATransactionIsRefusedAndReleasesNothing() throws {
    let other = try Connection(folder.file("t.db").path)
    try connection.withAccess { db in
      try db.execute(sql: "BEGIN")
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 0)
      let error = try databaseError { try db.checkpoint(.passive) }
      #expect(error.resultCode == .SQLITE_LOCKED)
      try other.withAccess { other in
        for _ in 1...3 { try other.execute(sql: "INSERT INTO t VALUES (zeroblob(9000))") }
        #expect(try Self.isEverythingMoved(other) == false)
      }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 0)
      try db.execute(sql: "COMMIT")
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 3)
      _ = try db.checkpoint(.passive)
      #expect(try Self.isEverythingMoved(db) == true)
    }
  }

  @Test func anEmptyNameMeansAllDatabases() throws {
    try connection.withAccess { db in
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0; INSERT INTO t VALUES (1)")
      let state = try db.checkpoint(.passive, on: "")
      #expect(state.checkpointedFrameCount == state.walFrameCount)
      let error = try databaseError { try db.checkpoint(.passive, on: "missing") }
      #expect(error.resultCode == .SQLITE_ERROR)
    }
  }
}
