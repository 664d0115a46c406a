import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct StatementColumnConvertibleTests {
  private enum Grape: String, DatabaseValueConvertible, StatementColumnConvertible {
    case merlot, riesling
  }

  fileprivate struct Wrapper<RawValue: Sendable>: RawRepresentable, Sendable {
    var rawValue: RawValue
  }

  /// A value that is read by its own function of SQLite's interface.
  private struct Wrapped<Value: StatementColumnConvertible>: DatabaseValueConvertible,
    StatementColumnConvertible
  {
    var value: Value
    var databaseValue: DatabaseValue

    @safe init?(sqliteStatement: SQLiteStatement, index: CInt) {
      guard let value = unsafe Value(sqliteStatement: sqliteStatement, index: index) else {
        return nil
      }
      self.value = value
      databaseValue = unsafe DatabaseValue(sqliteStatement: sqliteStatement, index: index)
    }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? { nil }
  }

  private func read<Value: DatabaseValueConvertible & StatementColumnConvertible & Equatable>(
    _ value: Value, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try Connection.inMemory { db throws in
      let wrapped = try Wrapped<Value>.fetchOne(db, sql: "SELECT ?", arguments: [value])
      #expect(wrapped?.value == value, sourceLocation: sourceLocation)
      #expect(wrapped?.databaseValue == value.databaseValue, sourceLocation: sourceLocation)
      #expect(try Value.fetchOne(db, sql: "SELECT ?", arguments: [value]) == value)
      let none = try Value?.fetchAll(db, sql: "SELECT NULL")
      #expect(none == [nil], sourceLocation: sourceLocation)
    }
  }

  @Test func everyValueIsReadFromAStatement() throws {
    try read(true)
    try read(-7 as Int)
    try read(-7 as Int8)
    try read(-7 as Int16)
    try read(-7 as Int32)
    try read(-7 as Int64)
    try read(7 as UInt)
    try read(7 as UInt8)
    try read(7 as UInt16)
    try read(7 as UInt32)
    try read(7 as UInt64)
    try read(1.5)
    try read(1.5 as Float)
    try read("text")
    try read(Data([1, 2]))
    try read(Date(timeIntervalSince1970: 1000))
    try read(UUID())
    try read(Decimal(string: "1.25") ?? 0)
    try read(Grape.riesling)
  }

  @Test func aValueThatDoesNotConvertIsNotRead() throws {
    try Connection.inMemory { db throws in
      let sql = "SELECT 'x' UNION ALL SELECT 300 UNION ALL SELECT NULL"
      #expect(throws: RowDecodingError.self) { try UInt8.fetchOne(db, sql: sql) }
      #expect(throws: RowDecodingError.self) { try Grape.fetchOne(db, sql: sql) }
      #expect(throws: RowDecodingError.self) { try Wrapped<UInt8>.fetchOne(db, sql: sql) }
      #expect(throws: RowDecodingError.self) { try Int?.fetchAll(db, sql: sql) }
    }
  }

  @Test func aTypeIsWhatItsRawValuesAre() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES ('merlot'), ('riesling'), (3)")
      #expect(try Grape.fetchAll(db, sql: "SELECT a FROM t LIMIT 2") == [.merlot, .riesling])
      let column = Wrapper(rawValue: Column("a"))
      let request = Table("t").filter(column == Grape.riesling).select(column).order(column)
      #expect(try String.fetchAll(db, request) == ["riesling"])
      #expect(try Int.fetchAll(db, Table("t").filter(Column("a") == Wrapper(rawValue: 3))) == [3])
      let three = Wrapper<Int?>.fromDatabaseValue(3.databaseValue)
      #expect(three?.rawValue == 3)
      #expect(try Wrapper<Int>.fetchAll(db, sql: "SELECT 4").map(\.rawValue) == [4])
    }
  }
}

extension StatementColumnConvertibleTests.Wrapper: SQLExpressible where RawValue: SQLExpressible {}
extension StatementColumnConvertibleTests.Wrapper: SQLSelectable where RawValue: SQLSelectable {}
extension StatementColumnConvertibleTests.Wrapper: SQLOrderingTerm where RawValue: SQLOrderingTerm {
}
extension StatementColumnConvertibleTests.Wrapper: SQLSpecificExpressible
where RawValue: SQLSpecificExpressible {}
extension StatementColumnConvertibleTests.Wrapper: DatabaseValueConvertible
where RawValue: DatabaseValueConvertible {}
extension StatementColumnConvertibleTests.Wrapper: StatementColumnConvertible
where RawValue: StatementColumnConvertible {}
