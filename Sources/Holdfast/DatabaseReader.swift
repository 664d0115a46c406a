/// Reads a database, from any thread or task.
///
/// ``DatabaseQueue`` and ``DatabasePool`` conform.
public protocol DatabaseReader: AnyObject, Sendable {
  /// What was decided before the database was opened.
  var configuration: Configuration { get }

  /// The path of the file as it was given, `nil` in memory.
  var path: String? { get }

  /// Reads in the caller's thread, which is blocked until a connection is free.
  ///
  /// The closure sees one committed state of the database, whatever is written meanwhile, and
  /// cannot write.
  ///
  /// ```swift
  /// let count = try queue.read { db in
  ///   try Int.fetchOne(db, sql: "SELECT count(*) FROM stops") ?? 0
  /// }
  /// ```
  ///
  /// - Parameter value: Reads through the connection, which is valid in the closure only.
  /// - Returns: What `value` returns.
  /// - Throws: `DatabaseError` with `SQLITE_READONLY` when the closure tries to write, with
  ///   `SQLITE_MISUSE` after ``close()``; what `value` throws.
  @available(*, noasync, message: "Write `try await read { … }`, which blocks no thread.")
  func read<Value>(_ value: (Database) throws -> Value) throws -> Value

  /// Reads while the task is suspended; no thread of Swift's tasks is blocked.
  ///
  /// The closure sees one committed state of the database, whatever is written meanwhile, and
  /// cannot write.
  ///
  /// - Parameter value: Reads through the connection, which is valid in the closure only.
  /// - Returns: What `value` returns.
  /// - Throws: `CancellationError` when the task is cancelled before the closure is done;
  ///   `DatabaseError` as the blocking form does; what `value` throws.
  func read<Value>(
    _ value: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value

  /// Closes the connections.
  ///
  /// Accesses that run go on to their end and the connection of each is closed then; those that
  /// wait and all later ones fail with `SQLITE_MISUSE`.
  func close()
}
