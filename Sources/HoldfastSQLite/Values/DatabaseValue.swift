public import Foundation

/// A value as SQLite stores it: NULL, an integer, a real number, text or a blob.
///
/// Two texts are equal when their bytes are, as in SQLite's `BINARY` collation: `é` in one code
/// point differs from `é` in two, although they are equal as `String`. Text that is not valid UTF-8
/// keeps its bytes too: it is compared by them, and stored again unchanged.
///
/// - SeeAlso: <https://www.sqlite.org/datatype3.html>
public struct DatabaseValue: Hashable, Sendable {
  /// The five storage classes, each with its value.
  public enum Storage: Sendable {
    /// The NULL value.
    case null
    /// A signed integer of up to 64 bits.
    case int64(Int64)
    /// An IEEE 754 number of 64 bits; SQLite stores NaN as NULL.
    case double(Double)
    /// Text; invalid UTF-8 in the file reads as U+FFFD.
    case string(String)
    /// Bytes, uninterpreted.
    case blob(Data)
  }

  @usableFromInline
  enum Content: Hashable, Sendable {
    case stored(Storage)
    /// The bytes of a text that is not valid UTF-8.
    case invalidText(Data)
  }

  @usableFromInline let content: Content

  /// The value with its storage class.
  @inlinable public var storage: Storage {
    switch content {
    case .stored(let storage): storage
    case .invalidText(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// The NULL value.
  @inlinable public static var null: DatabaseValue { DatabaseValue(storage: .null) }

  /// Creates a value from its storage class.
  @inlinable
  public init(storage: Storage) {
    content = .stored(storage)
  }

  /// Creates text from bytes, which need not be valid UTF-8.
  package init(text bytes: some Collection<UInt8>) {
    if let text = String(validating: bytes, as: UTF8.self) {
      content = .stored(.string(text))
    } else {
      content = .invalidText(Data(bytes))
    }
  }

  /// The bytes of a text that is not valid UTF-8; `nil` for all other values.
  package var invalidText: Data? {
    if case .invalidText(let bytes) = content { bytes } else { nil }
  }

  /// Whether the value is NULL.
  public var isNull: Bool {
    if case .stored(.null) = content { true } else { false }
  }

  /// Whether the value is a blob.
  package var isBlob: Bool {
    if case .stored(.blob) = content { true } else { false }
  }

  /// The name of the storage class, as returned by SQL's `typeof`.
  public var typeName: String {
    switch storage {
    case .null: "null"
    case .int64: "integer"
    case .double: "real"
    case .string: "text"
    case .blob: "blob"
    }
  }
}

extension DatabaseValue.Storage: Hashable {
  /// Compares texts by their bytes, and integers with real numbers by their value, as SQLite does.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.int64(let left), .int64(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.int64(let integer), .double(let real)), (.double(let real), .int64(let integer)):
      Int64(exactly: real) == integer
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.blob(let left), .blob(let right)): left == right
    default: false
    }
  }

  /// Hashes the bytes or number.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .int64(let value):
      hasher.combine(1)
      hasher.combine(value)
    case .double(let value):
      // 1 and 1.0 are equal.
      if let integer = Int64(exactly: value) {
        hasher.combine(1)
        hasher.combine(integer)
      } else {
        hasher.combine(2)
        hasher.combine(value)
      }
    case .string(let text):
      hasher.combine(3)
      text.hashBytes(into: &hasher)
    case .blob(let data):
      hasher.combine(4)
      // `Data` itself hashes only its first 80 bytes.
      hasher.combine(data.count)
      unsafe data.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
  }
}

extension DatabaseValue: DatabaseValueConvertible {
  /// The value itself.
  public var databaseValue: DatabaseValue { self }

  /// Returns the value itself; it always succeeds.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> DatabaseValue? { value }

  /// Returns NULL.
  public static func fromMissingColumn() -> DatabaseValue? { .null }
}

extension DatabaseValue: SQLSpecificExpressible {}

extension DatabaseValue {
  /// Creates a value from any that can be stored; `nil` for others.
  ///
  /// - Parameter value: A value of any type.
  public init?(value: Any) {
    guard let value = value as? any DatabaseValueConvertible else { return nil }
    self = value.databaseValue
  }
}

extension [String: DatabaseValue] {
  /// Converts a dictionary of Foundation; `nil` if a key is no text, or a value cannot be stored.
  init?(converting dictionary: [AnyHashable: Any]) {
    self.init(minimumCapacity: dictionary.count)
    for (key, value) in dictionary {
      guard let key = key as? String, let value = DatabaseValue(value: value) else { return nil }
      self[key] = value
    }
  }
}

extension DatabaseValue: CustomStringConvertible {
  /// The value as a SQL literal.
  ///
  /// SQLite reads it as the same value, except that it reads no text beyond a NUL, and that, depending on
  /// its version, it rounds some real numbers nearer to zero than 1e-80 or greater than 1e80.
  public var description: String {
    if case .invalidText(let bytes) = content {
      return "CAST(\(DatabaseValue(storage: .blob(bytes))) AS TEXT)"
    }
    return switch storage {
    case .null: "NULL"
    case .int64(let value): "\(value)"
    case .double(let value) where value.isNaN: "NULL"
    // SQL has no literal for infinity, and reads a number beyond its range as infinite.
    case .double(let value) where value.isInfinite: value < 0 ? "-9e999" : "9e999"
    case .double(let value): value.literal
    case .string(let value): value.quoted(by: "'")
    case .blob(let value): "x'" + value.map { String(hexOf: $0) }.joined() + "'"
    }
  }
}

extension Double {
  /// The number, which is finite, as a literal of a real number.
  ///
  /// The shortest digits may lie between two numbers, and SQLite, which does not always round correctly,
  /// would read the other one. 17 digits lie close to the number.
  fileprivate var literal: String {
    let shortest = "\(self)"
    guard shortest.utf8.contains(UInt8(ascii: "e")) || shortest.utf8.count > 16 else {
      return shortest
    }
    let digits = String(format: "%.17g", self)
    return digits.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "e") }
      ? digits : digits + ".0"
  }
}

extension DatabaseValue:
  ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral
{
  /// Creates NULL.
  public init(nilLiteral: ()) { self = .null }

  /// Creates an integer.
  public init(integerLiteral value: Int64) { self.init(storage: .int64(value)) }

  /// Creates a real number.
  public init(floatLiteral value: Double) { self.init(storage: .double(value)) }

  /// Creates text.
  public init(stringLiteral value: String) { self.init(storage: .string(value)) }

  /// Creates 1 for true and 0 for false, like SQL's keywords.
  public init(booleanLiteral value: Bool) { self.init(storage: .int64(value ? 1 : 0)) }
}

extension String {
  /// Returns the text between quotes, with quotes inside it doubled.
  ///
  /// It compares Unicode scalars as SQLite does: a quote with a combining mark after it is one
  /// `Character`, but still a quote.
  package func quoted(by quote: Unicode.Scalar) -> String {
    var quoted = String.UnicodeScalarView([quote])
    for scalar in unicodeScalars {
      if scalar == quote { quoted.append(quote) }
      quoted.append(scalar)
    }
    quoted.append(quote)
    return String(quoted)
  }

  /// The two hexadecimal digits of a byte.
  fileprivate init(hexOf byte: UInt8) {
    let digits = String(byte, radix: 16)
    self = byte < 16 ? "0" + digits : digits
  }
}
