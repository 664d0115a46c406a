// The error messages and the advice about full-text search.

extension DatabaseError {
  /// Whether a full-text table needs a tokenizer that the connection does not have.
  var isTokenizerMissing: Bool {
    // The beginning of FTS5's own message; the code is `SQLITE_ERROR`.
    resultCode == .SQLITE_ERROR && message?.hasPrefix("no such tokenizer: ") == true
  }

  static let adviceForMissingTokenizer =
    "Add the tokenizer with `db.add(tokenizer:)` in `Configuration.prepareDatabase`, so that every "
    + "connection has it."

  /// Whether SQLite was built without a module for full-text tables.
  var isFullTextModuleMissing: Bool {
    // The beginning of SQLite's own message; the code is `SQLITE_ERROR`.
    resultCode == .SQLITE_ERROR && message?.hasPrefix("no such module: fts") == true
  }

  static let adviceForMissingFullTextModule =
    "Use another of `FTS5`, `FTS4` and `FTS3`, or a SQLite that was built with "
    + "`SQLITE_ENABLE_FTS5` and `SQLITE_ENABLE_FTS3`."

  static func noSuchTokenizer(_ name: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_ERROR, message: "no such tokenizer: \(name)")
  }

  /// The error for a token that the text does not contain.
  static func impossibleToken(
    of tokenizer: Any.Type, start: Int, end: Int, textCount: Int
  ) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR,
      message: "The tokenizer \(tokenizer) reports a token from the bytes \(start) to \(end) of a "
        + "text of \(textCount) bytes, or one without bytes of its own")
  }

  /// The error for a tokenizer that reports a code without a message.
  static func tokenizerFailed(_ tokenizer: Any.Type, with code: ResultCode) -> DatabaseError {
    DatabaseError(
      resultCode: code, message: "The tokenizer \(tokenizer) failed: \(code.sentence)")
  }

  static func noSuchColumn(_ name: String, in table: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR, message: "no such column: \(name) in table \(table)", path: path)
  }

  static func patternContainsNUL() -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR, message: "The full-text pattern contains a NUL character")
  }

  static func cannotSynchronize(
    _ table: String, with content: String, because reason: String, path: String?
  ) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "The full-text table '\(table)' cannot be synchronized with '\(content)': \(reason)",
      path: path)
  }
}
