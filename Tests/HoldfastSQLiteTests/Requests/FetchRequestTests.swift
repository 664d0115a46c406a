import HoldfastSQLite
import Testing

@Suite struct FetchRequestTests {
  struct Stop: Codable, FetchableRecord, Hashable {
    var id: Int
    var name: String
  }

  private static let sql = """
    SELECT * FROM (SELECT 1 AS id, 'Quay' AS name UNION ALL SELECT 2, 'Wharf')
    """

  @Test func aRequestFetchesRecords() throws {
    let stops = [Stop(id: 1, name: "Quay"), Stop(id: 2, name: "Wharf")]
    let request = SQLRequest<Stop>(sql: Self.sql)
    try Connection.inMemory { db throws in
      #expect(try request.fetchAll(db) == stops)
      #expect(try request.fetchOne(db) == stops[0])
      #expect(try request.fetchCursor(db).next() == stops[0])
      #expect(try request.fetchSet(db) == Set(stops))
      #expect(try Stop.fetchAll(db, request) == stops)
      #expect(try Row.fetchOne(db, request)?["name"] == "Quay")
      #expect(try request.fetchCount(db) == 2)
      #expect(try !request.isEmpty(db))
    }
  }

  @Test func aStatementFetchesCursorsAndSets() throws {
    let stops = [Stop(id: 1, name: "Quay"), Stop(id: 2, name: "Wharf")]
    try Connection.inMemory { db throws in
      let statement = try db.makeStatement(sql: "\(Self.sql) WHERE id > ?")
      for least in [0, 1] {
        let records = try Stop.fetchCursor(statement, arguments: [least])
        #expect(try records.next() == stops[least])
        #expect(try records.next() == (least == 0 ? stops[1] : nil))
        #expect(try records.next() == nil)
        let values = try Int.fetchCursor(statement)
        #expect(try values.next() == least + 1)
        while try values.next() != nil {}
      }
      #expect(try Stop.fetchSet(statement, arguments: [0]) == Set(stops))
      #expect(try Int.fetchSet(statement, arguments: [1]) == [2])
    }
  }

  @Test func aStatementFetchesAdaptedRows() throws {
    let names = SuffixRowAdapter(fromIndex: 1)
    let swapped = ColumnMapping(["name": "id", "id": "name"])
    try Connection.inMemory { db throws in
      let statement = try db.makeStatement(sql: Self.sql)
      #expect(try Array(String.fetchCursor(statement, adapter: names)) == ["Quay", "Wharf"])
      #expect(try Array(String?.fetchCursor(statement, adapter: names)) == ["Quay", "Wharf"])
      #expect(try String.fetchSet(statement, adapter: names) == ["Quay", "Wharf"])
      #expect(try String?.fetchSet(statement, adapter: names) == ["Quay", "Wharf"])
      #expect(try Row.fetchSet(statement, adapter: names) == [["name": "Quay"], ["name": "Wharf"]])
      let rows = try Row.fetchAll(statement, adapter: swapped)
      #expect(rows[0]["id"] == "Quay" && rows[1]["name"] == 2)
      let same = ColumnMapping(["id": "ID", "name": "NAME"])
      let stops = try Stop.fetchSet(statement, adapter: same)
      #expect(stops == [Stop(id: 1, name: "Quay"), Stop(id: 2, name: "Wharf")])
      #expect(try Array(Stop.fetchCursor(statement, adapter: same)).count == 2)
    }
  }

