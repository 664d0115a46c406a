import Dispatch
import HoldfastSQLite
import Synchronization

/// One connection of a pool, which is opened when it is first needed, and its queue.
final class PooledConnection: OpaqueToReflection {
  /// The queue on which awaited accesses run, so that SQLite never blocks the threads of tasks.
  let queue: DispatchQueue

  /// The queue as an executor of tasks.
  let executor: AccessExecutor

  /// Records which thread uses the connection.
  let token = AccessToken()

  /// Whether the connection is closed at the end of the current access.
  let isStale = Atomic(false)

  /// The current value of ``isStale``.
  var isStaleNow: Bool { isStale.load(ordering: .relaxed) }

  private var opened: Database?

  /// A connection that was closed, until the next one takes over its observers.
  private var ended: Database?

  /// Changes of the observers for the next connection that may write.
  private var observerChanges: [(Database) -> Void] = []

  private let interruption = Mutex<Database.Interruption?>(nil)

  init(queue: DispatchQueue) {
    self.queue = queue
    executor = AccessExecutor(queue: queue)
  }

  /// The connection, if it is open.
  var openedDatabase: Database? { opened }

  /// The connection, if it is open and no suspension has ended it.
  var usableDatabase: Database? {
    guard let opened, !opened.openConnection.isClaimed else { return nil }
    return opened
  }

  /// Stores a new connection, which takes over the observers of the previous one.
  func adopt(_ database: Database) {
    if let previous = opened ?? ended { database.adoptObservers(from: previous) }
    opened = database
    ended = nil
    interruption.withLock { $0 = database.interruption }
    if !database.isReadOnlyConnection { changeObservers(of: database) }
  }

  /// Stores a change of the observers for a connection that may write.
  func willChangeObservers(_ change: @escaping (Database) -> Void) {
    observerChanges.append(change)
  }

  /// Changes the observers of the connection, in the order in which the changes were stored.
  func changeObservers(of database: Database) {
    guard !observerChanges.isEmpty else { return }
    do {
      try database.withAccess(isReadOnly: false) { db in
        for change in observerChanges { change(db) }
      }
      observerChanges = []
    } catch _ {
      // A suspension has ended the connection; the changes are for the next one.
    }
  }

  /// Interrupts the statement that runs on the connection; called on any thread.
  func interrupt() {
    interruption.withLock { $0 }?.interruptStatement()
  }

  /// Closes the connection, if it is open, and forgets its observers.
  ///
  /// - Parameter suspension: Removes the connection once it is closed.
  /// - Throws: `DatabaseError` when SQLite refuses.
  func close(_ suspension: Suspension?) throws {
    defer {
      ended = nil
      observerChanges = []
    }
    try end(suspension)
  }

  /// Closes the connection, if it is open; the next one takes over its observers.
  ///
  /// - Parameter suspension: Removes the connection once it is closed.
  /// - Throws: `DatabaseError` when SQLite refuses.
  func end(_ suspension: Suspension?) throws {
    isStale.store(false, ordering: .relaxed)
    interruption.withLock { $0 = nil }
    guard let opened else { return }
    defer {
      self.opened = nil
      if opened.hasObservers { ended = opened }
      suspension?.remove(opened.openConnection)
    }
    if let error = opened.close() { throw error }
  }
}

// Sendable because only the access to which `PoolState` granted the connection calls functions
// that change or read the connection and its observers, and the pool's lock orders one access before the next;
// the rest is constant or safe to use on any thread.
extension PooledConnection: @unchecked Sendable {}
