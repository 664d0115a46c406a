/// Reads a database, from any thread or task.
///
/// ``DatabaseQueue``, ``DatabasePool`` and ``DatabaseSnapshot`` conform. An access is asked for in
/// one of three ways, which stand in one line and are served in the order in which they came: a
/// blocking call holds the caller's thread, an awaited call suspends the task, and the `async…`
/// methods return at once and call back.
public protocol DatabaseReader: AnyObject, Sendable {
  /// What was decided before the database was opened.
  var configuration: Configuration { get }

  /// The path of the file as it was given, `nil` in memory.
  var path: String? { get }

  // MARK: - Reading

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
  /// - Parameter value: Reads through the connection, which is valid in the closure only.
  /// - Returns: What `value` returns.
  /// - Throws: `CancellationError` when the task is cancelled before the closure is done;
  ///   `DatabaseError` as the blocking form does; what `value` throws.
  func read<Value>(
    _ value: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value

  /// Reads when it is its turn; returns at once.
  ///
  /// The closure sees one committed state of the database and cannot write. It runs on a queue of
  /// the database's own.
  ///
  /// - Parameter value: Gets the connection, which is valid in the closure only, or the error that
  ///   kept it away; called once.
  func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)

  // MARK: - Reading without isolation

  /// Reads in the caller's thread without a transaction.
  ///
  /// The closure cannot write, but two statements in it may see two states of the database. For
  /// statements that may not stand inside a transaction.
  ///
  /// - Parameter value: Reads through the connection, which is valid in the closure only.
  /// - Returns: What `value` returns.
  /// - Throws: `DatabaseError` as `read` does, and with `SQLITE_MISUSE` when a transaction is
  ///   left open; what `value` throws.
  @available(
    *, noasync,
    message:
      "Write `try await unsafeRead { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  func unsafeRead<Value>(_ value: (Database) throws -> Value) throws -> Value

  /// Reads without a transaction, while the task is suspended.
  ///
  /// The closure cannot write, but two statements in it may see two states of the database.
  ///
  /// - Parameter value: Reads through the connection, which is valid in the closure only.
  /// - Returns: What `value` returns.
  /// - Throws: `CancellationError` when the task is cancelled before the closure is done;
  ///   `DatabaseError` as the blocking form does; what `value` throws.
  func unsafeRead<Value>(
    _ value: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value

  /// Reads in the caller's thread, which may already be inside of an access to this database.
  ///
  /// Inside of a read the closure gets that read's connection. It exists for code whose callers
  /// are not known: where two threads wait for each other's connections, both wait for ever.
  ///
  /// - Parameter value: Reads through the connection, which is valid in the closure only.
  /// - Returns: What `value` returns.
  /// - Throws: `DatabaseError` as `unsafeRead` does; what `value` throws.
  func unsafeReentrantRead<Value>(_ value: (Database) throws -> Value) throws -> Value

  // MARK: - Ending

  /// Ends the statements that run, each of which throws `SQLITE_INTERRUPT`; from any thread.
  ///
  /// It does nothing to statements that begin later. An interrupted write is rolled back as a
  /// whole when it stands in a transaction that `write` or `inTransaction` began.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/interrupt.html>
  func interrupt()

  /// Closes the connections.
  ///
  /// The accesses that run go on to their end, for which the caller's thread waits; those in line
  /// and all later ones fail with `SQLITE_MISUSE`. When it returns no file of the database is open
  /// in this process on its account, and its locks are gone. A second call does nothing.
  ///
  /// You need not call it: a database closes its connections when nobody has it any more. It is a
  /// mistake that ends the process to call it inside of an access to the same database.
  ///
  /// - Throws: `DatabaseError` when SQLite refuses to close a connection; all are given up.
  func close() throws
}

extension DatabaseReader {
  /// Closes the connections at the end of a scope, where an error could not be thrown.
  package func closeIgnoringErrors() {
    do { try close() } catch _ {}
  }
}
