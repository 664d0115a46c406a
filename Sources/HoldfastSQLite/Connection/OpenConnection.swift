package import Dispatch

/// What ending a connection from outside of its access found there.
package struct ConnectionEnd: Hashable, Sendable {
  /// What was open.
  package enum Transaction: Hashable, Sendable {
    case none, read, write
  }

  /// The transaction that was rolled back.
  package var transaction: Transaction

  /// Whether a statement ran, or waited for a lock, and was interrupted.
  package var interruptedStatement: Bool

  /// Why SQLite refused to close, in which case its locks may be left.
  package var refusal: DatabaseError?
}

/// A connection as it is seen from outside of its access: it can be ended there, from any thread.
package struct OpenConnection: Hashable, Sendable {
  let handle: ConnectionHandle

  package static func == (lhs: OpenConnection, rhs: OpenConnection) -> Bool {
    lhs.handle === rhs.handle
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(handle))
  }

  /// Whether somebody claimed the connection, so that no access uses it any more.
  package var isClaimed: Bool { handle.isClaimed }

  /// Closes the connection from inside of SQLite, where a suspension waits for the end of it.
  ///
  /// Only the thread that opened it calls this, when no access uses the connection.
  package func close() {
    // That some of the log stays, or that a suspension came first, is no error.
    _ = handle.close()
  }

  /// Keeps the access from every further call of SQLite and interrupts the one that runs.
  ///
  /// - Returns: Whether the connection is the caller's to ``end(within:)``; false when somebody else
  ///   ends it.
  package func claim() -> Claim? {
    guard let gate = handle.gate else { return nil }
    switch gate.claim() {
    case .taken: return nil
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

    /// Whether the access was inside, which closes the connection when it comes out.
    package let isOccupied: Bool

    /// What keeps the access inside, for a report.
    package var reason: String {
      "a call of SQLite that cannot be interrupted, or code of the app's inside of one, such as a "
        + "function, the decoding of a row or a backup's progress, is still running; its connection "
        + "closes when it returns"
    }

    /// Rolls back and closes, or waits until the access has done so.
    ///
    /// The connection's statements are finalized, no checkpoint is started and no code of the app's
    /// is called.
    ///
    /// - Parameter limit: How long an access that cannot be interrupted is waited for, such as a
    ///   COMMIT that syncs, or a function of the app's.
    /// - Returns: What was found; `nil` when the access is still inside: it closes the connection
    ///   itself when it comes out.
    package func end(before limit: DispatchTime) -> ConnectionEnd? {
      guard isOccupied else { return handle.endClaimed(interruptedStatement: false) }
      // Again and again, because an interruption between two statements hits neither.
      while !gate.waitUntilClosed(until: min(limit, .now() + .milliseconds(1))) {
        if DispatchTime.now() >= limit { return nil }
        handle.interrupt()
      }
      return handle.endFromInside
    }
  }
}
