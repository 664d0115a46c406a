/// How often a writer signals its commits to those who watch the file: a pure state machine.
///
/// The first commit is signalled at once, and those that follow it together, after a rest. In a burst
/// the rest grows: each signal wakes threads that take a processor from the writer and from its own
/// observers, and nobody reads as fast as the commits come. The last commit of a burst is signalled
/// after the longest rest at the latest.
struct SignalPace: Equatable, Sendable {
  static let shortestRest = Duration.milliseconds(1)
  static let longestRest = Duration.milliseconds(8)

  /// With so many commits in a millisecond the next rest is longer.
  static let burstCount = 4

  /// How long is rested after the signal that was asked for last.
  private(set) var rest = Self.shortestRest
  private var isResting = false
  /// How many commits came since the last signal.
  private var owedCount = 0

  /// Something was committed.
  ///
  /// - Returns: Whether it is signalled now.
  mutating func committed() -> Bool {
    guard isResting else {
      isResting = true
      return true
    }
    owedCount += 1
    return false
  }

  /// The rest is over.
  ///
  /// - Returns: Whether a signal is owed, which is sent now.
  mutating func rested() -> Bool {
    let isBurst = Double(owedCount) >= Double(Self.burstCount) * (rest / .milliseconds(1))
    rest = isBurst ? min(rest * 2, Self.longestRest) : Self.shortestRest
    isResting = owedCount > 0
    owedCount = 0
    return isResting
  }
}
