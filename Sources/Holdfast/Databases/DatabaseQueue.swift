/// A database with one connection: accesses run one at a time.
///
/// The right choice for a database in memory, for a small one, and for a read-only file that is
/// shipped with the app. The file is created if it does not exist, unless the configuration is
/// read-only. The journal mode is left as it is, unless the configuration specifies one.
///
/// ```swift
/// let queue = try DatabaseQueue(path: "/tmp/harbour.db")
/// try queue.write { db in
///   try db.execute(sql: "CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
/// }
/// ```
public final class DatabaseQueue: DatabaseWriter {
  /// The configuration with which the database was opened.
  public let configuration: Configuration

  /// The path of the file, as passed to the initializer, or `nil` in memory; see
  /// ``DatabaseReader/path``.
  public let path: String?

  let pool: ConnectionPool

  // MARK: - Opening and closing

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file's path; its folder must exist.
  ///   - configuration: The configuration.
  /// - Throws: `DatabaseError` with `SQLITE_CANTOPEN` when the file cannot be opened or created,
  ///   `SQLITE_NOTADB` when it is not a database; whatever a preparation throws.
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    if path == ":memory:" {
      try self.init(at: .memory, configuration: configuration)
    } else {
      let location = try DatabaseLocation(path: path, isReadOnly: configuration.readonly)
      try self.init(
        at: location, path: path, configuration: configuration,
        suspension: Suspension(path: location.path ?? path, configuration: configuration))
    }
  }

  /// Opens a database in memory, which exists until its last connection is closed.
  ///
  /// Queues of one process with the same name share one database. They wait for each other as
  /// connections to one file in rollback mode do: a write and a read exclude each other. SQLite
  /// limits a shared database in memory to 1 GB.
  ///
  /// - Parameters:
  ///   - name: Any text; if `nil`, the database is not shared.
  ///   - configuration: The configuration.
  /// - Throws: Whatever a preparation throws.
  /// - SeeAlso: <https://www.sqlite.org/inmemorydb.html>
  public convenience init(
    named name: String? = nil, configuration: Configuration = Configuration()
  ) throws {
    try self.init(at: name.map { .sharedMemory($0) } ?? .memory, configuration: configuration)
  }

  /// Copies a file into a database in memory, changes of which do not affect the file.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which is only read.
  ///   - configuration: The configuration of the copy.
  /// - Returns: A queue on the copy.
  /// - Throws: `DatabaseError` when the file cannot be read; whatever a preparation throws.
  public static func inMemoryCopy(
    fromPath path: String, configuration: Configuration = Configuration()
  ) throws -> DatabaseQueue {
    try copy(of: path, at: .memory, configuration: configuration)
  }

  /// Copies a file into a temporary one, changes of which do not affect the original.
  ///
  /// The copy may be larger than the memory. Its file has no name, and is deleted when the queue is
  /// closed or the process ends.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which is only read.
  ///   - configuration: The configuration of the copy.
  /// - Returns: A queue on the copy, whose ``path`` is `nil`.
  /// - Throws: `DatabaseError` when the file cannot be read, with `SQLITE_FULL` when there is no
  ///   space for the copy; whatever a preparation throws.
  /// - SeeAlso: <https://www.sqlite.org/inmemorydb.html#temp_db>
  public static func temporaryCopy(
    fromPath path: String, configuration: Configuration = Configuration()
  ) throws -> DatabaseQueue {
    try copy(of: path, at: .temporaryFile, configuration: configuration)
  }

  private static func copy(
    of path: String, at location: DatabaseLocation, configuration: Configuration
  ) throws -> DatabaseQueue {
    var reading = configuration
    reading.readonly = true
    var writing = configuration
    writing.readonly = false
    let copy = try DatabaseQueue(at: location, configuration: writing)
    try DatabaseQueue(path: path, configuration: reading).backup(to: copy)
    return copy
  }

  package convenience init(at location: DatabaseLocation, configuration: Configuration) throws {
    try self.init(
      at: location, path: location.path, configuration: configuration,
      suspension: location.path.flatMap { Suspension(path: $0, configuration: configuration) })
  }

  /// Opens a database with a given suspension, which other objects may share.
  init(
    at location: DatabaseLocation, path: String?, configuration: Configuration,
    suspension: Suspension?
  ) throws {
    self.path = path
    self.configuration = configuration
    pool = ConnectionPool(
      ConnectionFactory(
        location: location, configuration: configuration, suspension: suspension,
        writeAheadLog: configuration.journalMode == .wal ? .on : .unchanged),
      readerCount: 0)
    // A problem with the file is reported now, not at the first access.
    try pool.access(.write, .opening(configuration)) { _ in }
  }

  /// Frees memory that the connection does not need, after its current access has ended.
  public func releaseMemory() {
    // A closed connection has no memory to free.
    do { try pool.reentrantAccess(.write, .none) { db in db.releaseMemory() } } catch _ {}
  }
}
