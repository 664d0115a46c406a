import Foundation
import Holdfast
import HoldfastFiles

/// The side tables of launches, uses, moves and purges.
///
/// A row is written only where there is something to note. Paths are in the text form of
/// `RelocatablePath`.
enum LifecycleTables {
  static let schema = """
    CREATE TABLE IF NOT EXISTS main.holdfast_ledger_launches (
      source INTEGER PRIMARY KEY,
      fingerprint TEXT,
      running_fingerprint TEXT,
      sweep_position BLOB,
      swept_at REAL
    );
    CREATE TABLE IF NOT EXISTS main.holdfast_ledger_uses (
      source INTEGER NOT NULL,
      key BLOB NOT NULL,
      accessed_at REAL,
      uncounted_milliseconds INTEGER NOT NULL DEFAULT 0,
      is_finished INTEGER NOT NULL DEFAULT 0,
      is_pinned INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (source, key)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS main.holdfast_ledger_moves (
      source INTEGER NOT NULL,
      key BLOB NOT NULL,
      origin TEXT NOT NULL,
      destination TEXT NOT NULL,
      byte_count INTEGER NOT NULL,
      PRIMARY KEY (source, key)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS main.holdfast_ledger_purges (
      id INTEGER PRIMARY KEY,
      source INTEGER NOT NULL,
      key BLOB NOT NULL,
      path TEXT NOT NULL,
      found_at REAL NOT NULL,
      is_certain INTEGER NOT NULL DEFAULT 0,
      UNIQUE (source, key, is_certain)
    );
    """

  /// Creates the tables where a ledger was adopted without them.
  static func create(_ db: Database) throws {
    if try db.tableExists("holdfast_ledger_purges", in: "main") { return }
    try db.execute(sql: schema)
  }

  /// Removes the notice that the file of a record was purged, because it has one again.
  ///
  /// The key is SQL; the arguments are the number of the table and the key's arguments.
  static func removeNotice(
    of key: String, _ arguments: StatementArguments, _ db: Database
  ) throws {
    guard try exist(db) else { return }
    try db.execute(
      sql:
        "DELETE FROM main.holdfast_ledger_purges WHERE source = ? AND key = \(key) AND is_certain",
      arguments: arguments)
  }

  /// Returns whether the tables exist.
  static func exist(_ db: Database) throws -> Bool {
    try db.tableExists("holdfast_ledger_purges", in: "main")
  }
}
