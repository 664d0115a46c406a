extension Database {
  /// A handle that interrupts the connection from any thread.
  package var interruption: Interruption { Interruption(handle: handle) }

  /// A handle that interrupts one connection from any thread, even after it was closed.
  package struct Interruption: Sendable {
    fileprivate let handle: ConnectionHandle

    /// Ends the running statement, and all others and all waits for locks until the access ends.
    ///
    /// Observers of a transaction that has ended are not interrupted.
    package func callAsFunction() {
      handle.interruptAccess()
    }

    /// Ends the running statement; has no effect when none runs.
    package func interruptStatement() {
      handle.interrupt()
    }

    /// Allows waiting for locks again.
    package func reset() {
      handle.endInterruptionOfAccess()
    }
  }
}
