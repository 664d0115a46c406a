import Dispatch
import HoldfastSQLite
import Synchronization

/// One place in the pool: a connection that is opened when it is first needed, and its queue.
final class PooledConnection: OpaqueToReflection {
  /// Awaited accesses run here, so that SQLite never blocks the threads of Swift's tasks.
  let queue: DispatchQueue

  /// Tells from any thread whether the current one holds the connection.
  let token = AccessToken()

  /// Whether the connection is to be closed at the end of the access that runs on it.
  let isStale = Atomic(false)

  private let open: @Sendable (Opening) throws -> Database
  private var opened: Database?
  private let interruption = Mutex<Database.Interruption?>(nil)

  private let suspension: Suspension?

  init(
    queue: DispatchQueue, suspension: Suspension?,
    open: @escaping @Sendable (Opening) throws -> Database
  ) {
    self.suspension = suspension
    self.queue = queue
    self.open = open
  }

  /// The connection; an opening that fails is tried again by the next access.
  ///
  /// - Parameter permit: What the access was let in with.
  /// - Returns: The connection.
  /// - Throws: What opening it throws.
  func database(_ permit: Suspension.AccessPermit = Suspension.AccessPermit()) throws -> Database {
    if let opened, isUsable { return opened }
    let opening = Opening(token: token, permit: permit, suspension: suspension)
    let database: Database
    do {
      database = try open(opening)
    } catch {
      opening.giveUp()
      throw error
    }
    if let opened { database.succeed(opened) }
    opened = database
    interruption.withLock { $0 = database.interruption }
    return database
  }

  /// Whether there is a connection that no suspension has ended.
  var isUsable: Bool { opened?.openConnection.isClaimed == false }

  /// The connection, if there is one.
  var openedDatabase: Database? { opened }

  /// Ends the statement that runs on the connection; from any thread.
  func interrupt() {
    interruption.withLock { $0 }?.interruptStatement()
  }

  func close() throws {
    isStale.store(false, ordering: .relaxed)
    interruption.withLock { $0 = nil }
    guard let opened else { return }
    defer {
      self.opened = nil
      suspension?.remove(opened.openConnection)
    }
    if let error = opened.close() { throw error }
  }
}

// Sendable because only the access that `PoolState` gave the slot to calls `database()`, `close()`
// and `openedDatabase`, and the pool's lock orders one holder before the next; the rest is constant
// or safe from any thread.
extension PooledConnection: @unchecked Sendable {}
