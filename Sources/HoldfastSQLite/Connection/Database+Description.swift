#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

// What a connection, its statements and rows say of themselves, and SQLite of itself.

extension Database: CustomStringConvertible, CustomDebugStringConvertible {
  /// The label of the configuration, or else the path.
  public var description: String { configuration.label ?? path ?? "a database in memory" }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// Returns whether SQLite keeps a table for its own use, by its name.
  ///
  /// - Parameter tableName: The name of a table or another object of a schema.
  /// - Returns: Whether it begins with `sqlite_`.
  public static func isSQLiteInternalTable(_ tableName: String) -> Bool {
    tableName.hasPrefix("sqlite_")
  }

  /// Returns whether GRDB keeps a table for its own use, by its name.
  ///
  /// - Parameter tableName: The name of a table.
  /// - Returns: Whether it begins with `grdb_`, as the table of applied migrations does.
  public static func isGRDBInternalTable(_ tableName: String) -> Bool {
    tableName.hasPrefix("grdb_")
  }

  /// The version of SQLite, for example 3040001 for 3.40.1.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/libversion.html>
  public static var sqliteLibVersionNumber: CInt { sqlite3_libversion_number() }

  /// The code of the last call of SQLite on this connection.
  ///
  /// It is an extended code. A ``DatabaseError`` has the one of the call that failed, when other
  /// calls may have followed.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/errcode.html>
  public var lastErrorCode: ResultCode {
    checkAccess()
    let code = handle.ifPresent { unsafe sqlite3_extended_errcode(handle.pointer) }
    return code.map(ResultCode.init(rawValue:)) ?? .SQLITE_MISUSE
  }

  /// SQLite's message about the last call on this connection; `nil` when a suspension closed it.
  ///
  /// A ``DatabaseError`` has the one of the call that failed, when other calls may have followed.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/errcode.html>
  public var lastErrorMessage: String? {
    checkAccess()
    return handle.ifPresent { unsafe String(cString: sqlite3_errmsg(handle.pointer)) }
  }

  /// The largest number of values that a statement of this connection takes.
  ///
  /// - SeeAlso: <https://www.sqlite.org/limits.html#max_variable_number>
  public var maximumStatementArgumentCount: Int {
    checkAccess()
    return handle.ifPresent {
      unsafe Int(sqlite3_limit(handle.pointer, SQLITE_LIMIT_VARIABLE_NUMBER, -1))
    } ?? 0
  }

  /// The largest number of columns of a table, and of the rows of a statement, of this connection.
  ///
  /// - SeeAlso: <https://www.sqlite.org/limits.html#max_column>
  package var maximumColumnCount: Int {
    checkAccess()
    return handle.ifPresent {
      unsafe Int(sqlite3_limit(handle.pointer, SQLITE_LIMIT_COLUMN, -1))
    } ?? 0
  }

  /// Returns a number that each change of the main schema increments.
  ///
  /// - Returns: The number, which `VACUUM` increments too.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  /// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_schema_version>
  public func schemaVersion() throws -> Int32 {
    try Int32.fetchOne(self, sql: "PRAGMA main.schema_version") ?? 0
  }
}

extension Statement: CustomStringConvertible {
  /// The SQL.
  public var description: String { sql }

  /// Returns the position of the first column of a name, which is case-insensitive.
  ///
  /// - Parameter name: The name.
  /// - Returns: The position, from 0; `nil` if there is no such column.
  public func index(ofColumn name: String) -> Int? {
    let folded = name.foldedDatabaseIdentifier
    return columnNames.firstIndex { $0.foldedDatabaseIdentifier == folded }
  }
}

extension Row: CustomDebugStringConvertible {
  /// The row, and below it the rows of its scopes.
  public var debugDescription: String { lines().joined(separator: "\n") }

  private func lines() -> [String] {
    [description]
      + scopes.flatMap { name, row in
        let lines = row.lines()
        return ["- \(name): \(lines[0])"] + lines.dropFirst().map { "  " + $0 }
      }
  }
}

extension ForeignKeyViolation: CustomStringConvertible {
  /// The tables and the row.
  public var description: String {
    let row = originRowID.map { "the row with rowid \($0) of" } ?? "a row of"
    return "\(row) \(originTable) refers to a row that \(destinationTable) does not have"
  }
}

/// Returns a list of parameters for a statement.
///
/// - Parameter count: The number of parameters.
/// - Returns: `?,?,?` for 3.
public func databaseQuestionMarks(count: Int) -> String {
  repeatElement("?", count: count).joined(separator: ",")
}
