import HoldfastFiles
import HoldfastSQLite

/// A connection of its own that is asked whether anybody committed.
///
/// It reads nothing else and holds no snapshot. It may be closed at any time; the next question
/// opens it again.
///
/// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_data_version>
struct CommitQuestion: ~Copyable {
  enum Answer: Equatable {
    /// Nobody committed since the last question.
    case same
    /// Somebody committed, this process's own writers included.
    case moved
    /// The connection is new: it does not know what happened before.
    case fresh
    /// SQLite did not answer.
    case unknown(String)
  }

  private let path: String
  private var database: Database?
  private var identity: FileStatus?

  /// Whether another file got the database's name while it was watched.
  private(set) var isReplaced = false

  init(path: String) {
    self.path = path
  }

  deinit {
    database?.close()
  }

  /// Whether somebody committed since the last question.
  mutating func ask() -> Answer {
    let present = status
    if let present, let identity, !present.isSameFile(as: identity) {
      isReplaced = true
      close()
    }
    do {
      let database = try opened(present)
      let moved = try database.lend(isReadOnly: true) { db in try db.hasForeignCommits() }
      return moved.map { $0 ? .moved : .same } ?? .fresh
    } catch {
      // Who only waits for a lock keeps the connection, and with it what it has seen.
      if (error as? DatabaseError)?.resultCode != .SQLITE_BUSY { close() }
      return .unknown("\(error)")
    }
  }

  /// Gives up the connection, its locks and its descriptors.
  mutating func close() {
    database?.close()
    database = nil
  }

  private mutating func opened(_ present: FileStatus?) throws -> Database {
    if let database { return database }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .immediateError
    let opened = try Database(
      path: path, isReadOnly: true, configuration: configuration, token: AccessToken())
    database = opened
    identity = present
    return opened
  }

  private var status: FileStatus? {
    // A name that leads nowhere is no other file.
    do throws(Errno) { return try SystemCalls.status(of: path) } catch _ { return nil }
  }
}
