public import HoldfastSQLite

// Each call sees one committed state, or the state of the access in which it is made: a dump is what one
// writes where something is wrong.

extension DatabaseReader {
  /// Runs all statements of a SQL text, which only read, and writes their rows; see
  /// ``Database/dumpSQL(_:format:to:)``.
  public func dumpSQL(
    _ sql: SQL, format: some DumpFormat = .debug(), to stream: (any TextOutputStream)? = nil
  ) throws {
    try dump { db in try db.dumpSQL(sql, format: format, to: stream) }
  }

  /// Writes the rows of a request, as the database returns them: row adapters are not applied; see
  /// ``Database/dumpRequest(_:format:to:)``.
  public func dumpRequest(
    _ request: some FetchRequest, format: some DumpFormat = .debug(),
    to stream: (any TextOutputStream)? = nil
  ) throws {
    try dump { db in try db.dumpRequest(request, format: format, to: stream) }
  }

  /// Writes the rows of tables and views; see
  /// ``Database/dumpTables(_:format:tableHeader:stableOrder:to:)``.
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

  /// Writes the schema of the database, and the rows of all its tables; see
  /// ``Database/dumpContent(format:to:)``.
  public func dumpContent(
    format: some DumpFormat = .debug(), to stream: (any TextOutputStream)? = nil
  ) throws {
    try dump { db in try db.dumpContent(format: format, to: stream) }
  }

  /// Writes the SQL of the tables, indexes, views and triggers of the database; see
  /// ``Database/dumpSchema(to:)``.
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
