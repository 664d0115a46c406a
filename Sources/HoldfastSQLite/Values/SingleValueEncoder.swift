/// The error by which a value shows that it is no single one, so that it is stored as JSON.
struct NeedsContainer: Error {}

/// The strategies by which a ``SingleValueEncoder`` stores values.
protocol SingleValueFormat {
  var codingPath: [any CodingKey] { get }
  var userInfo: [CodingUserInfoKey: Any] { get }

  /// Returns the value of a type that says itself how it is stored, `nil` for any other type.
  func convertedValue(_ value: some Encodable) throws -> DatabaseValue?

  /// Returns the value as JSON.
  func json(_ value: some Encodable) throws -> DatabaseValue
}

/// Encodes a value that is stored by itself: as a single value, or as JSON when it asks for a
/// container.
final class SingleValueEncoder<Format: SingleValueFormat>: Encoder, SingleValueEncodingContainer {
  private let format: Format
  private var value: DatabaseValue?
  private var needsContainer = false

  private init(format: Format) {
    self.format = format
  }

  /// Returns the stored value, `nil` when the value encodes nothing.
  static func encode(_ value: some Encodable, as format: Format) throws -> DatabaseValue? {
    try format.convertedValue(value) ?? encodeByConformance(value, as: format)
  }

  /// Returns what the value's `Encodable` conformance writes, `nil` when that is nothing.
  static func encodeByConformance(
    _ value: some Encodable, as format: Format
  ) throws -> DatabaseValue? {
    let encoder = SingleValueEncoder(format: format)
    do {
      try value.encode(to: encoder)
    } catch is NeedsContainer {
      // The flag is set too: a value without properties asks for a container and encodes nothing.
    }
    return encoder.needsContainer ? try format.json(value) : encoder.value
  }

  var codingPath: [any CodingKey] { format.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { format.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    needsContainer = true
    return KeyedEncodingContainer(ThrowingKeyedContainer(error: NeedsContainer()))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    needsContainer = true
    return ThrowingUnkeyedContainer(error: NeedsContainer())
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { value = .null }

  func encode<T: Encodable>(_ value: T) throws {
    self.value = try Self.encode(value, as: format)
  }
}
