#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

extension Database {
  /// Whether a transaction is open.
  public var isInsideTransaction: Bool {
    checkAccess()
    return handle.hasOpenTransaction
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/changes.html>
  public var changesCount: Int {
    checkAccess()
    return handle.ifPresent { unsafe Int(sqlite3_changes(handle.pointer)) } ?? 0
  }

  /// The number of rows changed since the connection was opened.
  public var totalChangesCount: Int {
    checkAccess()
    return handle.ifPresent { unsafe Int(sqlite3_total_changes(handle.pointer)) } ?? 0
  }

  /// The rowid of the last inserted row; 0 before the first insertion.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/last_insert_rowid.html>
  public var lastInsertedRowID: Int64 {
    checkAccess()
    return handle.ifPresent { unsafe sqlite3_last_insert_rowid(handle.pointer) } ?? 0
  }

  /// Runs a closure while SQLite takes a name in double quotes that is no column for a text, as most builds of it do.
  ///
  /// Views that apps have made may need it. Where the SQL has names in double quotes itself, it does not, because a
  /// mistyped one would become a text.
  ///
  /// - Parameters:
  ///   - sql: The statement that the closure runs.
  ///   - body: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: Whatever the closure throws.
  package func acceptingDoubleQuotedTexts<Value>(
    besides sql: String, _ body: () throws -> Value
  ) rethrows -> Value {
    guard !SQLTokens(sql).contains(where: { $0.first == "\"" }) else { return try body() }
    set(SQLITE_DBCONFIG_DQS_DML, true)
    defer { set(SQLITE_DBCONFIG_DQS_DML, configuration.acceptsDoubleQuotedStringLiterals) }
    return try body()
  }
}
