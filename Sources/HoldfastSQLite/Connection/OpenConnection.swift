package import Dispatch

/// The state in which a connection was closed from outside of its access.
package struct ConnectionEnd: Hashable, Sendable {
  /// The kind of an open transaction.
  package enum Transaction: Hashable, Sendable {
    case none, read, write
  }

  /// The transaction that was rolled back.
  package var transaction: Transaction

  /// Whether a statement ran, or waited for a lock, and was interrupted.
  package var interruptedStatement: Bool

  /// The error if SQLite refused to close the connection; its locks may then be left.
  package var refusal: DatabaseError?
}

/// A connection that can be closed from outside of its access, from any thread.
package struct OpenConnection: Hashable, Sendable {
  let handle: ConnectionHandle

  package static func == (lhs: OpenConnection, rhs: OpenConnection) -> Bool {
    lhs.handle === rhs.handle
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(handle))
  }

  /// Whether the connection was claimed, so that no access uses it any more.
  package var isClaimed: Bool { handle.isClaimed }

  /// Closes the connection inside its gate, so that a suspension waits until it is closed.
  ///
  /// Only the thread that opened it calls this, when no access uses the connection.
  package func close() {
    // It is no error if some of the log stays, or if a suspension came first.
    _ = handle.close()
  }

  /// The reason why a connection is not closed yet.
  package static let runningCall =
    "a call of SQLite that cannot be interrupted, or code of the app's inside of one, such as a "
    + "function, the decoding of a row or a backup's progress, is still running; its connection "
    + "closes when it returns"

  /// Waits until the access has closed a connection that was claimed while it was inside.
  ///
  /// - Parameter limit: The end of the wait.
  /// - Returns: Whether it is closed; otherwise the access closes it when it leaves.
  package func waitUntilClosed(before limit: DispatchTime) -> Bool {
    handle.waitUntilClosed(before: limit)
  }

  /// Prevents the access from calling SQLite again, and interrupts its running call.
  ///
  /// - Returns: The right to end the connection; `nil` when it was claimed before or cannot be
  ///   suspended.
  package func claim() -> Claim? {
    guard let gate = handle.gate else { return nil }
    switch gate.claim(copyRows: handle.copyRows) {
    case .alreadyClaimed: return nil
    case .free: return Claim(handle: handle, gate: gate, isOccupied: false)
    case .occupied:
      handle.interrupt()
      return Claim(handle: handle, gate: gate, isOccupied: true)
    }
  }

  /// The right to end one connection.
  package struct Claim: Sendable {
    fileprivate let handle: ConnectionHandle
    fileprivate let gate: ConnectionGate

    /// Whether the access was inside SQLite; it then closes the connection when it leaves.
    package let isOccupied: Bool

    /// Rolls back and closes the connection, or waits until the access has done so.
    ///
    /// The connection's statements are finalized, no checkpoint is started and no code of the app
    /// is called.
    ///
    /// - Parameter limit: The time until which to wait for an access that cannot be interrupted,
    ///   such as a COMMIT that syncs, or a function of the app.
    /// - Returns: The state in which the connection was closed; `nil` when the access is still
    ///   inside SQLite: it closes the connection itself when it leaves.
    package func end(before limit: DispatchTime) -> ConnectionEnd? {
      guard isOccupied else { return handle.endClaimed(interruptedStatement: false) }
      guard handle.waitUntilClosed(before: limit) else { return nil }
      return handle.endFromInside
    }
  }
}

extension ConnectionHandle {
  fileprivate func waitUntilClosed(before limit: DispatchTime) -> Bool {
    guard let gate else { return true }
    // Again and again, because an interruption between two statements hits neither.
    while !gate.waitUntilClosed(until: min(limit, .now() + .milliseconds(1))) {
      if DispatchTime.now() >= limit { return false }
      interrupt()
    }
    return true
  }
}
