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

  /// Keeps an encoder for the next record, unless other code holds it or one of its containers.
  fileprivate mutating func keep(_ encoder: inout RecordEncoder) {
    if isKnownUniquelyReferenced(&encoder), unsafe !encoder.containers.areShared {
      self.encoder = encoder
    } else {
      // A container does not retain its encoder, which must outlive it. The release of the
      // container cannot be observed.
      unsafe _ = Unmanaged.passRetained(encoder)
    }
  }
}

/// An encoder of keyed values into the columns of a row.
final class RecordEncoder: Encoder {
  let record: any EncodableRecord.Type
  private let columns: DatabaseColumnEncodingStrategy

  // Written for each value, and never during another use: one thread uses an encoder, and encoding
  // a value does not reenter before the value is set.
  @exclusivity(unchecked) fileprivate var container = PersistenceContainer()
  @exclusivity(unchecked) fileprivate var containers = CodingContainerCache()

  init(_ record: any EncodableRecord.Type) {
    self.record = record
    columns = record.databaseColumnEncodingStrategy
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { record.databaseEncodingUserInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    unsafe containers.container(keyedBy: type) {
      KeyedEncodingContainer(RecordColumns<Key>(self))
    }
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    RefusedList(error: Self.misshapen("an array"))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    WholeRecord(encoder: self)
  }

  func column(for key: some CodingKey) -> String {
    if case .useDefaultKeys = columns { return key.stringValue }
    return columns.column(for: key)
  }

  // MARK: - Values

  func set(_ cell: PersistenceContainer.Cell, for key: some CodingKey) {
    unsafe container.set(cell, for: column(for: key))
  }

  func set(_ text: String, for key: some CodingKey) {
    unsafe container.set(text, for: column(for: key))
  }

  func set(_ value: DatabaseValue, at column: String) {
    unsafe container.set(value, for: column)
  }

  func encode<T: Encodable>(_ value: T, at column: String, for key: any CodingKey) throws {
    // Their strategies come before their own conformance.
    if let value = value as? Date {
      return set(record.databaseDateEncodingStrategy(for: column).encode(value), at: column)
    }
    if let value = value as? Data {
      return set(
        try record.databaseDataEncodingStrategy(for: column).encode(value, at: column), at: column)
    }
    if let value = value as? UUID {
      return set(record.databaseUUIDEncodingStrategy(for: column).encode(value), at: column)
    }
    if let value = value as? any DatabaseValueConvertible {
      return set(value.databaseValue, at: column)
    }
    let encoder = ColumnEncoder(record: self, column: column, key: key)
    do {
      try value.encode(to: encoder)
    } catch is ColumnEncoder.NeedsContainer {
      // The flag shows it too: a value without properties requests a container and encodes nothing.
    }
    guard encoder.needsContainer else { return }
    let json = try record.databaseJSONEncoder(for: column).encode(value)
    set(String(decoding: json, as: UTF8.self).databaseValue, at: column)
  }
}

/// The columns of a row, by coding key.
@safe
private struct RecordColumns<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let lentEncoder: Unmanaged<RecordEncoder>
  private var encoder: RecordEncoder { unsafe lentEncoder._withUnsafeGuaranteedRef { $0 } }
  var codingPath: [any CodingKey] { [] }

  init(_ encoder: RecordEncoder) {
    unsafe lentEncoder = Unmanaged.passUnretained(encoder)
  }

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
    KeyedEncodingContainer(RefusedKeys(error: RecordEncoder.noContainer(at: key)))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    RefusedList(error: RecordEncoder.noContainer(at: key))
  }

  // A class and the one it inherits from have their properties in one row.
  func superEncoder() -> any Encoder { encoder }
  func superEncoder(forKey key: Key) -> any Encoder { encoder }
}

/// A single-value container for a record that encodes itself as another keyed value.
private struct WholeRecord: SingleValueEncodingContainer {
  let encoder: RecordEncoder
  var codingPath: [any CodingKey] { [] }

  func encodeNil() throws { throw RecordEncoder.misshapen("a single value") }

  func encode<T: Encodable>(_ value: T) throws {
    // A number would encode itself into this container for ever.
    guard !(value is any DatabaseValueConvertible) else {
      throw RecordEncoder.misshapen("a single value")
    }
    try value.encode(to: encoder)
  }
}

/// An encoder of a single value into one column.
private final class ColumnEncoder: Encoder, SingleValueEncodingContainer {
  /// The error for a value that is not a single value, so that its column contains JSON.
  struct NeedsContainer: Error {}

  private let record: RecordEncoder
  private let column: String
  private let key: any CodingKey
  private(set) var needsContainer = false

  init(record: RecordEncoder, column: String, key: any CodingKey) {
    self.record = record
    self.column = column
    self.key = key
  }

  var codingPath: [any CodingKey] { [key] }
  var userInfo: [CodingUserInfoKey: Any] { record.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    needsContainer = true
    return KeyedEncodingContainer(RefusedKeys(error: NeedsContainer()))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    needsContainer = true
    return RefusedList(error: NeedsContainer())
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { record.set(DatabaseValue.null, at: column) }

  func encode<T: Encodable>(_ value: T) throws {
    try record.encode(value, at: column, for: key)
  }
}
