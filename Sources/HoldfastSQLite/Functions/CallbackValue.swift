import Foundation

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

// The arguments that SQLite passes to callbacks, and the results of callbacks.

extension DatabaseValue {
  /// Copies a value that is valid only during a callback.
  init(borrowed value: OpaquePointer) {
    switch unsafe sqlite3_value_type(value) {
    case SQLITE_INTEGER:
      self.init(storage: .int64(unsafe sqlite3_value_int64(value)))
    case SQLITE_FLOAT:
      self.init(storage: .double(unsafe sqlite3_value_double(value)))
    case SQLITE_TEXT:
      let text = unsafe sqlite3_value_text(value)
      // The count is valid only after the call for the text, which may convert it.
      let count = unsafe Int(sqlite3_value_bytes(value))
      let buffer = unsafe UnsafeBufferPointer(start: text, count: text == nil ? 0 : count)
      unsafe self.init(text: buffer)
    case SQLITE_BLOB:
      let bytes = unsafe sqlite3_value_blob(value)
      let count = unsafe Int(sqlite3_value_bytes(value))
      self.init(storage: .blob(unsafe bytes.map { unsafe Data(bytes: $0, count: count) } ?? Data()))
    default:
      self = .null
    }
  }

  /// Sets the value as the result of a callback.
  func hand(to context: OpaquePointer) {
    if case .invalidText(let bytes) = content {
      return unsafe bytes.withUnsafeBytes { bytes in
        unsafe holdfast_result_text(
          context, bytes.assumingMemoryBound(to: CChar.self).baseAddress,
          CInt(clamping: bytes.count))
      }
    }
    switch storage {
    case .null:
      unsafe sqlite3_result_null(context)
    case .int64(let value):
      unsafe sqlite3_result_int64(context, value)
    case .double(let value):
      unsafe sqlite3_result_double(context, value)
    case .string(let text):
      unsafe text.hand(to: context)
    case .blob(let data):
      unsafe data.withUnsafeBytes { bytes in
        guard let address = bytes.baseAddress, bytes.count > 0 else {
          return unsafe sqlite3_result_zeroblob(context, 0)
        }
        // A count beyond the range of `int` also exceeds SQLite's limit, which makes the call fail.
        unsafe holdfast_result_blob(context, address, CInt(clamping: bytes.count))
      }
    }
  }
}

extension [DatabaseValue] {
  /// Copies the arguments of a callback.
  init(borrowed values: UnsafeMutablePointer<OpaquePointer?>?, count: CInt) {
    self = (0..<Int(count)).map { index in
      unsafe (values?[index]).map { unsafe DatabaseValue(borrowed: $0) } ?? .null
    }
  }
}

extension String {
  /// Sets the text as the result of a callback.
  func hand(to context: OpaquePointer) {
    var text = self
    text.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) { utf8 in
        guard let address = utf8.baseAddress else {
          return unsafe holdfast_result_text(context, "", 0)
        }
        unsafe holdfast_result_text(context, address, CInt(clamping: utf8.count))
      }
    }
  }
}

extension Error {
  /// The code and the message that SQLite reports for an error of a callback.
  var forSQLite: (code: CInt, message: String) {
    guard let error = self as? DatabaseError else {
      return (SQLITE_ERROR, "\(self)")
    }
    // These codes would report success.
    let isNoError = [SQLITE_OK, SQLITE_ROW, SQLITE_DONE].contains(error.resultCode.rawValue)
    return (
      isNoError ? SQLITE_ERROR : error.extendedResultCode.rawValue,
      error.message ?? error.extendedResultCode.sentence
    )
  }

  /// Sets the error as the result of a callback.
  func hand(to context: OpaquePointer) {
    let (code, message) = forSQLite
    unsafe sqlite3_result_error(context, message, CInt(clamping: message.utf8.count))
    // The message first, because setting it resets the code.
    unsafe sqlite3_result_error_code(context, code)
  }
}
