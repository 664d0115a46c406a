import HoldfastFiles

/// Work on a pack's folder under its lock, which a suspension or a cancellation stops.
struct LockedWork {
  let folder: PackFolder
  let lock: InstallingLock
  let control: PackStore.WorkControl

  var isStopped: Bool { control.isCancelled() || !lock.isHeld }

  /// - Throws: `CancellationError`; ``PackError`` with `.suspended` when the lock is not held.
  func throwIfStopped() throws {
    if control.isCancelled() { throw CancellationError() }
    if !lock.isHeld { throw PackError.suspended(folder.path) }
  }

  /// Runs steps that end early with an error of theirs when the work is stopped.
  ///
  /// - Throws: The reason for which the work was stopped, or else whatever `body` throws.
  func stoppable<Value>(_ body: () throws -> Value) throws -> Value {
    let value: Value
    do {
      value = try body()
    } catch {
      try throwIfStopped()
      throw error
    }
    try throwIfStopped()
    return value
  }
}
