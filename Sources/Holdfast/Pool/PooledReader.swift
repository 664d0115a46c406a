import HoldfastSQLite

/// A reader whose connections are those of a pool, which does all the work.
protocol PooledReader: DatabaseReader, OpaqueToReflection {
  var pool: ConnectionPool { get }

  /// What `read` is wrapped in.
  var readIsolation: Isolation { get }

  /// What `unsafeRead` is wrapped in.
  var unsafeReadIsolation: Isolation { get }
}

/// A reader that writes, too.
protocol PooledWriter: PooledReader, DatabaseWriter {}

extension DatabaseQueue: PooledWriter {}
extension DatabasePool: PooledWriter {}

extension DatabaseReader {
  /// The pool that does the work; `nil` for a reader that only forwards to another one.
  var connectionPool: ConnectionPool? { (self as? any PooledReader)?.pool }
}

// What follows is public, because it is what the public protocols ask for.

extension PooledReader {
  var readIsolation: Isolation { .snapshot }
  var unsafeReadIsolation: Isolation { .none }
  package var reflected: KeyValuePairs<String, Any> { ["path": path as Any] }

  /// Reads in the caller's thread; see ``DatabaseReader``.
  ///
  /// - Parameter value: Reads through the connection, which is valid in the closure only.
  /// - Returns: What `value` returns.
  /// - Throws: `DatabaseError`; what `value` throws.
  @available(
    *, noasync,
    message:
      "Write `try await read { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func read<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try pool.access(.read, readIsolation, value)
  }

  /// Reads while the task is suspended; see ``DatabaseReader``.
  ///
  /// - Parameter value: Reads through the connection, which is valid in the closure only.
  /// - Returns: What `value` returns.
  /// - Throws: `CancellationError`; `DatabaseError`; what `value` throws.
  public func read<Value>(
    _ value: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await pool.access(.read, readIsolation, value)
  }

  /// Reads when it is its turn and returns at once; see ``DatabaseReader``.
  ///
  /// - Parameter value: Gets the connection, or the error that kept it away.
  public func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    pool.schedule(.read, readIsolation, value)
  }

  /// Reads in the caller's thread without a transaction; see ``DatabaseReader``.
  ///
  /// - Parameter value: Reads through the connection, which is valid in the closure only.
  /// - Returns: What `value` returns.
  /// - Throws: `DatabaseError`; what `value` throws.
  @available(
    *, noasync,
    message:
      "Write `try await unsafeRead { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func unsafeRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try pool.access(.read, unsafeReadIsolation, value)
  }

  /// Reads without a transaction while the task is suspended; see ``DatabaseReader``.
  ///
  /// - Parameter value: Reads through the connection, which is valid in the closure only.
  /// - Returns: What `value` returns.
  /// - Throws: `CancellationError`; `DatabaseError`; what `value` throws.
  public func unsafeRead<Value>(
    _ value: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await pool.access(.read, unsafeReadIsolation, value)
  }

  /// Reads in a thread that may be inside of another read; see ``DatabaseReader``.
  ///
  /// - Parameter value: Reads through the connection, which is valid in the closure only.
  /// - Returns: What `value` returns.
  /// - Throws: `DatabaseError`; what `value` throws.
  public func unsafeReentrantRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try pool.reentrantAccess(.read, unsafeReadIsolation, value)
  }

  // MARK: - Ending

  /// Ends the statements that run; see ``DatabaseReader``.
  public func interrupt() {
    pool.interrupt()
  }

  /// Closes the connections when the accesses that run have ended; see ``DatabaseReader``.
  ///
  /// - Throws: `DatabaseError` when SQLite refuses.
  public func close() throws {
    try pool.close()
  }
}

extension PooledWriter {
  /// Writes in the caller's thread; see ``DatabaseWriter``.
  ///
  /// - Parameter updates: Writes through the connection, which is valid in the closure only.
  /// - Returns: What `updates` returns.
  /// - Throws: `DatabaseError`; what `updates` throws.
  @available(
    *, noasync,
    message:
      "Write `try await write { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func write<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try pool.access(.write, .transaction, updates)
  }

