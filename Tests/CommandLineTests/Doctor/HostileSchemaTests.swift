import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// A schema that is made to be read for ever.
@Suite(.timeLimit(.minutes(2))) struct HostileSchemaTests {
  /// Views of which each mentions the one before twice.
  private static func doubling(_ count: Int) -> String {
    let views = (1..<count).map { number in
      "CREATE VIEW v\(number) AS SELECT * FROM v\(number - 1) UNION ALL SELECT * FROM v\(number - 1);"
    }
    return "CREATE VIEW v0 AS SELECT * FROM t;" + views.joined()
      + "CREATE VIEW bomb AS SELECT * FROM v\(count - 1)"
  }

  @Test func viewsThatDoubleAreNotRead() throws {
    let copy = try ContainerCopy()
    for (name, count) in [("long", 60), ("short", 8)] {
      try copy.database("Documents/\(name).sqlite") { db in
        try db.execute(
          sql: """
            CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE);
            CREATE VIRTUAL TABLE f USING fts5(a, content='bomb', content_rowid='id');
            """ + Self.doubling(count))
      }
    }
    let found = try copy.doctor("--json").findings
    #expect(
      found == [
        "missing_search_triggers Documents/long.sqlite f", "unknown_module Documents/long.sqlite f",
        "missing_search_triggers Documents/short.sqlite f",
      ])
    for (name, status) in [("long", 64), ("short", 0)] {
      let path = copy.url("Documents/\(name).sqlite").path(percentEncoded: false)
      let answer = try ToolProcess.run("db", "query", path, "SELECT count(*) FROM bomb")
      #expect(answer.status == status, "\(answer.errors)")
      #expect(answer.errors.contains("access to view") == (status != 0))
    }
  }

  /// Each view mentions the one before twice, by a name that could be something else.
  @Test(arguments: [
    "SELECT x.a FROM '#' x, '#' y", "SELECT x.a FROM main.'#' x, main.[#] y",
    "WITH # AS (SELECT x.a FROM main.# x, main.# y) SELECT * FROM #",
    "SELECT (WITH # AS (SELECT 5 AS a) SELECT a FROM #) AS b, x.a FROM # x, # y",
    "SELECT x.a, count(*) OVER # AS n FROM # x, # y WINDOW # AS (ORDER BY x.a)",
    "WITH q AS (SELECT * FROM #), w (z) AS MATERIALIZED (SELECT a FROM q) SELECT a FROM q, w, q z",
  ])
  func theNameOfAViewIsRecognized(form: String) throws {
    let copy = try ContainerCopy()
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(sql: "CREATE TABLE t (a); CREATE VIEW v0 AS SELECT 1 AS a")
      for number in 0..<24 {
        try db.execute(
          sql: "CREATE VIEW v\(number + 1) AS " + form.replacing("#", with: "v\(number)"))
      }
    }
    let path = copy.url("Documents/a.sqlite").path(percentEncoded: false)
    let answer = try ToolProcess.run("db", "query", path, "SELECT * FROM v24")
    #expect(answer.status == 64)
    #expect(answer.errors.contains("Views of this file mention one another without an end."))
    #expect(try ToolProcess.run("db", "query", path, "SELECT * FROM t").status == 0)
  }

  @Test func viewsThatAreLongOrUseNamesAgainAreRead() throws {
    let copy = try ContainerCopy()
    let counts = (0..<20).map { number in
      """
      (WITH a AS (SELECT * FROM t WHERE a > \(number)), b AS (SELECT * FROM a), c AS (SELECT * FROM b)
        SELECT count(*) FROM c JOIN c AS d USING (a)) AS c\(number)
      """
    }
    let chain = (0..<250).map { "CREATE VIEW v\($0 + 1) AS SELECT a FROM v\($0);" }
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a); INSERT INTO t VALUES (7);
          CREATE VIEW counts AS SELECT \(counts.joined(separator: ", "));
          CREATE VIEW v0 AS WITH RECURSIVE n (a) AS (
            SELECT 1 UNION ALL SELECT n.a + 1 FROM n JOIN t ON n.a < t.a) SELECT max(a) AS a FROM n;
          """ + chain.joined())
    }
    let path = copy.url("Documents/a.sqlite").path(percentEncoded: false)
    for (sql, value) in [("SELECT c6 FROM counts", "1"), ("SELECT a FROM v250", "7")] {
      let answer = try ToolProcess.run("db", "query", path, sql)
      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.split(whereSeparator: \.isWhitespace).last.map(String.init) == value)
    }
  }

  /// Such expressions are put in place although views are forbidden.
  @Test func aViewThatDoublesInItselfFillsNoMemory() throws {
    let copy = try ContainerCopy()
    let expressions = (0..<40).map { ", c\($0 + 1) AS (SELECT x.a FROM c\($0) x, c\($0) y)" }
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(
        sql: "CREATE VIEW big AS WITH c0 AS (SELECT 1 AS a)" + expressions.joined()
          + " SELECT * FROM c40")
    }
    let path = copy.url("Documents/a.sqlite").path(percentEncoded: false)
    let answer = try ToolProcess.run("db", "query", path, "SELECT * FROM mistyped")
    #expect(answer.status == 65)
    #expect(answer.errors.contains("out of memory"))
  }

  /// The triggers of each full-text table are found without reading all of them again.
  @Test func manyTriggersOfManySearchTablesAreReadOnce() throws {
    let copy = try ContainerCopy()
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(sql: "CREATE TABLE b (id INTEGER PRIMARY KEY, t)")
      try db.execute(sql: "PRAGMA writable_schema = ON")
      for number in 0..<1000 {
        try db.execute(
          sql: "INSERT INTO sqlite_schema VALUES ('table', ?1, ?1, 0, ?2)",
          arguments: [
            "f\(number)", "CREATE VIRTUAL TABLE f\(number) USING fts5(t, content='b')",
          ])
      }
      for number in 0..<5000 {
        let table = "f\(number % 1000)"
        try db.execute(
          sql: "INSERT INTO sqlite_schema VALUES ('trigger', ?1, 'b', 0, ?2)",
          arguments: [
            "r\(number)",
            """
            CREATE TRIGGER r\(number) AFTER INSERT ON b BEGIN
              INSERT INTO \(table) (rowid, t) VALUES (new.id, new.t);
            END
            """,
          ])
      }
    }
    let found = try copy.doctor("--json")
    #expect(try found.objects.count { $0["kind"] as? String == "missing_search_triggers" } > 0)
  }
}
