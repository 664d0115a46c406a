import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// The article on moving from GRDB shows no Swift that does not compile and run.
@Suite struct MovingFromGRDBTests {
  @Test func everyBlockOfTheArticleIsAnExample() throws {
    try Article("MovingFromGRDB").expectExamples(count: 3)
  }

  @Test func playersMoveOver() throws {
    let folder = try TemporaryDirectory()
    let pool = try DatabasePool(path: folder.file("a.db").path)
    try setUp(pool)
    try pool.write { db in
      for (id, score) in [(1, 3), (2, 9), (3, 7)] {
        let player = Player(
          id: Int64(id), name: "Player \(id)", score: score)
        try player.insert(db)
      }
    }
    #expect(try bestPlayers(pool, atLeast: 5).map(\.id) == [2, 3])
  }

  @Test func theMigrationsThatAFileLacksAreListed() throws {
    let queue = try DatabaseQueue()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("a") { _ in }
    try migrator.migrate(queue)
    migrator.registerMigration("b") { _ in }
    #expect(try missingMigrations(migrator, in: queue) == ["b"])
  }

  @Test func theIndexThatGRDBMadeIsRebuilt() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      // As GRDB makes them.
      try db.execute(
        sql: """
          CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT);
          CREATE VIRTUAL TABLE "player_ft" USING fts5 (name, content='player', content_rowid='id');
          CREATE TRIGGER "__player_ft_ai" AFTER INSERT ON "player" BEGIN
            INSERT INTO "player_ft" ("rowid", "name") VALUES (new."id", new."name");
          END;
          INSERT INTO player VALUES (1, 'Arthur');
          INSERT OR REPLACE INTO player VALUES (1, 'Barbara');
          """)
      #expect(throws: DatabaseError.self) { try db.checkFTS5Integrity(inTable: "player_ft") }
    }
    try synchronizeAgain(queue)
    let count = try queue.write { db in
      try db.execute(sql: "INSERT OR REPLACE INTO player VALUES (1, 'Craig')")
      try db.checkFTS5Integrity(inTable: "player_ft")
      return try Int.fetchOne(
        db, sql: "SELECT count(*) FROM player_ft WHERE player_ft MATCH 'barbara'")
    }
    #expect(count == 0)
  }
}
