import Foundation
import HoldfastSQLite
import Testing

/// Expressions that read, build and change JSON, evaluated by SQLite.
@Suite struct JSONExpressionTests {
  private static let info = JSONColumn("info")
  private static let text = #"{"n":[1,2.5,null],"s":"it's","o":{"b":true}}"#

  /// Runs the closure with a table of one row, whose JSON is in text columns.
  private func withRow(_ body: (Database, Table<Row>) throws -> Void) throws {
    try Connection.inMemory { db throws in
      try db.create(table: "thing") { t in
        t.primaryKey("id", .integer)
        t.column("info", .jsonText)
        t.column("word", .text)
        t.column("binary", .jsonb)
      }
      try db.execute(
        sql: "INSERT INTO thing (id, info, word) VALUES (1, ?, 'x'), (2, NULL, 'y')",
        arguments: [Self.text])
      try body(db, Table<Row>("thing"))
    }
  }

  @Test func expressionsHaveTheValuesOfSQLite() throws {
    let (info, word) = (Self.info, Column("word"))
    var cases: [(SQLExpression, DatabaseValue)] = []
    func add(_ expression: SQLExpression, _ value: DatabaseValue) {
      cases.append((expression, value))
    }
    // Parts, by member, index and path; what is no path is the name of a member.
    add(info["s"], "it's")
    add(info["$.n[1]"], 2.5)
    add(info["o"], #"{"b":true}"#)
    add(info["missing"], nil)
    add(info["n"].asJSON[0], 1)
    add(info.jsonRepresentation(atPath: "s"), #""it's""#)
    add(info.jsonRepresentation(atPath: "$.n[2]"), "null")
    add(info.jsonExtract(atPath: "$.n[2]"), nil)
    add(info.jsonExtract(atPaths: ["$.s", "$.n"]), #"["it's",[1,2.5,null]]"#)
    add(AnySQLJSONExpressible(info)["s"], "it's")
    add(info["it's"], nil)
    add(info["a\"]; --?1:x"], nil)
    add(Column("info").asJSON[word], nil)
    add(Database.jsonExtract(Self.text, atPath: "$.o"), #"{"b":true}"#)
    add(Database.jsonArrayLength(info["n"]), 3)
    add(Database.jsonArrayLength(info, atPath: "$.n"), 3)
    add(Database.jsonType(info), "object")
    add(Database.jsonType(info, atPath: "$.n[1]"), "real")
    add(Database.jsonIsValid(info), 1)
    add(Database.jsonIsValid(word), 0)
    // JSON is JSON in JSON, and a text is a text.
    add(Database.json(" [ 1 ] "), "[1]")
    add(Database.jsonQuote(word), #""x""#)
    add(Database.jsonQuote("[1]".databaseValue.asJSON), "[1]")
    add(Database.jsonArray(1...3), "[1,2,3]")
    add(
      Database.jsonArray([
        1, DatabaseValue.null, "[2]", "[2]".databaseValue.asJSON, word, info["o"],
      ]),
      #"[1,null,"[2]",[2],"x","{\"b\":true}"]"#)
    add(Database.jsonArray([info["o"].asJSON]), #"[{"b":true}]"#)
    add(Database.jsonArray([info.jsonRepresentation(atPath: "o")]), #"[{"b":true}]"#)
    add(Database.jsonArray([Database.jsonArray(["?"])]), #"[["?"]]"#)
    add(Database.jsonObject(["a'": info["n"].asJSON]), #"{"a'":[1,2.5,null]}"#)
    let members: [(key: String, value: any SQLExpressible)] = [("b", 1), ("a", word)]
    add(Database.jsonObject(members), #"{"b":1,"a":"x"}"#)
    // Changes.
    add(Database.jsonInsert("[1]", ["$[#]": "[2]", "$[0]": 9]), #"[1,"[2]"]"#)
    add(Database.jsonReplace(#"{"a":1}"#, ["$.a": "[2]".databaseValue.asJSON]), #"{"a":[2]}"#)
    add(Database.jsonSet(#"{"a":1}"#, ["$.b": 2]), #"{"a":1,"b":2}"#)
    add(Database.jsonPatch(#"{"a":1,"b":2}"#, with: #"{"a":null}"#), #"{"b":2}"#)
    add(Database.jsonRemove("[0,1,2]", atPath: "$[1]"), "[0,2]")
    add(Database.jsonRemove("[0,1,2]", atPaths: ["$[2]", "$[0]"]), "[1]")
    try withRow { db, table in
      for (expression, value) in cases {
        let request = table.filter(Column("id") == 1).select([expression], as: DatabaseValue.self)
        let sql = try request.makeSQL(db).build(db).sql
        #expect(try request.fetchOne(db) == value, "\(sql)")
      }
      let groups: [(SQLExpression, DatabaseValue)] = [
        (Database.jsonGroupArray(word), #"["x","y"]"#),
        (Database.jsonGroupArray(info["o"].asJSON, filter: info != nil), #"[{"b":true}]"#),
        (
          Database.jsonGroupObject(key: word, value: Column("id"), filter: Column("id") > 1),
          #"{"y":2}"#
        ),
        (Database.jsonArray([Database.jsonGroupArray(Column("id"))]), "[[1,2]]"),
      ]
      for (expression, value) in groups {
        #expect(try table.select([expression], as: DatabaseValue.self).fetchOne(db) == value)
      }
      let error = try databaseError { _ = try table.select(Database.json("{")).fetchAll(db) }
      #expect(error.message == "malformed JSON")
      // The database changes in place, and counts one column as one row.
      try table.updateAll(db, info.set(to: Database.jsonSet(info, ["$.n": Database.json("[]")])))
      #expect(try table.filter(info["n"] == "[]").fetchCount(db) == 1)
      #expect(try table.select(info).distinct().fetchCount(db) == 2)
    }
  }

  /// A path is part of the SQL, so that SQLite recognizes the expression; values are bound.
  @Test func anIndexOnAPartIsUsed() throws {
    try withRow { db, table in
      let info = Self.info
      try db.create(
        index: "parts", on: "thing", expressions: [info["s"], info.jsonExtract(atPath: "$.o")])
      let request = table.filter(info["s"] == "it's" && info.jsonExtract(atPath: "$.o") != nil)
      let (sql, arguments) = try request.makeSQL(db).build(db)
      #expect(
        sql
          == "SELECT * FROM \"thing\" WHERE ((\"info\" ->> 's') = ?) AND (JSON_EXTRACT(\"info\", '$.o') IS NOT NULL)"
      )
      let plan = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments)
      #expect(plan.contains { ($0["detail"] as String).contains("USING INDEX parts") }, "\(plan)")
      #expect(try request.fetchCount(db) == 1)
    }
  }

  /// Binary JSON and the orders and options of newer versions: SQLite's own error in older ones.
  @Test func whatSQLiteDoesNotHaveFailsWhenItIsPrepared() throws {
    let (info, word) = (Self.info, Column("word"))
    let version = Database.sqliteLibVersionNumber
    let cases: [(SQLExpression, CInt, DatabaseValue)] = [
      (Database.json(Database.jsonb(info)), 3_045_000, Self.text.databaseValue),
      (
        Database.json(Database.jsonbArray([word, info["o"].asJSON])), 3_045_000,
        #"["x",{"b":true}]"#
      ),
      (Database.json(Database.jsonbArray(1...2)), 3_045_000, "[1,2]"),
      (Database.json(Database.jsonbObject(["a": 1])), 3_045_000, #"{"a":1}"#),
      (Database.jsonbExtract(info, atPath: "$.s"), 3_045_000, "it's"),
      (
        Database.json(Database.jsonbExtract(info, atPaths: ["$.s", "$.o"])), 3_045_000,
        #"["it's",{"b":true}]"#
      ),
      (Database.json(Database.jsonbInsert("[1]", ["$[#]": 2])), 3_045_000, "[1,2]"),
      (Database.json(Database.jsonbReplace("[1]", ["$[0]": 2])), 3_045_000, "[2]"),
      (Database.json(Database.jsonbSet("[1]", ["$[0]": 2])), 3_045_000, "[2]"),
      (Database.json(Database.jsonbPatch(#"{"a":1}"#, with: #"{"a":2}"#)), 3_045_000, #"{"a":2}"#),
      (Database.json(Database.jsonbRemove("[1]", atPath: "$[0]")), 3_045_000, "[]"),
      (Database.json(Database.jsonbRemove("[1]", atPaths: ["$[0]"])), 3_045_000, "[]"),
      (Database.json(Database.jsonbGroupArray(word, filter: word == "x")), 3_045_000, #"["x"]"#),
      (Database.json(Database.jsonbGroupObject(key: word, value: 1)), 3_045_000, #"{"x":1}"#),
      (Database.jsonIsValid("[1,]", options: [.json, .json5]), 3_045_000, 1),
      (Database.jsonErrorPosition("[}"), 3_042_000, 2),
      (Database.jsonGroupArray(word, orderBy: word.desc), 3_044_000, #"["x"]"#),
      (sum(Column("id"), orderBy: word), 3_044_000, 1),
      (total(Column("id"), orderBy: word, filter: word != nil), 3_044_000, 1.0),
    ]
    try withRow { db, table in
      for (expression, needed, value) in cases {
        let request = table.filter(Column("id") == 1).select([expression], as: DatabaseValue.self)
        if version >= needed {
          #expect(try request.fetchOne(db) == value)
        } else {
          let error = try databaseError { _ = try request.fetchOne(db) }
          #expect(error.resultCode == .SQLITE_ERROR && error.sql != nil, "\(error)")
        }
      }
    }
  }
}
