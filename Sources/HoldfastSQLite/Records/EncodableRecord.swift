public import Foundation

/// A type that can encode itself as the values of a row's columns.
///
/// An `Encodable` type need only declare the conformance: each key is a column. A property whose
/// type is not ``DatabaseValueConvertible`` is encoded as a single value if it encodes one, as an
/// enum with raw values does, or else as JSON. Any other type implements `encode(to:)`.
public protocol EncodableRecord: SendableMetatype {
  /// Encodes a value for each column, primary key included.
  ///
  /// - Parameter container: The container for the values.
  /// - Throws: Any error; no row is stored then.
  func encode(to container: inout PersistenceContainer) throws

  // MARK: - Encoding of Encodable records

  /// The encoder's `userInfo` in `encode(to:)`; empty by default.
  static var databaseEncodingUserInfo: [CodingUserInfoKey: Any] { get }

  /// Returns the encoder of a column that holds JSON.
  ///
  /// By default keys are sorted, so that equal values are stored as equal texts; data is in
  /// Base64, dates are milliseconds since 1970, and NaN and infinity are errors.
  ///
  /// - Parameter column: The column's name.
  /// - Returns: An encoder that is used for one value.
  static func databaseJSONEncoder(for column: String) -> JSONEncoder

  /// Returns the encoding strategy of a `Data` column; a blob by default.
  ///
  /// - Parameter column: The column's name.
  /// - Returns: The strategy for values of that column.
  static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy

  /// Returns the encoding strategy of a `Date` column; text by default.
  ///
  /// - Parameter column: The column's name.
  /// - Returns: The strategy for values of that column.
  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy

  /// Returns the encoding strategy of a `UUID` column; a blob by default.
  ///
  /// - Parameter column: The column's name.
  /// - Returns: The strategy for values of that column.
  static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy

  /// The strategy for converting keys to column names; by default they are the same.
  static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy { get }
}

extension EncodableRecord {
  /// An empty dictionary.
  public static var databaseEncodingUserInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns an encoder with sorted keys and dates in milliseconds since 1970.
  public static func databaseJSONEncoder(for column: String) -> JSONEncoder {
    .forDatabase(userInfo: databaseEncodingUserInfo)
  }

  /// Returns the strategy that stores a blob.
  public static func databaseDataEncodingStrategy(
    for column: String
  ) -> DatabaseDataEncodingStrategy { .deferredToData }

  /// Returns the strategy that stores text.
  public static func databaseDateEncodingStrategy(
    for column: String
  ) -> DatabaseDateEncodingStrategy { .deferredToDate }

  /// Returns the strategy that stores a blob.
  public static func databaseUUIDEncodingStrategy(
    for column: String
  ) -> DatabaseUUIDEncodingStrategy { .deferredToUUID }

  /// The strategy that uses the keys as column names.
  public static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy {
    .useDefaultKeys
  }
}

extension EncodableRecord {
  /// The values by column.
  ///
  /// - Throws: Whatever `encode(to:)` throws.
  public var databaseDictionary: [String: DatabaseValue] {
    get throws {
      Dictionary(try PersistenceContainer(self).pairs, uniquingKeysWith: { $1 })
    }
  }

  /// Returns whether both records are stored as the same values.
  ///
  /// - Parameter record: The other record.
  /// - Returns: Whether no column of this record differs. A record for which `encode(to:)` throws
  ///   equals no other one.
  public func databaseEquals(_ record: Self) -> Bool {
    do {
      return try databaseChanges(from: record).isEmpty
    } catch _ {
      // A record that cannot be stored is stored as no values.
      return false
    }
  }

  /// Returns the columns that differ, with the values of the other record.
  ///
  /// - Parameter record: The earlier state of this record.
  /// - Returns: The values of `record`, for the columns of this record whose values differ.
  /// - Throws: Whatever `encode(to:)` throws.
  public func databaseChanges(
    from record: some EncodableRecord
  ) throws -> [String: DatabaseValue] {
    let changes = try PersistenceContainer(self).changes(from: PersistenceContainer(record))
    return Dictionary(changes.map { ($0.column, $0.before) }, uniquingKeysWith: { $1 })
  }

  /// Modifies the record, and returns the columns that differ, with their values before.
  ///
  /// ```swift
  /// let changes = try player.databaseChanges { $0.score += 10 }
  /// ```
  ///
  /// - Parameter modify: Changes the record.
  /// - Returns: The values before, for the columns whose values differ.
  /// - Throws: Whatever `encode(to:)` or `modify` throws.
  public mutating func databaseChanges(
    modify: (inout Self) throws -> Void
  ) throws -> [String: DatabaseValue] {
    let before = try PersistenceContainer(self)
    try modify(&self)
    let changes = try PersistenceContainer(self).changes(from: before)
    return Dictionary(changes.map { ($0.column, $0.before) }, uniquingKeysWith: { $1 })
  }
}

extension PersistenceContainer {
  /// Returns the columns that differ, with the values of the other container.
  @usableFromInline
  func changes(
    from other: PersistenceContainer
  ) -> [(column: String, before: DatabaseValue)] {
    pairs.compactMap { column, value in
      let before = other.value(of: column) ?? .null
      return before == value ? nil : (column, before)
    }
  }
}
