public import Foundation

// The values of Swift and Foundation, which are also read from a statement of SQLite's C interface.

extension StatementColumnConvertible
where Self: RawRepresentable, RawValue: StatementColumnConvertible {
  /// Creates the value with the raw value in a column.
  public init?(sqliteStatement: SQLiteStatement, index: CInt) {
    guard let rawValue = unsafe RawValue(sqliteStatement: sqliteStatement, index: index) else {
      return nil
    }
    self.init(rawValue: rawValue)
  }
}

extension Optional: StatementColumnConvertible where Wrapped: StatementColumnConvertible {
  /// Returns `.some(nil)` for NULL, the wrapped value when it converts, and `nil` otherwise.
  @inlinable
  public static func fromStatement(
    _ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt
  ) -> Wrapped?? {
    if let value = unsafe Wrapped.fromStatement(sqliteStatement, atUncheckedIndex: index) {
      return .some(value)
    }
    return unsafe StatementColumn(statement: sqliteStatement, index: index).isNull
      ? .some(nil) : nil
  }

  /// Creates the wrapped value in a column.
  public init?(sqliteStatement: SQLiteStatement, index: CInt) {
    guard let value = unsafe Wrapped(sqliteStatement: sqliteStatement, index: index) else {
      return nil
    }
    self = .some(value)
  }
}

extension StatementColumnConvertible
where Self: DatabaseValueConvertible & FixedWidthInteger & Codable {
  /// Creates the integer in a column that is not NULL.
  @inlinable
  public init?(sqliteStatement: SQLiteStatement, index: CInt) {
    let column = unsafe StatementColumn(statement: sqliteStatement, index: index)
    guard let value = Self.fromColumn(column) else { return nil }
    self = value
  }
}

extension Int: StatementColumnConvertible {}
extension Int8: StatementColumnConvertible {}
extension Int16: StatementColumnConvertible {}
extension Int32: StatementColumnConvertible {}
extension Int64: StatementColumnConvertible {}
extension UInt: StatementColumnConvertible {}
extension UInt8: StatementColumnConvertible {}
extension UInt16: StatementColumnConvertible {}
extension UInt32: StatementColumnConvertible {}
extension UInt64: StatementColumnConvertible {}

extension Bool: StatementColumnConvertible {
  /// Creates the truth value in a column that is not NULL.
  public init?(sqliteStatement: SQLiteStatement, index: CInt) {
    let column = unsafe StatementColumn(statement: sqliteStatement, index: index)
    guard let value = Self.fromColumn(column) else { return nil }
    self = value
  }
}

extension Double: StatementColumnConvertible {
  /// Creates the number in a column that is not NULL.
  public init?(sqliteStatement: SQLiteStatement, index: CInt) {
    let column = unsafe StatementColumn(statement: sqliteStatement, index: index)
    guard let value = Self.fromColumn(column) else { return nil }
    self = value
  }
}

extension Float: StatementColumnConvertible {
  /// Creates the number in a column that is not NULL.
  public init?(sqliteStatement: SQLiteStatement, index: CInt) {
    let column = unsafe StatementColumn(statement: sqliteStatement, index: index)
    guard let value = Double.fromColumn(column).map({ Float($0) }) else { return nil }
    self = value
  }
}

extension String: StatementColumnConvertible {
  /// Creates the text in a column that is not NULL.
  public init?(sqliteStatement: SQLiteStatement, index: CInt) {
    let column = unsafe StatementColumn(statement: sqliteStatement, index: index)
    guard let value = Self.fromColumn(column) else { return nil }
    self = value
  }
}

extension Data: StatementColumnConvertible {
  /// Creates the bytes in a column that is not NULL.
  public init?(sqliteStatement: SQLiteStatement, index: CInt) {
    let column = unsafe StatementColumn(statement: sqliteStatement, index: index)
    guard let value = Self.fromColumn(column) else { return nil }
    self = value
  }
}

extension Date: StatementColumnConvertible {
  /// Creates the instant in a column that is not NULL.
  public init?(sqliteStatement: SQLiteStatement, index: CInt) {
    let column = unsafe StatementColumn(statement: sqliteStatement, index: index)
    guard let value = Self.fromColumn(column) else { return nil }
    self = value
  }
}

extension UUID: StatementColumnConvertible {
  /// Creates the UUID in a column that is not NULL.
  public init?(sqliteStatement: SQLiteStatement, index: CInt) {
    let column = unsafe StatementColumn(statement: sqliteStatement, index: index)
    guard let value = Self.fromDatabaseValue(column.databaseValue) else { return nil }
    self = value
  }
}

extension Decimal: StatementColumnConvertible {
  /// Creates the number in a column that is not NULL.
  public init?(sqliteStatement: SQLiteStatement, index: CInt) {
    let column = unsafe StatementColumn(statement: sqliteStatement, index: index)
    guard let value = Self.fromDatabaseValue(column.databaseValue) else { return nil }
    self = value
  }
}

extension DatabaseDateComponents: StatementColumnConvertible {
  /// Creates the components in a column that is not NULL.
  public init?(sqliteStatement: SQLiteStatement, index: CInt) {
    let column = unsafe StatementColumn(statement: sqliteStatement, index: index)
    guard let value = Self.fromDatabaseValue(column.databaseValue) else { return nil }
    self = value
  }
}

extension DatabaseValue {
  /// Creates the value in a column.
  public init(sqliteStatement: SQLiteStatement, index: CInt) {
    self = unsafe StatementColumn(statement: sqliteStatement, index: index).databaseValue
  }
}
