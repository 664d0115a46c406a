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
  /// The code that runs a tokenizer.
  struct User: Sendable {
    /// The failures of that code: of a connection's statement, or of a text that belongs to no table.
    let failure: TokenizerFailure
    /// The failures of the connection whose tokenizers it runs.
    let owner: TokenizerFailure
  }

  /// The code that runs a tokenizer just now.
  @TaskLocal static var user: User?

  private var latest: (code: CInt, message: String)?

  /// Runs a tokenizer of this connection, which SQLite calls, and notes its error.
  ///
  /// The error belongs to the statement, unless a text is tokenized without one by a tokenizer of
  /// the same connection: that may happen after the access to the connection, whose failures it
  /// must not touch.
  func recording<Value>(_ body: () -> Value) -> Value {
    Self.user?.owner === self ? body() : standingAlone(body)
  }

  /// Runs a tokenizer of this connection without SQLite: its error belongs to the code that runs
  /// it.
  func lending<Value>(_ body: () -> Value) -> Value {
    let failure = Self.user?.failure ?? TokenizerFailure()
    return Self.$user.withValue(User(failure: failure, owner: self), operation: body)
  }

  /// Runs a tokenizer, or makes one, and notes its error here.
  func standingAlone<Value>(_ body: () -> Value) -> Value {
    Self.$user.withValue(User(failure: self, owner: self), operation: body)
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
  func note(_ code: CInt, of tokenizer: Any.Type) -> CInt {
    if let latest, latest.code == code { return code }
    return note(DatabaseError.tokenizerFailed(tokenizer, with: ResultCode(rawValue: code)))
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
