// The Swift of MovingFromGRDB.md, compiled: MovingFromGRDBTests finds each block of it here, and runs
// every function.

import Holdfast

struct Player: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
  var score: Int

  enum Columns {
    static let score = Column("score")
  }
}

func setUp(_ pool: DatabasePool) throws {
  var migrator = DatabaseMigrator()
  migrator.registerMigration("Create player") { db in
    try db.create(table: "player") { t in
      t.autoIncrementedPrimaryKey("id")
      t.column("name", .text).notNull()
      t.column("score", .integer).check { $0 >= 0 }.indexed()
    }
  }
  try migrator.migrate(pool)
}

func bestPlayers(_ pool: DatabasePool, atLeast score: Int) throws -> [Player] {
  try pool.read { db in
    try Player.filter { $0.score >= score }.order(\.score.desc).fetchAll(db)
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
