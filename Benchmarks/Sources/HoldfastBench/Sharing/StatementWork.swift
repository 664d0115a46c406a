import Foundation
import Holdfast

/// Statements of every kind that one thread runs while its pool is suspended.
///
/// A commit adds the same row to an ordinary table, to an R*Tree and to a full-text table. All
/// other statements use the thread's own tables, and can only fail because of a suspension.
struct StatementWork {
  /// The observed queries of the three tables.
  static let observedSQL = [
    "SELECT count(*) FROM mark",
    "SELECT count(*) FROM place WHERE low >= 0",
    "SELECT count(*) FROM word WHERE word MATCH 'mark'",
  ]

  private let name: String
  private let otherPath: String

  init(thread: Int, in folder: URL) {
    name = "own\(thread)"
    otherPath = folder.appending(path: "other-\(thread).db").path
  }

  /// Creates the tables that all threads share.
  static func prepare(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE mark (id INTEGER PRIMARY KEY, text TEXT);
        CREATE VIRTUAL TABLE place USING rtree (id, low, high);
        CREATE VIRTUAL TABLE word USING fts5 (text)
        """)
  }

  /// Returns the number of rows that are in one of the three tables and missing in another.
  static func differenceCount(_ db: Database) throws -> Int {
    try Int.fetchOne(
      db,
      sql: """
        SELECT (SELECT count(*) FROM mark WHERE id NOT IN (SELECT id FROM place))
          + (SELECT count(*) FROM mark WHERE id NOT IN (SELECT rowid FROM word))
          + (SELECT count(*) FROM place WHERE id NOT IN (SELECT id FROM mark))
          + (SELECT count(*) FROM word WHERE rowid NOT IN (SELECT id FROM mark))
        """) ?? 0
  }

  /// Performs one random operation.
  func perform(on pool: DatabasePool, _ random: inout Random) throws {
    let number = random.below(1000)
    switch random.below(15) {
    case 0..<5:
      try pool.write { db in
        try db.execute(sql: "INSERT INTO mark (text) VALUES ('a mark')")
        let id = db.lastInsertedRowID
        try db.execute(sql: "INSERT INTO place VALUES (?, 1, 2)", arguments: [id])
        try db.execute(sql: "INSERT INTO word (rowid, text) VALUES (?, 'a mark')", arguments: [id])
      }
    case 5: try pool.write { db in try changeSchema(db) }
    case 6: try pool.write { db in try makeVirtualTables(db) }
    case 7:
      try pool.writeWithoutTransaction { db in
        try db.inTransaction {
          try db.inSavepoint {
            try db.execute(sql: "DELETE FROM mark; DELETE FROM word; DELETE FROM place")
            return .rollback
          }
          return .commit
        }
      }
    case 8:
      try pool.writeWithoutTransaction { db in
        try ignoringOthers { try db.execute(sql: number < 100 ? "VACUUM" : "REINDEX") }
      }
    case 9: try attach(on: pool)
    case 10:
      let verb = ["integrity-check", "optimize", "rebuild"][number % 3]
      try pool.write { db in
        try db.execute(sql: "INSERT INTO word (word) VALUES (?)", arguments: [verb])
      }
    case 11: try pool.write { db in try db.execute(sql: "ANALYZE; PRAGMA optimize") }
    case 12:
      do {
        try pool.write { db in try db.execute(sql: "INSERT INTO mark (id) VALUES (-1), (-1)") }
        fatalError("A key was given twice, and SQLite took both.")
      } catch ResultCode.SQLITE_CONSTRAINT {
        // This is expected.
      }
    default:
      try pool.read { db in
        for sql in Self.observedSQL { _ = try Int.fetchOne(db, sql: sql) }
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM place JOIN mark USING (id)")
        for _ in 0..<10 where try rows.next() == nil { break }
      }
    }
  }

  private func changeSchema(_ db: Database) throws {
    try db.execute(
      sql: """
        DROP TABLE IF EXISTS \(name); DROP TABLE IF EXISTS \(name)c;
        CREATE TABLE \(name) (a, b UNIQUE, c); CREATE INDEX \(name)i ON \(name) (a);
        INSERT INTO \(name) VALUES (1, 2, 3), (4, 5, 6);
        ALTER TABLE \(name) RENAME COLUMN a TO z; ALTER TABLE \(name) DROP COLUMN c;
        ALTER TABLE \(name) ADD COLUMN d DEFAULT 5; ALTER TABLE \(name) RENAME TO \(name)c
        """)
  }

  private func makeVirtualTables(_ db: Database) throws {
    try db.execute(
      sql: """
        DROP TABLE IF EXISTS \(name)r; CREATE VIRTUAL TABLE \(name)r USING rtree (id, low, high);
        DROP TABLE IF EXISTS \(name)f; CREATE VIRTUAL TABLE \(name)f USING fts4 (words);
        INSERT INTO \(name)r VALUES (1, 2, 3); INSERT INTO \(name)f (words) VALUES ('a b');
        INSERT INTO \(name)f (\(name)f) VALUES ('integrity-check')
        """)
  }

  private func attach(on pool: DatabasePool) throws {
    try pool.writeWithoutTransaction { db in
      try ignoringOthers {
        try db.execute(sql: "ATTACH ? AS other", arguments: [otherPath])
        defer {
          // A suspension has closed the connection, and with it the attached database.
          try? db.execute(sql: "DETACH other")
        }
        try db.execute(
          sql: """
            CREATE TABLE IF NOT EXISTS other.copy (a); BEGIN IMMEDIATE;
            INSERT INTO other.copy SELECT id FROM mark; DELETE FROM other.copy; COMMIT
            """)
      }
    }
  }

  /// Runs statements whose locks may conflict with a connection that reads or recovers the log.
  private func ignoringOthers(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch ResultCode.SQLITE_BUSY {}
  }
}
