import HoldfastFiles
import HoldfastSQLite

/// A separate connection that is queried for commits of other connections.
///
/// It is prepared like the readers of the database, reads only the change history, and holds no
/// snapshot. A suspension closes it with the others; the next query opens a new one.
///
/// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_data_version>
struct DataVersionProbe: ~Copyable {
  enum Answer: Equatable {
    /// No connection committed since the last query.
    case same
    /// A connection committed, possibly this process's own writer; with the tables if known.
    case moved(Set<String>?)
    /// The connection is new, and does not know what was committed before.
    case fresh
    /// The query failed because of a lock; a later answer contains what was committed.
    case busy(String)
    /// There is no usable connection.
    case unknown(String)
  }

  private let path: String
  private let factory: ConnectionFactory
  private var database: Database?
  private var tables = ChangedTablesCursor()
  private var identity: FileStatus?

  /// Whether another file has replaced the database while it was monitored.
  private(set) var isReplaced = false

  /// - Parameters:
  ///   - path: The file's absolute path.
  ///   - configuration: The configuration; the connection does not wait for locks.
  ///   - suspension: The suspension that ends the connection.
  init(path: String, configuration: Configuration, suspension: Suspension?) {
    var own = configuration
    own.readonly = true
    own.busyMode = .immediateError
    own.prepareDatabase { db in
      // A lock that it kept would block other connections, and its statements are not worth
      // tracing.
      try db.execute(sql: "PRAGMA locking_mode = NORMAL")
      db.trace()
    }
    self.path = path
    factory = ConnectionFactory(
      location: .file(path), configuration: own, suspension: suspension, isReported: false)
  }

  deinit {
    Self.close(database, factory.suspension)
  }

  /// Queries whether another connection committed since the last query.
  ///
  /// - Parameter isNaming: Whether the tables are needed, for which the history is read.
  /// - Returns: The answer of SQLite and of the history.
  mutating func query(namingTables isNaming: Bool = false) -> Answer {
    let present = status
    if let present, let identity, !present.isSameFile(as: identity) {
      isReplaced = true
      close()
    }
    do {
      let database = try opened(present)
      return try database.withAccess(isReadOnly: true) { db in
        guard let hasMoved = try db.hasForeignCommits() else {
          if isNaming { tables.begin(db) } else { tables.forget() }
          return .fresh
        }
        guard hasMoved else { return .same }
        if isNaming { return .moved(tables.query(db)) }
        tables.forget()
        return .moved(nil)
      }
    } catch {
      // After a lock error the connection is kept, because it knows what it has already seen.
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
    let opened = try factory.open(for: .read, .unlimited, AccessToken())
    database = opened
    identity = present
    return opened
  }

  private var status: FileStatus? {
    // A missing file is not a replacement.
    do throws(Errno) { return try SystemCalls.status(of: path) } catch _ { return nil }
  }
}
