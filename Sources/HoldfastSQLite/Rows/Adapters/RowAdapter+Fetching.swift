// Fetching with a row adapter. These functions are separate from those without one, so that rows that
// are not adapted do not ask for an adapter.

extension DatabaseValueConvertible {
  /// Returns the first column of all rows, adapted.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - sql: One statement.
  ///   - arguments: Values for its parameters.
  ///   - adapter: The adapter of the rows; `nil` for the rows as they are.
  /// - Returns: The elements, in the order of the rows.
  /// - Throws: ``DatabaseError`` with SQLite's code, with `SQLITE_MISUSE` when there is no column that
  ///   the adapter needs; ``RowDecodingError`` when a row does not convert.
  public static func fetchAll(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)?
  ) throws -> [Self] {
    try db.withStatement(sql: sql) { statement in
      try fetchAll(statement, arguments: arguments, adapter: adapter)
    }
  }

  /// Returns the first column of the first row, adapted, or `nil` if there is no row or the column
  /// is NULL; see ``fetchAll(_:sql:arguments:adapter:)``.
  public static func fetchOne(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)?
  ) throws -> Self? {
    try db.withStatement(sql: sql) { statement in
      try fetchOne(statement, arguments: arguments, adapter: adapter)
    }
  }

  /// Returns a cursor of the first column of all rows, adapted; see
  /// ``fetchAll(_:sql:arguments:adapter:)``.
  public static func fetchCursor(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)?
  ) throws -> DatabaseValueCursor<Self> {
    try fetchCursor(db.makeStatement(sql: sql), arguments: arguments, adapter: adapter)
  }

  /// Returns the first column of all rows of a prepared statement, adapted; see
  /// ``fetchAll(_:sql:arguments:adapter:)``.
  public static func fetchAll(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)?
  ) throws -> [Self] {
    guard let adapter else { return try fetchAll(statement, arguments: arguments) }
    return try statement.fetch(arguments: arguments, adapter: adapter) { row in
      try row.decode(Self.self, atIndex: 0)
    }
  }

  /// Returns the first column of the first row of a prepared statement, adapted; see
  /// ``fetchOne(_:sql:arguments:adapter:)``.
  public static func fetchOne(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)?
  ) throws -> Self? {
    guard let adapter else { return try fetchOne(statement, arguments: arguments) }
    return try statement.fetch(arguments: arguments, adapter: adapter, isSingle: true) { row in
      try row.decode(Self?.self, atIndex: 0)
    }.first ?? nil
  }

  /// Returns a cursor of the first column of all rows of a prepared statement, adapted; see
  /// ``fetchAll(_:sql:arguments:adapter:)``.
  public static func fetchCursor(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)?
  ) throws -> DatabaseValueCursor<Self> {
    try DatabaseValueCursor(statement, arguments: arguments, adapter: adapter)
  }
}

extension DatabaseValueConvertible where Self: Hashable {
  /// Returns the distinct values of the first column of all rows, adapted; see
  /// ``fetchAll(_:sql:arguments:adapter:)``.
  public static func fetchSet(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)?
  ) throws -> Set<Self> {
    Set(try fetchAll(db, sql: sql, arguments: arguments, adapter: adapter))
  }

  /// Returns the distinct values of the first column of all rows of a prepared statement, adapted;
  /// see ``fetchAll(_:sql:arguments:adapter:)``.
  public static func fetchSet(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)?
  ) throws -> Set<Self> {
    Set(try fetchAll(statement, arguments: arguments, adapter: adapter))
  }
}

extension FetchableRecord {
  /// Returns the records of all rows, adapted.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - sql: One statement.
  ///   - arguments: Values for its parameters.
  ///   - adapter: The adapter of the rows; `nil` for the rows as they are.
  /// - Returns: The elements, in the order of the rows.
  /// - Throws: ``DatabaseError`` with SQLite's code, with `SQLITE_MISUSE` when there is no column that
  ///   the adapter needs; ``RowDecodingError`` when a row does not convert.
  public static func fetchAll(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)?
  ) throws -> [Self] {
    try db.withStatement(sql: sql) { statement in
      try fetchAll(statement, arguments: arguments, adapter: adapter)
    }
  }

  /// Returns the record of the first row, adapted, or `nil` if there is no row; see
  /// ``fetchAll(_:sql:arguments:adapter:)``.
  public static func fetchOne(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)?
  ) throws -> Self? {
    try db.withStatement(sql: sql) { statement in
      try fetchOne(statement, arguments: arguments, adapter: adapter)
    }
  }

  /// Returns a cursor of the records of all rows, adapted; see
  /// ``fetchAll(_:sql:arguments:adapter:)``.
  public static func fetchCursor(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)?
  ) throws -> RecordCursor<Self> {
    try fetchCursor(db.makeStatement(sql: sql), arguments: arguments, adapter: adapter)
  }

  /// Returns the records of all rows of a prepared statement, adapted; see
  /// ``fetchAll(_:sql:arguments:adapter:)``.
  public static func fetchAll(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)?
  ) throws -> [Self] {
    guard let adapter else { return try fetchAll(statement, arguments: arguments) }
    return try statement.fetch(arguments: arguments, adapter: adapter) { row in
      try record(of: row)
    }
  }

  /// Returns the record of the first row of a prepared statement, adapted; see
  /// ``fetchOne(_:sql:arguments:adapter:)``.
  public static func fetchOne(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)?
  ) throws -> Self? {
    guard let adapter else { return try fetchOne(statement, arguments: arguments) }
    return try statement.fetch(arguments: arguments, adapter: adapter, isSingle: true) { row in
      try record(of: row)
    }.first
  }

  /// Returns a cursor of the records of all rows of a prepared statement, adapted; see
  /// ``fetchAll(_:sql:arguments:adapter:)``.
  public static func fetchCursor(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)?
  ) throws -> RecordCursor<Self> {
    try RecordCursor(statement, arguments: arguments, adapter: adapter)
  }
}

extension FetchableRecord where Self: Hashable {
  /// Returns the distinct records of all rows, adapted; see ``fetchAll(_:sql:arguments:adapter:)``.
  public static func fetchSet(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)?
  ) throws -> Set<Self> {
    Set(try fetchAll(db, sql: sql, arguments: arguments, adapter: adapter))
  }

  /// Returns the distinct records of all rows of a prepared statement, adapted; see
  /// ``fetchAll(_:sql:arguments:adapter:)``.
  public static func fetchSet(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)?
  ) throws -> Set<Self> {
    Set(try fetchAll(statement, arguments: arguments, adapter: adapter))
  }
}

extension Statement {
  /// Runs the statement and returns what the closure makes of its adapted rows.
  fileprivate func fetch<Element>(
    arguments: StatementArguments?, adapter: any RowAdapter, isSingle: Bool = false,
    _ decode: (Row) throws -> Element
  ) throws -> [Element] {
    var adaptation = try RowAdaptation(adapter, of: self)
    var rows = try RunningRows(self, arguments: arguments)
    defer { rows.end() }
    var elements: [Element] = []
    while try rows.next() {
      elements.append(try decode(adaptation.row(of: rows.row)))
      guard !isSingle else {
        try rows.finish()
        break
      }
    }
    return elements
  }
}
