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
