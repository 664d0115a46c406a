/// A database in write-ahead-log mode: one writer, and readers that it does not block.
///
/// A read sees the state that was committed when it began, while a write runs concurrently. The
/// file is created if it does not exist, unless the configuration is read-only.
///
/// An access inside another one to the same pool, on one thread, is a programming error that traps
/// with a message: a read inside a write would not see its changes, and a read that waits for a
/// second reader could wait forever. Pass the `Database` on instead; in code whose callers are not
/// known, use `unsafeReentrantRead(_:)` and `unsafeReentrantWrite(_:)`.
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
  /// The configuration with which the database was opened.
  public let configuration: Configuration

  /// The path of the file, as passed to the initializer; see ``DatabaseReader/path``.
  public let path: String?

  private let location: DatabaseLocation
  let pool: ConnectionPool

  // MARK: - Opening and closing

  /// Opens a file and turns on its write-ahead log.
  ///
  /// - Parameters:
  ///   - path: The file's path; its folder must exist.
  ///   - configuration: The configuration. With `readonly` every connection only reads, and the
  ///     file's journal mode is left as it is.
  /// - Throws: `DatabaseError` with `SQLITE_CANTOPEN` when the file cannot be opened or created
  ///   or the log cannot be turned on, `SQLITE_NOTADB` when it is not a database; whatever a
  ///   preparation throws.
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    let location = try DatabaseLocation(path: path, isReadOnly: configuration.readonly)
    try self.init(
      at: location, path: path, configuration: configuration,
      suspension: Suspension(path: location.path ?? path, configuration: configuration))
  }

  /// Opens a file with a given location and suspension, which other objects may share.
  init(
    at location: DatabaseLocation, path: String, configuration: Configuration,
    suspension: Suspension?
  ) throws {
    self.path = path
    self.location = location
    self.configuration = configuration
    pool = ConnectionPool(
      ConnectionFactory(
        location: location, configuration: configuration, suspension: suspension,
        writeAheadLog: .on),
      readerCount: max(1, configuration.maximumReaderCount))
    // A connection that the first access then finds open.
    try pool.access(configuration.readonly ? .read : .write, .opening(configuration)) { _ in }
  }

  // MARK: - Connections

  /// Takes a snapshot: a reader that sees the last committed state as long as it exists.
  ///
  /// It may be taken inside `writeWithoutTransaction`. If a transaction is open there, it is a
  /// programming error that traps, because the snapshot would not see its changes.
  ///
  /// - Returns: A snapshot with its own connection, which is not counted in `maximumReaderCount`.
  /// - Throws: `DatabaseError` when the connection cannot be opened, with `SQLITE_MISUSE` after
  ///   ``DatabaseReader/close()``; whatever a preparation throws.
  public func makeSnapshot() throws -> DatabaseSnapshot {
    try checkSnapshot()
    return try DatabaseSnapshot(
      at: location, path: path, configuration: configuration, suspension: pool.suspension)
  }

  /// Takes a snapshot with several connections, which see the last committed state as long as it exists.
  ///
  /// It may be taken where ``makeSnapshot()`` may. SQLite can share only a state that is in the write-ahead log:
  /// if the log is empty, as after the file was opened, a transaction that changes nothing is committed first,
  /// after the current write.
  ///
  /// - Returns: A snapshot with connections of its own, up to `maximumReaderCount` and one more.
  /// - Throws: `DatabaseError` as ``makeSnapshot()`` does, and with `SQLITE_ERROR` when this SQLite has no
  ///   snapshots of several connections, or when the log is empty and the configuration is read-only.
  public func makeSnapshotPool() throws -> DatabaseSnapshotPool {
    try checkSnapshot()
    let fillLog = { [pool] in
      try pool.reentrantAccess(.write, .none) { db in try db.fillLog() }
    }
    return try DatabaseSnapshotPool(
      at: location, path: path, configuration: configuration, suspension: pool.suspension,
      fillLog: configuration.readonly ? nil : fillLog)
  }

  /// Traps inside of a transaction, and throws when the pool is closed.
  private func checkSnapshot() throws {
    let writer = pool.slots[0]
    if writer.token.isHeldByCurrentThread, writer.openedDatabase?.isInsideTransaction == true {
      Misuse.trap(Misuse.insideTransaction("A snapshot"))
    }
    if pool.isClosed { throw DatabaseError.closed(path: path) }
  }

  /// Closes the readers; later reads open and prepare new ones.
  ///
  /// Use it when the preparation would have another effect now. Running reads are not interrupted.
  public func invalidateReadOnlyConnections() {
    pool.closeReaders()
  }

  /// Frees memory that the connections do not need.
  ///
  /// It waits for the current write. Readers are closed, immediately or at the end of their access;
  /// with `Configuration.persistentReadOnlyConnections` idle readers only free memory.
  public func releaseMemory() {
    // A closed connection has no memory to free.
    do { try pool.reentrantAccess(.write, .none) { db in db.releaseMemory() } } catch _ {}
    releaseReaderMemory()
  }

  /// Frees memory that the connections do not need, after the current write; returns immediately.
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
}
