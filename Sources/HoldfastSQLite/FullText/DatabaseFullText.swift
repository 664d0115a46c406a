// Ending synchronization, and checking indexes.

extension Database {
  /// Ends the synchronization of an FTS5 table, including one that GRDB created.
  ///
  /// The table stays, but is no longer updated when the other table changes. Do this before the
  /// full-text table is dropped, because the triggers would make every change fail.
  ///
  /// - Parameter tableName: The name of the full-text table.
  /// - Throws: `DatabaseError` with SQLite's code.
  public func dropFTS5SynchronizationTriggers(forTable tableName: String) throws {
    try FullTextSynchronization.end(forTable: tableName, in: self)
  }

  /// Ends the synchronization of an FTS4 table, including one that GRDB created.
  ///
  /// The table stays, but is no longer updated when the other table changes. Do this before the
  /// full-text table is dropped, because the triggers would make every change fail.
  ///
  /// - Parameter tableName: The name of the full-text table.
  /// - Throws: `DatabaseError` with SQLite's code.
  public func dropFTS4SynchronizationTriggers(forTable tableName: String) throws {
    try FullTextSynchronization.end(forTable: tableName, in: self)
  }

  /// Throws an error if a full-text table's index does not match its texts.
  ///
  /// It reads the whole index and all texts. It needs write access, although it does not write.
  ///
  /// - Parameter tableName: The name of the full-text table.
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT_VTAB` when they do not match; then recreate the
  ///   index with ``rebuildFTS5Index(inTable:)``.
  /// - SeeAlso: <https://www.sqlite.org/fts5.html#the_integrity_check_command>
  public func checkFTS5Integrity(inTable tableName: String) throws {
    let table = tableName.quotedDatabaseIdentifier
    // With 1 the index is compared with the content table's texts too.
    try execute(sql: "INSERT INTO \(table) (\(table), rank) VALUES ('integrity-check', 1)")
  }

  /// Recreates a full-text table's index from its texts.
  ///
  /// - Parameter tableName: The name of the full-text table.
  /// - Throws: `DatabaseError` with SQLite's code.
  /// - SeeAlso: <https://www.sqlite.org/fts5.html#the_rebuild_command>
  public func rebuildFTS5Index(inTable tableName: String) throws {
    let table = tableName.quotedDatabaseIdentifier
    try execute(sql: "INSERT INTO \(table) (\(table)) VALUES ('rebuild')")
  }
}

extension Database {
  /// Calls a closure with an empty database in memory, which is closed afterwards.
  static func inMemory<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let database = try Database(
      path: nil, isReadOnly: false, configuration: Configuration(), token: AccessToken())
    defer { database.close() }
    return try database.withAccess(isReadOnly: false, body)
  }

  /// Throws SQLite's error if a full-text pattern is invalid on a table of a module.
  static func validate(_ rawPattern: String, onTableUsing module: String) throws {
    // SQLite would stop reading at a NUL, and not report the rest as an error.
    guard !rawPattern.utf8.contains(0) else { throw DatabaseError.patternContainsNUL() }
    try inMemory { db in
      try db.execute(sql: "CREATE VIRTUAL TABLE document USING \(module)")
      try db.execute(
        sql: "SELECT * FROM document WHERE document MATCH ?", arguments: [rawPattern])
    }
  }
}
