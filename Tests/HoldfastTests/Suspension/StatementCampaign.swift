import Foundation
import Holdfast
import HoldfastTestSupport

/// Statements of every kind that one thread runs, drawn from a seed.
///
/// Each write of a `mark` is one transaction that adds a row to an ordinary table, to an R*Tree and
/// to a full-text table, so that all three have the same rows at any commit. The other statements
/// use tables of their thread only, so that they fail only because of a suspension or for the
/// reasons that ``step(on:)`` allows.
struct StatementCampaign {
  /// The queries on the three tables that are observed.
  static let observedSQL = [
    "SELECT count(*) FROM mark",
    "SELECT count(*) FROM place WHERE low >= 0",
    "SELECT count(*) FROM word WHERE word MATCH 'mark'",
  ]

  private let thread: Int
  private let other: String
  private var random: SeededRandom

  /// Creates a campaign.
  ///
  /// - Parameters:
  ///   - thread: The number of the thread, which names its tables.
  ///   - random: The source of the random statements.
  ///   - other: The path of a database that only this thread attaches.
  init(thread: Int, random: SeededRandom, attaching other: String) {
    self.thread = thread
    self.random = random
    self.other = other
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

  /// Returns the differences between the three tables.
  static func differences(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT 'mark ' || id FROM mark WHERE id NOT IN (SELECT id FROM place)
          OR id NOT IN (SELECT rowid FROM word)
        UNION ALL SELECT 'place ' || id FROM place WHERE id NOT IN (SELECT id FROM mark)
        UNION ALL SELECT 'word ' || rowid FROM word WHERE rowid NOT IN (SELECT id FROM mark)
        """)
  }

  /// Runs one random statement or access.
  ///
  /// - Throws: `DatabaseError` because of a suspension; any other error is a failure.
  mutating func step(on pool: DatabasePool) throws {
    let own = "own\(thread)"
    let n = Int.random(in: 0..<1000, using: &random)
    switch Int.random(in: 0..<19, using: &random) {
    case 0..<5: try mark(on: pool)
    case 5:
      try pool.read { db in
        for sql in Self.observedSQL { _ = try Int.fetchOne(db, sql: sql) }
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM place, mark USING (id)")
        for _ in 0..<10 where try rows.next() == nil { break }
      }
    case 6:
      try pool.write { db in
        try db.execute(
          sql: """
            DROP TABLE IF EXISTS \(own)b; DROP TABLE IF EXISTS \(own);
            CREATE TABLE \(own) (id INTEGER PRIMARY KEY, a, b UNIQUE);
            CREATE INDEX \(own)i ON \(own) (a);
            CREATE VIEW IF NOT EXISTS \(own)v AS SELECT id FROM mark;
            INSERT INTO \(own) (a, b) VALUES (1, 2), (3, 4)
            """)
      }
    case 7:
      try pool.write { db in
        try db.execute(
          sql: """
            DROP TABLE IF EXISTS \(own)b; DROP TABLE IF EXISTS \(own)c; CREATE TABLE \(own)b (a, b, c);
            ALTER TABLE \(own)b RENAME COLUMN a TO z; ALTER TABLE \(own)b DROP COLUMN c;
            ALTER TABLE \(own)b ADD COLUMN d DEFAULT 5; ALTER TABLE \(own)b RENAME TO \(own)c
            """)
      }
    case 8:
      try pool.write { db in
        try db.execute(
          sql: """
            DROP TABLE IF EXISTS \(own)r; CREATE VIRTUAL TABLE \(own)r USING rtree (id, low, high);
            DROP TABLE IF EXISTS \(own)f; CREATE VIRTUAL TABLE \(own)f USING fts4 (words);
            INSERT INTO \(own)r VALUES (1, 2, 3); INSERT INTO \(own)f (words) VALUES ('a b')
            """)
      }
    case 9:
      _ = try pool.write { db in
        try db.execute(sql: "CREATE TABLE IF NOT EXISTS returned (id INTEGER PRIMARY KEY, a)")
        return try Int.fetchAll(
          db, sql: "REPLACE INTO returned VALUES (?, 1), (?, 2) RETURNING id",
          arguments: [n, n + 1])
      }
    case 10:
      try pool.writeWithoutTransaction { db in
        try db.inTransaction {
          try db.inSavepoint {
            try db.execute(sql: "DELETE FROM mark; DELETE FROM word; DELETE FROM place")
            return .rollback
          }
          return .commit
        }
      }
    case 11: try refused(on: pool)
    case 12:
      try ignoringOthers {
        try pool.writeWithoutTransaction { db in try db.execute(sql: n < 300 ? "VACUUM" : "REINDEX")
        }
      }
    case 13:
      try ignoringOthers {
        try pool.checkpoint([.passive, .full, .restart, .truncate][n % 4])
      }
    case 14: try attach(on: pool)
    case 15:
      try pool.write { db in
        let verb = ["integrity-check", "optimize", "rebuild"][n % 3]
        try db.execute(sql: "INSERT INTO word (word) VALUES (?)", arguments: [verb])
      }
    case 16:
      _ = try pool.read { db in try db.integrityProblems() }
      try pool.write { db in try db.execute(sql: "ANALYZE; PRAGMA optimize") }
    case 17: pool.invalidateReadOnlyConnections()
    default:
      _ = try pool.read { db in
        try Int.fetchOne(
          db,
          sql: """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000)
            SELECT count(*) FROM n JOIN json_each('[1, 2]')
            """)
      }
    }
  }

  private mutating func mark(on pool: DatabasePool) throws {
    let idles = Int.random(in: 0..<4, using: &random) == 0
    try pool.write { db in
      try db.execute(sql: "INSERT INTO mark (text) VALUES ('a mark')")
      let id = db.lastInsertedRowID
      if idles { sched_yield() }
      try db.execute(sql: "INSERT INTO place VALUES (?, 1, 2)", arguments: [id])
      try db.execute(sql: "INSERT INTO word (rowid, text) VALUES (?, 'a mark')", arguments: [id])
    }
  }

  /// Violates a constraint: only a suspension may end the statement with another error.
  private func refused(on pool: DatabasePool) throws {
    do {
      try pool.write { db in
        try db.execute(sql: "INSERT INTO mark (id) VALUES (-1), (-1)")
      }
      throw Unexpected(sentence: "A key was given twice, and SQLite took both.")
    } catch ResultCode.SQLITE_CONSTRAINT {
      // The expected error.
    }
  }

  /// Uses two databases in one access, which leaves nothing attached.
  private func attach(on pool: DatabasePool) throws {
    try ignoringOthers {
      try pool.writeWithoutTransaction { db in
        try db.execute(sql: "ATTACH ? AS other", arguments: [other])
        defer {
          // A suspension closes the connection and thereby detaches the database.
          try? db.execute(sql: "DETACH other")
        }
        try db.execute(
          sql: """
            CREATE TABLE IF NOT EXISTS other.copy (a);
            BEGIN IMMEDIATE; INSERT INTO other.copy SELECT id FROM mark; DELETE FROM other.copy; COMMIT
            """)
      }
    }
  }

  /// Ignores errors caused by another connection of the pool that reads or recovers the log.
  private func ignoringOthers(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch ResultCode.SQLITE_BUSY {}
  }

  /// An unexpected result.
  struct Unexpected: Error {
    var sentence: String
  }
}
