import HoldfastFiles
import HoldfastSQLite

/// A connection of its own that is asked whether anybody committed.
///
/// It is prepared as the readers of the database are, reads nothing else but a history of changes,
/// and holds no snapshot. A suspension ends it with the others; the next question opens another one.
///
/// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_data_version>
struct DataVersionProbe: ~Copyable {
  enum Answer: Equatable {
    /// Nobody committed since the last question.
    case same
    /// Somebody committed, this process's own writers included; to these tables if that is known.
    case moved(Set<String>?)
    /// The connection is new: it does not know what happened before.
    case fresh
    /// Somebody else's lock is in the way; what happened is in a later answer.
    case busy(String)
    /// There is no connection.
    case unknown(String)
  }

  private let path: String
  private let factory: ConnectionFactory
  private var database: Database?
  private var tables = ChangedTablesCursor()
  private var identity: FileStatus?

  /// Whether another file got the database's name while it was watched.
  private(set) var isReplaced = false

  /// - Parameters:
  ///   - path: The file's absolute path.
  ///   - configuration: Prepares the connection, which waits for no lock.
  ///   - suspension: Ends the connection when the database is suspended.
  init(path: String, configuration: Configuration, suspension: Suspension?) {
    var own = configuration
    own.readonly = true
    own.busyMode = .immediateError
    own.prepareLast { db in
      // A lock that it kept would be in everybody's way, and nobody wants to read what it runs.
      try db.execute(sql: "PRAGMA locking_mode = NORMAL")
      db.trace()
    }
    self.path = path
    factory = ConnectionFactory(
      location: .file(path), configuration: own, suspension: suspension)
  }

  deinit {
    Self.close(database, factory.suspension)
  }

  /// Whether somebody committed since the last question.
  ///
  /// - Parameter isNaming: Whether anybody wants to know the tables, which costs reading the history.
  /// - Returns: What SQLite and the history say.
  mutating func ask(namingTables isNaming: Bool = false) -> Answer {
    let present = status
    if let present, let identity, !present.isSameFile(as: identity) {
      isReplaced = true
      close()
    }
    do {
      let database = try opened(present)
      return try database.lend(isReadOnly: true) { db in
        guard let hasMoved = try db.hasForeignCommits() else {
          if isNaming { tables.begin(db) } else { tables.forget() }
          return .fresh
        }
        guard hasMoved else { return .same }
        if isNaming { return .moved(tables.ask(db)) }
        tables.forget()
        return .moved(nil)
      }
    } catch {
      // Who only waits for a lock keeps the connection, and with it what it has seen.
      if (error as? DatabaseError)?.resultCode == .SQLITE_BUSY { return .busy("\(error)") }
      close()
      return .unknown("\(error)")
    }
  }

  private mutating func close() {
    Self.close(database, factory.suspension)
    database = nil
  }

  private static func close(_ database: Database?, _ suspension: Suspension?) {
    guard let database else { return }
    database.close()
    suspension?.remove(database.openConnection)
  }

  private mutating func opened(_ present: FileStatus?) throws -> Database {
    if let database {
      if !database.openConnection.isClaimed { return database }
      close()
    }
    let opened = try factory.open(for: .read, Suspension.AccessPermit(), AccessToken())
    database = opened
    identity = present
    return opened
  }

  private var status: FileStatus? {
    // A name that leads nowhere is no other file.
    do throws(Errno) { return try SystemCalls.status(of: path) } catch _ { return nil }
  }
}
