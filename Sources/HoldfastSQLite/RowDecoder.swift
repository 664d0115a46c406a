import Foundation

extension FetchableRecord where Self: Decodable {
  /// Creates a value from a row by its `Decodable` conformance.
  ///
  /// Each key is a column. A property whose type is no ``DatabaseValueConvertible`` is decoded
  /// from the column's text as JSON.
  ///
  /// - Parameter row: The row.
  /// - Throws: ``RowDecodingError`` when a column is missing or does not convert;
  ///   `DecodingError` from JSON.
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
    KeyedDecodingContainer(KeyedColumns<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw mismatch("an array")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw mismatch("a single value")
  }

  private func mismatch(_ shape: String) -> DecodingError {
    DecodingError.dataCorrupted(
      .init(
        codingPath: codingPath,
        debugDescription: "A row is decoded by its columns; it is not \(shape)."))
  }
}

/// The columns of a row, by coding key.
private struct KeyedColumns<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: RowDecoder
  private var row: Row { decoder.row }
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { row.columnNames.compactMap(Key.init(stringValue:)) }

  init(decoder: RowDecoder) {
    self.decoder = decoder
  }

  func contains(_ key: Key) -> Bool { row.hasColumn(key.stringValue) }

  // An absent column is not NULL, unless the property is optional: `decodeIfPresent` asks first.
  func decodeNil(forKey key: Key) throws -> Bool {
    try row.decode(DatabaseValue.self, forColumn: key.stringValue).isNull
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try column(key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try column(key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try column(key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try column(key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try column(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try column(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try column(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try column(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try column(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try column(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try column(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try column(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try column(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try column(key) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if let type = type as? any DatabaseValueConvertible.Type,
      let value = try column(key, as: type) as? T
    {
      return value
    }
    let json: Data = try column(key)
    return try JSONDecoder().decode(type, from: json)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    throw unsupported(key)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw unsupported(key)
  }

  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { decoder }

  private func column<Value: DatabaseValueConvertible>(
    _ key: Key, as type: Value.Type = Value.self
  ) throws -> Value {
    try row.decode(Value.self, forColumn: key.stringValue)
  }

  private func unsupported(_ key: Key) -> DecodingError {
    DecodingError.dataCorruptedError(
      forKey: key, in: self,
      debugDescription: "A column holds no container; give the property a type of its own, "
        + "which is decoded from JSON.")
  }
}
