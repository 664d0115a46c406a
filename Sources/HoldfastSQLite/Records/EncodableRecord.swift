public import Foundation

/// A type that becomes the values of a row's columns.
///
/// An `Encodable` type needs nothing but the conformance: each key is a column. A property whose
/// type is no ``DatabaseValueConvertible`` is encoded as a single value, as an enum with raw values
/// is, or else as JSON. Any other type writes `encode(to:)`.
public protocol EncodableRecord {
  /// Gives the container a value for each column, those of the primary key included.
  ///
  /// - Parameter container: Takes the values.
  /// - Throws: Whatever the type likes; nothing is stored then.
  func encode(to container: inout PersistenceContainer) throws

  // MARK: - How an Encodable record is encoded

  /// What `encode(to:)` finds in its encoder; empty by default.
  static var databaseEncodingUserInfo: [CodingUserInfoKey: any Sendable] { get }

  /// Returns the encoder of a column that holds JSON.
  ///
  /// By default keys are sorted, so that equal values are stored as equal texts; data is in
  /// Base64, dates are milliseconds since 1970, and what is not a number is an error.
  ///
  /// - Parameter column: The column's name.
  /// - Returns: The encoder.
  static func databaseJSONEncoder(for column: String) -> JSONEncoder

  /// Returns how a column that holds a `Data` is stored; as a blob by default.
  ///
  /// - Parameter column: The column's name.
  /// - Returns: The strategy.
  static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy

  /// Returns how a column that holds a `Date` is stored; as text by default.
  ///
  /// - Parameter column: The column's name.
  /// - Returns: The strategy.
  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy

  /// Returns how a column that holds a `UUID` is stored; as a blob by default.
  ///
  /// - Parameter column: The column's name.
  /// - Returns: The strategy.
  static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy

  /// How keys become columns; they are the columns' names by default.
  static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy { get }
}

extension EncodableRecord {
  /// An empty dictionary.
  public static var databaseEncodingUserInfo: [CodingUserInfoKey: any Sendable] { [:] }

  /// Returns an encoder with sorted keys and dates in milliseconds since 1970.
  public static func databaseJSONEncoder(for column: String) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dataEncodingStrategy = .base64
    encoder.dateEncodingStrategy = .millisecondsSince1970
    encoder.nonConformingFloatEncodingStrategy = .throw
    encoder.outputFormatting = .sortedKeys
    encoder.userInfo = databaseEncodingUserInfo
    return encoder
  }

  /// Returns the blob.
  public static func databaseDataEncodingStrategy(
    for column: String
  ) -> DatabaseDataEncodingStrategy { .deferredToData }

  /// Returns the text.
  public static func databaseDateEncodingStrategy(
    for column: String
  ) -> DatabaseDateEncodingStrategy { .deferredToDate }

  /// Returns the blob.
  public static func databaseUUIDEncodingStrategy(
    for column: String
  ) -> DatabaseUUIDEncodingStrategy { .deferredToUUID }

  /// The keys themselves.
  public static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy {
    .useDefaultKeys
  }
}

extension EncodableRecord {
  /// The values by column.
  ///
  /// - Throws: What `encode(to:)` throws.
  public var databaseDictionary: [String: DatabaseValue] {
    get throws {
      Dictionary(try PersistenceContainer(self).pairs, uniquingKeysWith: { $1 })
    }
  }

  /// Returns whether both records are stored as the same values.
  ///
  /// - Parameter record: The other record.
  /// - Returns: Whether no column of this one differs.
  /// - Throws: What `encode(to:)` throws.
  public func databaseEquals(_ record: Self) throws -> Bool {
    try databaseChanges(from: record).isEmpty
  }

  /// Returns the columns that differ, with the values of the other record.
  ///
  /// - Parameter record: The record that this one was before.
  /// - Returns: The values of `record`, for those columns of this record that have another one.
  /// - Throws: What `encode(to:)` throws.
  public func databaseChanges(
    from record: some EncodableRecord
  ) throws -> [String: DatabaseValue] {
    let changes = try PersistenceContainer(self).changes(from: PersistenceContainer(record))
    return Dictionary(changes.map { ($0.column, $0.before) }, uniquingKeysWith: { $1 })
  }
}

extension PersistenceContainer {
  /// The columns that differ, with the values of the other container.
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
