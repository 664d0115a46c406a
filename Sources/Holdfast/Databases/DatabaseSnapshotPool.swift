public import HoldfastSQLite

/// A snapshot with several connections: readers that see one state of the database, and do not wait for one
/// another.
///
/// Like a ``DatabaseSnapshot`` it sees the database as it was at one moment, whatever is written later, and
/// the write-ahead log cannot restart while it exists, so release it soon. Up to
/// `Configuration.maximumReaderCount` accesses run at the same time; one more connection keeps the state.
/// An access that ends the transaction, and may then see a newer state, does so for itself only.
///
/// ```swift
/// let snapshot = try pool.makeSnapshotPool()
/// async let stops = snapshot.read { db in try Stop.fetchAll(db) }
/// async let routes = snapshot.read { db in try Route.fetchAll(db) }
/// ```
///
/// SQLite can do so where it was built with `SQLITE_ENABLE_SNAPSHOT`, as on Apple's systems. Elsewhere, for
/// example with Debian's SQLite or with SQLCipher, the initializers throw.
///
/// Its pool may be closed before it. A suspension of the database ends it: every later access throws a
/// `DatabaseError` whose `isDatabaseSuspensionError` is `true`, even after the resume.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/snapshot.html>
public final class DatabaseSnapshotPool: DatabaseSnapshotReader {
  /// The configuration with which the snapshot was opened; `readonly` is `true`.
  public let configuration: Configuration

  /// The path of the file, as passed to the initializer; see ``DatabaseReader/path``.
  public let path: String?

  let pool: ConnectionPool

  /// Takes a snapshot of the last committed state of a file that is in write-ahead-log mode.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - configuration: The configuration.
  /// - Throws: `DatabaseError` with `SQLITE_CANTOPEN` when the file cannot be opened, with
  ///   `SQLITE_ERROR` when it has no write-ahead log, when the log is empty, as after the file was opened, or
  ///   when this SQLite has no snapshots; whatever a preparation throws.
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    let location = try DatabaseLocation(path: path, isReadOnly: true)
    try self.init(
      at: location, path: path, configuration: configuration,
      suspension: Suspension(path: location.path ?? path, configuration: configuration))
  }

  /// Takes a snapshot of the state that a connection sees.
  ///
  /// In a transaction, such as the one of `read`, it is the state of the transaction; otherwise the
  /// last committed one, which in a write without a transaction is the one after its last commit.
  ///
  /// ```swift
  /// let snapshot = try pool.writeWithoutTransaction { db in
  ///   try db.inTransaction { … }
  ///   return try DatabaseSnapshotPool(db)
  /// }
  /// ```
  ///
  /// It is suspended with the database of the connection.
  ///
  /// - Parameters:
  ///   - db: A connection outside of a transaction, or inside of one that has written nothing.
  ///   - configuration: The configuration; the connection's if `nil`.
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when the transaction has written, when the database has no
  ///   write-ahead log, when the log is empty, as after the file was opened, and `db` is in a transaction or
  ///   may not write, or when this SQLite has no snapshots; with `SQLITE_ERROR_SNAPSHOT` when a writer
  ///   restarted the log since the transaction began; whatever a preparation throws.
  public convenience init(_ db: Database, configuration: Configuration? = nil) throws {
    let configuration = configuration ?? db.configuration
    guard let path = db.path else { throw DatabaseError.snapshotNeedsFile }
    // Otherwise the first connection sees the same as this one, the last commit.
    let snapshot = db.isInsideTransaction ? try db.logSnapshot() : nil
    try self.init(
      at: DatabaseLocation(path: path, isReadOnly: true), path: path, configuration: configuration,
      suspension: db.suspension as? Suspension
        ?? Suspension(path: path, configuration: configuration),
      snapshot, fillLog: db.isReadOnly ? nil : db.fillLog)
  }

  /// Takes a snapshot of a database that is also open elsewhere, with which it is suspended.
  ///
  /// An empty log is filled with `fillLog`; if that is `nil`, it is an error.
  init(
    at location: DatabaseLocation, path: String?, configuration: Configuration,
    suspension: Suspension?, _ snapshot: LogSnapshot? = nil, fillLog: (() throws -> Void)? = nil
  ) throws {
    self.path = path
    var own = configuration
    own.readonly = true
    self.configuration = own
    let factory = ConnectionFactory(
      location: location, configuration: own, suspension: suspension,
      snapshotState: .shared(snapshot))
    pool = ConnectionPool(factory, readerCount: max(1, configuration.maximumReaderCount))
    // The first connection determines the state now, and no access uses it: its transaction lasts.
    do {
      try pool.access(.write, .shared) { _ in }
    } catch let error as DatabaseError where error.isLogEmpty && fillLog != nil {
      try fillLog?()
      try pool.access(.write, .shared) { _ in }
    }
    pool.becomeSnapshot()
  }
}

extension DatabaseSnapshotPool: PooledReader {
  // The transactions that preserve the state were begun with the connections.
  var readIsolation: Isolation { .shared }
  var unsafeReadIsolation: Isolation { .shared }
}
