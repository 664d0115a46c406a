import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// The recording of row changes, by any writer and for any cause.
@Suite(.enabled(if: ForeignWriter.areThere, "The sqlite3 tool and Python write."))
struct HistoryTriggersTests {
  /// The two names are equal as Swift strings, but not for SQLite.
  @Test func aDefaultIsThatOfTheColumnAndNotOfOneWhoseNameReadsAlike() throws {
    let file = try HistoryFile(
      """
      CREATE TABLE t ("\u{e9}" INTEGER PRIMARY KEY, "e\u{301}" NOT NULL DEFAULT 'x' UNIQUE)
      """)
    try file.write("INSERT INTO t VALUES (1, 'x')")
    let token = try file.token()
    try ForeignWriter.shell.run("REPLACE INTO t VALUES (2, NULL);", on: file.path)
    #expect(try file.lines(after: token) == ["delete t 1", "insert t 2"])
  }

  /// A symptom: a repair of the history dropped a user's trigger, because its name contains a number
  /// in another spelling.
  @Test(arguments: ["holdfast_history_+1_log", "holdfast_history_01_log"])
  func aUsersTriggerWithASimilarNameIsKept(name: String) throws {
    let file = try HistoryFile("CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE TABLE log (a)")
    try file.write(
      """
      CREATE TRIGGER "\(name)" AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END
      """)
    let token = try file.token()
    try file.pool.blockingWrite { db in try ChangeHistory.install(on: db, tables: ["t"]) }
    try file.write("INSERT INTO t VALUES (1, 'x')")
    let logged = try file.pool.blockingRead { db in
      try String.fetchAll(db, sql: "SELECT a FROM log")
    }
    #expect(logged == ["x"])
    #expect(try file.lines(after: token) == ["insert t 1"])
  }

  /// A table, what is in it before, and what one script makes of it.
  struct Script: Sendable, CustomTestStringConvertible {
    var name: String
    var table: String
    var rows: String
    var sql: String
    var changes: [String]
    var testDescription: String { name }

    init(_ name: String, _ table: String, _ rows: String, _ sql: String, _ changes: [String]) {
      (self.name, self.table, self.rows, self.sql, self.changes) = (name, table, rows, sql, changes)
    }
  }

