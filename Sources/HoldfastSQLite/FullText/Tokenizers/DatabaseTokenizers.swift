#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

extension Database {
  /// Adds a tokenizer to the connection, for full-text tables that are defined with its name.
  ///
  /// Add it in ``Configuration/prepareDatabase(_:)``, so that every connection has it. It replaces a
  /// tokenizer of the same name for tables that are opened afterwards; a table that the connection has
  /// used keeps the old one until the connection is opened again.
  ///
  /// - Parameter tokenizer: The tokenizer's type.
  /// - Precondition: SQLite has FTS5.
  public func add<Tokenizer: FTS5CustomTokenizer>(tokenizer: Tokenizer.Type) {
    checkAccess()
    let module = FTS5TokenizerModule(tokenizer, on: self)
    while true {
      do {
        let code = try unsafe withFTS5 { unsafe module.install(in: $0, as: Tokenizer.name) }
        guard code != SQLITE_OK else { return }
        Misuse.trap(Misuse.refused("tokenizer", Tokenizer.name, code))
      } catch {
        // A connection that a suspension closed does not need it.
        if handle.isClaimed { return }
        // An interruption is meant for statements of the app.
        guard error.resultCode == .SQLITE_INTERRUPT, activeRun == nil else {
          Misuse.trap(Misuse.refused("tokenizer", Tokenizer.name, error.resultCode.rawValue))
        }
      }
    }
  }

  /// Makes a tokenizer that SQLite has, or that was added to the connection.
  ///
  /// ```swift
  /// let tokenizer = try db.makeTokenizer(.porter())
  /// try tokenizer.tokenize(query: "burning")  // [("burn", [])]
  /// ```
  ///
  /// - Parameter descriptor: The tokenizer's name and arguments.
  /// - Returns: The tokenizer, which belongs to no table. Use it on one thread at a time.
  /// - Throws: ``DatabaseError`` with `SQLITE_ERROR` when there is no tokenizer of that name, or it
  ///   does not accept the arguments; with the code of an error that a custom tokenizer throws.
  public func makeTokenizer(_ descriptor: FTS5TokenizerDescriptor) throws -> any FTS5Tokenizer {
    checkAccess()
    return try unsafe withFTS5 { fts5 throws(DatabaseError) in
      try unsafe RegisteredTokenizer(descriptor, in: fts5, handle.tokenizerFailure)
    }
  }

  /// Calls the closure with the interface of the connection's FTS5.
  ///
  /// - SeeAlso: <https://www.sqlite.org/fts5.html#extending_fts5>
  private func withFTS5<Value>(
    _ body: (UnsafeMutablePointer<fts5_api>) throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> Value {
    try handle.enter()
    defer { handle.leave() }
    var fts5: UnsafeMutablePointer<fts5_api>?
    var statement: OpaquePointer?
    defer { unsafe sqlite3_finalize(statement) }
    let sql = "SELECT fts5(?)"
    var code = unsafe sqlite3_prepare_v2(handle.pointer, sql, -1, &statement, nil)
    if code == SQLITE_OK {
      code = unsafe withUnsafeMutablePointer(to: &fts5) { result in
        _ = unsafe holdfast_bind_fts5_api(statement, result)
        return unsafe sqlite3_step(statement)
      }
    }
    guard code == SQLITE_ROW, let fts5 = unsafe fts5 else {
      throw handle.error(code, sql: sql, path: path)
    }
    return try unsafe body(fts5)
  }
}
