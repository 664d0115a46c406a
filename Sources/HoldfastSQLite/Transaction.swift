extension Database {
  /// When a transaction takes its locks.
  ///
  /// - SeeAlso: <https://www.sqlite.org/lang_transaction.html>
  public enum TransactionKind: String, Sendable {
    /// Takes a read lock at the first read and a write lock at the first write.
    case deferred = "DEFERRED"
    /// Takes the write lock at once.
    case immediate = "IMMEDIATE"
    /// Takes the write lock at once and, outside of WAL mode, keeps readers out.
    case exclusive = "EXCLUSIVE"

    // Whole texts, which are the same bytes each time and need not be put together.
    fileprivate var beginning: String {
      switch self {
      case .deferred: "BEGIN DEFERRED TRANSACTION"
      case .immediate: "BEGIN IMMEDIATE TRANSACTION"
      case .exclusive: "BEGIN EXCLUSIVE TRANSACTION"
      }
    }
  }

  /// How a transaction ends.
  public enum TransactionCompletion: Sendable {
    /// Its changes stay.
    case commit
    /// Its changes are undone.
    case rollback
  }

  /// Begins a transaction.
  ///
  /// - Parameter kind: When locks are taken; ``Configuration/defaultTransactionKind`` when `nil`.
  /// - Throws: ``DatabaseError`` with `SQLITE_BUSY` when another connection is in the way.
  public func beginTransaction(_ kind: TransactionKind? = nil) throws {
    try execute(sql: (kind ?? configuration.defaultTransactionKind).beginning)
  }

  /// Commits the transaction.
  ///
  /// - Throws: ``DatabaseError`` when SQLite refuses; after `SQLITE_BUSY` the transaction is still
  ///   open and may be committed again.
  public func commit() throws {
    try execute(sql: "COMMIT TRANSACTION")
  }

  /// Rolls the transaction back, if SQLite did not do so already after an error.
  ///
  /// - Throws: ``DatabaseError`` with the code SQLite gave.
  public func rollback() throws {
    try undo(["ROLLBACK TRANSACTION"])
  }

  private func undo(_ statements: [String]) throws {
    // "If the transaction has already been rolled back automatically by the error response, then
    // the ROLLBACK command will fail with an error": https://www.sqlite.org/lang_transaction.html
    guard isInsideTransaction else { return }
    do {
      try undoing { try statements.forEach { try execute(sql: $0) } }
    } catch {
      // An interruption lasts while any statement is giving rows, and hits these here too.
      giveUpRows()
      // Without memory SQLite takes the whole transaction back, and the savepoints with it.
      guard isInsideTransaction else { throw error }
      do {
        try undoing { try statements.forEach { try execute(sql: $0) } }
      } catch {
        owesRollback = true
        throw error
      }
    }
  }

  /// Rolls back what an earlier access could not, because it had no memory left even for that.
  func rollBackWhatIsOwed() throws {
    guard owesRollback else { return }
    try rollback()
    owesRollback = false
  }

  /// Runs the closure inside a transaction.
  ///
  /// When the closure throws, or returns `.rollback`, or the commit fails, nothing is changed.
  ///
  /// ```swift
  /// try db.inTransaction {
  ///   try db.execute(sql: "DELETE FROM stop")
  ///   return .commit
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - kind: When locks are taken; ``Configuration/defaultTransactionKind`` when `nil`.
  ///   - operations: The work; it says how the transaction ends.
  /// - Throws: ``DatabaseError`` with `SQLITE_BUSY` when another connection is in the way, with
  ///   `SQLITE_ABORT` when the transaction had ended before its commit, mostly because SQLite rolled
  ///   it back after an error that the closure caught; what `operations` throws.
  public func inTransaction(
    _ kind: TransactionKind? = nil, _ operations: () throws -> TransactionCompletion
  ) throws {
    try transaction(kind) { (try operations(), ()) }
  }

  /// Runs the closure inside a transaction and returns its value.
  package func transaction<Value>(
    _ kind: TransactionKind?, _ operations: () throws -> (TransactionCompletion, Value)
  ) throws -> Value {
    try beginTransaction(kind)
    return try completing(
      operations, commit: "COMMIT TRANSACTION", rollback: ["ROLLBACK TRANSACTION"])
  }

  /// Runs the closure while the connection refuses to write.
  ///
  /// ```swift
  /// try queue.write { db in
  ///   let report = try db.readOnly { try makeReport(db) }
  /// }
  /// ```
  ///
  /// - Parameter body: The work; a statement in it that would change the database throws.
  /// - Returns: What `body` returns.
  /// - Throws: ``DatabaseError`` with `SQLITE_READONLY` when the closure tries to write; what `body`
  ///   throws.
  public func readOnly<Value>(_ body: () throws -> Value) throws -> Value {
    checkAccess()
    return try whileReadOnly(true, body)
  }

  /// Runs the closure inside a savepoint: a transaction that may stand inside another one.
  ///
  /// Outside of a transaction it begins one of ``Configuration/defaultTransactionKind``.
  ///
  /// - Parameter operations: The work; it says how the savepoint ends.
  /// - Throws: ``DatabaseError`` as ``inTransaction(_:_:)`` does; what `operations` throws.
  /// - SeeAlso: <https://www.sqlite.org/lang_savepoint.html>
  public func inSavepoint(_ operations: () throws -> TransactionCompletion) throws {
    guard isInsideTransaction else {
      return try inTransaction(nil, operations)
    }
    try execute(sql: "SAVEPOINT holdfast")
    // ROLLBACK TO leaves the savepoint on the stack: a RELEASE must follow it.
    try completing(
      { (try operations(), ()) }, commit: "RELEASE SAVEPOINT holdfast",
      rollback: ["ROLLBACK TRANSACTION TO SAVEPOINT holdfast", "RELEASE SAVEPOINT holdfast"])
  }

  private func completing<Value>(
    _ operations: () throws -> (TransactionCompletion, Value), commit: String, rollback: [String]
  ) throws -> Value {
    let completion: TransactionCompletion
    let value: Value
    do {
      (completion, value) = try operations()
      if completion == .commit {
        guard isInsideTransaction else {
          throw handle.isClaimed
            ? DatabaseError.transactionAborted(path: path) : .transactionLost(path: path)
        }
        try execute(sql: commit)
      }
    } catch {
      // The first error says what went wrong; one that rolling back adds would hide it.
      do { try undo(rollback) } catch _ {}
      throw error
    }
    if completion == .rollback {
      try undo(rollback)
    }
    return value
  }
}
