/// A database as it was at one moment, however much is written since.
///
/// It is one connection that holds a read transaction in the write-ahead log. Every access sees the
/// same state; accesses come one after the other. Writers go on. While it lives the log cannot
/// begin anew and grows with every commit, so let it go soon.
///
/// ```swift
/// let snapshot = try pool.makeSnapshot()
/// let before = try snapshot.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM stop") }
/// ```
///
/// Its pool may be closed before it. A suspension of the database ends it: every later access throws
/// a `DatabaseError` whose `isDatabaseSuspensionError` is set, after the resume too.
///
/// - SeeAlso: <https://www.sqlite.org/isolation.html>
public final class DatabaseSnapshot: DatabaseReader {
  /// What was decided before the database was opened; `readonly` is true.
  public let configuration: Configuration

  /// The path of the file as it was given.
  ///
  /// A relative one is returned as such. Which file it means was decided when the database was opened, and
  /// a later change of the current folder changes nothing.
  public let path: String?

  let pool: ConnectionPool

  // MARK: - Opening and closing

  /// Takes a snapshot of a file that is in write-ahead-log mode.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - configuration: What is decided before.
  /// - Throws: `DatabaseError` with `SQLITE_CANTOPEN` when the file cannot be opened, with
  ///   `SQLITE_ERROR` when it has no write-ahead log; what a preparation throws.
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    let location = try DatabaseLocation(path: path, isReadOnly: true)
    try self.init(
      at: location, path: path, configuration: configuration,
      suspension: Suspension(path: location.path ?? path, configuration: configuration))
  }

  /// Takes a snapshot of a database that others use too, and that is suspended with them.
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
        location: location, configuration: own, suspension: suspension, holdsSnapshot: true),
      readerCount: 0)
    // The moment is this one, not the one of the first access.
    try pool.access(.read, .held) { _ in }
    pool.takeSnapshot()
  }
}

extension DatabaseSnapshot: PooledReader {
  // The transaction that holds the state was begun with the connection.
  var readIsolation: Isolation { .held }
  var unsafeReadIsolation: Isolation { .held }
}
