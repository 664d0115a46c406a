public import Foundation

/// A value of a type for which records have encoding strategies, which come before the type's own way of being
/// stored: in a column of a record, and in a key by which a record is found.
@usableFromInline
enum StrategicValue: Sendable {
  case date(Date)
  case data(Data)
  case uuid(UUID)

  /// Creates the value; `nil` for another type.
  @inlinable
  init?<Value>(_ value: Value) {
    if let date = value as? Date {
      self = .date(date)
    } else if let data = value as? Data {
      self = .data(data)
    } else if let uuid = value as? UUID {
      self = .uuid(uuid)
    } else {
      return nil
    }
  }

  /// Returns the value as a record stores it in a column.
  func encoded(by record: any EncodableRecord.Type, at column: String) throws -> DatabaseValue {
    switch self {
    case .date(let date): record.databaseDateEncodingStrategy(for: column).encode(date)
    case .data(let data):
      try record.databaseDataEncodingStrategy(for: column).encode(data, at: column)
    case .uuid(let uuid): record.databaseUUIDEncodingStrategy(for: column).encode(uuid)
    }
  }
}

extension DatabaseValueConvertible {
  /// Whether a record may have a strategy for the type.
  @inlinable
  static var mayHaveStrategy: Bool {
    Self.self == UUID.self || Self.self == UUID?.self || Self.self == Date.self
      || Self.self == Date?.self || Self.self == Data.self || Self.self == Data?.self
  }
}
