import HoldfastSQLite

/// A reader that runs its accesses in a connection pool.
protocol PooledReader: DatabaseReader, OpaqueToReflection {
  var pool: ConnectionPool { get }

  /// The isolation of `read`.
  var readIsolation: Isolation { get }

  /// The isolation of `unsafeRead`.
  var unsafeReadIsolation: Isolation { get }
}

/// A writer that runs its accesses in a connection pool.
protocol PooledWriter: PooledReader, DatabaseWriter {}

extension DatabaseQueue: PooledWriter {}
extension DatabasePool: PooledWriter {}

extension DatabaseReader {
  /// The pool of the reader; `nil` for a reader that forwards to another one.
  var connectionPool: ConnectionPool? { (unerased as? any PooledReader)?.pool }
}

// Public, because these members implement the requirements of public protocols.

extension PooledReader {
  var readIsolation: Isolation { .snapshot }
  var unsafeReadIsolation: Isolation { .none }
  package var reflected: KeyValuePairs<String, Any> { ["path": path as Any] }

  /// Reads on the caller's thread; see ``DatabaseReader``.
  @available(
    *, noasync,
    message:
      "Write `try await read { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func read<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try pool.access(.read, readIsolation, value)
  }

  /// Reads while the task is suspended; see ``DatabaseReader``.
  public func read<Value>(
    _ value: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await pool.access(.read, readIsolation, value)
  }

  /// Schedules a read and returns immediately; see ``DatabaseReader``.
  public func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    pool.schedule(.read, readIsolation, value)
  }

  /// Reads on the caller's thread without a transaction; see ``DatabaseReader``.
  @available(
    *, noasync,
    message:
      "Write `try await unsafeRead { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func unsafeRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try pool.access(.read, unsafeReadIsolation, value)
  }

  /// Reads without a transaction while the task is suspended; see ``DatabaseReader``.
  public func unsafeRead<Value>(
    _ value: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await pool.access(.read, unsafeReadIsolation, value)
  }

  /// Reads on a thread that may be inside another read; see ``DatabaseReader``.
  public func unsafeReentrantRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try pool.reentrantAccess(.read, unsafeReadIsolation, value)
  }

  // MARK: - Ending

  /// Interrupts the statements that run; see ``DatabaseReader``.
  public func interrupt() {
    pool.interrupt()
  }

  /// Closes the connections after the accesses that run have ended; see ``DatabaseReader``.
  public func close() throws {
    try pool.close()
  }
}

extension PooledWriter {
  /// Writes on the caller's thread; see ``DatabaseWriter``.
  @available(
    *, noasync,
    message:
      "Write `try await write { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func write<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try pool.access(.write, .transaction, updates)
  }

  /// Writes while the task is suspended; see ``DatabaseWriter``.
  public func write<Value>(
    _ updates: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await pool.access(.write, .transaction, updates)
  }

  /// Schedules a write and returns immediately; see ``DatabaseWriter``.
  public func asyncWrite<Value>(
    _ updates: @escaping @Sendable (Database) throws -> Value,
    completion: @escaping @Sendable (Database, Result<Value, any Error>) -> Void
  ) {
    pool.scheduleWrite(updates, completion: completion)
  }

  /// Writes on the caller's thread without beginning a transaction; see ``DatabaseWriter``.
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
  public func writeWithoutTransaction<Value>(
    _ updates: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await pool.access(.write, .none, updates)
  }

  /// Schedules a write without a transaction and returns immediately; see ``DatabaseWriter``.
  public func asyncWriteWithoutTransaction(_ updates: @escaping @Sendable (Database) -> Void) {
    pool.schedule(.write, .none) { result in
      if case .success(let db) = result { updates(db) }
    }
  }

  /// Writes on the caller's thread while no read runs; see ``DatabaseWriter``.
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

  /// Writes while the task is suspended and no read runs; see ``DatabaseWriter``.
  public func barrierWriteWithoutTransaction<Value>(
    _ updates: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await pool.access(.barrier, .none, updates)
  }

  /// Schedules a write during which no read runs and returns immediately; see ``DatabaseWriter``.
  public func asyncBarrierWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    pool.schedule(.barrier, .none, updates)
  }

  /// Writes on a thread that may be inside another write; see ``DatabaseWriter``.
  public func unsafeReentrantWrite<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try pool.reentrantAccess(.write, .none, updates)
  }

  /// Reads what the calling write has committed so far; see ``DatabaseWriter``.
  public func spawnConcurrentRead(
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    pool.spawnConcurrentRead(value)
  }
}
