/// A lock next to a database that a suspension of the database releases at once, because iOS ends an
/// app that is suspended while it holds a lock in a shared container.
package protocol SuspendableLock: AnyObject, Sendable {
  /// Releases the lock, or stops waiting for it; it may be called on any thread.
  ///
  /// - Returns: Whether it was held until now.
  @discardableResult func end() -> Bool
}

extension DatabaseWriter {
  /// Registers a lock that a suspension of this database ends.
  ///
  /// A database that cannot be suspended keeps no list. The lock is not kept alive.
  package func endOnSuspension(_ lock: any SuspendableLock) {
    connectionPool?.suspension?.add(lock)
  }
}
