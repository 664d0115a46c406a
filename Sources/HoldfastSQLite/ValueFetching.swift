// Single values are fetched from the first column of each row.

extension DatabaseValueConvertible {
  /// Returns the first column of all rows.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - sql: One statement.
  ///   - arguments: Values for its parameters.
  /// - Returns: The elements, in the order of the rows.
  /// - Throws: ``DatabaseError`` with the code SQLite gave; ``RowDecodingError`` when a row does
  ///   not convert.
  public static func fetchAll(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> [Self] {
    try db.withStatement(sql: sql) { try fetchAll($0, arguments: arguments) }
  }

  /// Returns the first column of all rows of a prepared statement.
  ///
  /// - Parameters:
  ///   - statement: A statement of the current access.
  ///   - arguments: Values for its parameters; the ones set before when `nil`.
  /// - Returns: The elements, in the order of the rows.
  /// - Throws: ``DatabaseError`` with the code SQLite gave; ``RowDecodingError`` when a row does
  ///   not convert.
  public static func fetchAll(
    _ statement: Statement, arguments: StatementArguments? = nil
  ) throws -> [Self] {
    try statement.start(arguments: arguments)
    defer { statement.reset() }
    var elements: [Self] = []
    while let row = try statement.step() {
      elements.append(try row.decode(Self.self, atIndex: 0))
    }
    return elements
  }

  /// Returns the first column of the first row.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - sql: One statement.
  ///   - arguments: Values for its parameters.
  /// - Returns: `nil` when there is no row, or when the column of the first row is NULL.
  /// - Throws: ``DatabaseError`` with the code SQLite gave; ``RowDecodingError`` when the row does
  ///   not convert.
  public static func fetchOne(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> Self? {
    try db.withStatement(sql: sql) { try fetchOne($0, arguments: arguments) }
  }

  /// Returns the first column of the first row of a prepared statement.
  ///
  /// - Parameters:
  ///   - statement: A statement of the current access.
  ///   - arguments: Values for its parameters; the ones set before when `nil`.
  /// - Returns: `nil` when there is no row, or when the column of the first row is NULL.
  /// - Throws: ``DatabaseError`` with the code SQLite gave; ``RowDecodingError`` when the column
  ///   does not convert.
  public static func fetchOne(
    _ statement: Statement, arguments: StatementArguments? = nil
  ) throws -> Self? {
    try statement.start(arguments: arguments)
    defer { statement.reset() }
    return try statement.step().flatMap { try $0.decode(Self?.self, atIndex: 0) }
  }

  /// Returns the first columns of all rows one by one.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - sql: One statement.
  ///   - arguments: Values for its parameters.
  /// - Returns: A cursor that stands before the first row.
  /// - Throws: ``DatabaseError`` with the code SQLite gave.
  public static func fetchCursor(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> RowCursor<Self> {
    try RowCursor(db.makeStatement(sql: sql), arguments: arguments) {
      try $0.decode(Self.self, atIndex: 0)
    }
  }
}

extension DatabaseValueConvertible where Self: Hashable {
  /// Returns the first columns of all rows without duplicates.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - sql: One statement.
  ///   - arguments: Values for its parameters.
  /// - Returns: The elements, each once.
  /// - Throws: ``DatabaseError`` with the code SQLite gave; ``RowDecodingError`` when a column
  ///   does not convert.
  public static func fetchSet(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> Set<Self> {
    Set(try fetchAll(db, sql: sql, arguments: arguments))
  }
}
