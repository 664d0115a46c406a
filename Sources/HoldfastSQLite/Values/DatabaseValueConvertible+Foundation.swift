public import Foundation

// Foundation's types are stored in GRDB's formats, so that its database files can be used.

extension Data: DatabaseValueConvertible {
  /// The bytes, stored as a blob.
  public var databaseValue: DatabaseValue { DatabaseValue(storage: .blob(self)) }

  /// Returns a stored blob, or the UTF-8 bytes of stored text.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Data? {
    if case .invalidText(let bytes) = value.content { return bytes }
    return switch value.storage {
    case .blob(let data): data
    case .string(let text): Data(text.utf8)
    default: nil
    }
  }

  /// Returns the column's blob, or the UTF-8 bytes of its text.
  public static func fromColumn(_ column: StatementColumn) -> Data? {
    column.data ?? fromDatabaseValue(column.databaseValue)
  }
}

extension UUID: DatabaseValueConvertible {
  /// The sixteen bytes, stored as a blob.
  public var databaseValue: DatabaseValue {
    let id = uuid
    return DatabaseValue(
      storage: .blob(
        Data([
          id.0, id.1, id.2, id.3, id.4, id.5, id.6, id.7,
          id.8, id.9, id.10, id.11, id.12, id.13, id.14, id.15,
        ])))
  }

  /// Returns the UUID of a stored blob of sixteen bytes, or of a stored UUID string.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> UUID? {
    switch value.storage {
    case .blob(let data) where data.count == 16:
      let b = [UInt8](data)
      return UUID(
        uuid: (
          b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7],
          b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
        ))
    case .string(let text):
      return UUID(uuidString: text)
    default:
      return nil
    }
  }
}

extension URL: DatabaseValueConvertible {
  /// The absolute string of the URL.
  ///
  /// - Important: A `file:` URL is invalid after its container has moved: store a relocatable path.
  public var databaseValue: DatabaseValue { absoluteString.databaseValue }

  /// Returns the URL in a stored text.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> URL? {
    String.fromDatabaseValue(value).flatMap(URL.init(string:))
  }
}

extension CGFloat: DatabaseValueConvertible {
  /// The number, stored with 64 bits.
  public var databaseValue: DatabaseValue { Double(self).databaseValue }

  /// Returns a stored number, or a stored text that is one.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> CGFloat? {
    Double.fromDatabaseValue(value).map { CGFloat($0) }
  }
}
