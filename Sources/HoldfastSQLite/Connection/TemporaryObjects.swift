#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

extension Database {
  /// Adds temporary objects to the connection: views, triggers and what they read.
  ///
  /// SQLite needs more time to make a view than for most questions that need none. A read-only connection to a
  /// file that never changes therefore makes the objects before the first statement of the app, or its first
  /// question about the schema. No statement can tell: until then the app has run none, and neither observers nor
  /// traces nor authorizers are told. Any other connection makes them at once.
  ///
  /// - Parameter definitions: Adds what the objects read, and returns the statements that make them unless they
  ///   exist. When it throws later than at once, the app's statement fails, and so does the next one.
  /// - Throws: ``DatabaseError`` with SQLite's code; whatever `definitions` throws at once.
  package func addTemporaryObjects(_ definitions: @escaping (Database) throws -> String) throws {
    checkAccess()
    guard !isInsideTransaction else { throw DatabaseError.transactionLeftOpen(path: path) }
    if isNeverModified, isReadOnlyConnection, unsafe !mayNamesBeAmbiguous {
      unsafe deferredObjects.append(definitions)
    } else {
      try makeObjects(definitions)
    }
  }

  /// Runs a closure that does not need the objects which are not made yet, and calls no code of the app.
  package func deferringTemporaryObjects<Value>(_ body: () throws -> Value) rethrows -> Value {
    let objects = unsafe deferredObjects
    guard !objects.isEmpty else { return try body() }
    unsafe deferredObjects = []
    defer { unsafe deferredObjects = objects }
    return try body()
  }

  /// Makes the objects that were not made when they were added; called before each statement of the app.
  @inline(__always)
  func makeDeferredObjects() throws(DatabaseError) {
    if unsafe !deferredObjects.isEmpty { try makeAll() }
  }

  private func makeAll() throws(DatabaseError) {
    let objects = unsafe deferredObjects
    unsafe deferredObjects = []
    do {
      try unnoticed {
        for definitions in objects { try makeObjects(definitions) }
      }
    } catch {
      unsafe deferredObjects = objects
      throw error as? DatabaseError
        ?? DatabaseError(resultCode: .SQLITE_ERROR, message: "\(error)", path: path)
    }
  }

  /// Runs a closure as if the connection had just been opened, without telling anyone.
  private func unnoticed(_ body: () throws -> Void) throws {
    var result = Result<Void, any Error>.success(())
    handle.unnoticed {
      result = Result {
        try withoutRecording {
          try whileReadOnly(false) { try afterTransaction { try undoing(body) } }
        }
      }
    }
    try result.get()
  }

  private func makeObjects(_ definitions: (Database) throws -> String) throws {
    let sql = try definitions(self)
    guard !sql.isEmpty else { return }
    // Temporary objects change no file.
    try make(sql, isQueryOnly: Bool.fetchOne(self, sql: "PRAGMA query_only") ?? false)
    removeKeptStatements()
    schemaCache.temporarySchemaChanged()
    nameResolution.schemasMayChange()
  }

  private func make(_ sql: String, isQueryOnly: Bool) throws {
    try handle.inside {
      var error: DatabaseError?
      func make() { error = failure(making: sql, isQueryOnly: isQueryOnly) }
      broker?.withoutTransactionHooks(make) ?? make()
      if let error { throw error }
    }
  }

  /// Runs the statements in a transaction of their own.
  ///
  /// That of a read ends before and begins again afterwards. It reads the same, because the file never changes.
  /// Otherwise a rollback would take the objects with it, and end the cursors of the app.
  ///
  /// - Returns: The error; `nil` when all have run.
  private func failure(making sql: String, isQueryOnly: Bool) -> DatabaseError? {
    handle.busyHandler.begin()
    let isReading = isInsideTransaction
    let begin = (isQueryOnly ? "PRAGMA query_only = 0;" : "") + (isReading ? "COMMIT;" : "")
    let code = run("\(begin) BEGIN; \(sql) ; COMMIT")
    // Before another call, which may change SQLite's message.
    let error = code == SQLITE_OK ? nil : handle.error(code, sql: nil, path: path)
    var steps = isInsideTransaction ? ["ROLLBACK"] : []
    if isReading { steps.append("BEGIN; SELECT 1 FROM sqlite_master LIMIT 0") }
    if isQueryOnly { steps.append("PRAGMA query_only = 1") }
    for step in steps {
      // An interruption may meet this too; it is meant for what the app runs.
      _ = (1...3).first { _ in run(step) != SQLITE_INTERRUPT }
    }
    return error
  }

  private func run(_ sql: String) -> CInt {
    unsafe sqlite3_exec(handle.pointer, sql, nil, nil, nil)
  }
}
