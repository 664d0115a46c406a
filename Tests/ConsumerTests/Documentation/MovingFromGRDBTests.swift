import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// The article on moving from GRDB shows no Swift that does not compile and run.
@Suite struct MovingFromGRDBTests {
  @Test func everyBlockOfTheArticleIsAnExample() throws {
    try Article("MovingFromGRDB").expectExamples(count: 3)
  }

  /// Uses of names of GRDB that do not exist.
  private static let absent = [
    "_ = player.hasDatabaseChanges", "_ = (nil as DatabasePreUpdateEvent?)",
    "_ = AnyFetchRequest(Player.all())", "_ = (nil as PreparedRequest?)",
    "_ = try Player.all().makePreparedRequest(db)", "_ = db.sqliteConnection",
    "_ = statement.sqliteStatement", "configuration.allowsUnsafeTransactions = true",
    "configuration.automaticMemoryManagement = false", "_ = ForeignKey([\"teamId\"])",
    "_ = observation.publisher(in: queue, scheduling: .immediate)",
    "_ = observation.shared(in: queue).publisher()",
    "_ = DatabaseRegionObservation(tracking: .fullDatabase).publisher(in: queue)",
    "_ = queue.readPublisher { _ in 1 }", "_ = queue.writePublisher { _ in 1 }",
    "_ = queue.writePublisher(updates: { _ in 1 }, thenRead: { _, n in n })",
    "_ = DatabaseMigrator().migratePublisher(queue)",
    "_ = (nil as DatabasePublishers.Value<Int>?)",
  ]

  @Test(.enabled(if: SwiftProgram.canBeCompiled, "there is no swiftc, or no build of the tool"))
  func theCompilerSaysWhatToWriteInstead() throws {
    let start = """
      import Holdfast
      struct Player: Codable, FetchableRecord, PersistableRecord { var id: Int64 }
      @MainActor func move(_ queue: DatabaseQueue, _ db: Database, _ statement: Statement) throws {
        let player = Player(id: 1)
        var configuration = Configuration()
        let observation = ValueObservation.tracking { db in try Player.fetchAll(db) }

      """
    let uses = Self.absent.map { $0 + "\n" }.joined()
    let lines = try SwiftProgram.diagnostics(ofMain: start + uses + "}")
      .components(separatedBy: "\n")
    let first = start.count { $0 == "\n" } + 1
    for (line, use) in zip(first..., Self.absent) {
      let error = lines.first { $0.contains("main.swift:\(line):") && $0.contains("error:") }
      #expect(
        error?.contains(#/is unavailable: .*\b(write|implement|remove)\b/#) == true,
        "\(use) \(lines)")
    }
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
