/// A database with one connection: accesses come one after the other.
///
/// The right choice for a database in memory, for a small one, and for a read-only file that was
/// shipped with the app. The file is created when it does not exist, unless the configuration is
/// read-only. The journal mode is left as it is.
///
/// ```swift
/// let queue = try DatabaseQueue(path: "/tmp/harbour.db")
/// try queue.write { db in
///   try db.execute(sql: "CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
/// }
/// ```
public final class DatabaseQueue: DatabaseWriter {
  /// What was decided before the database was opened.
  public let configuration: Configuration

  /// The path of the file as it was given, `nil` in memory.
  public let path: String?

  let pool: ConnectionPool

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file's path; its folder must exist.
  ///   - configuration: What is decided before.
  /// - Throws: `DatabaseError` with `SQLITE_CANTOPEN` when the file cannot be opened or created,
  ///   `SQLITE_NOTADB` when it is no database; what a preparation throws.
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    try self.init(file: path == ":memory:" ? nil : path, configuration: configuration)
  }

  /// Opens a database of its own in memory, gone when the queue is.
  ///
  /// - Parameter configuration: What is decided before.
  /// - Throws: What a preparation throws.
  public convenience init(configuration: Configuration = Configuration()) throws {
    try self.init(file: nil, configuration: configuration)
  }

  private init(file path: String?, configuration: Configuration) throws {
    self.path = path
    self.configuration = configuration
    pool = ConnectionPool(
      path: path, label: configuration.label ?? "holdfast.queue", readerCount: 0
    ) { _, token in
      try Database(
        path: path, isReadOnly: configuration.readonly, configuration: configuration, token: token)
    }
    // What is wrong with the file is told now, not at the first access.
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

  /// Closes the connection, now or at the end of the access that runs.
  public func close() {
    pool.close()
  }
}
