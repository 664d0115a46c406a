import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// A database created by GRDB 7, in the formats of its documentation.
@Suite struct MigratedByGRDBTests {
  private static let id = "6C2F9E0A-0F0B-4B9E-9A51-0C2C1D3E4F50"

  // The statements of GRDB 7 when two of three migrations have run.
  private static let statements = [
    "PRAGMA journal_mode = WAL",
    "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
    """
    CREATE TABLE "player" ("id" BLOB PRIMARY KEY NOT NULL, "name" TEXT NOT NULL, \
    "createdAt" DATETIME NOT NULL, "avatar" BLOB, "address" JSON)
    """,
    "INSERT INTO grdb_migrations (identifier) VALUES ('Create player')",
    "CREATE INDEX \"player_on_name\" ON \"player\"(\"name\")",
    "INSERT INTO grdb_migrations (identifier) VALUES ('Index names')",
    """
    INSERT INTO player VALUES (x'6C2F9E0A0F0B4B9E9A510C2C1D3E4F50', 'Arthur',
      '2023-04-05 06:07:08.125', x'00FF10', '{"city":"Sydney","floor":3}')
    """,
  ]

  private struct Address: Codable, Equatable {
    var city: String
    var floor: Int
  }

  private func withFile(_ body: (_ path: String) throws -> Void) throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("player.sqlite").path
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      for sql in Self.statements { try db.execute(sql: sql) }
    }
    try queue.close()
    try body(path)
  }

  private var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    // The first two would fail if they ran again.
    migrator.registerMigration("Create player") { db in
      try db.execute(sql: "CREATE TABLE player (id)")
    }
    migrator.registerMigration("Index names") { db in
      try db.execute(sql: "CREATE INDEX player_on_name ON player (name)")
    }
    migrator.registerMigration("Add score") { db in
      try db.execute(sql: "ALTER TABLE player ADD COLUMN score INTEGER NOT NULL DEFAULT 7")
    }
    return migrator
  }

  @Test func onlyTheThirdMigrationRuns() throws {
    try withFile { path throws in
      let pool = try DatabasePool(path: path)
      try pool.read { db throws in
        #expect(try migrator.appliedMigrations(db) == ["Create player", "Index names"])
        #expect(try !migrator.hasBeenSuperseded(db))
      }
      try migrator.migrate(pool)
      try pool.read { db throws in
        #expect(try Int.fetchOne(db, sql: "SELECT score FROM player") == 7)
        #expect(try migrator.hasCompletedMigrations(db))
        // As GRDB reads it.
        #expect(
          try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
            == ["Create player", "Index names", "Add score"])
      }
    }
  }

  @Test func theValuesReadBackEqual() throws {
    try withFile { path throws in
      let row = try #require(
        try DatabaseQueue(path: path).read { db in
          try Row.fetchOne(db, sql: "SELECT * FROM player")
        })
      #expect(try row.decode(UUID.self, forColumn: "id") == UUID(uuidString: Self.id))
      let date = try row.decode(Date.self, forColumn: "createdAt")
      #expect(date == Date(timeIntervalSince1970: 1_680_674_828.125))
      #expect(try row.decode(Data.self, forColumn: "avatar") == Data([0, 255, 16]))
      let json = try row.decode(Data.self, forColumn: "address")
      #expect(
        try JSONDecoder().decode(Address.self, from: json) == Address(city: "Sydney", floor: 3))
    }
  }

  @Test func theValuesAreWrittenBackEqual() throws {
    try withFile { path throws in
      let queue = try DatabaseQueue(path: path)
      try queue.write { db throws in
        let before = try #require(try Row.fetchOne(db, sql: "SELECT * FROM player"))
        try db.execute(
          sql: "UPDATE player SET id = ?, createdAt = ?, avatar = ?",
          arguments: [
            try before.decode(UUID.self, forColumn: "id"),
            try before.decode(Date.self, forColumn: "createdAt"),
            try before.decode(Data.self, forColumn: "avatar"),
          ])
        #expect(try Row.fetchOne(db, sql: "SELECT * FROM player") == before)
      }
    }
  }

  @Test func theListOfMigrationsIsReadableByGRDB() throws {
    let queue = try DatabaseQueue()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("a") { _ in }
    try migrator.migrate(queue)
    #expect(
      try queue.read { db in
        try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = 'grdb_migrations'")
      } == Self.statements[1])
  }

  /// A schema in GRDB's words or in others, and a migration.
  private typealias Definition = (sql: String, migration: @Sendable (Database) throws -> Void)

  /// Returns whether a database with a row is erased when its migration has another definition.
  private func isErased(_ definition: Definition) throws -> Bool {
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
          INSERT INTO grdb_migrations VALUES ('1');
          CREATE TABLE "kept" ("id" INTEGER PRIMARY KEY, "a" TEXT);
          INSERT INTO kept VALUES (1, 'x');
          \(definition.sql)
          """)
    }
    var migrator = DatabaseMigrator()
    migrator.eraseDatabaseOnSchemaChange = true
    migrator.registerMigration("1") { db in
      try db.execute(sql: #"CREATE TABLE "kept" ("id" INTEGER PRIMARY KEY, "a" TEXT)"#)
      try definition.migration(db)
    }
    try migrator.migrate(queue)
    return try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM kept") } == 0
  }

  @Test func aDatabaseOfTheSameDefinitionIsKept() throws {
    let follow = """
      CREATE VIRTUAL TABLE "f" USING fts5(a, tokenize='porter', content='kept', content_rowid='id');
      CREATE TRIGGER "__f_ai" AFTER INSERT ON "kept" BEGIN
        INSERT INTO "f"("rowid", "a") VALUES (new."id", new."a");
      END;
      CREATE TRIGGER "__f_ad" AFTER DELETE ON "kept" BEGIN
        INSERT INTO "f"("f", "rowid", "a") VALUES('delete', old."id", old."a");
      END;
      CREATE TRIGGER "__f_au" AFTER UPDATE ON "kept" BEGIN
        INSERT INTO "f"("f", "rowid", "a") VALUES('delete', old."id", old."a");
        INSERT INTO "f"("rowid", "a") VALUES (new."id", new."a");
      END
      """
    let definitions: [Definition] = [
      (
        #"CREATE TABLE "t" ("a" TEXT COLLATE NOCASE, "b" INTEGER DEFAULT -1)"#,
        {
          try $0.create(table: "t") {
            $0.column("a", .text).collate(.nocase)
            $0.column("b", .integer).defaults(to: -1)
          }
        }
      ),
      (
        #"CREATE TABLE t (a, b, PRIMARY KEY ("a"), UNIQUE ("b"), CHECK (a <> 'A'))"#,
        {
          try $0.execute(
            sql: "create  table [t] (A, `b`, check (a <> 'A') , unique (b), primary key (a))")
        }
      ),
      (
        "CREATE VIRTUAL TABLE \"f\" USING fts5(a)",
        { try $0.create(virtualTable: "f", using: FTS5()) { $0.column("a") } }
      ),
      (
        "CREATE VIRTUAL TABLE \"f\" USING fts4(a, tokenize=unicode61)",
        {
          try $0.create(virtualTable: "f", using: FTS4()) {
            $0.tokenizer = .unicode61()
            $0.column("a")
          }
        }
      ),
      (
        #"CREATE VIRTUAL TABLE "f" USING fts4(a, content="kept")"#,
        {
          try $0.create(virtualTable: "f", using: FTS4()) {
            $0.synchronize(withTable: "kept")
            $0.column("a")
          }
        }
      ),
      (
        follow,
        {
          try $0.create(virtualTable: "f", using: FTS5()) {
            $0.synchronize(withTable: "kept")
            $0.tokenizer = .porter()
            $0.column("a")
          }
        }
      ),
    ]
    for definition in definitions { #expect(try !isErased(definition), "\(definition.sql)") }
  }

  @Test(arguments: [
    ("CREATE TABLE t (a, b)", "CREATE TABLE t (b, a)"),
    ("CREATE TABLE t (a, b)", "CREATE TABLE t (a)"),
    ("CREATE TABLE t (a)", "CREATE TABLE t (a NOT NULL)"),
    ("CREATE TABLE t (a INT) STRICT", "CREATE TABLE t (a INT)"),
    ("CREATE TABLE t (a DEFAULT -1)", "CREATE TABLE t (a DEFAULT (1))"),
    ("CREATE TABLE t (a DEFAULT 'x')", "CREATE TABLE t (a DEFAULT 'X')"),
    ("CREATE TABLE t (a DEFAULT '\u{E9}')", "CREATE TABLE t (a DEFAULT 'e\u{301}')"),
    ("CREATE TABLE t (a, b, UNIQUE (a))", "CREATE TABLE t (a, b, UNIQUE (b))"),
    ("CREATE TABLE t (a, \"unique\")", "CREATE TABLE t (a, UNIQUE (a))"),
    ("CREATE VIRTUAL TABLE f USING fts5(a)", "CREATE VIRTUAL TABLE f USING fts5(a, b)"),
    ("CREATE VIRTUAL TABLE f USING fts5(content)", "CREATE VIRTUAL TABLE f USING fts5(b)"),
    (
      "CREATE VIRTUAL TABLE f USING fts5(a, tokenize = 'porter')",
      "CREATE VIRTUAL TABLE f USING fts5(a, tokenize = 'unicode61 remove_diacritics 2')"
    ),
    ("CREATE INDEX i ON kept (a)", "CREATE INDEX i ON kept (a) WHERE a = 'x'"),
  ]) func aDatabaseOfAnotherDefinitionIsErased(_ old: String, _ new: String) throws {
    #expect(try isErased((old, { try $0.execute(sql: new) })))
    #expect(try !isErased((old, { try $0.execute(sql: old) })))
  }
}
