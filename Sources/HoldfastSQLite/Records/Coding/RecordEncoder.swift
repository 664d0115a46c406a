import Foundation

extension EncodableRecord where Self: Encodable {
  /// Encodes the value of each key.
  ///
  /// - Parameter container: The container for the values.
  /// - Throws: Whatever the record's `Encodable` conformance throws; `EncodingError` when JSON
  ///   cannot represent a value, or the record is not a keyed value.
  public func encode(to container: inout PersistenceContainer) throws {
    var encoder = container.takeEncoder(Self.self)
    // The encoder may outlive the call, the container's own memory not.
    unsafe swap(&container, &encoder.container)
    defer {
      unsafe swap(&container, &encoder.container)
      container.keep(&encoder)
    }
    try encode(to: encoder)
  }
}

extension PersistenceContainer {
  fileprivate mutating func takeEncoder(_ record: any EncodableRecord.Type) -> RecordEncoder {
    let known = encoder
    encoder = nil
    guard let known, known.record == record else { return RecordEncoder(record) }
    return known
  }

  /// Keeps an encoder for the next record, unless something else references it or its containers.
  fileprivate mutating func keep(_ encoder: inout RecordEncoder) {
    if isKnownUniquelyReferenced(&encoder) { self.encoder = encoder }
  }
}

/// An encoder of keyed values into the columns of a row.
final class RecordEncoder: Encoder {
  let record: any EncodableRecord.Type
  private let columns: DatabaseColumnEncodingStrategy

  // Written for each value, and never during another access: an encoder belongs to one thread, and
  // encoding a value does not come back here before it is set.
  @exclusivity(unchecked) fileprivate var container = PersistenceContainer()

  init(_ record: any EncodableRecord.Type) {
    self.record = record
    columns = record.databaseColumnEncodingStrategy
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { record.databaseEncodingUserInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RecordColumns<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    ThrowingUnkeyedContainer(error: Self.misshapen("an array"))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    WholeRecord(encoder: self)
  }

  func column(for key: some CodingKey) -> String {
    if case .useDefaultKeys = columns { return key.stringValue }
    return columns.column(for: key)
  }

  // MARK: - Values

  func set(_ cell: PackedValue, for key: some CodingKey) {
    unsafe container.set(cell, for: column(for: key))
  }

  func set(_ text: String, for key: some CodingKey) {
    unsafe container.set(text, for: column(for: key))
  }

  func set(_ value: DatabaseValue, at column: String) {
    unsafe container.set(value, for: column)
  }

  func encode(_ value: some Encodable, at column: String, for key: any CodingKey) throws {
    let format = ColumnFormat(encoder: self, column: column, key: key)
    if let value = try SingleValueEncoder.encode(value, as: format) { set(value, at: column) }
  }
}

/// The strategies for storing the values of one column.
private struct ColumnFormat: SingleValueFormat {
  let encoder: RecordEncoder
  let column: String
  let key: any CodingKey

  var codingPath: [any CodingKey] { [key] }
  var userInfo: [CodingUserInfoKey: Any] { encoder.userInfo }

  func convertedValue(_ value: some Encodable) throws -> DatabaseValue? {
    if let value = StrategicValue(value) {
      return try value.encoded(by: encoder.record, at: column)
    }
    return (value as? any DatabaseValueConvertible)?.databaseValue
  }

  func json(_ value: some Encodable) throws -> DatabaseValue {
    let json = try encoder.record.databaseJSONEncoder(for: column).encode(value)
    return String(decoding: json, as: UTF8.self).databaseValue
  }
}

/// The columns of a row, by coding key.
private struct RecordColumns<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: RecordEncoder
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) {
    encoder.set(.null, for: key)
  }

  func encode(_ value: Bool, forKey key: Key) {
    encoder.set(.int64(value ? 1 : 0), for: key)
  }

  func encode(_ value: String, forKey key: Key) {
    encoder.set(value, for: key)
  }

  func encode(_ value: Double, forKey key: Key) {
    encoder.set(.double(value), for: key)
  }

  func encode(_ value: Float, forKey key: Key) {
    encoder.set(.double(Double(value)), for: key)
  }

  func encode(_ value: Int, forKey key: Key) {
    encoder.set(.int64(Int64(value)), for: key)
  }

  func encode(_ value: Int8, forKey key: Key) {
    encoder.set(.int64(Int64(value)), for: key)
  }

  func encode(_ value: Int16, forKey key: Key) {
    encoder.set(.int64(Int64(value)), for: key)
  }

  func encode(_ value: Int32, forKey key: Key) {
    encoder.set(.int64(Int64(value)), for: key)
  }

  func encode(_ value: Int64, forKey key: Key) {
    encoder.set(.int64(value), for: key)
  }

  func encode(_ value: UInt, forKey key: Key) throws {
    encoder.set(try RecordEncoder.int64(value, at: key), for: key)
  }

  func encode(_ value: UInt8, forKey key: Key) {
    encoder.set(.int64(Int64(value)), for: key)
  }

  func encode(_ value: UInt16, forKey key: Key) {
    encoder.set(.int64(Int64(value)), for: key)
  }

  func encode(_ value: UInt32, forKey key: Key) {
    encoder.set(.int64(Int64(value)), for: key)
  }

  func encode(_ value: UInt64, forKey key: Key) throws {
    encoder.set(try RecordEncoder.int64(value, at: key), for: key)
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try encoder.encode(value, at: encoder.column(for: key), for: key)
  }

  // An absent value is NULL; the default would leave its column out.

  func encodeIfPresent(_ value: Bool?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: String?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: Double?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: Float?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: Int?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: Int8?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: Int16?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: Int32?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: Int64?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: UInt8?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: UInt16?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: UInt32?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(ThrowingKeyedContainer(error: RecordEncoder.noContainer(at: key)))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    ThrowingUnkeyedContainer(error: RecordEncoder.noContainer(at: key))
  }

  // A class and the one it inherits from have their properties in one row.
  func superEncoder() -> any Encoder { encoder }
  func superEncoder(forKey key: Key) -> any Encoder { encoder }
}

/// A single-value container for a record that encodes itself as another record or keyed value.
private struct WholeRecord: SingleValueEncodingContainer {
  let encoder: RecordEncoder
  var codingPath: [any CodingKey] { [] }

  func encodeNil() throws { throw RecordEncoder.misshapen("a single value") }

  func encode<T: Encodable>(_ value: T) throws {
    if let record = value as? any EncodableRecord {
      return try unsafe record.encode(to: &encoder.container)
    }
    // A number would encode itself into this container for ever.
    guard !(value is any DatabaseValueConvertible) else {
      throw RecordEncoder.misshapen("a single value")
    }
    try value.encode(to: encoder)
  }
}
