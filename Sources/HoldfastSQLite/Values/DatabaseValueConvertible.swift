/// A type whose values go into and out of one column.
///
/// The standard library's numbers, `Bool`, `String`, and Foundation's `Data`, `Date`, `Decimal`,
/// `UUID` and `URL` conform. So do, if they declare the conformance, every `RawRepresentable` type
/// whose raw value conforms, and every other `Codable` type, which is stored as the single value
/// it encodes or else as JSON.
public protocol DatabaseValueConvertible {
  /// The value to store.
  var databaseValue: DatabaseValue { get }

  /// Returns the value that a stored one stands for.
  ///
  /// - Parameter value: What the column holds.
  /// - Returns: `nil` when `value` does not stand for a value of this type, such as NULL.
  static func fromDatabaseValue(_ value: DatabaseValue) -> Self?

  /// Returns the value that a column of the current row stands for.
  ///
  /// It has a default that goes through ``fromDatabaseValue(_:)``. A type may have its own where
  /// reading the column directly is faster; both must agree.
  ///
  /// - Parameter column: The column to read, valid during the call only.
  /// - Returns: `nil` when the column does not stand for a value of this type.
  static func fromColumn(_ column: StatementColumn) -> Self?

  /// Returns the value that stands for a column that the row does not have.
  ///
  /// - Returns: `nil` unless the type is an optional, which then is `nil` itself.
  static func fromMissingColumn() -> Self?
}

extension DatabaseValueConvertible {
  /// Returns the value that a column of the current row stands for, by its ``DatabaseValue``.
  @inlinable
  public static func fromColumn(_ column: StatementColumn) -> Self? {
    fromDatabaseValue(column.databaseValue)
  }

  /// Returns `nil`: without its column there is no value.
  @inlinable
  public static func fromMissingColumn() -> Self? { nil }
}

extension DatabaseValueConvertible
where Self: RawRepresentable, RawValue: DatabaseValueConvertible {
  /// The raw value, stored.
  public var databaseValue: DatabaseValue { rawValue.databaseValue }

  /// Returns the value whose raw value is stored, if there is one.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    RawValue.fromDatabaseValue(value).flatMap(Self.init(rawValue:))
  }
}
