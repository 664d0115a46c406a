import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// Each change of a row is noted, whoever makes it and however it comes about.
@Suite(.enabled(if: ForeignWriter.areThere, "The sqlite3 tool and Python write."))
struct HistoryTriggersTests {
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
  func aForeignWritersChangesAreNoted(script: Script, writer: ForeignWriter) throws {
    let table = script.name == "hostile names" ? "se\"lect ' ; ⚓️" : "t"
    let file = try HistoryFile(script.table, tables: [table])
    try file.write(script.rows)
    let token = try file.token()
    try writer.run(script.sql, on: file.path)
    let changes = try file.changes(after: token)
    // Rows that went in one statement are told in the order of the constraints in whose way they
    // were, which nobody promises.
    #expect(changes.map(\.line).sorted() == script.changes.sorted())
    #expect(changes.allSatisfy { $0.author == nil })
    #expect(try file.pool.blockingRead { db in try db.integrityProblems() } == [])
  }

  @Test func everyStorageClassOfAKeyComesBackAsItWas() throws {
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

  @Test func aKeyThatOnlyChangesItsStorageClassIsAnother() throws {
    let file = try HistoryFile("CREATE TABLE t (k PRIMARY KEY) WITHOUT ROWID")
    try file.write("INSERT INTO t VALUES (1)")
    let token = try file.token()
    try file.write("UPDATE t SET k = 1.0")
    #expect(try file.lines(after: token) == ["delete t 1", "insert t 1.0"])
  }

  @Test func everyChangeIsToldInOrder() throws {
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
}
