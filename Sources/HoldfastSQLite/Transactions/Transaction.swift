extension Database {
  /// The kind of a transaction: when it takes its locks.
  ///
  /// - SeeAlso: <https://www.sqlite.org/lang_transaction.html>
  public enum TransactionKind: String, Sendable {
    /// Takes a read lock at the first read and a write lock at the first write.
    case deferred = "DEFERRED"
    /// Takes the write lock at once.
    case immediate = "IMMEDIATE"
    /// Takes the write lock at once and, outside of WAL mode, blocks readers.
    case exclusive = "EXCLUSIVE"

    fileprivate var beginning: TransactionStatements.Step {
      switch self {
      case .deferred: .beginDeferred
      case .immediate: .beginImmediate
      case .exclusive: .beginExclusive
      }
    }
  }

  /// The outcome of a transaction.
  public enum TransactionCompletion: Sendable {
    /// Its changes are committed.
    case commit
    /// Its changes are rolled back.
    case rollback
  }

  /// Begins a transaction.
  ///
  /// - Parameter kind: The kind. If `nil`, ``Configuration/defaultTransactionKind``, or `.deferred`
  ///   in an access that only reads, which takes no write lock.
  /// - Throws: ``DatabaseError`` with `SQLITE_BUSY` when another connection holds a lock, with
  ///   `SQLITE_ABORT` in a closure whose own transaction was rolled back.
  public func beginTransaction(_ kind: TransactionKind? = nil) throws {
    try perform((kind ?? usualTransactionKind).beginning)
  }

  /// Commits the transaction.
  ///
  /// - Throws: ``DatabaseError`` with SQLite's code; after `SQLITE_BUSY` the transaction is still
  ///   open, and the commit can be tried again. `SQLITE_ABORT` when SQLite has rolled the
  ///   transaction back, `SQLITE_MISUSE` inside a closure that commits when it returns, such as the
  ///   argument of `write`.
  public func commit() throws {
    try perform(.commit)
  }

  /// Rolls the transaction back, unless SQLite has already done so after an error.
  ///
  /// Inside a closure that commits when it returns, such as the argument of `write`, every later
  /// statement fails with `SQLITE_ABORT`, and so does the commit.
  ///
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func rollback() throws {
    try undo { try perform(.rollback) }
    unsafe expectedTransaction.acknowledgeRollback(isOpen: isTransactionOpen)
  }

  private func undo(_ rollback: () throws -> Void) throws {
    // "If the transaction has already been rolled back automatically by the error response, then
    // the ROLLBACK command will fail with an error": https://www.sqlite.org/lang_transaction.html
    guard isInsideTransaction else { return }
    do {
      try undoing(rollback)
    } catch {
      // An interruption lasts while any statement is active, and affects the rollback too.
      resetActiveStatements()
      handle.resetStatementsOfVirtualTables()
      // Out of memory, SQLite rolls the whole transaction back, and the savepoints with it.
      guard isInsideTransaction else { throw error }
      do {
        try undoing(rollback)
      } catch {
        hasPendingRollback = true
        throw error
      }
    }
  }

  /// The error for a transaction that was lost before its commit.
  private var transactionLost: DatabaseError {
    handle.isClaimed ? .transactionAborted(path: path) : .transactionLost(path: path)
  }

  /// Rolls back after an error; a failure of the rollback is ignored, not to hide that error.
  private func rollBackIgnoringErrors(_ rollback: () throws -> Void) {
    do { try undo(rollback) } catch _ {}
  }

  /// Performs a rollback that failed in an earlier access for lack of memory.
  func performPendingRollback() throws {
    guard hasPendingRollback else { return }
    try rollback()
    hasPendingRollback = false
  }

  /// Runs the closure inside a transaction.
  ///
  /// If the closure throws or returns `.rollback`, or the commit fails, nothing is changed.
  ///
  /// ```swift
  /// try db.inTransaction {
  ///   try db.execute(sql: "DELETE FROM stop")
  ///   return .commit
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - kind: The kind of the transaction, as in ``beginTransaction(_:)``.
  ///   - operations: The work; it returns the outcome of the transaction.
  /// - Throws: ``DatabaseError`` with `SQLITE_BUSY` when another connection holds a lock, with
  ///   `SQLITE_ABORT` when the transaction ended before its commit, mostly because SQLite rolled it
  ///   back after an error that the closure caught; whatever `operations` throws. After such an
  ///   error every later statement in `operations` throws `SQLITE_ABORT` too.
  public func inTransaction(
    _ kind: TransactionKind? = nil, _ operations: () throws -> TransactionCompletion
  ) throws {
    try beginTransaction(kind)
    try completing(
      {
        var isGone = false
        let completion = try owningTransaction(&isGone, operations)
        if isGone && completion == .commit { throw transactionLost }
        return completion
      }, commit: { try perform(.commit) }, rollback: { try perform(.rollback) })
  }

  /// Runs the closure inside a transaction, which is committed when it returns.
  package func transaction<Value>(
    _ kind: TransactionKind?, _ body: (Database) throws -> Value
  ) throws -> Value {
    try beginTransaction(kind)
    return try committing(body)
  }

  /// Runs the closure inside a transaction that sees the current committed state.
  package func snapshot<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try beginSnapshot()
    return try committing(body) { error in
      // The closure has its answer, whether or not the access was cancelled after it; one that ignores
      // the error of a cancelled statement answers for that itself.
      guard error.resultCode == .SQLITE_INTERRUPT else { throw error }
      rollBackIgnoringErrors { try perform(.rollback) }
    }
  }

  /// Begins a transaction that sees the current committed state.
  ///
  /// A deferred transaction has its snapshot from its first read on, so it reads at once. Otherwise
  /// it would see commits between its beginning and its first statement.
  package func beginSnapshot() throws {
    try perform(.beginDeferred)
    do {
      try perform(.read)
    } catch {
      rollBackIgnoringErrors { try perform(.rollback) }
      throw error
    }
  }

  private func committing<Value>(
    _ body: (Database) throws -> Value,
    whenRefused refused: (DatabaseError) throws -> Void = { throw $0 }
  ) throws -> Value {
    do {
      var isGone = false
      let value = try owningTransaction(&isGone) { try body(self) }
      // An unfinished cursor would prevent the commit.
      resetActiveStatements()
      guard !isGone, isInsideTransaction else { throw transactionLost }
      do {
        try perform(.commit)
      } catch let error as DatabaseError {
        try refused(error)
      }
      return value
    } catch {
      resetActiveStatements()
      rollBackIgnoringErrors { try perform(.rollback) }
      throw error
    }
  }

  /// Runs the closure while writing on the connection is forbidden.
  ///
  /// ```swift
  /// try queue.write { db in
  ///   let report = try db.readOnly { try makeReport(db) }
  /// }
  /// ```
  ///
  /// - Parameter body: The work; a statement in it that would change the database throws.
  /// - Returns: The result of `body`.
  /// - Throws: ``DatabaseError`` with `SQLITE_READONLY` when the closure tries to write; whatever
  ///   `body` throws.
  public func readOnly<Value>(_ body: () throws -> Value) throws -> Value {
    checkAccess()
    return try whileReadOnly(true, body)
  }

  /// Runs the closure inside a savepoint, which is a nested transaction.
  ///
  /// Outside of a transaction it begins one, as ``beginTransaction(_:)`` does.
  ///
  /// - Parameter operations: The work; it returns the outcome of the savepoint.
  /// - Throws: ``DatabaseError`` as ``inTransaction(_:_:)`` does; whatever `operations` throws.
  /// - SeeAlso: <https://www.sqlite.org/lang_savepoint.html>
  public func inSavepoint(_ operations: () throws -> TransactionCompletion) throws {
    // Part of a lost transaction, so it must not begin a new one.
    if isTransactionGone { throw transactionLost }
    guard isInsideTransaction else {
      return try inTransaction(nil, operations)
    }
    try execute(sql: "SAVEPOINT holdfast")
    try completing(
      operations, commit: { try execute(sql: "RELEASE SAVEPOINT holdfast") },
      rollback: {
        try execute(sql: "ROLLBACK TRANSACTION TO SAVEPOINT holdfast")
        // ROLLBACK TO leaves the savepoint on the stack.
        try execute(sql: "RELEASE SAVEPOINT holdfast")
      })
  }

  private func completing(
    _ operations: () throws -> TransactionCompletion, commit: () throws -> Void,
    rollback: () throws -> Void
  ) throws {
    let completion: TransactionCompletion
    do {
      completion = try operations()
      if completion == .commit {
        guard isInsideTransaction, !isTransactionGone else { throw transactionLost }
        try commit()
      }
    } catch {
      rollBackIgnoringErrors(rollback)
      throw error
    }
    if completion == .rollback {
      try undo(rollback)
    }
  }
}