  /// Writes while the task is suspended; see ``DatabaseWriter``.
  ///
  /// - Parameter updates: Writes through the connection, which is valid in the closure only.
  /// - Returns: What `updates` returns.
  /// - Throws: `CancellationError`; `DatabaseError`; what `updates` throws.
  public func write<Value>(
    _ updates: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await pool.access(.write, .transaction, updates)
  }

  /// Writes when it is its turn and returns at once; see ``DatabaseWriter``.
  ///
  /// - Parameters:
  ///   - updates: Writes through the connection.
  ///   - completion: Gets what became of the transaction.
  public func asyncWrite<Value>(
    _ updates: @escaping @Sendable (Database) throws -> Value,
    completion: @escaping @Sendable (Database, Result<Value, any Error>) -> Void
  ) {
    pool.scheduleWrite(updates, completion: completion)
  }

  /// Writes in the caller's thread without beginning a transaction; see ``DatabaseWriter``.
  ///
  /// - Parameter updates: Writes through the connection, which is valid in the closure only.
  /// - Returns: What `updates` returns.
  /// - Throws: `DatabaseError`; what `updates` throws.
  @available(
    *, noasync,
    message:
      "Write `try await writeWithoutTransaction { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func writeWithoutTransaction<Value>(
    _ updates: (Database) throws -> Value
  ) throws -> Value {
    try pool.access(.write, .none, updates)
  }

  /// Writes without beginning a transaction while the task is suspended; see ``DatabaseWriter``.
  ///
  /// - Parameter updates: Writes through the connection, which is valid in the closure only.
  /// - Returns: What `updates` returns.
  /// - Throws: `CancellationError`; `DatabaseError`; what `updates` throws.
  public func writeWithoutTransaction<Value>(
    _ updates: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await pool.access(.write, .none, updates)
  }

  /// Writes without beginning a transaction and returns at once; see ``DatabaseWriter``.
  ///
  /// - Parameter updates: Writes through the connection.
  public func asyncWriteWithoutTransaction(_ updates: @escaping @Sendable (Database) -> Void) {
    pool.schedule(.write, .none) { result in
      if case .success(let db) = result { updates(db) }
    }
  }

  /// Writes in the caller's thread while nobody reads; see ``DatabaseWriter``.
  ///
  /// - Parameter updates: Writes through the connection, which is valid in the closure only.
  /// - Returns: What `updates` returns.
  /// - Throws: `DatabaseError`; what `updates` throws.
  @available(
    *, noasync,
    message:
      "Write `try await barrierWriteWithoutTransaction { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func barrierWriteWithoutTransaction<Value>(
    _ updates: (Database) throws -> Value
  ) throws -> Value {
    try pool.access(.barrier, .none, updates)
  }

  /// Writes while nobody reads and the task is suspended; see ``DatabaseWriter``.
  ///
  /// - Parameter updates: Writes through the connection, which is valid in the closure only.
  /// - Returns: What `updates` returns.
  /// - Throws: `CancellationError`; `DatabaseError`; what `updates` throws.
  public func barrierWriteWithoutTransaction<Value>(
    _ updates: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await pool.access(.barrier, .none, updates)
  }

  /// Writes while nobody reads and returns at once; see ``DatabaseWriter``.
  ///
  /// - Parameter updates: Gets the connection, or the error that kept it away.
  public func asyncBarrierWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    pool.schedule(.barrier, .none, updates)
  }

  /// Writes in a thread that may be inside of another write; see ``DatabaseWriter``.
  ///
  /// - Parameter updates: Writes through the connection, which is valid in the closure only.
  /// - Returns: What `updates` returns.
  /// - Throws: `DatabaseError`; what `updates` throws.
  public func unsafeReentrantWrite<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try pool.reentrantAccess(.write, .none, updates)
  }

  /// Reads what the write that calls has committed so far; see ``DatabaseWriter``.
  ///
  /// - Parameter value: Gets the connection, or the error that kept it away.
  public func spawnConcurrentRead(
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    pool.spawnConcurrentRead(value)
  }
}
