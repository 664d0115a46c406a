import Holdfast
import HoldfastFiles

/// The ledger's own tables, next to the app's table in the same database.
///
/// They hold what the app's table has no columns for: identities, tombstones, the progress and the
/// history of repairs. A row is written only where there is something to note. Paths in them are
/// relative, and rows are known by their identifiers, because rowids may change.
enum SideTable {
  static let schema = """
    CREATE TABLE IF NOT EXISTS main.holdfast_ledger_tables (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE COLLATE NOCASE,
      adopted_at TEXT NOT NULL
    );
    CREATE TABLE IF NOT EXISTS main.holdfast_ledger_files (
      source INTEGER NOT NULL,
      key BLOB NOT NULL,
      byte_count INTEGER,
      sha256 BLOB,
      digest_path TEXT,
      cleared_at TEXT,
      cleared_path TEXT,
      PRIMARY KEY (source, key)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS main.holdfast_ledger_cleared
      ON holdfast_ledger_files (source, key) WHERE cleared_at IS NOT NULL;
    CREATE TABLE IF NOT EXISTS main.holdfast_ledger_missing (
      id INTEGER PRIMARY KEY,
      source INTEGER NOT NULL,
      key BLOB NOT NULL,
      byte_count INTEGER,
      sha256 BLOB,
      UNIQUE (source, key)
    );
    CREATE INDEX IF NOT EXISTS main.holdfast_ledger_missing_digest
      ON holdfast_ledger_missing (source, byte_count, sha256) WHERE byte_count IS NOT NULL;
    CREATE TABLE IF NOT EXISTS main.holdfast_ledger_runs (
      id INTEGER PRIMARY KEY,
      source INTEGER NOT NULL,
      started_at TEXT NOT NULL,
      milliseconds INTEGER NOT NULL,
      phase INTEGER NOT NULL,
      owner TEXT,
      is_absolute INTEGER,
      location TEXT,
      path BLOB,
      key BLOB,
      searched_path TEXT,
      is_doubtful INTEGER NOT NULL DEFAULT 0,
      examined INTEGER NOT NULL,
      rewritten INTEGER NOT NULL,
      repaired INTEGER NOT NULL,
      restored INTEGER NOT NULL,
      cleared INTEGER NOT NULL,
      unknown INTEGER NOT NULL
    );
    """

  /// Returns the number of a table in the side tables; `nil` when it is not adopted.
  static func source(of table: LedgerTable, _ db: Database) throws -> Int64? {
    guard try db.tableExists("holdfast_ledger_tables", in: "main") else { return nil }
    return try Int64.fetchOne(
      db, sql: "SELECT id FROM main.holdfast_ledger_tables WHERE name = ?", arguments: [table.name])
  }

  /// Creates the side tables and adds a table to them; a second call changes nothing.
  static func adopt(_ table: LedgerTable, _ db: Database) throws {
    if try source(of: table, db) != nil { return }
    try db.execute(sql: schema + LifecycleTables.schema)
    try db.execute(
      sql: "INSERT INTO main.holdfast_ledger_tables (name, adopted_at) VALUES (?, \(now))",
      arguments: [table.name])
  }

  /// The current time as text, in SQL.
  static let now = "strftime('%Y-%m-%d %H:%M:%f', 'now')"

  // MARK: - The history of repairs

  /// The number of repairs whose counts are kept.
  private static let runLimit = 1000

  /// The phase of a repair that does not continue.
  static let finishedPhase = 3

  static func insertRun(_ source: Int64, phase: Int, _ db: Database) throws -> Int64 {
    try db.execute(
      sql: """
        INSERT INTO main.holdfast_ledger_runs (
          source, started_at, milliseconds, phase,
          examined, rewritten, repaired, restored, cleared, unknown)
        VALUES (?, \(now), 0, ?, 0, 0, 0, 0, 0, 0)
        """, arguments: [source, phase])
    let id = db.lastInsertedRowID
    try db.execute(
      sql: """
        DELETE FROM main.holdfast_ledger_runs WHERE id IN (
          SELECT id FROM main.holdfast_ledger_runs WHERE source = ?
          ORDER BY id DESC LIMIT -1 OFFSET \(runLimit))
        """, arguments: [source])
    return id
  }
}