  @Test func aRequestHasTheRegionThatItReads() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE place (id INTEGER PRIMARY KEY, name)")
      let request: any DatabaseRegionConvertible = SQLRequest<String>("SELECT name FROM place")
      #expect(try request.databaseRegion(db).description == "place(name)")
    }
  }

  @Test func aRequestFetchesValues() throws {
    let least = 1
    let request: SQLRequest<Int> = "SELECT id FROM (\(sql: Self.sql)) WHERE id > \(least)"
    try Connection.inMemory { db throws in
      #expect(try request.fetchAll(db) == [2])
      #expect(try request.fetchOne(db) == 2)
      #expect(try request.fetchCursor(db).next() == 2)
      #expect(try request.fetchSet(db) == [2])
      #expect(try SQLRequest<Int>(literal: "SELECT 1 WHERE 0").isEmpty(db))
      #expect(try Int.fetchSet(db, literal: "SELECT \(7)") == [7])
      #expect(try Stop.fetchOne(db, literal: "SELECT \(7) AS id, \("x") AS name")?.id == 7)
    }
  }

  /// Such a text can be fetched, so it can be counted too.
  @Test(arguments: ["", ";", " ; -- all\n", "\n-- all; stops", " /* all */ ;;", " /* all", " -- )"])
  func aRequestMayEndWithASemicolonOrAComment(end: String) throws {
    let request = SQLRequest<Stop>(sql: Self.sql + " WHERE id > ?" + end, arguments: [0])
    try Connection.inMemory { db throws in
      #expect(try request.fetchAll(db).count == 2)
      #expect(try request.fetchOne(db)?.id == 1)
      #expect(try request.fetchCount(db) == 2)
      #expect(try !request.isEmpty(db))
      let adapted = request.adapted { _ in SuffixRowAdapter(fromIndex: 1) }
      #expect(try adapted.fetchCount(db) == 2)
      #expect(try Int.fetchOne(db, literal: "SELECT max(id) FROM (\(request))") == 2)
      let ids: SQLRequest<Int> = "SELECT 2 - 1 AS id /* one */\(sql: end)"
      let isThere = try db.makeStatement(literal: "SELECT \(ids.contains(1))")
      #expect(try Bool.fetchOne(isThere) == true)
    }
  }

  /// SQLite prepares the statement after them.
  @Test(arguments: [
    ";", ";; ", "/* all; */", "-- all\n", " ; -- of ? :a\n ; /* ; */ ", "\u{FEFF};",
  ])
  func aRequestMayBeginWithASemicolonOrAComment(start: String) throws {
    let request = SQLRequest<Stop>(sql: start + Self.sql + " WHERE id > ?;", arguments: [0])
    try Connection.inMemory { db throws in
      #expect(try request.fetchAll(db).count == 2)
      #expect(try request.fetchCount(db) == 2)
      #expect(try !request.isEmpty(db))
      #expect(try Int.fetchOne(db, literal: "SELECT max(id) FROM (\(request))") == 2)
      #expect(throws: DatabaseError.self) { try SQLRequest<Stop>(sql: start).fetchCount(db) }
    }
  }

  @Test(arguments: [
    "SELECT ';--' AS \"a;--\"", "SELECT 1 - -1 AS [b;/*]", "SELECT /*;*/ '--' AS `c--` -- ;",
    "VALUES ('/*'), ('*/'), ('--') ;--'", "SELECT 'it''s; --' /* ; -- */ --/* ;",
    "SELECT 2 --\n- 1",
  ])
  func semicolonsAndCommentsWithinAStatementStay(sql: String) throws {
    try Connection.inMemory { db throws in
      let count = try Row.fetchAll(db, sql: sql).count
      #expect(try SQLRequest<Row>(sql: sql).fetchCount(db) == count)
      let value = try DatabaseValue.fetchOne(db, sql: sql)
      let request = SQLRequest<DatabaseValue>(sql: sql)
      #expect(try DatabaseValue.fetchOne(db, literal: "SELECT * FROM (\(request))") == value)
      // What a comment has is no parameter.
      #expect(try SQLRequest<Row>(sql: "\(sql)\n; -- :b ?").fetchCount(db) == count)
      let compared = SQLRequest<Row>(
        sql: "SELECT * FROM (SELECT 1 AS a) WHERE a = :a -- :b\n;", arguments: ["a": 1])
      #expect(try compared.fetchCount(db) == 1)
    }
  }

  /// No LIMIT is added to the app's own SQL.
  @Test(arguments: [
    ("PRAGMA user_version", 7), ("VALUES (3), (4)", 3),
    ("SELECT * FROM (VALUES (3), (4)) LIMIT 1 OFFSET 1", 4),
    ("SELECT 1 UNION ALL SELECT 2 ORDER BY 1 DESC", 2), ("SELECT 5 LIMIT 2 -- of few", 5),
    ("SELECT 5; -- more", 5), ("SELECT 5 LIMIT 0", nil), ("EXPLAIN SELECT 1", 0),
    ("INSERT INTO t VALUES (8), (9) RETURNING a", 8), ("DELETE FROM t RETURNING a", 1),
    ("UPDATE t SET a = a + 1 RETURNING a;", 2), ("WITH n AS (SELECT 6) SELECT * FROM n", 6),
  ])
  func theFirstRowOfAnyStatementIsFetched(sql: String, value: Int?) throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2); PRAGMA user_version = 7")
      #expect(try Int.fetchOne(db, sql: sql) == value)
      // All rows are changed, and not the first one alone.
      let count = sql.hasPrefix("INSERT") ? 4 : sql.hasPrefix("DELETE") ? 0 : 2
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == count)
      let changed = sql.hasPrefix("UPDATE") ? 5 : sql.hasPrefix("INSERT") ? 20 : 3
      #expect(try Int.fetchOne(db, sql: "SELECT ifnull(sum(a), 3) FROM t") == changed)
      try db.execute(sql: "DELETE FROM t; INSERT INTO t VALUES (1), (2)")
      #expect(try SQLRequest<Int>(sql: sql).fetchOne(db) == value)
      if !sql.hasPrefix("EXPLAIN") {
        try db.execute(sql: "DELETE FROM t; INSERT INTO t VALUES (1), (2)")
        #expect(try Row.fetchOne(db, sql: sql)?.first?.1 == value?.databaseValue)
      }
    }
  }
}
