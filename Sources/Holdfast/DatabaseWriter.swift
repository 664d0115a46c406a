/// Writes a database, from any thread or task.
///
/// ``DatabaseQueue`` and ``DatabasePool`` conform.
public protocol DatabaseWriter: DatabaseReader {
  /// Writes in the caller's thread, which is blocked until the writer is free.
  ///
  /// The closure runs inside one transaction of the configuration's
  /// `Configuration.defaultTransactionKind`: when it throws, nothing is changed.
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
  @available(*, noasync, message: "Write `try await write { … }`, which blocks no thread.")
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

  /// Writes in the caller's thread without beginning a transaction.
  ///
  /// For statements that may not stand inside one, such as `VACUUM`. A transaction that the
  /// closure leaves open is rolled back and reported.
  ///
  /// - Parameter updates: Writes through the connection, which is valid in the closure only.
  /// - Returns: What `updates` returns.
  /// - Throws: `DatabaseError` with `SQLITE_MISUSE` when a transaction is left open and after
  ///   `close()`; what `updates` throws.
  @available(*, noasync)
  func writeWithoutTransaction<Value>(_ updates: (Database) throws -> Value) throws -> Value
}
