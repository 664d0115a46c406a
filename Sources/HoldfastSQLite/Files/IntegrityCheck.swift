extension Database {
  /// Returns the problems that `PRAGMA integrity_check` finds; empty when there are none.
  ///
  /// On a read-only connection SQLite does not look at CHECK constraints: it leaves them out of the schema.
  ///
  /// Ask with this method rather than with the pragma: from SQLite 3.44 on, the pragma calls the index of an
  /// FTS5 table damaged if the connection has used the table before another one changed it.
  ///
  /// - Throws: ``DatabaseError`` when the file is too damaged to be checked.
  /// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_integrity_check>
  public func integrityProblems() throws -> [String] {
    try afterRefreshingFTS5Tables {
      try String.fetchAll(self, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    }
  }

  /// Runs the closure after the FTS5 tables have forgotten what other connections have changed.
  ///
  /// FTS5 keeps the structure of an index in memory, and compares it with the file only when a cursor opens
  /// or a write begins. SQLite's checks do neither, and so compare today's rows with an old structure.
  package func afterRefreshingFTS5Tables<Value>(_ check: () throws -> Value) throws -> Value {
    // Nobody may change a table in between. A transaction would have reset the caller's cursors at its end.
    var unfinished: [RowCursor] = []
    for schema in try schemaNames().map(\.quotedDatabaseIdentifier) {
      let entries = try Row.fetchCursor(self, sql: "SELECT 1 FROM \(schema).sqlite_schema")
      guard try entries.next() != nil else { continue }
      unfinished.append(entries)
      let tables = try String.fetchAll(
        self,
        sql: """
          SELECT name FROM \(schema).sqlite_schema
          WHERE type = 'table' AND rootpage = 0 AND instr(lower(sql), 'fts5')
          """)
      for table in tables {
        do {
          // With LIMIT 0 no cursor would open. No row matches: the content may be a view without an end.
          let name = table.quotedDatabaseIdentifier
          try execute(sql: "SELECT 1 FROM \(schema).\(name) WHERE \(name) MATCH '\"\"' LIMIT 1")
        } catch let error as DatabaseError
          where [.SQLITE_ERROR, .SQLITE_CORRUPT].contains(error.resultCode)
        {
          // What keeps a table from being read is for the check to say.
        }
      }
    }
    return try withExtendedLifetime(unfinished) { try check() }
  }
}
