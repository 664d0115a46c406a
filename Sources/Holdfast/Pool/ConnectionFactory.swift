import HoldfastFiles
import HoldfastSQLite

/// Opens the connections of one database.
struct ConnectionFactory: Sendable {
  /// What a connection that may write does before anything else.
  enum WriteAheadLog: Sendable {
    /// Turns the write-ahead log on.
    case on
    /// Leaves the journal mode as it is.
    case unchanged
  }

  let location: DatabaseLocation
  let configuration: Configuration

  /// Knows each connection before it touches the file; `nil` when the database cannot be suspended.
  let suspension: Suspension?

  var writeAheadLog = WriteAheadLog.unchanged

  /// Whether each connection begins a transaction that keeps the state it sees.
  var holdsSnapshot = false

  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - purpose: What the access does for which it is opened.
  ///   - permit: The permit of that access.
  ///   - token: Knows which thread uses the connection.
  /// - Returns: The connection.
  /// - Throws: `DatabaseError` with the code SQLite gave, with `SQLITE_ABORT` when the database was
  ///   suspended meanwhile; what a preparation throws.
  func open(
    for purpose: ConnectionPool.Purpose, _ permit: Suspension.AccessPermit, _ token: AccessToken
  ) throws -> Database {
    // What is opened for reading in a suspended database writes nothing, not even a checkpoint.
    let writes = purpose != .read && !configuration.readonly && !permit.isForReading
    var own = writes ? configuration.signingWrites : configuration
    if writes && writeAheadLog == .on {
      // Before the user's preparation, which may want to read.
      own.prepareFirst { db in try db.turnOnWriteAheadLog() }
    }
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
      if holdsSnapshot { try beginSnapshot(database) }
      Log.report(
        .debug, .opening,
        "Opened a connection to \(Log.name(location.path)) for \(writes ? "writing" : "reading").")
      return database
    } catch {
      // Closed first, because a suspension that does not find it any more relies on its locks being
      // gone.
      registered?.close()
      if let registered { suspension?.remove(registered) }
      Log.report(.error, .opening, "Could not open \(Log.name(location.path)): \(error)")
      throw error
    }
  }

  private func beginSnapshot(_ database: Database) throws {
    try database.lend(isReadOnly: true) { db in
      // What is never modified needs no log. A suspended database refuses the question, also where
      // it may be read: a snapshot would keep its lock.
      if case .file = location { try db.checkWriteAheadLog() }
      try db.beginSnapshot()
    }
  }
}
