/// A type that writes to a database, on any thread or in any task.
///
/// ``DatabaseQueue`` and ``DatabasePool`` conform. Writes run one at a time, first in first out.
public protocol DatabaseWriter: DatabaseReader {
  // MARK: - Writing

  /// Writes on the caller's thread, which blocks until the writer is free.
  ///
  /// The closure runs in one transaction of the kind `Configuration.defaultTransactionKind`: when
  /// it throws, nothing is changed. When SQLite rolls the transaction back, as it does after some
  /// errors, or the closure does so itself, every later statement in the closure throws
  /// `SQLITE_ABORT`, and so does the write, even if the closure catches the errors.
  ///
  /// ```swift
  /// try queue.write { db in
  ///   try db.execute(sql: "DELETE FROM stop WHERE id = ?", arguments: [1])
  /// }
  /// ```
  ///
  /// - Parameter updates: Writes through the connection, which is valid only during the closure.
  /// - Returns: The return value of `updates`.
  /// - Throws: `DatabaseError` with `SQLITE_BUSY` when another process holds the write lock for
  ///   longer than `Configuration.busyMode` allows, with `SQLITE_MISUSE` after `close()`; whatever
  ///   `updates` throws.
  @available(
    *, noasync,
    message:
      "Write `try await write { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  func write<Value>(_ updates: (Database) throws -> Value) throws -> Value

  /// Writes while the task is suspended; no thread of Swift's tasks is blocked.
  ///
  /// The closure runs in one transaction: when it throws, or the task is cancelled before the
  /// commit, nothing is changed.
  ///
  /// - Parameter updates: Writes through the connection, which is valid only during the closure.
  /// - Returns: The return value of `updates`.
  /// - Throws: `CancellationError` when the task is cancelled before the commit;
  ///   `DatabaseError` as the blocking form does; whatever `updates` throws.
  func write<Value>(
    _ updates: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value

  /// Schedules a write in one transaction and returns immediately.
  ///
  /// - Parameters:
  ///   - updates: Writes through the connection; runs on one of the database's own dispatch queues.
  ///   - completion: Receives the outcome of the transaction, before the next write begins, and the
  ///     connection outside any transaction. After `close()` the connection is one to an empty
  ///     database, and the outcome is a failure.
  func asyncWrite<Value>(
    _ updates: @escaping @Sendable (Database) throws -> Value,
    completion: @escaping @Sendable (Database, Result<Value, any Error>) -> Void)

  // MARK: - Writing without a transaction

  /// Writes on the caller's thread without beginning a transaction.
  ///
  /// For statements that are not allowed inside a transaction, such as `VACUUM`. A transaction that
  /// the closure leaves open is rolled back and reported.
  ///
  /// - Parameter updates: Writes through the connection, which is valid only during the closure.
  /// - Returns: The return value of `updates`.
  /// - Throws: `DatabaseError` with `SQLITE_MISUSE` when a transaction is left open and after
  ///   `close()`; whatever `updates` throws.
  @available(
    *, noasync,
    message:
      "Write `try await writeWithoutTransaction { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  func writeWithoutTransaction<Value>(_ updates: (Database) throws -> Value) throws -> Value

  /// Writes without beginning a transaction while the task is suspended.
  ///
  /// A transaction that the closure leaves open is rolled back and reported. When the task is
  /// cancelled, earlier commits remain.
  ///
  /// - Parameter updates: Writes through the connection, which is valid only during the closure.
  /// - Returns: The return value of `updates`.
  /// - Throws: `CancellationError` when the task is cancelled before the closure has ended;
  ///   `DatabaseError` as the blocking form does; whatever `updates` throws.
  func writeWithoutTransaction<Value>(
    _ updates: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value

  /// Schedules a write without beginning a transaction and returns immediately.
  ///
  /// - Parameter updates: Writes through the connection, on one of the database's own dispatch
  ///   queues. A transaction that it leaves open is rolled back. After `close()` it is not called.
  func asyncWriteWithoutTransaction(_ updates: @escaping @Sendable (Database) -> Void)

  // MARK: - Writing alone

  /// Writes on the caller's thread while no read runs.
  ///
  /// The method waits until earlier writes and all reads have ended, and makes new ones wait until
  /// the closure returns. Snapshots and other processes continue.
  ///
  /// - Parameter updates: Writes through the connection, which is valid only during the closure.
  /// - Returns: The return value of `updates`.
  /// - Throws: `DatabaseError` as `writeWithoutTransaction` does; whatever `updates` throws.
  @available(
    *, noasync,
    message:
      "Write `try await barrierWriteWithoutTransaction { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  func barrierWriteWithoutTransaction<Value>(_ updates: (Database) throws -> Value) throws -> Value

  /// Writes while no read runs and the task is suspended.
  ///
  /// The method waits until earlier writes and all reads have ended, and makes new ones wait until
  /// the closure returns.
  ///
  /// - Parameter updates: Writes through the connection, which is valid only during the closure.
  /// - Returns: The return value of `updates`.
  /// - Throws: `CancellationError` when the task is cancelled before the closure has ended;
  ///   `DatabaseError` as the blocking form does; whatever `updates` throws.
  func barrierWriteWithoutTransaction<Value>(
    _ updates: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value

  /// Schedules a write during which no read runs and returns immediately.
  ///
  /// A transaction that the closure leaves open is rolled back.
  ///
  /// - Parameter updates: Receives the connection, which is valid only during the closure, or the
  ///   error for which there is none; called once.
  func asyncBarrierWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void)

  // MARK: - Inside other accesses

  /// Writes on the caller's thread, which may already be inside a write to this database.
  ///
  /// Inside a write the closure receives that write's connection. Use it only in code whose callers
  /// are not known: two threads that wait for each other's connections wait forever.
  ///
  /// - Parameter updates: Writes through the connection, which is valid only during the closure.
  /// - Returns: The return value of `updates`.
  /// - Throws: `DatabaseError` as `writeWithoutTransaction` does; whatever `updates` throws.
  func unsafeReentrantWrite<Value>(_ updates: (Database) throws -> Value) throws -> Value

  /// Reads what the calling write has committed so far, while that write continues.
  ///
  /// Call it inside `writeWithoutTransaction`, outside any transaction; elsewhere it is a
  /// programming error that traps. It returns as soon as the state is fixed. Without readers, as in
  /// a ``DatabaseQueue``, the closure is called before it returns.
  ///
  /// ```swift
  /// try pool.writeWithoutTransaction { db in
  ///   try db.execute(sql: "DELETE FROM player")
  ///   pool.spawnConcurrentRead { result in
  ///     // It finds no player, however soon the next line runs.
  ///   }
  ///   try db.execute(sql: "INSERT INTO player DEFAULT VALUES")
  /// }
  /// ```
  ///
  /// - Parameter value: Receives the connection, which is valid only during the closure and cannot
  ///   write, or the error for which there is none; called once.
  func spawnConcurrentRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)
}

extension DatabaseWriter {
  /// Reads what the calling write has committed so far, and returns a future of the value.
  ///
  /// The rules are the same as for ``spawnConcurrentRead(_:)``.
  ///
  /// - Parameter value: Reads through the connection, which is valid only during the closure.
  /// - Returns: The future value; wait for it where this does not delay the writer.
  public func concurrentRead<Value>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) -> DatabaseFuture<Value> {
    let future = DatabaseFuture<Value>()
    spawnConcurrentRead { database in
      future.resolve(Result { try value(database.get()) })
    }
    return future
  }
}
