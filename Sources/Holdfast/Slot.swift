import Dispatch
import HoldfastSQLite
import Synchronization

/// One place in the pool: a connection that is opened when it is first needed, and its queue.
final class Slot {
  /// Awaited accesses run here, so that SQLite never blocks the threads of Swift's tasks.
  let queue: DispatchQueue

  /// Tells from any thread whether the current one holds the connection.
  let token = AccessToken()

  /// Whether the connection is to be closed at the end of the access that runs on it.
  let isStale = Atomic(false)

  private let open: @Sendable (AccessToken) throws -> Database
  private var opened: Database?
  private let interruption = Mutex<Database.Interruption?>(nil)

  init(queue: DispatchQueue, open: @escaping @Sendable (AccessToken) throws -> Database) {
    self.queue = queue
    self.open = open
  }

  /// The connection; an opening that fails is tried again by the next access.
  func database() throws -> Database {
    if let opened { return opened }
    let database = try open(token)
    opened = database
    interruption.withLock { $0 = database.interruption }
    return database
  }

  /// The connection, if there is one.
  var openedDatabase: Database? { opened }

  /// Ends the statement that runs on the connection; from any thread.
  func interrupt() {
    interruption.withLock { $0 }?.interruptStatement()
  }

  func close() throws {
    isStale.store(false, ordering: .relaxed)
    interruption.withLock { $0 = nil }
    defer { opened = nil }
    if let error = opened?.close() { throw error }
  }
}

// Sendable because only the access that `PoolState` gave the slot to calls `database()`, `close()`
// and `openedDatabase`, and the pool's lock orders one holder before the next; the rest is constant
// or safe from any thread.
extension Slot: @unchecked Sendable {}
