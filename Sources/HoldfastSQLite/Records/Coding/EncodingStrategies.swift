public import Foundation

/// The strategy by which an `Encodable` record encodes its `Data` properties.
public enum DatabaseDataEncodingStrategy: Sendable {
  /// As a blob.
  case deferredToData
  /// As text; bytes that are not valid UTF-8 are an error.
  case text
  /// As the value that the closure returns.
  case custom(@Sendable (Data) -> (any DatabaseValueConvertible)?)
}

/// The strategy by which an `Encodable` record encodes its `Date` properties.
public enum DatabaseDateEncodingStrategy: Sendable {
  /// As text, `yyyy-MM-dd HH:mm:ss.SSS` in UTC.
  case deferredToDate
  /// As a real number of seconds since 1 January 2001 in UTC.
  case timeIntervalSinceReferenceDate
  /// As a real number of seconds since 1 January 1970 in UTC.
  case timeIntervalSince1970
  /// As an integer number of seconds since 1 January 1970 in UTC, rounded down.
  case secondsSince1970
  /// As an integer number of milliseconds since 1 January 1970 in UTC, rounded down.
  case millisecondsSince1970
  /// As ISO 8601 (RFC 3339) text, such as `2024-05-01T12:30:00Z`.
  case iso8601
  /// As text created by a formatter.
  case formatted(DateFormatter)
  /// As the value that the closure returns.
  case custom(@Sendable (Date) -> (any DatabaseValueConvertible)?)
}

/// The strategy by which an `Encodable` record encodes its `UUID` properties.
public enum DatabaseUUIDEncodingStrategy: Sendable {
  /// As a blob of sixteen bytes.
  case deferredToUUID
  /// As uppercase text.
  case uppercaseString
  /// As lowercase text.
  case lowercaseString
}

/// The strategy by which an `Encodable` record names its columns.
public enum DatabaseColumnEncodingStrategy: Sendable {
  /// The keys themselves.
  case useDefaultKeys
  /// The keys in snake case: `stopName` is stored in `stop_name`.
  case convertToSnakeCase
  /// The name that the closure returns for each key.
  case custom(@Sendable (any CodingKey) -> String)
}

extension DatabaseDataEncodingStrategy {
  func encode(_ data: Data, at column: String) throws -> DatabaseValue {
    switch self {
    case .deferredToData:
      return data.databaseValue
    case .text:
      guard let text = String(validating: data, as: UTF8.self) else {
        throw RecordEncoder.notUTF8(data, at: column)
      }
      return text.databaseValue
    case .custom(let format):
      return format(data)?.databaseValue ?? .null
    }
  }
}

extension DatabaseDateEncodingStrategy {
  func encode(_ date: Date) -> DatabaseValue {
    switch self {
    case .deferredToDate: date.databaseValue
    case .timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.databaseValue
    case .timeIntervalSince1970: date.timeIntervalSince1970.databaseValue
    case .secondsSince1970: whole(date.timeIntervalSince1970)
    case .millisecondsSince1970: whole(date.timeIntervalSince1970 * 1000)
    case .iso8601: date.formatted(.iso8601).databaseValue
    case .formatted(let formatter): formatter.string(from: date).databaseValue
    case .custom(let format): format(date)?.databaseValue ?? .null
    }
  }

  /// Returns the number rounded down to an integer; unchanged if it exceeds the range of `Int64`.
  private func whole(_ number: Double) -> DatabaseValue {
    Int64(exactly: number.rounded(.down))?.databaseValue ?? number.databaseValue
  }
}

extension DatabaseUUIDEncodingStrategy {
  func encode(_ uuid: UUID) -> DatabaseValue {
    switch self {
    case .deferredToUUID: uuid.databaseValue
    case .uppercaseString: uuid.uuidString.databaseValue
    case .lowercaseString: uuid.uuidString.lowercased().databaseValue
    }
  }
}

extension DatabaseColumnEncodingStrategy {
  func column(for key: some CodingKey) -> String {
    switch self {
    case .useDefaultKeys: key.stringValue
    case .convertToSnakeCase: SnakeCase.from(camelCase: key.stringValue)
    case .custom(let column): column(key)
    }
  }
}
