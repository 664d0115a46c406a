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
    do {
      var decoder = RowDecoder.reading(row, as: Self.self)
      try self.init(from: decoder)
      // One that nobody kept reads the next row too.
      if isKnownUniquelyReferenced(&decoder) { decoder.letGo() }
    } catch var error as RowDecodingError where error.table == nil {
      error.table = (Self.self as? any TableRecord.Type)?.databaseTableName
      throw error
    }
  }
}

/// Decodes a keyed value from the columns of a row.
///
/// It holds its row while it is in use. After that the row holds it, for the next value of the same
/// type.
final class RowDecoder: Decoder {
  private var heldRow: Row?
  let record: any FetchableRecord.Type
  private let columns: RowColumns?

  private init(row: Row, record: any FetchableRecord.Type) {
    self.record = record
    columns = RowColumns(record.databaseColumnDecodingStrategy, of: row)
  }

  /// Returns a decoder of a row, the one of the last time if it served the same type.
  static func reading(_ row: Row, as record: any FetchableRecord.Type) -> RowDecoder {
    let spare = unsafe row.spareDecoder
    unsafe row.spareDecoder = nil
    let decoder =
      if let spare, spare.record == record { spare } else { RowDecoder(row: row, record: record) }
    decoder.heldRow = row
    return decoder
  }

  /// Gives the row up and is kept by it.
  func letGo() {
    let row = heldRow
    heldRow = nil
    unsafe row?.spareDecoder = self
  }

  var row: Row {
    guard let heldRow else { Misuse.trap(Misuse.decoderWithoutRow) }
    return heldRow
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { record.databaseDecodingUserInfo }

  /// The name of a key's column.
  func column(_ name: String) -> String {
    guard let columns else { return name }
    return columns.column(of: name, in: row) ?? name
  }

  var keyNames: [String] { columns?.keyNames(of: row) ?? row.columnNames }

  @inline(__always)
  func value<Value: DatabaseValueConvertible>(
    _ name: String, _ type: Value.Type = Value.self
  ) throws(RowDecodingError) -> Value {
    try row.decode(Value.self, forColumn: column(name))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(KeyedColumns<Key>(decoder: self))
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
/// Its code is not specialised for the key, so that each function calls the decoder with a type
/// that is known, and not through another generic function of its own.
private struct KeyedColumns<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: RowDecoder
  private var row: Row { decoder.row }
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { decoder.keyNames.compactMap(Key.init(stringValue:)) }

  init(decoder: RowDecoder) {
    self.decoder = decoder
  }

  func contains(_ key: Key) -> Bool { row.hasColumn(decoder.column(key.stringValue)) }

  // An absent column is not NULL, unless the property is optional: `decodeIfPresent` asks first.
  func decodeNil(forKey key: Key) throws -> Bool {
    try decoder.value(key.stringValue, DatabaseValue.self).isNull
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try decoder.value(key.stringValue)
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try decoder.value(key.stringValue)
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try decoder.value(key.stringValue)
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try decoder.value(key.stringValue)
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try decoder.value(key.stringValue)
  }

  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try decoder.value(key.stringValue)
  }

  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try decoder.value(key.stringValue)
  }

  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try decoder.value(key.stringValue)
  }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try decoder.value(key.stringValue)
  }

  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try decoder.value(key.stringValue)
  }

  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try decoder.value(key.stringValue)
  }

  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try decoder.value(key.stringValue)
  }

  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try decoder.value(key.stringValue)
  }

  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try decoder.value(key.stringValue)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try ColumnDecoder(row: decoder, key: key, column: decoder.column(key.stringValue)).value(type)
  }

  // One look for each: the default asks whether there is a column, whether it is NULL, and then for
  // its value.

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try decoder.value(key.stringValue)
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try decoder.value(key.stringValue)
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try decoder.value(key.stringValue)
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try decoder.value(key.stringValue)
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try decoder.value(key.stringValue)
  }

  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try decoder.value(key.stringValue)
  }

  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try decoder.value(key.stringValue)
  }

  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try decoder.value(key.stringValue)
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try decoder.value(key.stringValue)
  }

  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try decoder.value(key.stringValue)
  }

  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try decoder.value(key.stringValue)
  }

  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try decoder.value(key.stringValue)
  }

  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try decoder.value(key.stringValue)
  }

  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try decoder.value(key.stringValue)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    let column = decoder.column(key.stringValue)
    guard let index = row.index(of: column), !row[index].isNull else { return nil }
    return try ColumnDecoder(row: decoder, key: key, column: column).value(type)
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
  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { decoder }
}

/// Decodes a value from one column: converted, as a single value, or as JSON.
private struct ColumnDecoder: Decoder {
  /// Says that a value is none of the single ones, so that its column holds JSON.
  struct NeedsContainer: Error {}

  private let decoder: RowDecoder
  private let key: any CodingKey
  private let column: String
  private var row: Row { decoder.row }

  init(row decoder: RowDecoder, key: any CodingKey, column: String) {
    self.decoder = decoder
    self.key = key
    self.column = column
  }

  var codingPath: [any CodingKey] { [key] }
  var userInfo: [CodingUserInfoKey: Any] { decoder.userInfo }
  var isNull: Bool { row[column].isNull }

  func value<T: Decodable>(_ type: T.Type) throws -> T {
    // Their strategies come before their own conformance.
    if type == Date.self, let date = try date() as? T { return date }
    if type == Data.self, let data = try data() as? T { return data }
    if let type = type as? any DatabaseValueConvertible.Type,
      let value = try row.decode(type, forColumn: column) as? T
    {
      return value
    }
    do {
      return try T(from: self)
    } catch is NeedsContainer {
      return try decoder.record.databaseJSONDecoder(for: column).decode(type, from: json(for: type))
    }
  }

  private func date() throws(RowDecodingError) -> Date {
    let strategy = decoder.record.databaseDateDecodingStrategy(for: column)
    if case .deferredToDate = strategy { return try row.decode(forColumn: column) }
    let value = try row.decode(DatabaseValue.self, forColumn: column)
    guard let date = strategy.decode(value) else { throw error(Date.self) }
    return date
  }

  private func data() throws(RowDecodingError) -> Data {
    let strategy = decoder.record.databaseDataDecodingStrategy(for: column)
    guard case .custom(let decode) = strategy else { return try row.decode(forColumn: column) }
    let value = try row.decode(DatabaseValue.self, forColumn: column)
    guard let data = decode(value) else { throw error(Data.self) }
    return data
  }

  private func error(_ type: Any.Type) -> RowDecodingError {
    guard let index = row.layout.index(of: column) else {
      return row.error(type, forMissingColumn: column)
    }
    return row.error(type, at: index)
  }

  private func json<T>(for type: T.Type) throws(RowDecodingError) -> Data {
    do throws(RowDecodingError) {
      return try row.decode(forColumn: column)
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

  func decodeNil() -> Bool { decoder.isNull }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.value(type) }
}
