/// A type that reads a database, on any thread or in any task.
///
/// ``DatabaseQueue``, ``DatabasePool`` and ``DatabaseSnapshot`` conform. There are three kinds of
/// access, which wait in one queue, first in first out: a blocking call blocks the caller's thread,
/// an awaited call suspends the task, and an `async…` method returns immediately and calls back.
public protocol DatabaseReader: AnyObject, Sendable {
  /// The configuration with which the database was opened.
  var configuration: Configuration { get }

  /// The path of the file, as passed to the initializer; `nil` in memory.
  ///
  /// A relative path is returned as such. It was resolved when the database was opened; later
  /// changes of the current folder have no effect.
  var path: String? { get }

  // MARK: - Reading

  /// Reads on the caller's thread, which blocks until a connection is free.
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
  /// - Parameter value: Reads through the connection, which is valid only during the closure.
  /// - Returns: The return value of `value`.
  /// - Throws: `DatabaseError` with `SQLITE_READONLY` when the closure tries to write, with
  ///   `SQLITE_MISUSE` after ``close()``; whatever `value` throws.
  @available(
    *, noasync,
    message:
      "Write `try await read { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  func read<Value>(_ value: (Database) throws -> Value) throws -> Value

  /// Reads while the task is suspended; no thread of Swift's tasks is blocked.
  ///
  /// The closure sees one committed state of the database, whatever is written meanwhile, and
  /// cannot write.
  ///
  /// - Parameter value: Reads through the connection, which is valid only during the closure.
  /// - Returns: The return value of `value`.
  /// - Throws: `CancellationError` when the task is cancelled before the closure has read everything;
  ///   `DatabaseError` as the blocking form does; whatever `value` throws.
  func read<Value>(
    _ value: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value

  /// Schedules a read and returns immediately.
  ///
  /// The closure sees one committed state of the database and cannot write. It runs on one of the
  /// database's own dispatch queues.
  ///
  /// - Parameter value: Receives the connection, which is valid only during the closure, or the
  ///   error for which there is none; called once.
  func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)

  // MARK: - Reading without isolation

  /// Reads on the caller's thread without a transaction.
  ///
  /// The closure cannot write, but two statements in it may see two states of the database. Use it
  /// for statements that are not allowed inside a transaction.
  ///
  /// - Parameter value: Reads through the connection, which is valid only during the closure.
  /// - Returns: The return value of `value`.
  /// - Throws: `DatabaseError` as `read` does, and with `SQLITE_MISUSE` when a transaction is
  ///   left open; whatever `value` throws.
  @available(
    *, noasync,
    message:
      "Write `try await unsafeRead { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  func unsafeRead<Value>(_ value: (Database) throws -> Value) throws -> Value

  /// Reads without a transaction while the task is suspended.
  ///
  /// The closure cannot write, but two statements in it may see two states of the database.
  ///
  /// - Parameter value: Reads through the connection, which is valid only during the closure.
  /// - Returns: The return value of `value`.
  /// - Throws: `CancellationError` when the task is cancelled before the closure has read everything;
  ///   `DatabaseError` as the blocking form does; whatever `value` throws.
  func unsafeRead<Value>(
    _ value: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value

  /// Reads on the caller's thread, which may already be inside an access to this database.
  ///
  /// Inside a read or a write the closure receives the connection of that access, and sees what the access
  /// sees, uncommitted changes included. Use it only in code whose callers are not known: two threads that
  /// wait for each other's connections wait forever.
  ///
  /// - Parameter value: Reads through the connection, which is valid only during the closure.
  /// - Returns: The return value of `value`.
  /// - Throws: `DatabaseError` as `unsafeRead` does; whatever `value` throws.
  func unsafeReentrantRead<Value>(_ value: (Database) throws -> Value) throws -> Value

  // MARK: - Ending

  /// Interrupts the statements that run, each of which throws `SQLITE_INTERRUPT`.
  ///
  /// It may be called on any thread. Statements that begin later are not affected. An interrupted
  /// write is rolled back as a whole if it runs in a transaction that `write` or `inTransaction`
  /// began.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/interrupt.html>
  func interrupt()

  /// Closes the connections.
  ///
  /// The method waits until the running accesses have ended; those in the queue and all later ones
  /// fail with `SQLITE_MISUSE`. When it returns, this object has no file of the database open, and
  /// holds no locks. A second call does nothing.
  ///
  /// You need not call it: a database closes its connections when it is deinitialized. Calling it
  /// inside an access to the same database is a programming error that traps.
  ///
  /// - Throws: `DatabaseError` when SQLite refuses to close a connection; all are released anyway.
  func close() throws
}

extension DatabaseReader {
  /// Schedules a read without a transaction and returns immediately.
  ///
  /// The closure cannot write, but two statements in it may see two states of the database. It runs on one
  /// of the database's own dispatch queues.
  ///
  /// - Parameter value: Receives the connection, which is valid only during the closure, or the
  ///   error for which there is none; called once.
  public func asyncUnsafeRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    guard let reader = unerased as? any PooledReader else { return asyncRead(value) }
    reader.pool.schedule(.read, reader.unsafeReadIsolation, value)
  }

  /// Closes the connections at the end of a scope, where an error cannot be thrown.
  package func closeIgnoringErrors() {
    do { try close() } catch _ {}
  }
}
