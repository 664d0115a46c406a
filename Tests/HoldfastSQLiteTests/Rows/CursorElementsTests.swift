import Testing

@testable import HoldfastSQLite

@Suite struct CursorElementsTests {
  @Test func operationsAgreeWithThoseOfSequences() throws {
    func cursor() -> AnyCursor<Int> { AnyCursor([3, 1, 4, 1, 5]) }
    let array = [3, 1, 4, 1, 5]
    for count in 0...6 {
      #expect(try Array(cursor().dropFirst(count)) == Array(array.dropFirst(count)))
      #expect(try cursor().dropLast(count) == array.dropLast(count))
      #expect(try Array(cursor().prefix(count)) == Array(array.prefix(count)))
      #expect(try cursor().suffix(count) == array.suffix(count))
      #expect(try Array(cursor().drop { $0 != count }) == Array(array.drop { $0 != count }))
      #expect(try Array(cursor().prefix { $0 != count }) == Array(array.prefix { $0 != count }))
      #expect(try cursor().contains(count) == array.contains(count))
      #expect(try cursor().first { $0 > count } == array.first { $0 > count })
    }
    #expect(try (cursor().min(), cursor().max()) == (1, 5))
    #expect(try (AnyCursor<Int>([]).min(), AnyCursor<Int>([]).max()) == (nil, nil))
    #expect(try cursor().reduce(2, +) == 16)
    #expect(try cursor().enumerated().reduce(0) { $0 + $1.0 * $1.1 } == 32)
    #expect(try Array(cursor().compactMap { $0 > 2 ? $0 : nil }) == [3, 4, 5])
    #expect(try Array(cursor().flatMap { repeatElement($0, count: 2) }).count == 10)
    #expect(try Array(AnyCursor([cursor(), AnyCursor([]), cursor()]).joined()) == array + array)
    #expect(try AnyCursor(["a", "b"]).joined(separator: ", ") == "a, b")
    var appended = [9]
    try appended.append(contentsOf: cursor())
    #expect(appended == [9] + array)
    #expect(try Set([9]).union(cursor()) == [9, 3, 1, 4, 5])
  }

  @Test func anyCollectionIsMadeOfACursor() throws {
    func collect<Elements: RangeReplaceableCollection>(
      _ elements: [Elements.Element], _ capacity: Int? = nil
    ) throws -> Elements {
      let cursor = AnyCursor(elements)
      return try capacity.map { try Elements(cursor, minimumCapacity: $0) } ?? Elements(cursor)
    }
    let (array, slice): ([Int], ArraySlice<Int>) = (try collect([1, 2]), try collect([3, 4], 9))
    #expect(array == [1, 2] && slice == [3, 4])
    let text: String = try collect(["a", "b"])
    let set = try Set(AnyCursor([1, 2, 1]), minimumCapacity: 9)
    #expect(text == "ab" && set == [1, 2])
    let texts = try AnyCursor(["foo", "bar"]).joined()
    #expect(texts == "foobar")
    let cursor = [1, 5].flatMap { AnyCursor([$0, $0 + 1]) }
    #expect(try Array(cursor) == [1, 2, 5, 6])
  }

  @Test func aPrefixFetchesNoFurtherRow() throws {
    try Connection.inMemory { db in
      let rows = try Int.fetchCursor(db, sql: "SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3")
      #expect(try Array(rows.prefix(2)) == [1, 2])
      #expect(try rows.next() == 3)
      func columns(_ cursor: some DatabaseCursor) -> [String] { cursor.columnNames }
      #expect(columns(rows).count == 1 && rows.sql.hasPrefix("SELECT 1"))
    }
  }

  @Test func aConnectionAndItsRowsDescribeThemselves() throws {
    try Connection.inMemory { db in
      #expect("\(db)" == "a database in memory")
      let statement = try db.makeStatement(sql: "SELECT 1 AS a, 2 AS B, 3 AS b")
      #expect("\(statement)" == "SELECT 1 AS a, 2 AS B, 3 AS b")
      #expect((statement.index(ofColumn: "b"), statement.index(ofColumn: "c")) == (1, nil))
      let row = try Row.fetchOne(
        db, sql: "SELECT 1 AS a, 2 AS b, 3 AS c",
        adapter: ScopeAdapter(["rest": SuffixRowAdapter(fromIndex: 1)]))
      #expect(row?.debugDescription == "[a: 1, b: 2, c: 3]\n- rest: [b: 2, c: 3]")
      let version = try db.schemaVersion()
      try db.execute(sql: "CREATE TABLE t (a)")
      #expect(try db.schemaVersion() > version)
      #expect(
        db.maximumStatementArgumentCount >= 999 && Database.sqliteLibVersionNumber > 3_037_000)
      #expect(
        Database.isSQLiteInternalTable("sqlite_master") && Database.isGRDBInternalTable("grdb_x"))
      #expect(databaseQuestionMarks(count: 3) == "?,?,?" && databaseQuestionMarks(count: 0) == "")
      let error = try databaseError { try db.execute(sql: "INSERT INTO nowhere VALUES (1)") }
      #expect((error.errorCode, error.isInterruptionError) == (1, false))
      #expect(
        (DatabaseValue(value: 1), DatabaseValue(value: Connection.self)) == (1.databaseValue, nil))
    }
  }
}
