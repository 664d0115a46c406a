public import HoldfastSQLite

// Blocking writes under the names that GRDB has in addition.

extension DatabaseQueue {
  /// Reads and writes on the caller's thread without beginning a transaction.
  ///
  /// It is `writeWithoutTransaction` under a second name.
  ///
  /// - Parameter updates: Uses the connection, which is valid only during the closure.
  /// - Returns: The return value of `updates`.
  /// - Throws: `DatabaseError` as `writeWithoutTransaction` does; whatever `updates` throws.
  @available(
    *, noasync,
    message:
      "Write `try await writeWithoutTransaction { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func inDatabase<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try writeWithoutTransaction(updates)
  }

  /// Writes in a transaction whose outcome the closure returns, on the caller's thread.
  ///
  /// ```swift
  /// try queue.inTransaction { db in
  ///   try db.execute(sql: "DELETE FROM stop")
  ///   return db.changesCount > 100 ? .rollback : .commit
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - kind: The kind of the transaction; if `nil`, `Configuration.defaultTransactionKind`.
  ///   - updates: Writes through the connection, which is valid only during the closure, and returns
  ///     the outcome.
  /// - Throws: `DatabaseError` as `write` does; whatever `updates` throws, after a rollback.
  @available(
    *, noasync,
    message:
      "Write `try await writeWithoutTransaction { db in try db.inTransaction { … } }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func inTransaction(
    _ kind: Database.TransactionKind? = nil,
    _ updates: (Database) throws -> Database.TransactionCompletion
  ) throws {
    try writeWithoutTransaction { db in try db.inTransaction(kind) { try updates(db) } }
  }
}

extension DatabasePool {
  /// Writes in a transaction whose outcome the closure returns, on the caller's thread; see
  /// ``DatabaseQueue/inTransaction(_:_:)``.
  @available(
    *, noasync,
    message:
      "Write `try await writeWithoutTransaction { db in try db.inTransaction { … } }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func writeInTransaction(
    _ kind: Database.TransactionKind? = nil,
    _ updates: (Database) throws -> Database.TransactionCompletion
  ) throws {
    try writeWithoutTransaction { db in try db.inTransaction(kind) { try updates(db) } }
  }

  /// Reads what the calling write has committed so far, while that write continues.
  ///
  /// It is ``DatabaseWriter/spawnConcurrentRead(_:)`` under a second name.
  ///
  /// - Parameter value: Receives the connection, which is valid only during the closure and cannot
  ///   write, or the error for which there is none; called once.
  public func asyncConcurrentRead(
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    spawnConcurrentRead(value)
  }
}
