/// Writes a database, from any thread or task.
///
/// ``DatabaseQueue`` and ``DatabasePool`` conform. Writes come one after the other, in the order in
/// which they were asked for.
public protocol DatabaseWriter: DatabaseReader {
  // MARK: - Writing

  /// Writes in the caller's thread, which is blocked until the writer is free.
  ///
  /// The closure runs inside one transaction of the configuration's
  /// `Configuration.defaultTransactionKind`: when it throws, nothing is changed. When SQLite rolls
  /// the transaction back, as it does after some errors, or the closure does so itself, every later
  /// statement in the closure throws `SQLITE_ABORT`, and so does the write, even if the closure
  /// catches the errors.
  ///
  /// ```swift
  /// try queue.write { db in
  ///   try db.execute(sql: "DELETE FROM stop WHERE id = ?", arguments: [1])
  /// }
  /// ```
  ///
  /// - Parameter updates: Writes through the connection, which is valid in the closure only.
  /// - Returns: What `updates` returns.
  /// - Throws: `DatabaseError` with `SQLITE_BUSY` when another process holds the write lock for
  ///   longer than `Configuration.busyMode` allows, with `SQLITE_MISUSE` after `close()`; what
  ///   `updates` throws.
  @available(
    *, noasync,
    message:
      "Write `try await write { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  func write<Value>(_ updates: (Database) throws -> Value) throws -> Value

  /// Writes while the task is suspended; no thread of Swift's tasks is blocked.
  ///
  /// The closure runs inside one transaction: when it throws, or the task is cancelled before the
  /// commit, nothing is changed.
  ///
  /// - Parameter updates: Writes through the connection, which is valid in the closure only.
  /// - Returns: What `updates` returns.
  /// - Throws: `CancellationError` when the task is cancelled before the commit;
  ///   `DatabaseError` as the blocking form does; what `updates` throws.
  func write<Value>(
    _ updates: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value

  /// Writes in one transaction when it is its turn; returns at once.
  ///
  /// - Parameters:
  ///   - updates: Writes through the connection; runs on a queue of the database's own.
  ///   - completion: Gets what became of the transaction, before the next write begins, and the
  ///     connection outside of any transaction. After `close()` the connection is one to an empty
  ///     database, and the result a failure.
  func asyncWrite<Value>(
    _ updates: @escaping @Sendable (Database) throws -> Value,
    completion: @escaping @Sendable (Database, Result<Value, any Error>) -> Void)

  // MARK: - Writing without a transaction

  /// Writes in the caller's thread without beginning a transaction.
  ///
  /// For statements that may not stand inside one, such as `VACUUM`. A transaction that the
  /// closure leaves open is rolled back and reported.
  ///
  /// - Parameter updates: Writes through the connection, which is valid in the closure only.
  /// - Returns: What `updates` returns.
  /// - Throws: `DatabaseError` with `SQLITE_MISUSE` when a transaction is left open and after
  ///   `close()`; what `updates` throws.
  @available(
    *, noasync,
    message:
      "Write `try await writeWithoutTransaction { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  func writeWithoutTransaction<Value>(_ updates: (Database) throws -> Value) throws -> Value

  /// Writes without beginning a transaction, while the task is suspended.
  ///
  /// A transaction that the closure leaves open is rolled back and reported. When the task is
  /// cancelled, what was committed before stays.
  ///
  /// - Parameter updates: Writes through the connection, which is valid in the closure only.
  /// - Returns: What `updates` returns.
  /// - Throws: `CancellationError` when the task is cancelled before the closure is done;
  ///   `DatabaseError` as the blocking form does; what `updates` throws.
  func writeWithoutTransaction<Value>(
    _ updates: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value

  /// Writes without beginning a transaction when it is its turn; returns at once.
  ///
  /// - Parameter updates: Writes through the connection, on a queue of the database's own. A
  ///   transaction that it leaves open is rolled back. After `close()` it is not called.
  func asyncWriteWithoutTransaction(_ updates: @escaping @Sendable (Database) -> Void)

  // MARK: - Writing alone

  /// Writes in the caller's thread while nobody reads.
  ///
  /// It waits until the writes before it and all reads have ended, and keeps new ones waiting until
  /// the closure returns. Snapshots and other processes go on.
  ///
  /// - Parameter updates: Writes through the connection, which is valid in the closure only.
  /// - Returns: What `updates` returns.
  /// - Throws: `DatabaseError` as `writeWithoutTransaction` does; what `updates` throws.
  @available(
    *, noasync,
    message:
      "Write `try await barrierWriteWithoutTransaction { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  func barrierWriteWithoutTransaction<Value>(_ updates: (Database) throws -> Value) throws -> Value

  /// Writes while nobody reads, and while the task is suspended.
  ///
  /// It waits until the writes before it and all reads have ended, and keeps new ones waiting until
  /// the closure returns.
  ///
  /// - Parameter updates: Writes through the connection, which is valid in the closure only.
  /// - Returns: What `updates` returns.
  /// - Throws: `CancellationError` when the task is cancelled before the closure is done;
  ///   `DatabaseError` as the blocking form does; what `updates` throws.
  func barrierWriteWithoutTransaction<Value>(
    _ updates: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value

  /// Writes while nobody reads, when it is its turn; returns at once.
  ///
  /// A transaction that the closure leaves open is rolled back.
  ///
  /// - Parameter updates: Gets the connection, which is valid in the closure only, or the error
  ///   that kept it away; called once.
  func asyncBarrierWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void)

  // MARK: - Inside of other accesses

  /// Writes in the caller's thread, which may already be inside of a write to this database.
  ///
  /// Inside of a write the closure gets that write's connection. It exists for code whose callers
  /// are not known: where two threads wait for each other's connections, both wait for ever.
  ///
  /// - Parameter updates: Writes through the connection, which is valid in the closure only.
  /// - Returns: What `updates` returns.
  /// - Throws: `DatabaseError` as `writeWithoutTransaction` does; what `updates` throws.
  func unsafeReentrantWrite<Value>(_ updates: (Database) throws -> Value) throws -> Value

  /// Reads what the write that calls has committed so far, while that write goes on.
  ///
  /// It is called inside of `writeWithoutTransaction`, outside of any transaction; elsewhere it is a
  /// mistake that ends the process. It returns as soon as the state is fixed. Without readers, as
  /// in a ``DatabaseQueue``, the closure is called before it returns.
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
  /// - Parameter value: Gets the connection, which is valid in the closure only and cannot write,
  ///   or the error that kept it away; called once.
  func spawnConcurrentRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)
}

extension DatabaseWriter {
  /// Reads what the write that calls has committed so far, and hands the value over later.
  ///
  /// The rules are those of ``spawnConcurrentRead(_:)``.
  ///
  /// - Parameter value: Reads through the connection, which is valid in the closure only.
  /// - Returns: What is to come; wait for it where the writer is not kept waiting.
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
