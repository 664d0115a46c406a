extension Database {
  /// Prepares a statement, valid only during the access.
  ///
  /// - Parameter sql: One statement; a second one in the same text is an error.
  /// - Returns: The statement, with no values bound.
  /// - Throws: ``DatabaseError`` with SQLite's code, or `SQLITE_MISUSE` when there are several
  ///   statements.
  public func makeStatement(sql: String) throws -> Statement {
    var source = StatementIterator(sql)
    guard let statement = try source.next(on: self) else {
      throw DatabaseError.noStatement(sql: sql, path: path)
    }
    guard source.isAtEnd else { throw DatabaseError.severalStatements(sql: sql, path: path) }
    return statement
  }

  /// Runs the closure with a cached prepared statement for the SQL.
  package func withStatement<Value>(
    sql: String, _ body: (Statement) throws -> Value
  ) throws -> Value {
    let statement = try takeStatement(sql: sql)
    defer { putBack(statement, sql: sql) }
    return try body(statement)
  }

  /// Returns a prepared statement for the SQL: the cached one if it is not in use.
  @usableFromInline
  func takeStatement(sql: String) throws -> Statement {
    checkAccess()
    try makeDeferredObjects()
    return try unsafe statementCache.take(sql) ?? makeStatement(sql: sql)
  }

  /// Returns a statement to the cache.
  @usableFromInline
  func putBack(_ statement: Statement, sql: String) {
    statement.reset()
    statement.clearArguments()
    unsafe statementCache.put(statement, for: sql)
  }

  /// Runs all statements of a text in order.
  ///
  /// ```swift
  /// try db.execute(sql: "UPDATE stop SET name = ? WHERE id = ?", arguments: ["Quay", 1])
  /// ```
  ///
  /// - Parameters:
  ///   - sql: One or several statements; values belong in `arguments`, never in the text.
  ///   - arguments: Values for the parameters. Each of several statements takes as many positional
  ///     values as it has parameters.
  /// - Throws: ``DatabaseError`` with SQLite's code; statements before the failing one have run.
  public func execute(
    sql: String, arguments: consuming StatementArguments = StatementArguments()
  ) throws {
    checkAccess()
    try makeDeferredObjects()
    if let statement = unsafe statementCache.take(sql) {
      defer {
        statement.clearArguments()
        unsafe statementCache.giveBack(statement)
      }
      return try statement.execute(arguments: consume arguments)
    }
    let statements = SQLStatementCursor(self, sql, arguments)
    var executed: Statement?
    var count = 0
    while let statement = try statements.next() {
      try statement.execute()
      executed = statement
      count += 1
    }
    if count == 1, let executed {
      executed.clearArguments()
      unsafe statementCache.put(executed, for: sql)
    }
  }
}
