import Foundation

/// The columns of a row, by coding key.
@safe
struct KeyedColumns<Key: CodingKey>: KeyedDecodingContainerProtocol {
  // A reference, so that a container that is kept keeps its decoder, which notices it.
  private let decoder: CodableRowDecoder
  private let positions: UnsafeMutablePointer<Int16>?

  private var row: Row { decoder.row }
  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] {
    (decoder.keyNames + row.scopesTree.names.sorted()).compactMap(Key.init(stringValue:))
  }

  init(_ decoder: CodableRowDecoder) {
    self.decoder = decoder
    unsafe positions = decoder.positions(of: Key.self)
  }

  @inline(__always)
  private func value<Value: DatabaseValueConvertible>(_ key: Key) throws -> Value {
    guard let position = unsafe position(of: key) else {
      return try unsafe slowValue(key, position: nil)
    }
    if let value: Value = unsafe decoder.value(at: position.pointee) { return value }
    return try unsafe slowValue(key, position: position)
  }

  @inline(never)
  private func slowValue<Value: DatabaseValueConvertible>(
    _ key: Key, position: UnsafeMutablePointer<Int16>?
  ) throws -> Value {
    try unsafe decoder.value(of: key, noting: position)
  }

  /// Where the position of a key's column is noted.
  @inline(__always)
  private func position(of key: Key) -> UnsafeMutablePointer<Int16>? {
    guard let positions = unsafe positions else { return nil }
    return unsafe positions + withUnsafeBytes(of: key) { unsafe Int($0[0]) }
  }

  /// Returns a value as one of the type that was compared with its own.
  // `as?` would ask the runtime about both types once more, for each value.
  @inline(__always)
  private func cast<Value, T>(_ value: Value) -> T {
    unsafe unsafeBitCast(value, to: T.self)
  }

  @inline(__always)
  private func castIfPresent<Value, T>(_ value: Value?) -> T? {
    value.map { cast($0) }
  }

  func contains(_ key: Key) -> Bool {
    row.hasColumn(decoder.column(key.stringValue)) || decoder.scope(of: key) != nil
  }

  // What is absent is `nil`, as for `decodeIfPresent`.
  func decodeNil(forKey key: Key) -> Bool {
    if let scope = decoder.scope(of: key) { return !scope.containsNonNullValue }
    guard let index = row.index(of: decoder.column(key.stringValue)) else { return true }
    return row.storedValue(at: index).isNull
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try value(key)
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try value(key)
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try value(key)
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try value(key)
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try value(key)
  }

  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try value(key)
  }

  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try value(key)
  }

  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try value(key)
  }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try value(key)
  }

  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try value(key)
  }

  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try value(key)
  }

  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try value(key)
  }

  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try value(key)
  }

  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try value(key)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if let scope = decoder.scope(of: key) { return try decoder.decode(type, from: scope, at: key) }
    if type == UUID.self { return try cast(value(key) as UUID) }
    let column = decoder.column(key.stringValue)
    guard unsafe decoder.hasColumn(column, noting: position(of: key)) else {
      return try decoder.decodeRoot(type, at: key)
    }
    if type == Date.self, decoder.readsDates(of: column) { return try cast(value(key) as Date) }
    if type == Data.self, decoder.readsData(of: column) { return try cast(value(key) as Data) }
    return try ColumnValue(key, column: column, of: decoder).decode(type)
  }

  // One look for each: the default asks whether there is a column, whether it is NULL, and then for
  // its value.

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try value(key)
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try value(key)
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try value(key)
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try value(key)
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try value(key)
  }

  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try value(key)
  }

  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try value(key)
  }

  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try value(key)
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try value(key)
  }

  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try value(key)
  }

  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try value(key)
  }

  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try value(key)
  }

  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try value(key)
  }

  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try value(key)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    if let scope = decoder.scope(of: key) {
      guard scope.containsNonNullValue else { return nil }
      return try decoder.decode(type, from: scope, at: key)
    }
    if type == UUID.self { return try castIfPresent(value(key) as UUID?) }
    let column = decoder.column(key.stringValue)
    if type == Date.self, decoder.readsDates(of: column) {
      return try castIfPresent(value(key) as Date?)
    }
    if type == Data.self, decoder.readsData(of: column) {
      return try castIfPresent(value(key) as Data?)
    }
    guard let index = row.index(of: column), !row.hasNull(atIndex: index) else { return nil }
    return try ColumnValue(key, column: column, of: decoder).decode(type)
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
