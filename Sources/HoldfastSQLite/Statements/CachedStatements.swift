/// The statements that `cachedStatement` returns, which are kept as long as their connection.
struct CachedStatements {
  private var cache = StatementCache(capacity: 100)

  /// Returns the statement of a text, unless it is running.
  mutating func statement(_ sql: String, makeStatement: () throws -> Statement) rethrows
    -> Statement
  {
    if let statement = cache.take(sql) {
      statement.isInUse = false
      if !statement.isStepping { return statement }
    }
    let statement = try makeStatement()
    cache.put(statement, for: sql)
    return statement
  }

  mutating func removeAll() {
    cache.removeAll()
  }
}

extension Database {
  /// Returns a prepared statement that the connection keeps, so that it is prepared only once.
  ///
  /// It keeps its arguments too. Functions that take SQL cache their statements by themselves.
  ///
  /// ```swift
  /// let statement = try db.cachedStatement(sql: "INSERT INTO player (name) VALUES (?)")
  /// for name in names { try statement.execute(arguments: [name]) }
  /// ```
  ///
  /// - Parameter sql: One statement.
  /// - Returns: The statement, valid only during the access; a new one while the kept one is running.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func cachedStatement(sql: String) throws -> Statement {
    checkAccess()
    try makeDeferredObjects()
    return try unsafe cachedStatements.statement(sql) { try makeStatement(sql: sql) }
  }

  /// Returns a prepared statement that the connection keeps, with its values set.
  ///
  /// - Parameter sqlLiteral: One statement, with a value for each parameter or with none: then the statement
  ///   keeps the values of its last use.
  /// - Returns: The statement, valid only during the access; a new one while the kept one is running.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func cachedStatement(literal sqlLiteral: SQL) throws -> Statement {
    let (sql, arguments) = try sqlLiteral.build(self)
    let statement = try cachedStatement(sql: sql)
    if !arguments.isEmpty { try statement.setArguments(arguments) }
    return statement
  }
}
