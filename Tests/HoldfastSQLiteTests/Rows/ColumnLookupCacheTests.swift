import HoldfastTestSupport
import Testing

@testable import HoldfastSQLite

@Suite struct ColumnLookupCacheTests {
  /// A record that reads columns by name, in an order that changes from row to row.
  struct Reader: FetchableRecord, Equatable {
    var a: Int
    var b: String?
    var c: Int

    init(a: Int, b: String?, c: Int) {
      (self.a, self.b, self.c) = (a, b, c)
    }

    init(row: Row) throws {
      c = row["c"]
      if c.isMultiple(of: 2) {
        b = try row.decode(forColumn: "b")
        a = try row.decode(forColumn: "a")
      } else {
        a = try row.decode(forColumn: "a")
        b = try row.decode(forColumn: "b")
      }
    }
  }

  /// A record that reads columns by name, always in the same order.
  struct SteadyReader: FetchableRecord {
    var numbers: [Int]

    init(row: Row) {
      numbers = [row["c"], row["a"]]
    }
  }

  static let expected = (1...3).map { Reader(a: $0, b: "b\($0)", c: -$0) }
  static let numbers = "WITH n (i) AS (VALUES (1), (2), (3))"

  @Test(arguments: [
    "i AS a, 'b' || i AS b, -i AS c", "-i AS c, i AS a, 'b' || i AS b",
    "'b' || i AS b, 'x' AS x, -i AS C, i AS a", "i AS A, -i AS c, 'b' || i AS b, 0 AS a",
  ])
  func columnsAreFoundInAnyOrder(columns: String) throws {
    try Connection.inMemory { db in
      let sql = "\(Self.numbers) SELECT \(columns) FROM n"
      for _ in 0..<2 {
        let found = try Reader.fetchAll(db, sql: sql)
        // Of "A" and "a" the leftmost is used.
        #expect(found == Self.expected)
      }
    }
  }

  @Test func columnsAreFoundAfterTheStatementIsPreparedAgain() throws {
    try Connection.inMemory { db in
      // SQLite checks for a schema change when it reads a table.
      try db.execute(
        sql: """
          CREATE TABLE n (i);
          INSERT INTO n VALUES (1);
          CREATE VIEW v AS SELECT i AS a, 'b' || i AS b, -i AS c FROM n
          """)
      let statement = try db.makeStatement(sql: "SELECT * FROM v")
      // A run that is not finished keeps its row for the next one.
      #expect(try SteadyReader.fetchOne(statement)?.numbers == [-1, 1])
      #expect(try SteadyReader.fetchOne(statement)?.numbers == [-1, 1])
      try db.execute(
        sql: """
          DROP VIEW v;
          CREATE VIEW v AS SELECT -i AS c, 1 AS x, 'b' || i AS b, i AS a FROM n
          """)
      #expect(try SteadyReader.fetchOne(statement)?.numbers == [-1, 1])
      #expect(statement.columnNames == ["c", "x", "b", "a"])
    }
  }

  /// A record that looks up repeated, differently spelled and absent names.
  struct Wanderer: FetchableRecord {
    static let names = ["a", "b", "c", "b", "A", "a", "x", "c", "c"]
    var found: [DatabaseValue]

    init(row: Row) {
      found = Self.names.map { row[$0] }
    }
  }

  @Test func alternatingNamesAreFound() throws {
    let found = try Connection.inMemory { db in
      try Wanderer.fetchAll(db, sql: "\(Self.numbers) SELECT i AS a, 'b' || i AS b, -i AS c FROM n")
    }
    #expect(
      found.map(\.found)
        == (Int64(1)...3).map { number in
          let a = DatabaseValue(storage: .int64(number))
          let b = DatabaseValue(storage: .string("b\(number)"))
          let c = DatabaseValue(storage: .int64(-number))
          return [a, b, c, b, a, a, .null, c, c]
        })
  }

  @Test func theLatestLookupIsExpectedNext() {
    var order = ColumnLookupCache()
    #expect(order.column(of: "a") == nil)
    order.learn("a", is: 0, of: 2)
    #expect(order.column(of: "b") == nil)
    order.learn("b", is: 1, of: 2)
    order.learn("a", is: 0, of: 2)
    #expect(order.column(of: "b") == 1)
    #expect(order.column(of: "a") == 0)
    order.learn("c", is: 1, of: 2)
    order.learn("a", is: 0, of: 2)
    #expect(order.column(of: "b") == nil)
    #expect(order.column(of: "c") == 1)
  }
}
