import Synchronization

extension Database {
  /// A handle that interrupts the connection from any thread.
  package var interruption: Interruption { Interruption(handle: handle) }

  /// A handle that interrupts one connection from any thread, even after it was closed.
  package struct Interruption: Sendable {
    fileprivate let handle: ConnectionHandle

    /// Ends the running statement, and all waits for locks until the access ends.
    package func callAsFunction() {
      handle.busyHandler.isAccessInterrupted.store(true, ordering: .relaxed)
      handle.interrupt()
    }

    /// Ends the running statement; has no effect when none runs.
    package func interruptStatement() {
      handle.interrupt()
    }

    /// Allows waiting for locks again.
    package func reset() {
      handle.busyHandler.isAccessInterrupted.store(false, ordering: .relaxed)
    }
  }
}
