#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

extension Database {
  /// Throws the error of a commit now, if foreign keys are violated whose checks are deferred to it.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CONSTRAINT_FOREIGNKEY`, or when the database was suspended.
  package func checkDeferredForeignKeys() throws {
    checkAccess()
    // "Zero if and only if all foreign key constraints (deferred or immediate) have been resolved":
    // https://www.sqlite.org/c3ref/c_dbstatus_options.html
    var (count, highest): (CInt, CInt) = (0, 0)
    let code = try handle.inside {
      unsafe sqlite3_db_status(
        handle.pointer, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0)
    }
    guard code == SQLITE_OK, count != 0 else { return }
    throw DatabaseError.deferredForeignKey(path: path)
  }
}
