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
    unsafe withUnsafeBytes(of: uuid) { unsafe DatabaseValue(storage: .blob(Data($0))) }
  }

  /// Returns the UUID of a stored blob of sixteen bytes, or of a stored UUID string.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> UUID? {
    switch value.storage {
    case .blob(let data): unsafe data.withUnsafeBytes { unsafe UUID(bytes: $0) }
    case .string(let text): UUID(uuidString: text)
    default: nil
    }
  }

  /// Returns the UUID of the column's blob of sixteen bytes, or of its UUID string.
  public static func fromColumn(_ column: StatementColumn) -> UUID? {
    unsafe column.withBlob { unsafe $0.map { unsafe UUID(bytes: $0) } }
      ?? fromDatabaseValue(column.databaseValue)
  }

  /// Creates the UUID of sixteen bytes; `nil` for any other number.
  private init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    self.init(uuid: unsafe bytes.loadUnaligned(as: uuid_t.self))
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
