import Foundation

// A Codable type that declares the conformance is stored as the single value that it encodes, or
// else as JSON with sorted keys.

extension DatabaseValueConvertible where Self: Encodable {
  /// The single value, or JSON.
  ///
  /// - Precondition: The value can be encoded.
  public var databaseValue: DatabaseValue {
    do {
      return try ValueEncoder.encode(self)
    } catch {
      Misuse.trap(Misuse.notEncodable(self, error))
    }
  }
}

extension DatabaseValueConvertible where Self: Decodable {
  /// Returns the value decoded from a stored single value, or from stored JSON.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    do {
      return try ValueDecoder(value: value).decoded(Self.self)
    } catch {
      // The reason is dropped: the caller reports the column and its content.
      return nil
    }
  }
}

extension DatabaseValueConvertible
where Self: Encodable & RawRepresentable, RawValue: DatabaseValueConvertible {
  /// The raw value.
  public var databaseValue: DatabaseValue { rawValue.databaseValue }
}

extension DatabaseValueConvertible
where Self: Decodable & RawRepresentable, RawValue: DatabaseValueConvertible {
  /// Returns the value with the stored raw value, if there is one.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    RawValue.fromDatabaseValue(value).flatMap(Self.init(rawValue:))
  }
}

/// The error for a value that is not a single value, so that it is stored as JSON.
private struct NeedsContainer: Error {}

/// An encoder of a single value, which detects when a container is requested.
private final class ValueEncoder: Encoder, SingleValueEncodingContainer {
  private var value = DatabaseValue.null
  private var needsContainer = false

  static func encode(_ value: some Encodable) throws -> DatabaseValue {
    let encoder = ValueEncoder()
    do {
      try value.encode(to: encoder)
    } catch is NeedsContainer {
      // The flag shows it too: a value without properties requests a container and encodes nothing.
    }
    guard encoder.needsContainer else { return encoder.value }
    let json = JSONEncoder()
    json.dateEncodingStrategy = .millisecondsSince1970
    json.outputFormatting = .sortedKeys
    return String(decoding: try json.encode(value), as: UTF8.self).databaseValue
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    needsContainer = true
    return KeyedEncodingContainer(RefusedKeys(error: NeedsContainer()))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    needsContainer = true
    return RefusedList(error: NeedsContainer())
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { value = .null }

  func encode<T: Encodable>(_ value: T) throws {
    if let value = value as? any DatabaseValueConvertible {
      self.value = value.databaseValue
    } else {
      try value.encode(to: self)
    }
  }
}

/// A decoder of a single value, which throws when a container is requested.
private struct ValueDecoder: Decoder, SingleValueDecodingContainer {
  let value: DatabaseValue

  func decoded<T: Decodable>(_ type: T.Type) throws -> T {
    do {
      return try T(from: self)
    } catch is NeedsContainer {
      let json = JSONDecoder()
      json.dateDecodingStrategy = .millisecondsSince1970
      return try json.decode(type, from: Data.fromDatabaseValue(value) ?? Data())
    }
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw NeedsContainer()
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NeedsContainer() }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }
  func decodeNil() -> Bool { value.isNull }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard let convertible = type as? any DatabaseValueConvertible.Type else {
      return try T(from: self)
    }
    guard let decoded = convertible.fromDatabaseValue(value) as? T else {
      throw RowDecodingError.notConverted(value, to: type)
    }
    return decoded
  }
}
