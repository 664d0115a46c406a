public import Foundation

/// A type whose values are stored in one column.
///
/// The standard library's numbers, `Bool`, `String`, and Foundation's `Data`, `Date`, `Decimal`,
/// `UUID` and `URL` conform. A `RawRepresentable` type whose raw value conforms, and any other
/// `Codable` type, need only declare the conformance; the latter is stored as the single value that
/// it encodes, or else as JSON.
public protocol DatabaseValueConvertible: SQLExpressible {
  /// The value to store.
  var databaseValue: DatabaseValue { get }

  /// Returns the value converted from a stored value.
  ///
  /// - Parameter value: The value in the column.
  /// - Returns: The converted value; `nil` when `value`, such as NULL, does not convert to this
  ///   type.
  static func fromDatabaseValue(_ value: DatabaseValue) -> Self?

  /// Returns the value converted from a column of the current row.
  ///
  /// The default implementation calls ``fromDatabaseValue(_:)``. A type can implement it if reading
  /// the column directly is faster; both must return the same value.
  ///
  /// - Parameter column: The column to read, valid only during the call.
  /// - Returns: The converted value; `nil` when the column does not convert to this type.
  static func fromColumn(_ column: StatementColumn) -> Self?

  /// Returns the value for a column that the row does not have.
  ///
  /// - Returns: `nil` (no value), unless the type is an optional, for which it is `.some(nil)`.
  static func fromMissingColumn() -> Self?

  /// Returns the decoder of values that are stored as JSON.
  ///
  /// Only `Decodable` types without conversions of their own use it. The default one reads what the
  /// default encoder writes: data in Base64, dates in milliseconds since 1970.
  static func databaseJSONDecoder() -> JSONDecoder

  /// Returns the encoder of values that are stored as JSON.
  ///
  /// Only `Encodable` types without conversions of their own use it. The default one sorts keys, so that
  /// equal values are stored as equal texts, and throws for numbers that JSON does not have.
  static func databaseJSONEncoder() -> JSONEncoder
}

extension DatabaseValueConvertible {
  /// Returns the value converted from the column's ``DatabaseValue``.
  @inlinable
  public static func fromColumn(_ column: StatementColumn) -> Self? {
    fromDatabaseValue(column.databaseValue)
  }

  /// Returns `nil`: there is no value without a column.
  @inlinable
  public static func fromMissingColumn() -> Self? { nil }

  /// Returns the decoder of what the default encoder writes.
  public static func databaseJSONDecoder() -> JSONDecoder { .forDatabase() }

  /// Returns an encoder with sorted keys.
  public static func databaseJSONEncoder() -> JSONEncoder { .forDatabase() }
}

extension DatabaseValueConvertible
where Self: RawRepresentable, RawValue: DatabaseValueConvertible {
  /// The raw value.
  public var databaseValue: DatabaseValue { rawValue.databaseValue }

  /// Returns the value with the stored raw value, if there is one.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    RawValue.fromDatabaseValue(value).flatMap(Self.init(rawValue:))
  }
}
