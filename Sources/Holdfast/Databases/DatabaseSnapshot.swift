/// A reader that sees the database as it was at one moment, whatever is written later.
///
/// It is one connection that holds a read transaction in the write-ahead log. Every access sees the
/// same state; accesses run one at a time. Writers continue. While a snapshot exists, the log
/// cannot restart and grows with every commit, so release it soon. An access that ends the transaction throws
/// an error, and so does every later one.
///
/// ```swift
/// let snapshot = try pool.makeSnapshot()
/// let before = try snapshot.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM stop") }
/// ```
///
/// Its pool may be closed before it. A suspension of the database ends it: every later access
/// throws a `DatabaseError` whose `isDatabaseSuspensionError` is `true`, even after the resume.
///
/// - SeeAlso: <https://www.sqlite.org/isolation.html>
public final class DatabaseSnapshot: DatabaseSnapshotReader {
  /// The configuration with which the snapshot was opened; `readonly` is `true`.
  public let configuration: Configuration

  /// The path of the file, as passed to the initializer; see ``DatabaseReader/path``.
  public let path: String?

  let pool: ConnectionPool

  // MARK: - Opening and closing

  /// Takes a snapshot of a file that is in write-ahead-log mode.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - configuration: The configuration.
  /// - Throws: `DatabaseError` with `SQLITE_CANTOPEN` when the file cannot be opened, with
  ///   `SQLITE_ERROR` when it has no write-ahead log; whatever a preparation throws.
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    let location = try DatabaseLocation(path: path, isReadOnly: true)
    try self.init(
      at: location, path: path, configuration: configuration,
      suspension: Suspension(path: location.path ?? path, configuration: configuration))
  }

  /// Takes a snapshot of a database that is also open in a pool, with which it is suspended.
  init(
    at location: DatabaseLocation, path: String?, configuration: Configuration,
    suspension: Suspension?
  ) throws {
    self.path = path
    var own = configuration
    own.readonly = true
    self.configuration = own
    pool = ConnectionPool(
      ConnectionFactory(
        location: location, configuration: own, suspension: suspension,
        snapshotState: .ofOneConnection),
      readerCount: 0)
    // Determines the state now, and not at the first access.
    try pool.access(.read, .held) { _ in }
    pool.becomeSnapshot()
  }
}

extension DatabaseSnapshot: PooledReader {
  // The transaction that preserves the state was begun with the connection.
  var readIsolation: Isolation { .held }
  var unsafeReadIsolation: Isolation { .held }
}
