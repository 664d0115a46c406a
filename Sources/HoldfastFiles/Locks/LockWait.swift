/// The wait for a lock that has no time limit of its own, such as `flock(2)`: attempts with growing pauses.
package struct LockWait {
  private let deadline: ContinuousClock.Instant
  private var milliseconds: UInt32 = 1

  /// Begins a wait.
  ///
  /// - Parameter limit: The longest time until the last attempt.
  package init(upTo limit: Duration) {
    deadline = ContinuousClock.now + limit
  }

  /// Blocks the thread before the next attempt, for 1 to 16 milliseconds.
  ///
  /// - Returns: False, without a pause, when the time is used up.
  package mutating func pause() -> Bool {
    guard ContinuousClock.now < deadline else { return false }
    SystemCalls.sleep(milliseconds: milliseconds)
    milliseconds = min(milliseconds * 2, 16)
    return true
  }
}
