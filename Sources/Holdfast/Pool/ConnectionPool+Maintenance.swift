import HoldfastSQLite
import Synchronization

// What is done to connections beside the accesses that run on them.

extension ConnectionPool {
  /// Ends the statements that run on all connections.
  func interrupt() {
    for slot in slots { slot.interrupt() }
  }

  /// Closes the readers: those that nobody uses now, the others at the end of their access.
  func closeReaders() {
    // Under the lock, so that each slot is either given to its next reader already or is closed
    // before.
    state.withLock { _ in
      for slot in slots.dropFirst() { slot.isStale.store(true, ordering: .relaxed) }
    }
    // Giving a slot back closes its stale connection.
    forEachIdleReader { _ in }
  }

  /// Frees the memory of all readers that nobody uses.
  func releaseReaderMemory() {
    forEachIdleReader { slot in
      guard let db = slot.openedDatabase else { return }
      // A connection that was closed under us has no memory to free.
      do { try db.lend(isReadOnly: true) { $0.releaseMemory() } } catch _ {}
    }
  }
}
