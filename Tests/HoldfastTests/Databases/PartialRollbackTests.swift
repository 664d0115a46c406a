import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Commits of transactions of which a part was rolled back, when the database is opened after a crash.
///
/// In a connection of SQLite's own, 3.11.0 to 3.50.1 lose them: `SQLiteLibrary` says why.
@Suite(.timeLimit(.minutes(1))) struct PartialRollbackTests {
  /// The part of the transaction that is rolled back.
  enum Part: CaseIterable, Sendable {
    case savepoint, savepointInSQL, statement
  }

  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
  }

  private static let many = """
    INSERT INTO t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
    SELECT randomblob(10), randomblob(400) FROM n
    """

  private static func rollBack(_ part: Part, _ db: Database) throws {
    switch part {
    case .savepoint:
      try db.inSavepoint {
        try db.execute(sql: many)
        return .rollback
      }
    case .savepointInSQL:
      try db.execute(sql: "SAVEPOINT s; \(many); ROLLBACK TO s; RELEASE s")
    case .statement:
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: many + " UNION ALL SELECT x'00', 1")
      }
    }
  }

  /// How the writer comes to a log.
  enum Log: CaseIterable, Sendable {
    case pool, openedQueue, ownSQL, deniedToApp
  }

  private func makeWriter(_ log: Log) throws -> any DatabaseWriter {
    if log == .pool { return try DatabasePool(path: path) }
    let queue = try DatabaseQueue(path: path)
    try queue.blockingWithoutTransaction { db in
      if log == .deniedToApp {
        db.setAuthorizer { $0.first == "cache_spill" ? .deny : .allow }
      }
      try db.execute(sql: "PRAGMA main.journal_mode = WAL; CREATE TABLE other (a)")
    }
    guard log == .openedQueue else { return queue }
    // Another library has turned the log on.
    try queue.close()
    return try DatabaseQueue(path: path)
  }

  @Test(arguments: Part.allCases, Log.allCases)
  func laterCommitsAreFoundAfterACrash(part: Part, log: Log) throws {
    let writer = try makeWriter(log)
    try writer.writeWithoutTransaction { db in
      // SQLite writes changed pages before their commit when the cache is full.
      try db.execute(
        sql: """
          PRAGMA cache_size = 5; PRAGMA wal_autocheckpoint = 0;
          CREATE TABLE t (a UNIQUE, b); INSERT INTO t VALUES (x'00', 0)
          """)
      try db.inTransaction {
        try db.execute(sql: "INSERT INTO t VALUES (1, 1)")
        try Self.rollBack(part, db)
        try db.execute(sql: "INSERT INTO t VALUES (2, 2)")
        return .commit
      }
      try db.execute(sql: "INSERT INTO t VALUES (3, 3)")
    }
    let copy = folder.file("copy.db").path
    for ending in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending)
    }
    let found = try DatabaseQueue(path: copy).blockingRead { db in
      try Int.fetchAll(db, sql: "SELECT b FROM t ORDER BY b")
    }
    #expect(found == [0, 1, 2, 3])
    try writer.close()
  }
}
