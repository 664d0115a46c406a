#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

// Operations on a whole database, outside of any transaction.

extension Database {
  /// Removes all content: tables, indexes, views, triggers, rows and the header's numbers.
  ///
  /// It also makes a database usable again that is too damaged to be read. The journal mode stays.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_BUSY` when another connection holds a lock, with
  ///   `SQLITE_ERROR` inside a transaction.
  /// - SeeAlso: <https://www.sqlite.org/c3ref/c_dbconfig_defensive.html>
  package func erase() throws {
    set(SQLITE_DBCONFIG_RESET_DATABASE, true)
    defer { set(SQLITE_DBCONFIG_RESET_DATABASE, false) }
    try execute(sql: "VACUUM")
  }

  /// Writes a compact copy of the database into a new file.
  ///
  /// A read-only access may do so, because its own database does not change.
  ///
  /// - Parameter path: The path of a file that does not exist, or is empty.
  /// - Throws: ``DatabaseError`` with `SQLITE_ERROR` when the file exists, or inside a transaction.
  /// - SeeAlso: <https://www.sqlite.org/lang_vacuum.html#vacuuminto>
  package func vacuum(into path: String) throws {
    try whileReadOnly(false) {
      try execute(sql: "VACUUM INTO ?", arguments: [path])
    }
  }
}
