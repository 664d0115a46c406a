import Foundation

extension FetchableRecord where Self: Decodable {
  /// Creates a value from a row by its `Decodable` conformance.
  ///
  /// Each key is a column. A property whose type is no ``DatabaseValueConvertible`` is decoded as
  /// a single value, as an enum with raw values is, or else from the column's text as JSON.
  ///
  /// - Parameter row: The row.
  /// - Throws: ``RowDecodingError`` when a column is missing or does not convert;
  ///   `DecodingError` from JSON, or when no case has the raw value.
  public init(row: Row) throws {
    try self.init(from: RowDecoder(row: row))
  }
}

/// Decodes a keyed value from the columns of a row.
private struct RowDecoder: Decoder {
  let row: Row
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(KeyedColumns<Key>(row: row))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw RowDecodingError.noArray
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw RowDecodingError.noSingleValue
  }
}

/// The columns of a row, by coding key.
///
/// The code is not specialised for the key, so each function calls the row with a type that is
/// known, and not through another generic function.
private struct KeyedColumns<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: Row
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { row.columnNames.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { row.hasColumn(key.stringValue) }

  // An absent column is not NULL, unless the property is optional: `decodeIfPresent` asks first.
  func decodeNil(forKey key: Key) throws -> Bool {
    try row.decode(DatabaseValue.self, forColumn: key.stringValue).isNull
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try row.decode(forColumn: key.stringValue)
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try row.decode(forColumn: key.stringValue)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try row.decode(forColumn: key.stringValue)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try row.decode(forColumn: key.stringValue)
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try row.decode(forColumn: key.stringValue)
  }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try row.decode(forColumn: key.stringValue)
  }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try row.decode(forColumn: key.stringValue)
  }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try row.decode(forColumn: key.stringValue)
  }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try row.decode(forColumn: key.stringValue)
  }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try row.decode(forColumn: key.stringValue)
  }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try row.decode(forColumn: key.stringValue)
  }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try row.decode(forColumn: key.stringValue)
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try row.decode(forColumn: key.stringValue)
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try row.decode(forColumn: key.stringValue)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try ColumnDecoder(row: row, key: key).value(type)
  }

  // One look for each: the default asks whether there is a column, whether it is NULL, and then for
  // its value.

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try row.decode(forColumn: key.stringValue)
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try row.decode(forColumn: key.stringValue)
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try row.decode(forColumn: key.stringValue)
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try row.decode(forColumn: key.stringValue)
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try row.decode(forColumn: key.stringValue)
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try row.decode(forColumn: key.stringValue)
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try row.decode(forColumn: key.stringValue)
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try row.decode(forColumn: key.stringValue)
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try row.decode(forColumn: key.stringValue)
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try row.decode(forColumn: key.stringValue)
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try row.decode(forColumn: key.stringValue)
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try row.decode(forColumn: key.stringValue)
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try row.decode(forColumn: key.stringValue)
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try row.decode(forColumn: key.stringValue)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let index = row.index(of: key.stringValue), !row[index].isNull else { return nil }
    return try ColumnDecoder(row: row, key: key).value(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    throw RowDecodingError.noContainer(at: key)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw RowDecodingError.noContainer(at: key)
  }

  // A class and the one it inherits from have their properties in one row.
  func superDecoder() throws -> any Decoder { RowDecoder(row: row) }
  func superDecoder(forKey key: Key) throws -> any Decoder { RowDecoder(row: row) }
}

/// Decodes a value from one column: converted, as a single value, or as JSON.
private struct ColumnDecoder: Decoder {
  /// Says that a value is none of the single ones, so that its column holds JSON.
  struct NeedsContainer: Error {}

  let row: Row
  let key: any CodingKey
  var codingPath: [any CodingKey] { [key] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func value<T: Decodable>(_ type: T.Type) throws -> T {
    if let type = type as? any DatabaseValueConvertible.Type,
      let value = try row.decode(type, forColumn: key.stringValue) as? T
    {
      return value
    }
    do {
      return try T(from: self)
    } catch is NeedsContainer {
      return try JSONDecoder().decode(type, from: json(for: type))
    }
  }

  private func json<T>(for type: T.Type) throws(RowDecodingError) -> Data {
    do throws(RowDecodingError) {
      return try row.decode(forColumn: key.stringValue)
    } catch {
      var error = error
      error.expectedType = "\(type)"
      throw error
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw NeedsContainer()
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw NeedsContainer()
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    SingleColumn(decoder: self)
  }
}

/// One column, as the only value there is.
private struct SingleColumn: SingleValueDecodingContainer {
  let decoder: ColumnDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.row[decoder.key.stringValue].isNull }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.value(type) }
}
