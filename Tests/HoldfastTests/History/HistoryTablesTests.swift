import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// The history across schema changes: it stays valid, or its tokens expire.
@Suite(.enabled(if: ForeignWriter.areThere, "The sqlite3 tool writes."))
struct HistoryTablesTests {
  private func install(_ file: HistoryFile, after sql: String) throws {
    try file.pool.blockingWrite { db in
      try db.execute(sql: sql)
      try ChangeHistory.install(on: db, tables: ["t"])
    }
  }

  @Test func installingAgainChangesNothing() throws {
    let file = try HistoryFile("CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE)")
    try file.write("INSERT INTO t VALUES (1, 1)")
    let token = try file.token()
    func version() throws -> Int? {
      try file.pool.blockingRead { db in try Int.fetchOne(db, sql: "PRAGMA schema_version") }
    }
    let before = try version()
    try install(file, after: "")
    #expect(try version() == before)
    #expect(try file.token() == token)
    #expect(try file.lines() == ["insert t 1"])
    #expect(try file.pool.blockingRead { db in try ChangeHistory.tables(db) } == ["t"])
  }

  @Test func aFailedInstallationLeavesNothing() throws {
    let file = try HistoryFile("CREATE TABLE t (a); CREATE TABLE u (a); CREATE VIEW v AS SELECT 1")
    for name in ["nothing", "v", "sqlite_schema", "holdfast_history"] {
      let error = #expect(throws: DatabaseError.self) {
        try file.pool.blockingWrite { db in
          try ChangeHistory.install(on: db, tables: ["u", name])
        }
      }
      #expect(error?.resultCode == .SQLITE_ERROR)
      #expect(error?.message?.contains(name) == true)
    }
    #expect(try file.pool.blockingRead { db in try ChangeHistory.tables(db) } == ["t"])
  }

  @Test func aTableWhoseRowidCannotBeNamedIsRefused() throws {
    let file = try HistoryFile("CREATE TABLE t (a); CREATE TABLE u (rowid, oid, _rowid_)")
    #expect(throws: DatabaseError.self) {
      try file.pool.blockingWrite { db in try ChangeHistory.install(on: db, tables: ["u"]) }
    }
  }

  @Test func aDatabaseWithoutHistoryIsAnError() throws {
    let queue = try DatabaseQueue()
    let error = #expect(throws: DatabaseError.self) {
      try queue.blockingRead { db in try ChangeHistory.changes(db, after: nil) }
    }
    #expect(error?.message?.contains("keeps no change history") == true)
    #expect(try queue.blockingRead { db in try ChangeHistory.tables(db) } == [])
  }

  /// The previous triggers would miss the rows that the new index replaces.
  @Test func anIndexAddedByAMigrationKeepsTokensValid() throws {
    let file = try HistoryFile("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    try file.write("INSERT INTO t VALUES (1, 'x')")
    let token = try file.token()
    try install(file, after: "CREATE UNIQUE INDEX i ON t (a)")
    try ForeignWriter.shell.run("INSERT OR REPLACE INTO t VALUES (2, 'x');", on: file.path)
    #expect(try file.lines(after: token) == ["delete t 1", "insert t 2"])
  }

  @Test func aColumnAddedByAMigrationKeepsTokensValid() throws {
    let file = try HistoryFile("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    try file.write("INSERT INTO t VALUES (1)")
    let token = try file.token()
    try install(file, after: "ALTER TABLE t ADD COLUMN b; CREATE UNIQUE INDEX i ON t (b)")
    try ForeignWriter.shell.run(
      "UPDATE t SET b = 5; INSERT OR REPLACE INTO t VALUES (2, 5);", on: file.path)
    #expect(try file.lines(after: token) == ["delete t 1", "insert t 2"])
  }

  @Test func aForeignIndexExpiresTokensUntilAWriterRepairsTheTriggers() throws {
    let file = try HistoryFile("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    try file.write("INSERT INTO t VALUES (1, 'x')")
    let token = try file.token()
    try ForeignWriter.shell.run(
      "CREATE UNIQUE INDEX i ON t (a); INSERT OR REPLACE INTO t VALUES (2, 'x');", on: file.path)
    // A reader also detects it.
    let answer = try file.answer(after: token)
    #expect(answer.expiration == .outdatedTriggers)
    #expect(try file.answer(after: answer.next).expiration == .outdatedTriggers)

    _ = try HistoryFile.open(file.path, author: "repairer")
    #expect(try file.answer(after: answer.next).expiration == .purged)
    let renewed = try file.answer(after: token).next
    try ForeignWriter.shell.run("INSERT OR REPLACE INTO t VALUES (3, 'x');", on: file.path)
    #expect(try file.lines(after: renewed) == ["delete t 2", "insert t 3"])
  }

  /// Such a change affects nothing that the triggers use.
  @Test func aForeignColumnWithoutAnIndexKeepsTokensValid() throws {
    let file = try HistoryFile("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    let token = try file.token()
    try ForeignWriter.shell.run(
      "ALTER TABLE t ADD COLUMN b; CREATE INDEX i ON t (b); CREATE TABLE u (x); VACUUM;",
      on: file.path)
    try file.write("INSERT INTO t (id, a) VALUES (1, 2)")
    #expect(try file.lines(after: token) == ["insert t 1"])
    _ = try HistoryFile.open(file.path, author: "repairer")
    #expect(try file.lines(after: token) == ["insert t 1"])
  }

  /// A column that a trigger names cannot be dropped.
  @Test func aColumnOutsideAllKeysCanBeDropped() throws {
    let file = try HistoryFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, "a ""b" TEXT, b, c);
      CREATE UNIQUE INDEX i ON t (lower("A ""B")) WHERE c > 0; CREATE UNIQUE INDEX j ON t ((1 + 1), c)
      """)
    try file.write("INSERT INTO t VALUES (1, 'x', 2, 3)")
    let token = try file.token()
    try ForeignWriter.shell.run(
      "ALTER TABLE t DROP COLUMN b; REPLACE INTO t VALUES (2, 'X', 4);", on: file.path)
    #expect(try file.lines(after: token) == ["delete t 1", "insert t 2"])
  }

  @Test func aRenamedTableContinuesUnderItsNewName() throws {
    let file = try HistoryFile("CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE)")
    try file.write("INSERT INTO t VALUES (1, 1)")
    let token = try file.token()
    try ForeignWriter.shell.run(
      #"ALTER TABLE t RENAME TO "a ""b"" c"; ALTER TABLE "a ""b"" c" RENAME COLUMN id TO "i d";"#,
      on: file.path)
    try ForeignWriter.python.run(#"REPLACE INTO "a ""b"" c" VALUES (2, 1);"#, on: file.path)
    #expect(try file.lines(after: token) == [#"delete a "b" c 1"#, #"insert a "b" c 2"#])
    #expect(try file.changes(after: token).first?.keyColumns == ["i d"])
    _ = try HistoryFile.open(file.path, author: "repairer")
    #expect(try file.lines(after: token).count == 2)
    #expect(try file.pool.blockingRead { db in try ChangeHistory.tables(db) } == [#"a "b" c"#])
  }

  /// The rebuild that SQLite's documentation describes for changes that ALTER TABLE lacks.
  @Test func aRebuiltTableExpiresTokensAndContinues() throws {
    let file = try HistoryFile("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    try file.write("INSERT INTO t VALUES (1, 1)")
    let token = try file.token()
    let rebuilding = """
      CREATE TABLE new_t (k TEXT, id INTEGER, a, PRIMARY KEY (k, id)) WITHOUT ROWID;
      INSERT INTO new_t SELECT 'k', id, a FROM t; DROP TABLE t; ALTER TABLE new_t RENAME TO t;
      """
    try ForeignWriter.shell.run(rebuilding, on: file.path)
    #expect(try file.answer(after: token).expiration == .outdatedTriggers)
    try install(file, after: "")
    let answer = try file.answer(after: token)
    #expect(answer.expiration == .purged)
    try file.write("UPDATE t SET a = 2")
    #expect(try file.lines(after: answer.next) == ["update t 'k',1"])
    #expect(try file.changes(after: answer.next).first?.keyColumns == ["k", "id"])
  }

  /// The documentation's twelve steps: changes made without the triggers were not recorded.
  @Test func aTableRebuiltWithItsTriggersExpiresTokens() throws {
    let file = try HistoryFile("CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE)")
    try file.write("INSERT INTO t VALUES (1, 1), (2, 2)")
    let token = try file.token()
    try file.rebuild()
    #expect(try file.answer(after: token).expiration == .outdatedTriggers)
    try install(file, after: "")
    let answer = try file.answer(after: token)
    #expect(answer.expiration == .purged)
    try file.write("UPDATE t SET a = 2")
    #expect(try file.lines(after: answer.next) == ["update t 1"])
    try file.rebuild()
    _ = try HistoryFile.open(file.path, author: "repairer")
    #expect(try file.answer(after: answer.next).expiration == .purged)
  }

  @Test func recreatedTriggersExpireTokens() throws {
    let file = try HistoryFile("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    let token = try file.token()
    let sql = try #require(try file.triggers().first { $0.contains("AFTER DELETE") })
    try ForeignWriter.shell.run(
      "DROP TRIGGER holdfast_history_1_delete; DELETE FROM t; \(sql);", on: file.path)
    #expect(try file.answer(after: token).expiration == .outdatedTriggers)
    let reason =
      "The table was rebuilt, or triggers of the change history were created again."
    #expect(try file.problems() == ["t": reason])
  }

  @Test func schemaChangesThatKeepTheTriggersKeepTokensValid() throws {
    let file = try HistoryFile(
      """
      CREATE TABLE other (a); CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a UNIQUE, b, c);
      CREATE INDEX plain ON t (b); CREATE TRIGGER mine AFTER INSERT ON t BEGIN SELECT 1; END;
      """, tables: ["t", "other"])
    let token = try file.token()
    var count = 0
    for sql in [
      "VACUUM", "ALTER TABLE t ADD COLUMN d DEFAULT 5", "ALTER TABLE t RENAME TO u", "VACUUM",
      "DROP TABLE filler", "ALTER TABLE u RENAME COLUMN b TO e", "ALTER TABLE u DROP COLUMN c",
      "PRAGMA auto_vacuum = 1; VACUUM", "CREATE VIEW v AS SELECT 1", "DROP INDEX plain", "VACUUM",
    ] {
      try ForeignWriter.shell.run(
        "CREATE TABLE IF NOT EXISTS filler (a); \(sql);", on: file.path)
      let table = try file.pool.blockingRead { db in try ChangeHistory.tables(db) }[0]
      try ForeignWriter.shell.run("INSERT INTO \(table) (a) VALUES (\(count));", on: file.path)
      count += 1
      #expect(try file.answer(after: token).expiration == nil, "\(sql)")
      #expect(try file.lines(after: token).count == count)
      _ = try HistoryFile.open(file.path, author: "repairer")
      #expect(try file.answer(after: token).expiration == nil, "\(sql)")
    }
  }

  /// No such change may prevent writes.
  @Test func aForeignIndexDoesNotPreventWrites() throws {
    let file = try HistoryFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, asc, desc)", author: "app")
    let token = try file.token()
    let indexes = [
      "t (ifnull(a, x'00'))", "t (a) WHERE asc <> 1e-5", "t (a || \"no column\")",
      "t (a -> '$.x' COLLATE NOCASE DESC)", "t (a || desc, asc, desc || asc asc)",
      "t (a || asc) WHERE t.rowid > 0x0F AND t.a LIKE 'x''%' ESCAPE '\\'",
      "t (CASE WHEN a THEN 1 ELSE .5e+1 END, CAST(a AS \"text\")) WHERE a NOT NULL--",
      "t (\"a\" COLLATE \"nocase\", abs(- - 1)) WHERE \"t\".\"a\" <> \"it's\"",
    ]
    for (number, index) in indexes.enumerated() {
      try ForeignWriter.python.run("CREATE UNIQUE INDEX i\(number) ON \(index)", on: file.path)
      let pool = try HistoryFile.open(file.path, author: "app")
      try pool.blockingWrite { db in
        try db.execute(
          sql: "INSERT INTO t (a, asc, desc) VALUES (?1, ?1, ?1)", arguments: [number])
        try ChangeHistory.install(on: db, tables: ["t"])
      }
      try file.write("UPDATE t SET a = a, desc = desc")
    }
    let last = try file.answer(after: token).next
    try ForeignWriter.python.run("REPLACE INTO t VALUES (99, '0', 0, 0)", on: file.path)
    #expect(try file.lines(after: last) == ["delete t 1", "insert t 99"])
  }

  /// Such a table cannot have a history, but can be used.
  @Test func aTableThatCannotBeRecordedDoesNotPreventOpening() throws {
    let file = try HistoryFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE u (a)", tables: ["t", "u"])
    let token = try file.token()
    try ForeignWriter.shell.run(
      "DROP TABLE t; CREATE TABLE t (rowid, oid, _rowid_); DROP TRIGGER holdfast_history_2_delete;",
      on: file.path)
    let problems = try file.problems()
    #expect(problems["t"]?.contains("rowid") == true)
    #expect(problems["u"]?.contains("missing") == true)
    for _ in 0..<2 {
      let pool = try HistoryFile.open(file.path, author: "app")
      try pool.blockingWrite { db in
        try db.execute(sql: "INSERT INTO t VALUES (1, 2, 3); INSERT INTO u VALUES (1)")
        try ChangeHistory.install(on: db, tables: ["u"])
      }
      #expect(try file.answer(after: token).expiration != nil)
      let error = #expect(throws: DatabaseError.self) { try install(file, after: "") }
      #expect(error?.message?.contains("rowid") == true)
    }
    // It can be removed, and the other tables continue.
    try file.pool.blockingWrite { db in
      try ChangeHistory.uninstall(from: db, tables: ["t"])
    }
    let answer = try file.answer(after: token)
    #expect(answer.expiration == .purged)
    try file.write("INSERT INTO u VALUES (2)")
    #expect(try file.lines(after: answer.next) == ["insert u 3"])
  }

  @Test func aDroppedTableExpiresTokensOnce() throws {
    let file = try HistoryFile("CREATE TABLE t (a); CREATE TABLE u (a)", tables: ["t", "u"])
    let token = try file.token()
    try file.write("DROP TABLE t")
    #expect(try file.answer(after: token).expiration == .outdatedTriggers)
    _ = try HistoryFile.open(file.path, author: "repairer")
    let answer = try file.answer(after: token)
    #expect(answer.expiration == .purged)
    try file.write("INSERT INTO u VALUES (1)")
    #expect(try file.lines(after: answer.next) == ["insert u 1"])
    #expect(try file.pool.blockingRead { db in try ChangeHistory.tables(db) } == ["u"])
  }

  @Test func aRemovedTableKeepsItsChangesOnRequest() throws {
    let file = try HistoryFile(
      "CREATE TABLE t (k PRIMARY KEY) WITHOUT ROWID; CREATE TABLE u (a)", tables: ["t", "u"])
    try file.write("INSERT INTO t VALUES ('x'), ('y'); INSERT INTO u VALUES (1)")
    let start = try file.token()
    func leave(_ deletingChanges: Bool) throws {
      try file.pool.blockingWrite { db in
        try ChangeHistory.uninstall(from: db, tables: ["T"], deletingChanges: deletingChanges)
      }
    }
    try leave(false)
    try file.write("INSERT INTO t VALUES ('z')")
    #expect(try file.lines(after: start) == [])
    #expect(try file.lines() == ["insert t 'x'", "insert t 'y'", "insert u 1"])
    let names = try file.pool.blockingRead { db in
      try String.fetchAll(
        db, sql: "SELECT DISTINCT tbl_name FROM sqlite_schema WHERE type = 'trigger'")
    }
    #expect(names == ["u"])
    try leave(true)
    #expect(try file.lines() == ["insert u 1"])
    #expect(try file.answer(after: start).expiration == nil)
    // Its changes meanwhile are unknown.
    try install(file, after: "")
    #expect(try file.answer(after: start).expiration == .purged)
  }

  /// As SQLite's manual tells to do what ALTER TABLE cannot, with a new table that takes part too.
  @Test func aTableThatTookTheNameOfADroppedOneLetsTokensExpireAndIsNotedOnce() throws {
    let file = try HistoryFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE new_t (id INTEGER PRIMARY KEY)",
      tables: ["t", "new_t"])
    try file.write("INSERT INTO t VALUES (1), (2); INSERT INTO new_t VALUES (1)")
    let token = try file.token()
    try ForeignWriter.shell.run(
      "DROP TABLE t; ALTER TABLE new_t RENAME TO t;", on: file.path)
    #expect(try file.answer(after: token).expiration == .outdatedTriggers)
    let problems = try file.pool.blockingRead { db in try ChangeHistory.problems(db) }
    #expect(problems == ["t": "The table was dropped."])
    try install(file, after: "")
    let answer = try file.answer(after: token)
    #expect(answer.expiration == .purged)
    #expect(try file.pool.blockingRead { db in try ChangeHistory.problems(db) } == [:])
    #expect(try file.pool.blockingRead { db in try ChangeHistory.tables(db) } == ["t"])
    try file.write("INSERT INTO t VALUES (3)")
    #expect(try file.lines(after: answer.next) == ["insert t 3"])
    try file.pool.blockingWrite { db in
      try ChangeHistory.uninstall(from: db, tables: ["t"], deletingChanges: true)
    }
    #expect(try file.pool.blockingRead { db in try ChangeHistory.tables(db) } == [])
    #expect(try file.triggers() == [])
  }

  /// Swift takes the two names for one.
  @Test func ofTwoTablesWhoseNamesReadAlikeTheBrokenOneIsSeen() throws {
    let (first, second) = ("\u{e9}", "e\u{301}")
    let file = try HistoryFile(
      "CREATE TABLE \(first) (id INTEGER PRIMARY KEY); CREATE TABLE \(second) (a)",
      tables: [first, second])
    let token = try file.token()
    try ForeignWriter.shell.run("DROP TRIGGER holdfast_history_1_delete;", on: file.path)
    #expect(try file.answer(after: token).expiration == .outdatedTriggers)
    #expect(try file.pool.blockingRead { db in try ChangeHistory.problems(db) }.count == 1)
  }

  /// Rows that were replaced before the triggers were repaired were not recorded.
  @Test func installingOnAConnectionWithoutAuthorRevivesNoToken() throws {
    let file = try HistoryFile("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    try file.write("INSERT INTO t VALUES (1, 'x')")
    let token = try file.token()
    try ForeignWriter.shell.run(
      "CREATE UNIQUE INDEX i ON t (a); REPLACE INTO t VALUES (2, 'x');", on: file.path)
    #expect(try file.answer(after: token).expiration == .outdatedTriggers)
    try install(file, after: "CREATE TABLE other (a)")
    let answer = try file.answer(after: token)
    #expect(answer.expiration == .purged)
    try ForeignWriter.shell.run("REPLACE INTO t VALUES (3, 'x');", on: file.path)
    #expect(try file.lines(after: answer.next) == ["delete t 2", "insert t 3"])
  }

  @Test func leavingOnAConnectionWithoutAuthorRevivesNoToken() throws {
    let file = try HistoryFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE TABLE u (a)", tables: ["t", "u"])
    try file.write("INSERT INTO t VALUES (1, 'x')")
    let token = try file.token()
    try ForeignWriter.shell.run(
      "CREATE UNIQUE INDEX i ON t (a); REPLACE INTO t VALUES (2, 'x');", on: file.path)
    try file.pool.blockingWrite { db in try ChangeHistory.uninstall(from: db, tables: ["u"]) }
    #expect(try file.answer(after: token).expiration == .purged)
  }

  @Test(arguments: [nil, "app"])
  func migrationsThatInstallWhereTheyMustLetNoTokenExpire(author: String?) throws {
    let file = try HistoryFile("", tables: [], author: author)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("table") { db in
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)")
      try ChangeHistory.install(on: db, tables: ["t"])
      try db.execute(sql: "CREATE UNIQUE INDEX i ON t (a)")
      try ChangeHistory.install(on: db, tables: ["t"])
    }
    try migrator.blockingMigrate(file.pool)
    let token = try file.token()
    migrator.registerMigration("another table") { db in
      try db.execute(sql: "CREATE TABLE other (a)")
    }
    migrator.registerMigration("index") { db in
      try db.execute(sql: "CREATE UNIQUE INDEX j ON t (b)")
      try ChangeHistory.install(on: db, tables: ["t"])
    }
    try migrator.blockingMigrate(file.pool)
    try ForeignWriter.shell.run(
      "INSERT INTO t VALUES (1, 1, 1); REPLACE INTO t VALUES (2, 2, 1);", on: file.path)
    #expect(try file.lines(after: token) == ["insert t 2"])
    #expect(
      try file.lines(after: token, .everyChange) == ["insert t 1", "delete t 1", "insert t 2"])
  }

  /// A later version may keep its history otherwise, so that what this one writes is not signed.
  @Test func aHistoryOfANewerFormatIsNotWrittenTo() throws {
    let file = try HistoryFile("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    try file.write("UPDATE holdfast_history_store SET format = 2")
    for access: () throws -> Void in [
      { _ = try HistoryFile.open(file.path, author: "app") }, { try install(file, after: "") },
      { _ = try file.pool.blockingRead { db in try ChangeHistory.problems(db) } },
      {
        try file.pool.blockingWrite { db in
          try ChangeHistory.uninstall(from: db, tables: ["t"])
        }
      },
    ] {
      let error = #expect(throws: DatabaseError.self) { try access() }
      #expect(error?.message?.contains("newer") == true)
    }
    // A connection without an author reads and writes.
    try file.write("INSERT INTO t VALUES (1)")
  }

  private static let damages = [
    "DELETE FROM holdfast_history_store", "DROP TABLE holdfast_history",
    "DROP TABLE holdfast_history_sources", "DROP TABLE holdfast_history_store",
    "ALTER TABLE holdfast_history RENAME TO mine",
    """
    DELETE FROM t; DELETE FROM holdfast_history; DELETE FROM holdfast_history_sources;
    DELETE FROM holdfast_history_consumers; DELETE FROM holdfast_history_store
    """,
  ]

  /// Each used to keep every author from opening the database.
  @Test(arguments: damages)
  func aDamagedHistoryStartsAgainAndExpiresItsTokens(damage: String) throws {
    let file = try HistoryFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE TABLE u (id INTEGER PRIMARY KEY)")
    try file.write("INSERT INTO t VALUES (1, 'one')")
    let token = try file.token()
    try file.write(damage)
    let author = try HistoryFile.open(file.path, author: "later")
    try author.blockingWrite { db in
      // The number of another table is given again where the registrations are lost.
      try ChangeHistory.install(on: db, tables: ["u", "t"])
      let answer = try ChangeHistory.changes(db, after: token)
      guard case .expired = answer else {
        Issue.record("\(answer)")
        return
      }
      let next = try ChangeHistory.currentToken(db)
      try db.execute(sql: "INSERT INTO t VALUES (2, 'two'); INSERT INTO u VALUES (3)")
      guard case .changes(let changes, _) = try ChangeHistory.changes(db, after: next) else {
        Issue.record("expired at once")
        return
      }
      #expect(changes.map { "\($0.table) \($0.key[0])" } == ["t 2", "u 3"])
      // What is left of the old history may be about other tables.
      let all = try ChangeHistory.changes(db, after: nil).changes
      #expect(all.map { "\($0.table) \($0.key[0])" } == ["t 2", "u 3"])
      #expect(try ChangeHistory.problems(db) == [:])
    }
    try author.close()
    try file.pool.close()
  }

  @Test(arguments: damages)
  func aDatabaseWithADamagedHistoryIsMigrated(damage: String) throws {
    let file = try HistoryFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE TABLE u (id INTEGER PRIMARY KEY)")
    try file.write(damage)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v") { db in try db.execute(sql: "CREATE TABLE v (a)") }
    try migrator.blockingMigrate(file.pool)
    #expect(try file.pool.blockingRead { db in try db.tableExists("v") })
  }

  @Test(arguments: [
    ("DROP TABLE t", "The table was dropped."),
    (
      "DROP TRIGGER holdfast_history_1_delete",
      "Triggers of the change history are missing: the table was rebuilt."
    ),
    (
      "CREATE UNIQUE INDEX i ON t (a)",
      "The triggers of the change history do not fit the table's columns and indexes."
    ),
  ])
  func theReasonThatATableIsNotTrackedIsNamed(damage: String, reason: String) throws {
    let file = try HistoryFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE TABLE u (id INTEGER PRIMARY KEY)",
      tables: ["t", "u"])
    try ForeignWriter.shell.run("\(damage);", on: file.path)
    #expect(try file.problems() == ["t": reason])
  }

  private func erasingMigrator(installing: Bool) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.eraseDatabaseOnSchemaChange = true
    migrator.registerMigration("t") { db in
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY)")
      if installing { try ChangeHistory.install(on: db, tables: ["t"]) }
    }
    return migrator
  }

  @Test func anErasingMigratorIgnoresTheHistoryTables() throws {
    let file = try HistoryFile("", tables: [], author: "app")
    let migrator = erasingMigrator(installing: false)
    try migrator.blockingMigrate(file.pool)
    try install(file, after: "INSERT INTO t VALUES (1)")
    try file.write("INSERT INTO t VALUES (2)")
    try migrator.blockingMigrate(file.pool)
    #expect(try file.lines() == ["insert t 2"])
  }

  @Test func writesHaveTheirAuthorAfterTheDatabaseIsErased() throws {
    let file = try HistoryFile("CREATE TABLE other (a)", tables: ["other"], author: "app")
    let migrator = erasingMigrator(installing: true)
    try migrator.blockingMigrate(file.pool)
    let token = try file.token()
    try migrator.blockingMigrate(file.pool)
    #expect(try file.answer(after: token).expiration == .otherStore)
    try file.write("INSERT INTO t VALUES (1)")
    try HistoryFile.open(file.path, author: "other").blockingWrite { db in
      try db.execute(sql: "CREATE TABLE makes_others_read_the_schema_again (a)")
    }
    try file.write("INSERT INTO t VALUES (2)")
    #expect(try file.changes().map(\.author) == ["app", "app"])
  }
}

extension DatabaseMigrator {
  fileprivate func blockingMigrate(_ writer: some DatabaseWriter) throws {
    try migrate(writer)
  }
}

extension HistoryFile {
  fileprivate func problems() throws -> [String: String] {
    try pool.blockingRead { db in try ChangeHistory.problems(db) }
  }

  fileprivate func triggers() throws -> [String] {
    try pool.blockingRead { db in
      try String.fetchAll(
        db, sql: "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 't'")
    }
  }

  /// Rebuilds the table as SQLite's documentation describes, and deletes a row meanwhile.
  fileprivate func rebuild() throws {
    let triggers = try triggers().map { $0 + ";" }.joined(separator: "\n")
    try ForeignWriter.shell.run(
      """
      BEGIN; CREATE TABLE new_t (id INTEGER PRIMARY KEY, a UNIQUE);
      INSERT INTO new_t SELECT id, a FROM t WHERE id <> 2; DROP TABLE t;
      ALTER TABLE new_t RENAME TO t; \(triggers) COMMIT;
      """, on: path)
  }
}
