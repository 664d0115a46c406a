import Dispatch
import HoldfastSQLite

/// One place in the pool: a connection that is opened when it is first needed, and its queue.
final class Slot {
  /// Awaited accesses run here, so that SQLite never blocks the threads of Swift's tasks.
  let queue: DispatchQueue

  /// Tells from any thread whether the current one holds the connection.
  let token = AccessToken()

  private let open: @Sendable (AccessToken) throws -> Database
  private var opened: Database?

  init(label: String, open: @escaping @Sendable (AccessToken) throws -> Database) {
    queue = DispatchQueue(label: label)
    self.open = open
  }

  /// The connection; an opening that fails is tried again by the next access.
  func database() throws -> Database {
    if let opened { return opened }
    let database = try open(token)
    opened = database
    return database
  }

  func close() {
    opened?.close()
    opened = nil
  }
}

// Sendable because only the access that `PoolState` gave the slot to calls `database()` and
// `close()`, and the pool's lock orders one holder before the next; the rest is constant.
extension Slot: @unchecked Sendable {}
