public import Foundation

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// A column of a statement's current row, valid only during the call.
///
/// SQLite's type conversion is not used, so that a text never reads as an accidental 0.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/column_blob.html>
@safe
public struct StatementColumn {
  @usableFromInline let statement: OpaquePointer
  @usableFromInline let index: CInt

  @usableFromInline
  init(statement: OpaquePointer, index: CInt) {
    unsafe self.statement = statement
    self.index = index
  }

  // "If SQLite is run in one of reduced mutex modes SQLITE_CONFIG_SINGLETHREAD or
  // SQLITE_CONFIG_MULTITHREAD then there is no distinction between protected and unprotected
  // sqlite3_value objects and they can be used interchangeably", and a connection opened with
  // SQLITE_OPEN_NOMUTEX, as all of ours are, is in the second of these modes. So the value is
  // looked up once and then used directly, where `sqlite3_column_…` would look it up at each call:
  // https://www.sqlite.org/c3ref/value.html, https://www.sqlite.org/c3ref/open.html
  private var value: OpaquePointer? {
    unsafe sqlite3_column_value(statement, index)
  }

  /// Whether the column holds NULL.
  public var isNull: Bool {
    unsafe sqlite3_value_type(value) == SQLITE_NULL
  }

  /// The integer in the column; `nil` for any other storage class.
  public var int64: Int64? {
    let value = unsafe value
    guard unsafe sqlite3_value_type(value) == SQLITE_INTEGER else { return nil }
    return unsafe sqlite3_value_int64(value)
  }

  /// The number in the column, real or integer; `nil` for any other storage class.
  public var double: Double? {
    let value = unsafe value
    switch unsafe sqlite3_value_type(value) {
    case SQLITE_FLOAT, SQLITE_INTEGER: return unsafe sqlite3_value_double(value)
    default: return nil
    }
  }

  /// The text in the column; `nil` for any other storage class.
  ///
  /// Bytes that are not valid UTF-8 become U+FFFD; a NUL inside the text is kept.
  public var string: String? {
    let value = unsafe value
    guard unsafe sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
    return unsafe Self.text(of: value)
  }

  /// The text in the column, its blob if that is valid UTF-8, or the digits of its number; `nil` for NULL.
  @usableFromInline var losslessString: String? {
    let value = unsafe value
    switch unsafe sqlite3_value_type(value) {
    case SQLITE_TEXT: return unsafe Self.text(of: value)
    case SQLITE_NULL: return nil
    default: return otherText
    }
  }

  // Separate, because it is the rare case, and uses more registers.
  @inline(never)
  private var otherText: String? { String.fromDatabaseValue(databaseValue) }

  private static func text(of value: OpaquePointer?) -> String? {
    // The text first, because the call may convert it and change its size.
    guard let text = unsafe sqlite3_value_text(value) else { return nil }
    let count = unsafe Int(sqlite3_value_bytes(value))
    return unsafe String(
      decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// The blob in the column; `nil` for any other storage class.
  public var data: Data? {
    let value = unsafe value
    guard unsafe sqlite3_value_type(value) == SQLITE_BLOB else { return nil }
    return unsafe Self.blob(of: value)
  }

  private static func blob(of value: OpaquePointer?) -> Data {
    // An empty blob has no address.
    guard let bytes = unsafe sqlite3_value_blob(value) else { return Data() }
    return unsafe Data(bytes: bytes, count: Int(sqlite3_value_bytes(value)))
  }

  /// Calls the closure with the bytes of a blob, which are valid only during the closure; `nil` for any
  /// other storage class.
  func withBlob<Result>(_ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
    let value = unsafe value
    guard unsafe sqlite3_value_type(value) == SQLITE_BLOB else { return body(nil) }
    let start = unsafe sqlite3_value_blob(value)
    return unsafe body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
  }

  /// Calls the closure with the bytes of a blob or text without copying them.
  func withBorrowedData<Result>(_ body: (Data?) throws -> Result) rethrows -> Result {
    let value = unsafe value
    let bytes: UnsafeRawPointer?
    switch unsafe sqlite3_value_type(value) {
    // The text first, because the call may convert it and change its size.
    case SQLITE_TEXT: unsafe bytes = unsafe UnsafeRawPointer(sqlite3_value_text(value))
    case SQLITE_BLOB: unsafe bytes = unsafe sqlite3_value_blob(value)
    default: return try body(nil)
    }
    // An empty blob has no address.
    guard let bytes = unsafe bytes else { return try body(Data()) }
    // SQLite does not change the bytes, and `Data` copies them before it would.
    let start = unsafe UnsafeMutableRawPointer(mutating: bytes)
    let count = unsafe Int(sqlite3_value_bytes(value))
    return try body(unsafe Data(bytesNoCopy: start, count: count, deallocator: .none))
  }

  /// The value in the column, of any storage class.
  public var databaseValue: DatabaseValue {
    let value = unsafe value
    switch unsafe sqlite3_value_type(value) {
    case SQLITE_INTEGER:
      return unsafe DatabaseValue(storage: .int64(sqlite3_value_int64(value)))
    case SQLITE_FLOAT:
      return unsafe DatabaseValue(storage: .double(sqlite3_value_double(value)))
    case SQLITE_TEXT:
      // The text first, because the call may convert it and change its size.
      guard let text = unsafe sqlite3_value_text(value) else { return .null }
      let count = unsafe Int(sqlite3_value_bytes(value))
      return unsafe DatabaseValue(text: UnsafeBufferPointer(start: text, count: count))
    case SQLITE_BLOB:
      return unsafe DatabaseValue(storage: .blob(Self.blob(of: value)))
    default:
      return .null
    }
  }
}
