/// A database in write-ahead-log mode: one writer, and readers that nobody blocks.
///
/// A read sees the state that was committed when it began, while a write goes on beside it. The
/// file is created when it does not exist, unless the configuration is read-only.
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

  let pool: ConnectionPool

  /// Opens a file and turns its write-ahead log on.
  ///
  /// - Parameters:
  ///   - path: The file's path; its folder must exist.
  ///   - configuration: What is decided before. With `readonly` every connection only reads, and
  ///     the file's journal mode is left as it is.
  /// - Throws: `DatabaseError` with `SQLITE_CANTOPEN` when the file cannot be opened or created
  ///   or the log cannot be turned on, `SQLITE_NOTADB` when it is no database; what a preparation
  ///   throws.
  public init(path: String, configuration: Configuration = Configuration()) throws {
    self.path = path
    self.configuration = configuration
    pool = ConnectionPool(
      path: path, label: configuration.label ?? "holdfast.pool",
      readerCount: max(1, configuration.maximumReaderCount)
    ) { purpose, token in
      var own = configuration
      if purpose == .write && !configuration.readonly {
        // Before the user's preparation, which may want to read.
        own.prepareFirst { db in try db.turnOnWriteAheadLog() }
      }
      return try Database(
        path: path, isReadOnly: purpose == .read || configuration.readonly, configuration: own,
        token: token)
    }
    try pool.access(.write, .none) { _ in }
  }

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

  /// Writes in the caller's thread without beginning a transaction; see ``DatabaseWriter``.
  ///
  /// - Parameter updates: Writes through the connection, which is valid in the closure only.
  /// - Returns: What `updates` returns.
  /// - Throws: `DatabaseError`; what `updates` throws.
  @available(*, noasync)
  public func writeWithoutTransaction<Value>(
    _ updates: (Database) throws -> Value
  ) throws -> Value {
    try pool.access(.write, .none, updates)
  }

  /// Closes every connection, now or at the end of the access that runs on it.
  public func close() {
    pool.close()
  }
}
