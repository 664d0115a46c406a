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
}
