internal import CSQLite
public import Foundation

/// One column of the row a statement stands on, lent for the length of a call.
///
/// Reading is SQLite's own: no conversion is asked for, so that a text column never reads as an
/// accidental 0.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/column_blob.html>
@safe
public struct Column {
  @usableFromInline let statement: OpaquePointer
  @usableFromInline let index: CInt

  @usableFromInline
  init(statement: OpaquePointer, index: CInt) {
    unsafe self.statement = statement
    self.index = index
  }

  /// Whether the column holds NULL.
  public var isNull: Bool {
    unsafe sqlite3_column_type(statement, index) == SQLITE_NULL
  }

  /// The integer the column holds, or `nil` when it holds anything else.
  public var int64: Int64? {
    guard unsafe sqlite3_column_type(statement, index) == SQLITE_INTEGER else { return nil }
    return unsafe sqlite3_column_int64(statement, index)
  }

  /// The number the column holds, an integer included, or `nil` when it holds anything else.
  public var double: Double? {
    switch unsafe sqlite3_column_type(statement, index) {
    case SQLITE_FLOAT, SQLITE_INTEGER: unsafe sqlite3_column_double(statement, index)
    default: nil
    }
  }

  /// The text the column holds, or `nil` when it holds anything else.
  ///
  /// Bytes that are not valid UTF-8 become U+FFFD; a NUL inside the text is kept.
  public var string: String? {
    guard unsafe sqlite3_column_type(statement, index) == SQLITE_TEXT,
      let text = unsafe sqlite3_column_text(statement, index)
    else { return nil }
    let count = unsafe Int(sqlite3_column_bytes(statement, index))
    return unsafe String(
      decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// The bytes the column holds, or `nil` when it holds anything else.
  public var data: Data? {
    guard unsafe sqlite3_column_type(statement, index) == SQLITE_BLOB else { return nil }
    guard let bytes = unsafe sqlite3_column_blob(statement, index) else { return Data() }
    return unsafe Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, index)))
  }

  /// The value the column holds, whatever its storage class.
  public var databaseValue: DatabaseValue {
    let storage: DatabaseValue.Storage? =
      switch unsafe sqlite3_column_type(statement, index) {
      case SQLITE_INTEGER: int64.map { .int64($0) }
      case SQLITE_FLOAT: double.map { .double($0) }
      case SQLITE_TEXT: string.map { .string($0) }
      case SQLITE_BLOB: data.map { .blob($0) }
      default: .null
      }
    return storage.map(DatabaseValue.init(storage:)) ?? .null
  }
}
