public import Foundation

extension FetchableRecord {
  /// An empty dictionary.
  public static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns a decoder with dates in milliseconds since 1970.
  public static func databaseJSONDecoder(for column: String) -> JSONDecoder {
    .forDatabase(userInfo: databaseDecodingUserInfo)
  }

  /// Returns the strategy of `Data` itself.
  @inlinable
  public static func databaseDataDecodingStrategy(
    for column: String
  ) -> DatabaseDataDecodingStrategy { .deferredToData }

  /// Returns the strategy of `Date` itself.
  @inlinable
  public static func databaseDateDecodingStrategy(
    for column: String
  ) -> DatabaseDateDecodingStrategy { .deferredToDate }

  /// The strategy that uses the column names as keys.
  @inlinable
  public static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
    .useDefaultKeys
  }
}

/// The strategy by which a `Decodable` record decodes its `Data` properties.
public enum DatabaseDataDecodingStrategy: Sendable {
  /// From a blob or from text.
  case deferredToData
  /// By the closure; `nil` is an error.
  case custom(@Sendable (DatabaseValue) -> Data?)
}

/// The strategy by which a `Decodable` record decodes its `Date` properties.
public enum DatabaseDateDecodingStrategy: Sendable {
  /// From text in any format of ``DatabaseDateComponents``, or from seconds since 1970.
  case deferredToDate
  /// From a number of seconds since 1 January 2001 in UTC.
  case timeIntervalSinceReferenceDate
  /// From a number of seconds since 1 January 1970 in UTC.
  case timeIntervalSince1970
  /// From a number of milliseconds since 1 January 1970 in UTC.
  case millisecondsSince1970
  /// From ISO 8601 (RFC 3339) text, such as `2024-05-01T12:30:00Z`.
  case iso8601
  /// From text parsed by a formatter.
  case formatted(DateFormatter)
  /// By the closure; `nil` is an error.
  case custom(@Sendable (DatabaseValue) -> Date?)
}

/// The strategy by which a `Decodable` record converts column names to keys.
public enum DatabaseColumnDecodingStrategy: Sendable {
  /// The keys are the column names.
  case useDefaultKeys
  /// The keys are the column names in camel case: `stop_name` is decoded as `stopName`.
  case convertFromSnakeCase
  /// The closure returns the key of each column.
  case custom(@Sendable (String) -> any CodingKey)
}

extension FetchableRecord {
  /// Returns the key in the first column of a row, as the record's properties are decoded.
  static func decodeKey<Key: DatabaseValueConvertible>(
    of column: String, from row: Row
  ) throws(RowDecodingError) -> Key {
    let value: DatabaseValue = try row.decode(atIndex: 0)
    let key: (any DatabaseValueConvertible)?
    if value.isNull {
      return try row.decode(atIndex: 0)
    } else if Key.self == Date.self || Key.self == Date?.self {
      key = databaseDateDecodingStrategy(for: column).decode(value)
    } else if case .custom(let decode) = databaseDataDecodingStrategy(for: column),
      Key.self == Data.self || Key.self == Data?.self
    {
      key = decode(value)
    } else {
      return try row.decode(atIndex: 0)
    }
    guard let key = key as? Key else { throw row.error(Key.self, at: 0) }
    return key
  }
}

extension DatabaseDateDecodingStrategy {
  /// Returns the date; `nil` when the value does not convert.
  func decode(_ value: DatabaseValue) -> Date? {
    switch self {
    case .deferredToDate:
      Date.fromDatabaseValue(value)
    case .timeIntervalSinceReferenceDate:
      Double.fromDatabaseValue(value).map(Date.init(timeIntervalSinceReferenceDate:))
    case .timeIntervalSince1970:
      Double.fromDatabaseValue(value).map(Date.init(timeIntervalSince1970:))
    case .millisecondsSince1970:
      Double.fromDatabaseValue(value).map { Date(timeIntervalSince1970: $0 / 1000) }
    case .iso8601:
      String.fromDatabaseValue(value).flatMap { ISO8601DateFormatter().date(from: $0) }
    case .formatted(let formatter):
      String.fromDatabaseValue(value).flatMap(formatter.date(from:))
    case .custom(let decode):
      decode(value)
    }
  }
}

/// The columns of a row whose names are not the keys.
struct RowColumns {
  /// The columns by key; `nil` for camel case, which the row's layout remembers.
  private let custom: [ExactText: String]?

  /// Creates the columns; `nil` when their names are the keys.
  init?(_ strategy: DatabaseColumnDecodingStrategy, of row: Row) {
    switch strategy {
    case .useDefaultKeys: return nil
    case .convertFromSnakeCase: custom = nil
    case .custom(let key):
      custom = Dictionary(
        row.columnNames.map { (ExactText(key($0).stringValue), $0) },
        uniquingKeysWith: { first, _ in first })
    }
  }

  func column(of key: String, in row: Row) -> String? {
    if let custom { return custom[ExactText(key)] }
    return row.layout.index(ofCamelCase: key).map { row.layout.names[$0] }
  }

  func keyNames(of row: Row) -> [String] {
    custom.map { $0.keys.map(\.text) } ?? row.columnNames.map(SnakeCase.camelCase(from:))
  }
}
