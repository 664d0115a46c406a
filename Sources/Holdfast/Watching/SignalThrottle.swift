/// The pace at which a writer signals its commits to monitors: a pure state machine.
///
/// The first commit is signaled immediately, and those that follow it together, after a rest. In a
/// burst the rest grows: each signal wakes threads that take processor time from the writer and
/// from its own observers, and no observer reads as fast as the commits come. The last commit of a
/// burst is signaled after the longest rest at the latest.
struct SignalThrottle: Equatable, Sendable {
  static let shortestRest = Duration.milliseconds(1)
  static let longestRest = Duration.milliseconds(8)

  /// The number of commits in a millisecond from which the next rest is longer.
  static let burstCount = 4

  /// The rest after the most recently requested signal.
  private(set) var rest = Self.shortestRest
  private var isResting = false
  /// The number of commits since the last signal.
  private var unsignaledCount = 0

  /// Records a commit.
  ///
  /// - Returns: Whether it is to be signaled now.
  mutating func committed() -> Bool {
    guard isResting else {
      isResting = true
      return true
    }
    unsignaledCount += 1
    return false
  }

  /// Records the end of the rest.
  ///
  /// - Returns: Whether a signal is due, which is to be sent now.
  mutating func rested() -> Bool {
    let isBurst = Double(unsignaledCount) >= Double(Self.burstCount) * (rest / .milliseconds(1))
    rest = isBurst ? min(rest * 2, Self.longestRest) : Self.shortestRest
    isResting = unsignaledCount > 0
    unsignaledCount = 0
    return isResting
  }
}
