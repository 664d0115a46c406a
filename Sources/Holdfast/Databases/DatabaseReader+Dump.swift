public import HoldfastSQLite

// Each call sees one committed state, or the state of the access in which it is made: a dump is what one
// writes where something is wrong.

extension DatabaseReader {
  /// Runs all statements of a SQL text, which only read, and writes their rows.
  ///
  /// - Parameters:
  ///   - sql: One or several statements.
  ///   - format: The format of the rows.
  ///   - stream: The destination; standard output if `nil`.
  /// - Throws: `DatabaseError` with SQLite's code; whatever the format throws.
  public func dumpSQL(
    _ sql: SQL, format: some DumpFormat = .debug(), to stream: (any TextOutputStream)? = nil
  ) throws {
    try dump { db in try db.dumpSQL(sql, format: format, to: stream) }
  }

  /// Writes the rows of a request, as the database returns them: row adapters are not applied.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - format: The format of the rows.
  ///   - stream: The destination; standard output if `nil`.
  /// - Throws: `DatabaseError` with SQLite's code; whatever the format throws.
  public func dumpRequest(
    _ request: some FetchRequest, format: some DumpFormat = .debug(),
    to stream: (any TextOutputStream)? = nil
  ) throws {
    try dump { db in try db.dumpRequest(request, format: format, to: stream) }
  }

  /// Writes the rows of tables and views.
  ///
  /// - Parameters:
  ///   - tables: The names of the tables and views. The rows of a table are ordered by its primary key.
  ///   - format: The format of the rows.
  ///   - tableHeader: When the names of the tables are written.
  ///   - stableOrder: Whether the rows of a view are ordered by all their values, for example in a test.
  ///     If false, they have the order of the view.
  ///   - stream: The destination; standard output if `nil`.
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when there is no such table; whatever the format throws.
  public func dumpTables(
    _ tables: [String], format: some DumpFormat = .debug(),
    tableHeader: DumpTableHeaderOptions = .automatic, stableOrder: Bool = false,
    to stream: (any TextOutputStream)? = nil
  ) throws {
    try dump { db in
      try db.dumpTables(
        tables, format: format, tableHeader: tableHeader, stableOrder: stableOrder, to: stream)
    }
  }

  /// Writes the schema of the database, and the rows of all its tables.
  ///
  /// Objects whose names begin with `sqlite_`, `grdb_` or `holdfast_` are left out, and so are the tables
  /// in which a virtual table stores its content.
  ///
  /// - Parameters:
  ///   - format: The format of the rows.
  ///   - stream: The destination; standard output if `nil`.
  /// - Throws: `DatabaseError` with SQLite's code; whatever the format throws.
  public func dumpContent(
    format: some DumpFormat = .debug(), to stream: (any TextOutputStream)? = nil
  ) throws {
    try dump { db in try db.dumpContent(format: format, to: stream) }
  }

  /// Writes the SQL of the tables, indexes, views and triggers of the database.
  ///
  /// Objects are left out as by ``dumpContent(format:to:)``.
  ///
  /// - Parameter stream: The destination; standard output if `nil`.
  /// - Throws: `DatabaseError` with SQLite's code.
  public func dumpSchema(to stream: (any TextOutputStream)? = nil) throws {
    try dump { db in try db.dumpSchema(to: stream) }
  }

  private func dump(_ body: (Database) throws -> Void) throws {
    try unsafeReentrantRead { db in
      guard !db.isInsideTransaction else { return try body(db) }
      try db.inTransaction(.deferred) {
        try body(db)
        return .commit
      }
    }
  }
}
