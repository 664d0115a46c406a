/// A keyed container that throws for every value, because requesting a container cannot throw.
struct ThrowingKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let error: any Error
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { throw error }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { throw error }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(ThrowingKeyedContainer<NestedKey>(error: error))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    ThrowingUnkeyedContainer(error: error)
  }

  func superEncoder() -> any Encoder { ThrowingEncoder(error: error) }
  func superEncoder(forKey key: Key) -> any Encoder { ThrowingEncoder(error: error) }
}

/// An unkeyed container that throws for every value.
struct ThrowingUnkeyedContainer: UnkeyedEncodingContainer {
  let error: any Error
  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }

  func encodeNil() throws { throw error }
  func encode<T: Encodable>(_ value: T) throws { throw error }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(ThrowingKeyedContainer<NestedKey>(error: error))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { ThrowingEncoder(error: error) }
}

/// An encoder that throws for every value.
private struct ThrowingEncoder: Encoder, SingleValueEncodingContainer {
  let error: any Error
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(ThrowingKeyedContainer(error: error))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { ThrowingUnkeyedContainer(error: error) }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }
  func encodeNil() throws { throw error }
  func encode<T: Encodable>(_ value: T) throws { throw error }
}