  static let scripts = [
    Script(
      "plain", "CREATE TABLE t (id INTEGER PRIMARY KEY, a)", "INSERT INTO t VALUES (1,1), (2,2);",
      "INSERT INTO t VALUES (3,3); UPDATE t SET a = 9 WHERE id = 1; DELETE FROM t WHERE id = 2;",
      ["insert t 3", "update t 1", "delete t 2"]),
    Script(
      "a delete without a condition", "CREATE TABLE t (id INTEGER PRIMARY KEY)",
      "INSERT INTO t VALUES (1), (2);", "DELETE FROM t;", ["delete t 1", "delete t 2"]),
    Script(
      "OR REPLACE on the rowid", "CREATE TABLE t (id INTEGER PRIMARY KEY, a)",
      "INSERT INTO t VALUES (1,1);", "INSERT OR REPLACE INTO t VALUES (1,2);", ["update t 1"]),
    Script(
      "OR REPLACE on a unique column", "CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE)",
      "INSERT INTO t VALUES (1,'x'), (2,'y');", "INSERT OR REPLACE INTO t VALUES (3,'x');",
      ["delete t 1", "insert t 3"]),
    Script(
      "OR REPLACE on several rows", "CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE, b UNIQUE)",
      "INSERT INTO t VALUES (1,1,1), (2,2,2), (3,3,3), (4,4,4);",
      "REPLACE INTO t VALUES (1,2,3);", ["delete t 2", "delete t 3", "update t 1"]),
    Script(
      "OR IGNORE", "CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE)",
      "INSERT INTO t VALUES (1,'x');",
      "INSERT OR IGNORE INTO t VALUES (1,'y'), (2,'x'), (3,'z');", ["insert t 3"]),
    Script(
      "OR IGNORE and then a deletion", "CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE)",
      "INSERT INTO t VALUES (1,'x');",
      "INSERT OR IGNORE INTO t VALUES (1,'y'); DELETE FROM t WHERE id = 1;", ["delete t 1"]),
    Script(
      "DO UPDATE", "CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE, b)",
      "INSERT INTO t VALUES (1,'x',1);",
      "INSERT INTO t VALUES (7,'x',2) ON CONFLICT (a) DO UPDATE SET b = excluded.b;",
      ["update t 1"]),
    Script(
      "DO NOTHING", "CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE)",
      "INSERT INTO t VALUES (1,'x');", "INSERT INTO t VALUES (7,'x') ON CONFLICT DO NOTHING;", []),
    Script(
      "UPDATE OR REPLACE", "CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE)",
      "INSERT INTO t VALUES (1,'x'), (2,'y');", "UPDATE OR REPLACE t SET a = 'x' WHERE id = 2;",
      ["delete t 1", "update t 2"]),
    Script(
      "UPDATE OR REPLACE of the key", "CREATE TABLE t (id INTEGER PRIMARY KEY, a)",
      "INSERT INTO t VALUES (1,1), (2,2);", "UPDATE OR REPLACE t SET rowid = 1 WHERE id = 2;",
      ["delete t 2", "update t 1"]),
    Script(
      "UPDATE OR IGNORE", "CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE)",
      "INSERT INTO t VALUES (1,'x'), (2,'y');", "UPDATE OR IGNORE t SET a = 'x' WHERE id = 2;", []),
    Script(
      "a constraint that replaces",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE ON CONFLICT REPLACE)",
      "INSERT INTO t VALUES (1,'x');", "INSERT INTO t VALUES (2,'x');",
      ["delete t 1", "insert t 2"]),
    Script(
      "a partial index",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); CREATE UNIQUE INDEX i ON t (a) WHERE t.b > 0",
      "INSERT INTO t VALUES (1,'x',1), (2,'x',0), (3,'x',-1);",
      "UPDATE OR REPLACE t SET b = 1 WHERE id = 2;", ["delete t 1", "update t 2"]),
    Script(
      "an index on expressions",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b);
      CREATE UNIQUE INDEX "i ( , )" ON t (
        lower(a) COLLATE BINARY DESC, -- (a comment, with brackets
        (b + 1) /* , */ ASC, ifnull(b, 'it''s (,)'));
      """,
      "INSERT INTO t VALUES (1,'Kiosk',1), (2,'Kiosk',2);",
      "INSERT OR REPLACE INTO t VALUES (3,'KIOSK',1);", ["delete t 1", "insert t 3"]),
    Script(
      "a partial index on an expression",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b);
      CREATE UNIQUE INDEX i ON t (abs(b)) WHERE a IS NOT NULL AND a <> 'WHERE ('
      """,
      "INSERT INTO t VALUES (1,'x',-5), (2,NULL,5);",
      "INSERT OR REPLACE INTO t VALUES (3,'y',5);", ["delete t 1", "insert t 3"]),
    Script(
      "an index on a generated column",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b AS (a % 10) UNIQUE)",
      "INSERT INTO t VALUES (1,11), (2,12);", "INSERT OR REPLACE INTO t (id, a) VALUES (3,21);",
      ["delete t 1", "insert t 3"]),
    Script(
      "nulls are not in each other's way",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, UNIQUE (a, b))",
      "INSERT INTO t VALUES (1,1,NULL), (2,NULL,NULL);",
      "INSERT OR REPLACE INTO t VALUES (3,1,NULL), (4,NULL,NULL);", ["insert t 3", "insert t 4"]),
    Script(
      "a collation of the index",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); "
        + "CREATE UNIQUE INDEX i ON t (a COLLATE NOCASE)",
      "INSERT INTO t VALUES (1,'Quay');", "INSERT OR REPLACE INTO t VALUES (2,'QUAY');",
      ["delete t 1", "insert t 2"]),
    Script(
      "a key with a collation", "CREATE TABLE t (k TEXT COLLATE NOCASE PRIMARY KEY, a)",
      "INSERT INTO t VALUES ('quay',1), ('pier',1);",
      "INSERT OR REPLACE INTO t VALUES ('QUAY',2); UPDATE t SET k = 'Pier' WHERE k = 'PIER';",
      ["delete t 'quay'", "insert t 'QUAY'", "delete t 'pier'", "insert t 'Pier'"]),
    Script(
      "no primary key", "CREATE TABLE t (a)", "INSERT INTO t VALUES ('x'), ('y');",
      "DELETE FROM t WHERE a = 'x'; INSERT INTO t VALUES ('z');", ["delete t 1", "insert t 3"]),
    Script(
      "a column called rowid", "CREATE TABLE t (rowid TEXT, a)", "INSERT INTO t VALUES ('x', 1);",
      "UPDATE t SET rowid = 'y';", ["update t 1"]),
    Script(
      "without rowids", "CREATE TABLE t (k TEXT PRIMARY KEY, a UNIQUE) WITHOUT ROWID",
      "INSERT INTO t VALUES ('x',1), ('y',2);",
      "INSERT OR REPLACE INTO t VALUES ('x',2); UPDATE t SET k = 'q';",
      ["delete t 'y'", "delete t 'x'", "insert t 'q'"]),
    Script(
      "composite keys", "CREATE TABLE t (a, b, c, PRIMARY KEY (b, a)) WITHOUT ROWID",
      "INSERT INTO t VALUES (1,'x',0), (1,'y',0);",
      "REPLACE INTO t VALUES (1,'x',1); UPDATE t SET a = 2 WHERE b = 'y';",
      ["update t 'x',1", "delete t 'y',1", "insert t 'y',2"]),
    Script(
      "a rowid in the way of another key", "CREATE TABLE t (k TEXT PRIMARY KEY)",
      "INSERT INTO t VALUES ('x');", "INSERT OR REPLACE INTO t (rowid, k) VALUES (1, 'y');",
      ["delete t 'x'", "insert t 'y'"]),
    Script(
      "cascades of foreign keys",
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE t (id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE CASCADE ON UPDATE CASCADE)
      """,
      "INSERT INTO p VALUES (1), (2); INSERT INTO t VALUES (1,1), (2,2);",
      "PRAGMA foreign_keys = ON; DELETE FROM p WHERE id = 1; UPDATE p SET id = 3 WHERE id = 2;",
      ["delete t 1", "update t 2"]),
    Script(
      "a writer with recursive triggers", "CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE)",
      "INSERT INTO t VALUES (1,'x');",
      "PRAGMA recursive_triggers = ON; INSERT OR REPLACE INTO t VALUES (2,'x');",
      ["delete t 1", "insert t 2"]),
    Script(
      "a writer that trusts no schema", "CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE)",
      "INSERT INTO t VALUES (1,'x');",
      "PRAGMA trusted_schema = OFF; INSERT OR REPLACE INTO t VALUES (2,'x');",
      ["delete t 1", "insert t 2"]),
    Script(
      "a transaction that is rolled back", "CREATE TABLE t (id INTEGER PRIMARY KEY)",
      "INSERT INTO t VALUES (1);",
      "BEGIN; DELETE FROM t; ROLLBACK; INSERT INTO t VALUES (2);", ["insert t 2"]),
    Script(
      "a row that comes and goes", "CREATE TABLE t (id INTEGER PRIMARY KEY)", "",
      "INSERT INTO t VALUES (1); DELETE FROM t; INSERT INTO t VALUES (2);", ["insert t 2"]),
    Script(
      "a blob and numbers in an index",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a, b);
      CREATE UNIQUE INDEX i ON t (ifnull(a, x'00'), b + 1e-5, b * .5E+1, b & 0x1F)
        WHERE b <> 1e-5 AND a IS NOT X'FF'
      """,
      "INSERT INTO t VALUES (1,NULL,1), (2,NULL,33);",
      "INSERT OR REPLACE INTO t VALUES (3,NULL,1);", ["delete t 1", "insert t 3"]),
    Script(
      "operators, words and comments in an index",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, asc TEXT, "desc" TEXT, [a b] TEXT, `c``d`);
      CREATE UNIQUE INDEX i ON t (
        "desc" ->> '$.a' DESC, asc || desc -- ) WHERE 0
        , [a b]/**/||/* , */`c``d` ASC, asc, -+1 - -1) WHERE (t."desc") NOT NULL /* ( */
      """,
      #"INSERT INTO t VALUES (1,'x','{"a":1}','p','q'), (2,'y','{"a":1}','p','q');"#,
      #"INSERT OR REPLACE INTO t VALUES (3,'x','{"a":1}','pq','');"#,
      ["delete t 1", "insert t 3"]),
    Script(
      "a default in place of NULL",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, k TEXT UNIQUE NOT NULL DEFAULT 'x')",
      "INSERT INTO t VALUES (1,'x'), (2,'y');",
      "INSERT OR REPLACE INTO t VALUES (3,NULL); UPDATE OR REPLACE t SET k = NULL WHERE id = 2;",
      ["delete t 1", "update t 2"]),
    Script(
      "a default that is computed, of another type, or a bare name",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL DEFAULT 5 COLLATE NOCASE,
        b INTEGER NOT NULL ON CONFLICT REPLACE DEFAULT ('1' || '0' /* ten */ -- ten
        ), c NOT NULL DEFAULT abc, d REAL NOT NULL DEFAULT +7, UNIQUE (a, b, c, d))
      """,
      "INSERT INTO t VALUES (1,'5',10,'abc',7), (2,'6',10,'abc',7);",
      "REPLACE INTO t VALUES (3,NULL,NULL,NULL,NULL); UPDATE OR REPLACE t SET a = NULL WHERE id = 2;",
      ["delete t 1", "update t 2"]),
    Script(
      "a default in an expression",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL DEFAULT 'X', b);
      CREATE UNIQUE INDEX i ON t (lower(a), b)
      """,
      "INSERT INTO t VALUES (1,'x',1), (2,'x',2), (3,'y',1);",
      "REPLACE INTO t VALUES (4,NULL,1);", ["delete t 1", "insert t 4"]),
    Script(
      "a default under a generated column",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL DEFAULT 'X', b,
        g AS (lower(ifnull(a, 'q'))), h AS (g || b) STORED UNIQUE)
      """,
      "INSERT INTO t VALUES (1,'x',1), (2,'x',2), (3,'q',1);",
      "REPLACE INTO t VALUES (4,NULL,1); UPDATE OR REPLACE t SET a = NULL, b = 2 WHERE id = 3;",
      ["delete t 1", "insert t 4", "delete t 2", "update t 3"]),
    Script(
      "a generated column of which an UPDATE sets only a part",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a, b,
        g TEXT COLLATE NOCASE AS (ifnull(a, 'q') || b) STORED UNIQUE, h AS ("g" || a) UNIQUE)
      """,
      "INSERT INTO t (id, a, b) VALUES (1,'x',1), (2,'X',2);",
      "UPDATE OR REPLACE t SET b = 1 WHERE id = 2;", ["delete t 1", "update t 2"]),
    Script(
      "a default that cannot be determined",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, k UNIQUE NOT NULL DEFAULT (abs(random() % 1)))",
      "INSERT INTO t VALUES (1,0), (2,5);", "REPLACE INTO t VALUES (3,NULL);",
      ["delete t 1", "insert t 3"]),
    Script(
      "NULL where no default helps",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, k UNIQUE NOT NULL DEFAULT NULL)",
      "INSERT INTO t VALUES (1,'x');",
      "INSERT OR IGNORE INTO t VALUES (2,NULL); INSERT INTO t VALUES (3,'y');", ["insert t 3"]),
    Script(
      "a default of a key without rowids",
      "CREATE TABLE t (k TEXT PRIMARY KEY DEFAULT 'x', a) WITHOUT ROWID",
      "INSERT INTO t VALUES ('x',1), ('y',2);",
      "REPLACE INTO t VALUES (NULL,3); UPDATE OR REPLACE t SET k = NULL WHERE k = 'y';",
      ["update t 'x'", "delete t 'y'"]),
    Script(
      "a text for a number's key", "CREATE TABLE t (id INTEGER PRIMARY KEY, n INT UNIQUE)",
      "INSERT INTO t VALUES (1,1), (2,2);",
      "REPLACE INTO t VALUES ('1',3); REPLACE INTO t VALUES (4,' 2 ');",
      ["update t 1", "delete t 2", "insert t 4"]),
    Script(
      "rows that share NULL as their key", "CREATE TABLE t (k TEXT PRIMARY KEY, a UNIQUE)",
      "INSERT INTO t VALUES (NULL,1), (NULL,2), (NULL,3), ('x',4);",
      "DELETE FROM t WHERE a = 1; REPLACE INTO t VALUES (NULL,3); UPDATE t SET a = 5 WHERE a = 2;",
      ["delete t NULL", "delete t NULL", "insert t NULL", "update t NULL"]),
    Script(
      "rows that share NULL in a part of their key",
      "CREATE TABLE t (a, b NOT NULL, PRIMARY KEY (a, b))",
      "INSERT INTO t VALUES (NULL,1), (NULL,1), (1,1);",
      "UPDATE t SET a = 2 WHERE rowid = 1; UPDATE t SET rowid = 9 WHERE rowid = 2;",
      ["delete t NULL,1", "insert t 2,1", "delete t NULL,1", "insert t NULL,1"]),
    Script(
      "hostile names",
      #"""
      CREATE TABLE "se""lect ' ; ⚓️" ("or der" INTEGER, "it's" TEXT, "NEW" UNIQUE, "q""q",
        PRIMARY KEY ("it's", "or der"));
      CREATE UNIQUE INDEX "where ""x""" ON "se""lect ' ; ⚓️" (lower("q""q")) WHERE "q""q" <> ''
      """#,
      #"INSERT INTO "se""lect ' ; ⚓️" VALUES (1,'a','n','Q'), (2,'a','m','r');"#,
      #"REPLACE INTO "se""lect ' ; ⚓️" VALUES (3,'b','n','R');"#,
      [
        #"delete se"lect ' ; ⚓️ 'a',1"#, #"delete se"lect ' ; ⚓️ 'a',2"#,
        #"insert se"lect ' ; ⚓️ 'b',3"#,
      ]),
  ]

  @Test(arguments: scripts, ForeignWriter.allCases)
  func changesOfAForeignWriterAreRecorded(script: Script, writer: ForeignWriter) throws {
    let table = script.name == "hostile names" ? "se\"lect ' ; ⚓️" : "t"
    let file = try HistoryFile(script.table, tables: [table])
    try file.write(script.rows)
    let token = try file.token()
    try writer.run(script.sql, on: file.path)
    let changes = try file.changes(after: token)
    // Rows replaced by one statement are reported in the order of the violated constraints, which
    // is not guaranteed.
    #expect(changes.map(\.line).sorted() == script.changes.sorted())
    #expect(changes.allSatisfy { $0.author == nil })
    #expect(try file.pool.blockingRead { db in try db.integrityProblems() } == [])
  }

  @Test func everyStorageClassOfAKeyRoundTrips() throws {
    let file = try HistoryFile("CREATE TABLE t (a, b, PRIMARY KEY (a, b))")
    let keys: [[DatabaseValue]] = [
      [1, 1.0], ["1", "it's\0null"], [DatabaseValue(storage: .blob(Data([0, 0xFF]))), nil],
      [.init(storage: .int64(.min)), .init(storage: .double(-.infinity))],
      [.init(storage: .double(0.1 + 0.2)), "⚓️ \" '"], [1.5, 1],
    ]
    for key in keys {
      try file.pool.blockingWrite { db in
        try db.execute(sql: "INSERT INTO t VALUES (?, ?)", arguments: StatementArguments(key))
      }
    }
    #expect(try file.changes().map(\.key) == keys)
    let token = try file.token()
    try file.write("DELETE FROM t")
    #expect(Set(try file.changes(after: token).map(\.key)) == Set(keys))
    #expect(try file.changes(after: token).allSatisfy { $0.kind == .delete })
  }

  @Test func aKeyWithAnotherStorageClassIsAnotherKey() throws {
    let file = try HistoryFile("CREATE TABLE t (k PRIMARY KEY) WITHOUT ROWID")
    try file.write("INSERT INTO t VALUES (1)")
    let token = try file.token()
    try file.write("UPDATE t SET k = 1.0")
    #expect(try file.lines(after: token) == ["delete t 1", "insert t 1.0"])
  }

  @Test func everyChangeIsReportedInOrder() throws {
    let file = try HistoryFile("CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE)")
    try ForeignWriter.shell.run(
      """
      INSERT INTO t VALUES (1,'x'); INSERT OR IGNORE INTO t VALUES (2,'x');
      UPDATE t SET a = 'y'; INSERT OR REPLACE INTO t VALUES (3,'y'); DELETE FROM t;
      INSERT INTO t VALUES (3,'q'); REPLACE INTO t VALUES (3,'r');
      """, on: file.path)
    #expect(
      try file.lines(.everyChange) == [
        "insert t 1", "update t 1", "delete t 1", "insert t 3", "delete t 3", "insert t 3",
        "delete t 3", "insert t 3",
      ])
    #expect(try file.lines() == ["insert t 3"])
  }

  private func events(_ file: HistoryFile, _ sql: String) throws -> [String] {
    let token = try file.token()
    try ForeignWriter.shell.run(sql, on: file.path)
    return try file.lines(after: token, .everyChange)
  }

  @Test func aConflictingRowCreatedByAUserTriggerIsReportedAsDeleted() throws {
    let file = try HistoryFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE, b);
      INSERT INTO t VALUES (1,'x',1), (2,'y',2);
      CREATE TRIGGER mine BEFORE INSERT ON t WHEN NEW.b = 'move' BEGIN
        UPDATE t SET a = NEW.a WHERE id = 1;
      END;
      """)
    let sql = "REPLACE INTO t VALUES (3,'z','move');"
    #expect(try events(file, sql) == ["update t 1", "delete t 1", "insert t 3"])
    #expect(try events(file, "INSERT INTO t VALUES (1,'p',1);") == ["insert t 1"])
    let token = try file.token()
    try ForeignWriter.shell.run("REPLACE INTO t VALUES (4,'p','move');", on: file.path)
    #expect(try file.lines(after: token) == ["delete t 1", "insert t 4"])
    // A reader that stopped after the update gets the deletion, which nothing else records.
    let changes = try file.changes(after: token, .everyChange)
    for index in changes.indices {
      let rest = try file.changes(after: changes[index].token, .everyChange).map(\.line)
      #expect(Set(rest).isSuperset(of: changes.dropFirst(index + 1).map(\.line)))
    }
  }

  @Test func aConflictingRowThatIsInsertedAgainIsAnUpdate() throws {
    let file = try HistoryFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE, b); INSERT INTO t VALUES (1,'x',1);
      CREATE TRIGGER mine BEFORE INSERT ON t WHEN NEW.b = 'move' BEGIN
        UPDATE t SET a = NEW.a WHERE id = 1;
      END;
      """)
    let token = try file.token()
    try ForeignWriter.shell.run(
      "REPLACE INTO t VALUES (2,'y','move'), (1,'z',3);", on: file.path)
    #expect(try file.lines(after: token) == ["insert t 2", "update t 1"])
    #expect(
      try file.lines(after: token, .everyChange)
        == ["update t 1", "delete t 1", "insert t 2", "insert t 1"])
  }

  @Test func anInsertedRowThatAUserTriggerUpdatesIsAnInsertion() throws {
    let file = try HistoryFile("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    let trigger = """
      CREATE TRIGGER mine AFTER INSERT ON t BEGIN
        UPDATE t SET a = 'touched' WHERE id = NEW.id;
      END;
      """
    try ForeignWriter.shell.run(trigger, on: file.path)
    let token = try file.token()
    try ForeignWriter.shell.run("INSERT INTO t VALUES (1,1);", on: file.path)
    #expect(try file.lines(after: token) == ["insert t 1"])
    #expect(try file.lines(after: token, .everyChange).contains("delete t 1") == false)
    // Installed again after the user's trigger was created, the history's triggers run before it.
    try file.pool.blockingWrite { db in try ChangeHistory.install(on: db) }
    #expect(try file.answer(after: token).expiration == nil)
    #expect(try events(file, "INSERT INTO t VALUES (2,1);") == ["insert t 2", "update t 2"])
  }

  /// As is possible without a history.
  @Test func aWriterWithoutAnIndexFunctionCanUpdateOtherColumns() throws {
    let file = try HistoryFile("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c TEXT)")
    let queue = try DatabaseQueue(path: file.path)
    try queue.blockingWrite { db in
      db.add(
        function: DatabaseFunction("twice", argumentCount: 1, pure: true) { values in
          (Int.fromDatabaseValue(values[0]) ?? 0) * 2
        })
      db.add(
        collation: DatabaseCollation("mine") { left, right in
          left.utf8.elementsEqual(right.utf8)
            ? .orderedSame : left < right ? .orderedAscending : .orderedDescending
        })
      try db.execute(
        sql: """
          CREATE UNIQUE INDEX i ON t (twice(a)); CREATE UNIQUE INDEX j ON t (c COLLATE mine);
          INSERT INTO t VALUES (1,1,1,'x'), (2,2,2,'y');
          """)
      try ChangeHistory.install(on: db, tables: ["t"])
    }
    #expect(try events(file, "UPDATE t SET b = 5 WHERE id = 1;") == ["update t 1"])
  }

  @Test func aTokenBetweenACandidateAndItsDeletionReportsTheDeletion() throws {
    let file = try HistoryFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE, b);
      CREATE TRIGGER mine BEFORE INSERT ON t WHEN NEW.b = 'touch' BEGIN
        UPDATE t SET b = 1 WHERE id = 7; UPDATE t SET b = 2 WHERE id = NEW.id;
      END;
      INSERT INTO t VALUES (1,'x',1), (2,'y',2), (7,'z',7);
      """)
    let token = try file.token()
    try ForeignWriter.shell.run("REPLACE INTO t VALUES (1,'y','touch');", on: file.path)
    let changes = try file.changes(after: token, .everyChange)
    #expect(
      changes.map(\.line) == ["delete t 2", "update t 7", "update t 1", "delete t 1", "insert t 1"])
    for index in changes.indices {
      let rest = try file.changes(after: changes[index].token, .everyChange).map(\.line)
      #expect(rest.suffix(changes.count - index - 1) == changes[(index + 1)...].map(\.line)[...])
    }
  }
}
