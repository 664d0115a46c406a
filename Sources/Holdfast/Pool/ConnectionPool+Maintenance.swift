import HoldfastSQLite
import Synchronization

// Operations on the connections, apart from the accesses that run on them.

extension ConnectionPool {
  /// Calls the closure with each idle reader.
  func forEachIdleReader(_ body: (PooledConnection) -> Void) {
    guard slots.count > 1 else { return }
    var numbers: [Int] = []
    while case .granted(let number)? = state.withLock({ $0.acquire(for: .read) }) {
      numbers.append(number)
      body(slots[number])
    }
    // In reverse order, so that the connection with the warmest cache is granted first again.
    numbers.reversed().forEach(release)
  }

  /// Runs the closure with the writer, unless another thread uses it.
  ///
  /// Errors are ignored: the caller tries again later.
  func withIdleWriter(_ body: (Database) throws -> Void) {
    do {
      if slots[0].token.isHeldByCurrentThread {
        // Inside a write, whose transaction still sees the state at its beginning.
        if let writer = slots[0].openedDatabase { try body(writer) }
      } else if case .granted(let number)? = state.withLock({ $0.acquire(for: .write) }) {
        defer { release(number) }
        try run(body, on: number, for: .write, .readOnly, .unlimited)
      }
    } catch _ {
      // The monitor of commits, which alone calls this, queries the writer again with its next look.
    }
  }

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
