#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

// SQLite tells which version the schema has, and not which one it had when the open transaction began.

extension Database {
  /// The version of the main database's schema before the open transaction changed it.
  ///
  /// `nil` when the transaction has not changed it, and when a deferred transaction began with that
  /// change: to ask then would have made it a reader first, which a writer that is faster keeps from
  /// writing.
  package var schemaVersionBeforeChanges: Int64? {
    isTransactionOpen ? earlierSchemaVersion : nil
  }

  /// Notes that a transaction may begin.
  func forgetEarlierSchemaVersion() {
    if earlierSchemaVersion != nil && !isTransactionOpen { earlierSchemaVersion = nil }
  }

  /// Notes that a statement is about to run that may change the schema.
  func noteEarlierSchemaVersion() {
    guard isTransactionOpen, earlierSchemaVersion == nil else { return }
    withoutAuthorizer {
      guard unsafe sqlite3_txn_state(handle.pointer, "main") != SQLITE_TXN_NONE else { return }
      var statement: OpaquePointer?
      _ = unsafe sqlite3_prepare_v3(
        handle.pointer, "PRAGMA main.schema_version", -1, 0, &statement, nil)
      if unsafe sqlite3_step(statement) == SQLITE_ROW {
        earlierSchemaVersion = unsafe sqlite3_column_int64(statement, 0)
      }
      _ = unsafe sqlite3_finalize(statement)
    }
  }
}
