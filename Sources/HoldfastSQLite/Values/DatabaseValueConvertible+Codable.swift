import Foundation

// A Codable type that declares the conformance is stored as the single value that it encodes, or
// else as JSON with sorted keys.

extension DatabaseValueConvertible where Self: Encodable {
  /// The single value, or JSON.
  ///
  /// - Precondition: The value can be encoded.
  public var databaseValue: DatabaseValue {
    do {
      return try SingleValueEncoder.encodeByConformance(self, as: PlainFormat(type: Self.self))
        ?? .null
    } catch {
      Misuse.trap(Misuse.notEncodable(self, error))
    }
  }
}

extension DatabaseValueConvertible where Self: Decodable {
  /// Returns the value decoded from a stored single value, or from stored JSON.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    do {
      return try SingleValueDecoder(source: PlainValue(value: value, type: Self.self))
        .decodeByConformance(Self.self)
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

/// The strategies for storing values outside of records.
private struct PlainFormat: SingleValueFormat {
  let type: any DatabaseValueConvertible.Type
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func convertedValue(_ value: some Encodable) -> DatabaseValue? {
    (value as? any DatabaseValueConvertible)?.databaseValue
  }

  func json(_ value: some Encodable) throws -> DatabaseValue {
    String(decoding: try type.databaseJSONEncoder().encode(value), as: UTF8.self).databaseValue
  }
}

/// A stored value outside of records.
private struct PlainValue: SingleValueSource {
  let value: DatabaseValue
  let type: any DatabaseValueConvertible.Type

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var isNull: Bool { value.isNull }

  func convertedValue<T: Decodable>(_ type: T.Type) throws -> T? {
    guard let convertible = type as? any DatabaseValueConvertible.Type else { return nil }
    guard let converted = convertible.fromDatabaseValue(value) as? T else {
      throw RowDecodingError.notConverted(value, to: type)
    }
    return converted
  }

  func decodeJSON<T: Decodable>(_ decoded: T.Type) throws -> T {
    try type.databaseJSONDecoder().decode(decoded, from: Data.fromDatabaseValue(value) ?? Data())
  }
}
