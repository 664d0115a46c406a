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
  ///
  /// A relative one is returned as such. Which file it means was decided when the database was opened, and
  /// a later change of the current folder changes nothing.
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
    let location = try DatabaseLocation(path: path, isReadOnly: configuration.readonly)
    try self.init(
      at: location, path: path, configuration: configuration,
      suspension: Suspension(path: location.path ?? path, configuration: configuration))
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
      ConnectionFactory(
        location: location, configuration: configuration, suspension: suspension,
        writeAheadLog: .on),
      readerCount: max(1, configuration.maximumReaderCount))
    try pool.access(.write, .none) { _ in }
  }

  // MARK: - Connections

  /// Takes a snapshot: a reader that sees the last committed state for as long as it lives.
  ///
  /// It may be taken inside of `writeWithoutTransaction`. While a transaction is open there it is a
  /// mistake that ends the process, because the snapshot would not see its changes.
  ///
  /// - Returns: A snapshot with a connection of its own, which `maximumReaderCount` does not count.
  /// - Throws: `DatabaseError` when the connection cannot be opened, with `SQLITE_MISUSE` after
  ///   ``DatabaseReader/close()``; what a preparation throws.
  public func makeSnapshot() throws -> DatabaseSnapshot {
    let writer = pool.slots[0]
    if writer.token.isHeldByCurrentThread, writer.openedDatabase?.isInsideTransaction == true {
      Misuse.trap(Misuse.insideTransaction("A snapshot"))
    }
    if pool.isClosed { throw DatabaseError.closed(path: path) }
    return try DatabaseSnapshot(
      at: location, path: path, configuration: configuration, suspension: pool.suspension)
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
}
