/// A database with one connection: accesses come one after the other.
///
/// The right choice for a database in memory, for a small one, and for a read-only file that was
/// shipped with the app. The file is created when it does not exist, unless the configuration is
/// read-only. The journal mode is left as it is, unless the configuration says otherwise.
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
  ///
  /// A relative one is returned as such. Which file it means was decided when the database was opened, and
  /// a later change of the current folder changes nothing.
  public let path: String?

  let pool: ConnectionPool

  // MARK: - Opening and closing

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file's path; its folder must exist.
  ///   - configuration: What is decided before.
  /// - Throws: `DatabaseError` with `SQLITE_CANTOPEN` when the file cannot be opened or created,
  ///   `SQLITE_NOTADB` when it is no database; what a preparation throws.
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

  /// Opens a database in memory, gone when nobody has it open any more.
  ///
  /// Queues of one process that give the same name share one database. They wait for each other
  /// as connections to one file in rollback mode do: a write and a read exclude each other. SQLite
  /// lets a shared one grow to 1 GB.
  ///
  /// - Parameters:
  ///   - name: Any text; a database of its own when `nil`.
  ///   - configuration: What is decided before.
  /// - Throws: What a preparation throws.
  /// - SeeAlso: <https://www.sqlite.org/inmemorydb.html>
  public convenience init(
    named name: String? = nil, configuration: Configuration = Configuration()
  ) throws {
    try self.init(at: name.map { .sharedMemory($0) } ?? .memory, configuration: configuration)
  }

  /// Copies a file into a database in memory, which may then be changed without touching it.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which is only read.
  ///   - configuration: What is decided before, for the copy.
  /// - Returns: A queue on the copy.
  /// - Throws: `DatabaseError` when the file cannot be read; what a preparation throws.
  public static func inMemoryCopy(
    fromPath path: String, configuration: Configuration = Configuration()
  ) throws -> DatabaseQueue {
    var reading = configuration
    reading.readonly = true
    var writing = configuration
    writing.readonly = false
    let copy = try DatabaseQueue(configuration: writing)
    try DatabaseQueue(path: path, configuration: reading).backup(to: copy)
    return copy
  }

  convenience init(at location: DatabaseLocation, configuration: Configuration) throws {
    try self.init(
      at: location, path: location.path, configuration: configuration,
      suspension: location.path.flatMap { Suspension(path: $0, configuration: configuration) })
  }

  /// Opens a database that is suspended with others.
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
    // What is wrong with the file is told now, not at the first access.
    try pool.access(.write, .none) { _ in }
  }

  /// Frees the memory that the connection can do without, when its access has ended.
  public func releaseMemory() {
    // One that is closed has none.
    do { try pool.reentrantAccess(.write, .none) { db in db.releaseMemory() } } catch _ {}
  }
}
