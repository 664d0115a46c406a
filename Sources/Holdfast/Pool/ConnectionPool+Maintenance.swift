import HoldfastSQLite
import Synchronization

// Operations on the connections, apart from the accesses that run on them.

extension ConnectionPool {
  /// Interrupts the statements that run on all connections.
  func interrupt() {
    for slot in slots { slot.interrupt() }
  }

  /// Closes the readers: idle ones immediately, the others at the end of their access.
  func closeReaders() {
    // Under the lock, so that each slot either belongs to its next reader already or is closed
    // before it does.
    state.withLock { _ in
      for slot in slots.dropFirst() { slot.isStale.store(true, ordering: .relaxed) }
    }
    // Releasing a slot closes its stale connection.
    forEachIdleReader { _ in }
  }

  /// Frees the memory of all idle readers.
  func releaseReaderMemory() {
    forEachIdleReader { slot in
      guard let db = slot.openedDatabase else { return }
      // A connection that was closed meanwhile has no memory to free.
      do { try db.withAccess(isReadOnly: true) { $0.releaseMemory() } } catch _ {}
    }
  }
}
