import HoldfastSQLite
import Testing

@Suite struct FetchableRecordTests {
  struct Stop: FetchableRecord, Hashable {
    var id: Int
    var name: String

    init(row: Row) throws {
      id = try row.decode(atIndex: 0)
      name = try row.decode(forColumn: "name")
    }
  }

  static let sql =
    "SELECT 1 AS id, 'a' AS name UNION ALL SELECT 2, 'b' UNION ALL SELECT 1, 'a' ORDER BY 1, 2"

  @Test func recordsAreFetchedAsArrayAsSetSinglyAndByCursor() throws {
    try Connection.inMemory { db in
      #expect(try Stop.fetchAll(db, sql: Self.sql).map(\.id) == [1, 1, 2])
      #expect(try Stop.fetchSet(db, sql: Self.sql).count == 2)
      #expect(try Stop.fetchOne(db, sql: Self.sql)?.name == "a")
      #expect(try Stop.fetchOne(db, sql: "\(Self.sql) LIMIT ?", arguments: [0]) == nil)
      let statement = try db.makeStatement(sql: Self.sql)
      #expect(try Stop.fetchAll(statement).count == 3)
      #expect(try Stop.fetchOne(statement)?.id == 1)
      var names = ""
      try Stop.fetchCursor(db, sql: Self.sql).forEach { names += $0.name }
      #expect(names == "aab")
    }
  }

  @Test func aFailingInitializerIsAnErrorAndFreesTheStatement() throws {
    try Connection.inMemory { db in
      let statement = try db.makeStatement(sql: "SELECT ? AS id, 'a' AS name")
      #expect(throws: RowDecodingError.self) { try Stop.fetchAll(statement, arguments: ["x"]) }
      #expect(throws: RowDecodingError.self) { try Stop.fetchOne(statement, arguments: ["x"]) }
      #expect(try Stop.fetchAll(statement, arguments: [1]).count == 1)
    }
  }

  @Test func valuesAreFetchedFromTheFirstColumn() throws {
    try Connection.inMemory { db in
      #expect(try Int.fetchAll(db, sql: Self.sql) == [1, 1, 2])
      #expect(try Int.fetchSet(db, sql: Self.sql) == [1, 2])
      #expect(try Int.fetchOne(db, sql: "SELECT 1 WHERE 0") == nil)
      #expect(try Int.fetchOne(db, sql: "SELECT NULL") == nil)
      #expect(try Int?.fetchAll(db, sql: "SELECT NULL UNION ALL SELECT 1") == [nil, 1])
      #expect(throws: RowDecodingError.self) { try Int.fetchAll(db, sql: "SELECT NULL") }
      #expect(throws: RowDecodingError.self) { try Int.fetchOne(db, sql: "SELECT 'x'") }
      try db.execute(sql: "CREATE TABLE t (a)")
      // A statement without columns returns no rows.
      #expect(try Int.fetchAll(db, sql: "DELETE FROM t") == [])
      #expect(
        try Int.fetchOne(db, sql: "INSERT INTO t VALUES (7), (8) RETURNING a") == 7)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 2)
    }
  }
}
