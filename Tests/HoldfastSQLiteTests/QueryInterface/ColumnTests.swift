import HoldfastSQLite
import Testing

@Suite struct ColumnTests {
  private enum Words: String, ColumnExpression { case a, b }

  private let a = Column("a")
  private let b = Column("b")

  @Test func twoColumnsAreComparedInDefinitions() throws {
    try Connection.inMemory { db throws in
      try db.create(table: "t") { t in
        t.column("a").check { $0 != Column("b") }
        t.column("b").check { $0 == Column("b") || $0 > 3 }
        t.column("g").generatedAs(a == b)
        t.check(a != b && b != 5)
      }
      try db.create(index: "i", on: "t", columns: ["a"], condition: a == b)
      try db.create(index: "e", on: "t", expressions: [a == b])
      let definitions = try String.fetchAll(db, sql: "SELECT sql FROM sqlite_master ORDER BY name")
      #expect(
        definitions == [
          #"CREATE INDEX "e" ON "t"("a" = "b")"#,
          #"CREATE INDEX "i" ON "t"("a") WHERE "a" = "b""#,
          #"CREATE TABLE "t" ("a" CHECK ("a" <> "b"), "#
            + #""b" CHECK (("b" = "b") OR ("b" > 3)), "g" GENERATED ALWAYS AS ("a" = "b") VIRTUAL, "#
            + #"CHECK (("a" <> "b") AND ("b" <> 5)))"#,
        ])
    }
  }

  /// Where an expression is wanted, the equality of columns is one, whatever else is possible there.
  @Test func twoColumnsAreComparedInRequests() throws {
    struct Pair: Codable, FetchableRecord, PersistableRecord {
      enum Columns {
        static let a = Column("a")
        static let b = Column("b")
      }
      var a: Int
      var b: Int
      var c: Int?
    }
    try Connection.inMemory { db throws in
      try db.execute(
        sql: "CREATE TABLE pair (a, b, c); INSERT INTO pair VALUES (1, 1, NULL), (1, 2, NULL)")
      let (a, b) = (a, b)
      let conditions: [SQLExpression] = [
        a == b && b == a, !(a != b), a == b || b == 7, [a == b, a > 0].joined(operator: .and),
        (a == b) == true, [b].contains(a), [true].contains(a == b), SQL("\(a == b)").sqlExpression,
        JSONColumn("a") == JSONColumn("b"), SQL(sql: "a") == SQL(sql: "b"),
      ]
      for condition in conditions {
        #expect(try Pair.filter(condition).fetchAll(db).map(\.b) == [1])
      }
      #expect(try Pair.filter { $0.a == $0.b }.fetchCount(db) == 1)
      #expect(try Pair.filter(a == b && b == a).fetchCount(db) == 1)
      let values: [any SQLSelectable] = [
        a == b, cast(a == b, as: .text), min(a == b, 1), Database.jsonArray([a == b, b]),
        (a == b).forKey("x"),
      ]
      let rows = try Pair.select(values).order(b).asRequest(of: Row.self).fetchAll(db)
      #expect(rows[0].databaseValues == [1, "1", 1, "[1,1]", 1])
      #expect(rows[1].databaseValues == [0, "0", 0, "[0,2]", 0])
      #expect(try Pair.select(max(a == b), as: Int.self).fetchAll(db) == [1])
      #expect(try Pair.order((a == b).desc).fetchAll(db).map(\.b) == [1, 2])
      #expect(try Pair.all().group(a == b).having(a == b).fetchAll(db).map(\.b) == [1])
      // The cases of an enum are compared in SQL, too.
      #expect(try Pair.all().group(b).having(Words.a == Words.b).fetchAll(db).map(\.b) == [1])
      try Pair.updateAll(db) { [Column("c").set(to: $0.a == $0.b)] }
      #expect(try Pair.select(Column("c"), as: Int.self).order(b).fetchAll(db) == [1, 0])
    }
  }
}
