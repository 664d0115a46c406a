// The standard library's types are stored as numbers and texts, `Bool` as 0 and 1. Columns of SQLite
// are often typed loosely, so a number is also read from a text that contains nothing else, and a text
// from a number.

// Constrained to the other protocols too, to be preferred to the implementations for their types.
extension DatabaseValueConvertible
where Self: FixedWidthInteger & Codable & StatementColumnConvertible {
  /// The integer, stored as 64 bits.
  ///
  /// - Precondition: The value fits into 64 signed bits.
  @inlinable public var databaseValue: DatabaseValue {
    guard let value = Int64(exactly: self) else {
      preconditionFailure("\(self) does not fit into the 64 signed bits of a database integer.")
    }
    return DatabaseValue(storage: .int64(value))
  }

  /// Returns a stored integer, a stored real number without a fraction, or a stored text that is a
  /// decimal integer, if it fits, also into 64 bits.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    switch value.storage {
    case .int64(let value): Self(exactly: value)
    case let other:
      other.signedInteger.flatMap { Self(exactly: $0) }
        ?? other.unsignedInteger.flatMap { Self(exactly: $0) }
    }
  }

  /// Returns the column's integer, its real number without a fraction, or its text that is a decimal
  /// integer, if it fits.
  @inlinable
  public static func fromColumn(_ column: StatementColumn) -> Self? {
    if let value = column.int64 { return Self(exactly: value) }
    return fromOtherColumn(column)
  }

  // Separate, because it is the rare case.
  @inlinable
  @inline(never)
  static func fromOtherColumn(_ column: StatementColumn) -> Self? {
    column.isNull ? nil : fromDatabaseValue(column.databaseValue)
  }
}

extension DatabaseValue.Storage {
  // Two for all types of integers, because the code that parses a text is long.

  /// A real number without a fraction, or a text that is a decimal integer.
  @inline(never)
  fileprivate var signedInteger: Int64? {
    switch self {
    case .double(let value): Int64(exactly: value)
    case .string(let text): Int64(text)
    default: nil
    }
  }

  /// As ``signedInteger``, if it is not negative.
  @inline(never)
  fileprivate var unsignedInteger: UInt64? {
    switch self {
    case .double(let value): UInt64(exactly: value)
    case .string(let text): UInt64(text)
    default: nil
    }
  }
}

extension Int: DatabaseValueConvertible {}
extension Int8: DatabaseValueConvertible {}
extension Int16: DatabaseValueConvertible {}
extension Int32: DatabaseValueConvertible {}
extension Int64: DatabaseValueConvertible {}
extension UInt: DatabaseValueConvertible {}
extension UInt8: DatabaseValueConvertible {}
extension UInt16: DatabaseValueConvertible {}
extension UInt32: DatabaseValueConvertible {}
extension UInt64: DatabaseValueConvertible {}

extension Double: DatabaseValueConvertible {
  /// The number; SQLite stores NaN as NULL.
  @inlinable public var databaseValue: DatabaseValue { DatabaseValue(storage: .double(self)) }

  /// Returns a stored real number or integer, or a stored text that is a decimal number.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Double? {
    switch value.storage {
    case .int64(let value): Double(value)
    case .double(let value): value
    case .string(let text): decimal(text)
    default: nil
    }
  }

  /// Returns the column's real number or integer, or its text that is a decimal number.
  @inlinable
  public static func fromColumn(_ column: StatementColumn) -> Double? {
    column.double ?? fromOtherColumn(column)
  }

  // Separate, because it is the rare case.
  @inlinable
  @inline(never)
  static func fromOtherColumn(_ column: StatementColumn) -> Double? {
    column.isNull ? nil : fromDatabaseValue(column.databaseValue)
  }

  /// Returns the number of a text, which has no other form in SQL: not `nan`, `inf` or `0x1p3`.
  private static func decimal(_ text: String) -> Double? {
    let characters = "0123456789+-.eE".utf8
    guard text.utf8.allSatisfy({ characters.contains($0) }), let value = Double(text),
      value.isFinite
    else { return nil }
    return value
  }
}

extension Float: DatabaseValueConvertible {
  /// The number, stored with 64 bits.
  @inlinable public var databaseValue: DatabaseValue { Double(self).databaseValue }

  /// Returns a stored number, or a stored text that is one, rounded to 32 bits.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Float? {
    Double.fromDatabaseValue(value).map { Float($0) }
  }
}

extension Bool: DatabaseValueConvertible {
  /// The integer 1 for true, 0 for false.
  @inlinable public var databaseValue: DatabaseValue {
    DatabaseValue(storage: .int64(self ? 1 : 0))
  }

  /// Returns false for a stored 0 and true for any other number, also in a text.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Bool? {
    Double.fromDatabaseValue(value).map { $0 != 0 }
  }

  /// Returns false for a column that holds 0 and true for any other number, also in a text.
  @inlinable
  public static func fromColumn(_ column: StatementColumn) -> Bool? {
    if let value = column.int64 { return value != 0 }
    return Double.fromColumn(column).map { $0 != 0 }
  }
}

extension String: DatabaseValueConvertible {
  /// The text, stored as UTF-8.
  @inlinable public var databaseValue: DatabaseValue { DatabaseValue(storage: .string(self)) }

  /// Returns stored text, a stored blob that is valid UTF-8, or the digits of a stored number.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> String? {
    switch value.storage {
    case .string(let text): text
    case .blob(let data): String(validating: data, as: UTF8.self)
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .null: nil
    }
  }

  /// Returns the column's text, its blob if that is valid UTF-8, or the digits of its number.
  @inlinable
  public static func fromColumn(_ column: StatementColumn) -> String? {
    column.losslessString
  }
}

extension Optional: DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {
  /// The wrapped value, or NULL.
  @inlinable public var databaseValue: DatabaseValue { self?.databaseValue ?? .null }

  /// Returns `.some(nil)` for NULL, the wrapped value when it converts, and `nil` otherwise.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Wrapped?? {
    if let wrapped = Wrapped.fromDatabaseValue(value) { return .some(wrapped) }
    return value.isNull ? .some(nil) : nil
  }

  /// Returns `.some(nil)` for NULL, the wrapped value when it converts, and `nil` otherwise.
  @inlinable
  public static func fromColumn(_ column: StatementColumn) -> Wrapped?? {
    if let wrapped = Wrapped.fromColumn(column) { return .some(wrapped) }
    return column.isNull ? .some(nil) : nil
  }

  /// Returns `.some(nil)`: an optional needs no column.
  @inlinable
  public static func fromMissingColumn() -> Wrapped?? { .some(nil) }
}
