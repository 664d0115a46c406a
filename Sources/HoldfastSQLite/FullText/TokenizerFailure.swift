#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// The last error of a connection's tokenizers.
///
/// FTS5 passes only the code of a tokenizer's error on, and drops its message. The message is kept
/// here until the statement has failed with that code.
final class TokenizerFailure {
  /// The failures of the connection whose tokenizer runs.
  @TaskLocal static var current: TokenizerFailure?

  private var latest: (code: CInt, message: String)?

  /// The failures of the code that runs a tokenizer just now, if there is such code, or these.
  ///
  /// It may tokenize a text after its access to the connection, whose failures it must not touch.
  var inUse: TokenizerFailure { Self.current ?? self }

  /// Runs a tokenizer and notes its error.
  func recording<Value>(_ body: () -> Value) -> Value {
    Self.$current.withValue(self, operation: body)
  }

  /// Notes an error.
  ///
  /// - Returns: Its code for SQLite.
  func note(_ error: any Error) -> CInt {
    let (code, message) = error.forSQLite
    latest = (code, message)
    return code
  }

  /// Notes the code of a tokenizer that reports no other error.
  ///
  /// - Returns: The code for SQLite.
  func note(_ code: CInt, of tokenizer: any FTS5Tokenizer) -> CInt {
    if let latest, latest.code == code { return code }
    return note(
      DatabaseError.tokenizerFailed(type(of: tokenizer), with: ResultCode(rawValue: code)))
  }

  /// Returns the error for a code; `nil` for success.
  func error(_ code: CInt) -> DatabaseError? {
    defer { latest = nil }
    guard code != SQLITE_OK else { return nil }
    return DatabaseError(
      resultCode: ResultCode(rawValue: code), message: latest?.code == code ? latest?.message : nil)
  }

  /// Returns the message of the error that made a statement fail, and forgets it.
  ///
  /// - Parameters:
  ///   - code: The code with which the statement failed.
  ///   - message: SQLite's message.
  /// - Returns: The tokenizer's message, if SQLite has none that says more than its code does.
  func message(for code: CInt, insteadOf message: String) -> String? {
    guard let latest else { return nil }
    self.latest = nil
    let isGeneral =
      message == ResultCode(rawValue: code).sentence
      || message == "error in tokenizer constructor"
    return isGeneral && latest.code == code ? latest.message : nil
  }
}

// Sendable because only the thread that holds the connection's access uses it, or the one that
// tokenizes a text.
extension TokenizerFailure: @unchecked Sendable {}
