/// A database in write-ahead-log mode: one writer, and readers that nobody blocks.
///
/// A read sees the state that was committed when it began, while a write goes on beside it. The
/// file is created when it does not exist, unless the configuration is read-only.
///
/// An access inside of another one to the same pool, on one thread, is a mistake that ends the
/// process with a sentence: a read inside of a write would not see its changes, and a read that
/// waits for a second reader could wait for ever. Pass the `Database` on instead; where the callers
/// are not known, `unsafeReentrantRead(_:)` and `unsafeReentrantWrite(_:)` allow it.
///
/// ```swift
/// let pool = try DatabasePool(path: "/tmp/app.sqlite")
/// let names = try await pool.read { db in
///   try String.fetchAll(db, sql: "SELECT stop_name FROM stops ORDER BY stop_name")
/// }
/// ```
///
/// - SeeAlso: <https://www.sqlite.org/wal.html>
public final class DatabasePool: DatabaseWriter {
  /// What was decided before the database was opened.
  public let configuration: Configuration

  /// The path of the file as it was given.
  public let path: String?

  private let location: DatabaseLocation
  let pool: ConnectionPool

  // MARK: - Opening and closing

  /// Opens a file and turns its write-ahead log on.
  ///
  /// - Parameters:
  ///   - path: The file's path; its folder must exist.
  ///   - configuration: What is decided before. With `readonly` every connection only reads, and
  ///     the file's journal mode is left as it is.
  /// - Throws: `DatabaseError` with `SQLITE_CANTOPEN` when the file cannot be opened or created
  ///   or the log cannot be turned on, `SQLITE_NOTADB` when it is no database; what a preparation
  ///   throws.
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    try self.init(
      at: .file(path), path: path, configuration: configuration,
      suspension: Suspension(path: path, configuration: configuration))
  }

  /// Opens a file that is suspended with others, or whose location says more than its path.
  init(
    at location: DatabaseLocation, path: String, configuration: Configuration,
    suspension: Suspension?
  ) throws {
    self.path = path
    self.location = location
    self.configuration = configuration
    pool = ConnectionPool(
      path: path, configuration: configuration,
      readerCount: max(1, configuration.maximumReaderCount), suspension: suspension
    ) { purpose, open in
      var own = configuration
      if purpose == .write && !configuration.readonly {
        // Before the user's preparation, which may want to read.
        own.prepareFirst { db in try db.turnOnWriteAheadLog() }
      }
      return try open(
        location, isReadOnly: purpose == .read || configuration.readonly, configuration: own)
    }
    try pool.access(.write, .none) { _ in }
  }

  /// Ends the statements that run; see ``DatabaseReader``.
  public func interrupt() {
    pool.interrupt()
  }

  /// Closes every connection when the accesses that run have ended; see ``DatabaseReader``.
  ///
  /// - Throws: `DatabaseError` when SQLite refuses.
  public func close() throws {
    try pool.close()
  }

  // MARK: - Connections

  /// Takes a snapshot: a reader that sees the last committed state for as long as it lives.
  ///
  /// It may be taken inside of `writeWithoutTransaction`. While a transaction is open there it is a
  /// mistake that ends the process, because the snapshot would not see its changes.
  ///
  /// - Returns: A snapshot with a connection of its own, which `maximumReaderCount` does not count.
  /// - Throws: `DatabaseError` when the connection cannot be opened, with `SQLITE_MISUSE` after
  ///   ``close()``; what a preparation throws.
  public func makeSnapshot() throws -> DatabaseSnapshot {
    let writer = pool.slots[0]
    if writer.token.isHeldByCurrentThread, writer.openedDatabase?.isInsideTransaction == true {
      Misuse.trap(Misuse.insideTransaction("A snapshot"))
    }
    if pool.isClosed { throw DatabaseError.closed(path: path) }
    return try DatabaseSnapshot(
      at: location, configuration: configuration, suspension: pool.suspension)
  }

  /// Closes the connections that read; reads to come open new ones, which are prepared anew.
  ///
  /// For when the preparation would do something else now. Reads that run go on to their end.
  public func invalidateReadOnlyConnections() {
    pool.closeReaders()
  }

  /// Frees the memory that the connections can do without.
  ///
  /// It waits for the write that runs. Readers are closed, now or at the end of their access; with
  /// `Configuration.persistentReadOnlyConnections` those that nobody uses release memory only.
  public func releaseMemory() {
    // One that is closed has none.
    do { try pool.reentrantAccess(.write, .none) { db in db.releaseMemory() } } catch _ {}
    releaseReaderMemory()
  }

  /// Frees the memory that the connections can do without, when the write that runs has ended;
  /// returns at once.
  public func releaseMemoryEventually() {
    asyncWriteWithoutTransaction { db in db.releaseMemory() }
    releaseReaderMemory()
  }

  private func releaseReaderMemory() {
    if configuration.persistentReadOnlyConnections {
      pool.releaseReaderMemory()
    } else {
      pool.closeReaders()
    }
  }

  // MARK: - Reading

  /// Reads in the caller's thread; see ``DatabaseReader``.
  ///
  /// - Parameter value: Reads through the connection, which is valid in the closure only.
  /// - Returns: What `value` returns.
  /// - Throws: `DatabaseError`; what `value` throws.
  @available(*, noasync, message: "Write `try await read { … }`, which blocks no thread.")
  public func read<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try pool.access(.read, .snapshot, value)
  }

  /// Reads while the task is suspended; see ``DatabaseReader``.
  ///
  /// - Parameter value: Reads through the connection, which is valid in the closure only.
  /// - Returns: What `value` returns.
  /// - Throws: `CancellationError`; `DatabaseError`; what `value` throws.
  public func read<Value>(
    _ value: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await pool.access(.read, .snapshot, value)
  }

  /// Reads when it is its turn and returns at once; see ``DatabaseReader``.
  ///
  /// - Parameter value: Gets the connection, or the error that kept it away.
  public func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    pool.schedule(.read, .snapshot, value)
  }

  /// Reads in the caller's thread without a transaction; see ``DatabaseReader``.
  ///
  /// - Parameter value: Reads through the connection, which is valid in the closure only.
  /// - Returns: What `value` returns.
  /// - Throws: `DatabaseError`; what `value` throws.
  @available(*, noasync, message: "Write `try await unsafeRead { … }`, which blocks no thread.")
  public func unsafeRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try pool.access(.read, .none, value)
  }

  /// Reads without a transaction while the task is suspended; see ``DatabaseReader``.
  ///
  /// - Parameter value: Reads through the connection, which is valid in the closure only.
  /// - Returns: What `value` returns.
  /// - Throws: `CancellationError`; `DatabaseError`; what `value` throws.
  public func unsafeRead<Value>(
    _ value: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await pool.access(.read, .none, value)
  }

  /// Reads in a thread that may be inside of another read; see ``DatabaseReader``.
  ///
  /// - Parameter value: Reads through the connection, which is valid in the closure only.
  /// - Returns: What `value` returns.
  /// - Throws: `DatabaseError`; what `value` throws.
  public func unsafeReentrantRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try pool.reentrantAccess(.read, .none, value)
  }

  // MARK: - Writing

  /// Writes in the caller's thread; see ``DatabaseWriter``.
  ///
  /// - Parameter updates: Writes through the connection, which is valid in the closure only.
  /// - Returns: What `updates` returns.
  /// - Throws: `DatabaseError`; what `updates` throws.
  @available(*, noasync, message: "Write `try await write { … }`, which blocks no thread.")
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
    *, noasync, message: "Write `try await writeWithoutTransaction { … }`, which blocks no thread."
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
    message: "Write `try await barrierWriteWithoutTransaction { … }`, which blocks no thread."
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
