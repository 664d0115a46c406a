// The Swift of MovingFromGRDB.md, compiled: MovingFromGRDBTests finds each block of it here, and runs
// every function.

import Holdfast

struct Player: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
  var score: Int
}

func setUp(_ pool: DatabasePool) throws {
  var migrator = DatabaseMigrator()
  migrator.registerMigration("Create player") { db in
    try db.execute(
      sql: "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL, score INTEGER)")
  }
  try migrator.migrate(pool)
}

func bestPlayers(_ pool: DatabasePool, atLeast score: Int) throws -> [Player] {
  try pool.read { db in
    try Player.fetchAll(
      db, sql: "SELECT * FROM player WHERE score >= ? ORDER BY score DESC", arguments: [score])
  }
}

/// The migrations that neither library has applied to a file.
func missingMigrations(_ migrator: DatabaseMigrator, in queue: DatabaseQueue) throws -> [String] {
  try queue.read { db in
    let applied = try migrator.appliedIdentifiers(db)
    return migrator.migrations.filter { !applied.contains($0) }
  }
}

func synchronizeAgain(_ queue: DatabaseQueue) throws {
  try queue.write { db in
    try db.dropFTS5SynchronizationTriggers(forTable: "player_ft")
    try db.execute(sql: "DROP TABLE player_ft")
    try db.create(virtualTable: "player_ft", using: FTS5()) { t in
      t.synchronize(withTable: "player")
      t.tokenizer = .unicode61()
      t.column("name")
    }
    try db.checkFTS5Integrity(inTable: "player_ft")
  }
}
