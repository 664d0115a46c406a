/// A value that a ``SingleValueDecoder`` reads.
protocol SingleValueSource {
  var codingPath: [any CodingKey] { get }
  var userInfo: [CodingUserInfoKey: Any] { get }

  /// Whether the value is NULL.
  var isNull: Bool { get }

  /// Returns the value of a type that says itself how it is stored, `nil` for any other type.
  func convertedValue<T: Decodable>(_ type: T.Type) throws -> T?

  /// Returns the value that is stored as JSON.
  func decodeJSON<T: Decodable>(_ type: T.Type) throws -> T
}

/// Decodes a stored value: as a single value, or as JSON when its type asks for a container.
struct SingleValueDecoder<Source: SingleValueSource>: Decoder, SingleValueDecodingContainer {
  let source: Source

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if let value = try source.convertedValue(type) { return value }
    // A number would ask this container for itself for ever.
    guard !(type is any Numeric.Type) else { throw RowDecodingError.notStored(type) }
    return try decodeByConformance(type)
  }

  /// Returns what the type's `Decodable` conformance reads.
  func decodeByConformance<T: Decodable>(_ type: T.Type) throws -> T {
    do {
      return try T(from: self)
    } catch is NeedsContainer {
      return try source.decodeJSON(type)
    }
  }

  var codingPath: [any CodingKey] { source.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { source.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw NeedsContainer()
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NeedsContainer() }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }
  func decodeNil() -> Bool { source.isNull }
}
