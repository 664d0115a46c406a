import Foundation
import HoldfastSQLite
import Testing

@Suite struct RowCollectionTests {
  private static let sql =
    "SELECT 'x' AS b, NULL AS a, x'0102' AS data, '' AS \"empty\", x'' AS none"

  /// A record that checks the row of its statement, and then a copy of it.
  private struct Checked: FetchableRecord {
    init(row: Row) throws {
      try RowCollectionTests.check(row)
      try RowCollectionTests.check(row.copy())
    }
  }

  private static func check(_ row: Row) throws {
    #expect(row.map(\.0) == ["b", "a", "data", "empty", "none"])
    #expect(row.reversed().map(\.1).last == "x")
    #expect(row.first?.1 == "x" && row.last?.0 == "none")
    #expect(row.index(row.startIndex, offsetBy: 5) == row.endIndex)
    #expect(row[row.index(after: row.startIndex)] == ("a", .null))
    #expect(row.hasNull(atIndex: 1) && !row.hasNull(atIndex: 3))
    #expect(row.containsNonNullValue)
    #expect(row.coalesce(["missing", "a", "b"]) == "x")
    #expect(row.coalesce([Column("a"), Column("b")]) == "x")
    #expect(row.coalesce(["a"]) as Int? == nil)
    for (name, bytes) in [
      ("data", Data([1, 2])), ("b", Data("x".utf8)), ("empty", Data()), ("none", Data()),
      ("a", nil), ("missing", nil),
    ] {
      try row.withUnsafeData(named: name) { #expect($0 == bytes, "\(name)") }
      try row.withUnsafeData(at: Column(name)) { #expect($0 == bytes, "\(name)") }
    }
    #expect(throws: CancellationError.self) {
      try row.withUnsafeData(atIndex: 2) { _ in throw CancellationError() }
    }
  }

  @Test func aRowIsACollectionOfNamesAndValues() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
      #expect(try Checked.fetchOne(db, sql: Self.sql) != nil)
      let kept = try Row.fetchCursor(db, sql: "SELECT a FROM t")
      let copy = try kept.next()?.copy()
      _ = try kept.next()
      #expect(copy == ["a": 1])
    }
  }

  @Test func aRowIsMadeOfALiteralOrADictionary() {
    let row: Row = ["b": 1, "a": nil, "b": "x"]
    #expect(row.columnNames == ["b", "a", "b"] && row.databaseValues == [1, nil, "x"])
    #expect(Row(["b": 1, "a": nil]).columnNames == ["b", "a"])
    let dictionary: [String: (any DatabaseValueConvertible)?] = ["a": 1, "b": nil]
    #expect(Set(Row(dictionary).columnNames) == ["a", "b"])
    #expect(Row(dictionary)["a"] == 1 && Row(dictionary).hasColumn("B"))
    #expect(Row().isEmpty && !Row().containsNonNullValue)
    let nothing: Row = ["a": nil]
    #expect(!nothing.containsNonNullValue)
    let rows: Set<Row> = [["a": 1], ["a": 1], ["a": 2], ["b": 1], ["e\u{301}": 1], ["é": 1]]
    #expect(rows.count == 5)
  }

  @Test func aRowIsMadeOfADictionaryOfFoundation() throws {
    let dictionary: [AnyHashable: Any] = [
      "a": "foo", "b": 1, "c": NSNull(), "d": NSDate(timeIntervalSince1970: 0),
    ]
    let row = try #require(Row(dictionary))
    #expect(Set(row.columnNames) == ["a", "b", "c", "d"])
    #expect(row["a"] == "foo" && row["b"] == 1 && (row["c"] as DatabaseValue).isNull)
    #expect(row["d"] == "1970-01-01 00:00:00.000")
    let numbered: [AnyHashable: Any] = [1: "foo"]
    let strange: [AnyHashable: Any] = ["a": NSObject()]
    #expect(Row(numbered) == nil && Row(strange) == nil)
  }

  @Test func aValueIsDecodedByAColumn() throws {
    try Connection.inMemory { db throws in
      let column = Column("B")
      let row = try #require(try Row.fetchOne(db, sql: "SELECT 1 AS a, 'x' AS b"))
      let text: String = try row.decode(forColumn: column)
      #expect(try text == "x" && row.decode(Int?.self, forColumn: Column("c")) == nil)
      #expect(throws: RowDecodingError.self) { try row.decode(Int.self, forColumn: column) }
    }
  }
}
