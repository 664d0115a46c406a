import HoldfastFiles
import HoldfastSQLite

/// A factory of connections to one database.
struct ConnectionFactory: Sendable {
  /// Whether a connection that may write first turns on the write-ahead log.
  enum WriteAheadLog: Sendable {
    /// Turns on the write-ahead log.
    case on
    /// Leaves the journal mode as it is.
    case unchanged
  }

  let location: DatabaseLocation
  let configuration: Configuration

  /// Registers each connection before it opens the file; `nil` if the database cannot be suspended.
  let suspension: Suspension?

  var writeAheadLog = WriteAheadLog.unchanged

  /// The state that each connection preserves in a transaction; `nil` if it sees every commit.
  var snapshotState: SnapshotState?

  /// Whether openings are reported to the log.
  var isReported = true

  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - purpose: The purpose of the access for which the connection is opened.
  ///   - permit: The permit of that access.
  ///   - token: Records which thread uses the connection.
  /// - Returns: A connection, prepared as the configuration says.
  /// - Throws: `DatabaseError` with SQLite's code, or with `SQLITE_ABORT` when the database was
  ///   suspended meanwhile; whatever a preparation throws.
  func open(
    for purpose: ConnectionPool.Purpose, _ permit: Suspension.AccessPermit, _ token: AccessToken
  ) throws -> sending Database {
    // A connection for reading in a suspended database writes nothing, not even a checkpoint.
    let writes = purpose != .read && !configuration.readonly && !permit.isForReading
    var own = configuration
    if writes && writeAheadLog == .on {
      // After the user's preparation, which may give the key. One that left a transaction open is
      // refused afterwards.
      own.prepareDatabase { db in
        try db.checkKey()
        if !db.isInsideTransaction { try db.turnOnWriteAheadLog() }
      }
    }
    if writes { own = own.signingWrites }
    var registered: OpenConnection?
    do {
      let register = suspension.map { suspension in
        { (connection: OpenConnection) in
          try suspension.register(connection, for: permit)
          registered = connection
        }
      }
      let database = try Database(
        at: location, isReadOnly: !writes, configuration: own, token: token,
        isSuspended: permit.isForReading, register: register)
      database.suspension = suspension
      if let snapshotState { try begin(snapshotState, on: database) }
      report(
        "Opened a connection to \(Log.name(location.path)) for \(writes ? "writing" : "reading").")
      return database
    } catch {
      // Closed before it is removed, because a suspension that does not find the connection relies
      // on its locks having been released.
      registered?.close()
      if let registered { suspension?.remove(registered) }
      report("Could not open \(Log.name(location.path)): \(Self.kind(of: error))", error)
      throw error
    }
  }

  private func report(_ message: @autoclosure () -> String, _ error: (any Error)? = nil) {
    guard isReported else { return }
    let known = error as? DatabaseError
    let isExpected = known.map { $0.isDatabaseSuspensionError || $0.isLogEmpty } ?? false
    Log.report(error == nil || isExpected ? .debug : .error, .opening, message())
  }

  private static func kind(of error: any Error) -> String {
    (error as? DatabaseError).map { "SQLite error \($0.extendedResultCode.rawValue)" }
      ?? Log.kind(of: error)
  }

  private func begin(_ snapshotState: SnapshotState, on database: Database) throws {
    try database.withAccess(isReadOnly: true) { db in
      // A database that is never modified needs no log. A suspended one refuses the check, even
      // where it may be read: a snapshot would keep its lock.
      if case .file = location { try db.checkWriteAheadLog() }
      try snapshotState.begin(on: db)
    }
  }
}
