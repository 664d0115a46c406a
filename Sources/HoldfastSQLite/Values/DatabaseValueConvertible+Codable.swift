import Foundation

// A Codable type that declares the conformance is stored as the single value it encodes, or else as
// JSON with sorted keys.

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
  /// Returns the value that a stored single value, or stored JSON, stands for.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    do {
      return try ValueDecoder(value: value).decoded(Self.self)
    } catch {
      // Why it is none does not matter: the caller says which column holds what.
      return nil
    }
  }
}

extension DatabaseValueConvertible
where Self: Encodable & RawRepresentable, RawValue: DatabaseValueConvertible {
  /// The raw value, stored.
  public var databaseValue: DatabaseValue { rawValue.databaseValue }
}

extension DatabaseValueConvertible
where Self: Decodable & RawRepresentable, RawValue: DatabaseValueConvertible {
  /// Returns the value whose raw value is stored, if there is one.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    RawValue.fromDatabaseValue(value).flatMap(Self.init(rawValue:))
  }
}

/// Says that a value is none of the single ones, so that it is stored as JSON.
private struct NeedsContainer: Error {}

/// Takes a single value, and notices when a container is asked for.
private final class ValueEncoder: Encoder, SingleValueEncodingContainer {
  private var value = DatabaseValue.null
  private var needsContainer = false

  static func encode(_ value: some Encodable) throws -> DatabaseValue {
    let encoder = ValueEncoder()
    do {
      try value.encode(to: encoder)
    } catch is NeedsContainer {
      // The flag tells it too: a value without properties asks for a container and encodes nothing.
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

/// Gives a single value, or says that JSON is needed.
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
