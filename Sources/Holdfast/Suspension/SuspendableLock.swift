/// A lock next to a database that a suspension of the database releases at once, because iOS ends an
/// app that is suspended while it holds a lock in a shared container.
package protocol SuspendableLock: AnyObject, Sendable {
  /// Releases the lock, or stops waiting for it; it may be called on any thread.
  ///
  /// - Returns: Whether it was held until now.
  @discardableResult func end() -> Bool
}
