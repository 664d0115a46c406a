/// The schedule by which a download that failed for a passing reason is tried again.
///
/// The waits grow exponentially: with the defaults 1, 2, 4, … seconds, at most 5 minutes, each
/// shortened at random by up to a half so that many devices do not return at once. Attempts do not
/// count that received more than all before, if the next one continues there.
///
/// Which statuses pass by themselves is no part of it: a server's 503 does, its 404 does not.
public struct RetryPolicy: Hashable, Sendable {
  /// The greatest number of attempts in a row that make no lasting progress.
  public var attemptLimit = 6

  /// The wait after the first failure.
  public var firstDelay: Duration = .seconds(1)

  /// The longest wait; a server that demands a longer one makes the download fail.
  public var longestDelay: Duration = .seconds(300)

  /// Creates the default policy.
  public init() {}

  /// Decides when the next attempt begins.
  ///
  /// - Parameters:
  ///   - failures: How many attempts in a row have failed without lasting progress; at least 1.
  ///   - demanded: The wait that the server demands.
  ///   - random: A number from 0 to 1, without 1.
  /// - Returns: The wait; `nil` when there is no further attempt.
  func delay(after failures: Int, demanded: Duration?, random: Double) -> Duration? {
    guard failures < attemptLimit else { return nil }
    if let demanded {
      return demanded > longestDelay ? nil : max(demanded, firstDelay)
    }
    // 2 to the power of 30 seconds is 34 years.
    let grown = firstDelay * (1 << min(max(failures, 1) - 1, 30))
    return min(grown, longestDelay) * (1 - random / 2)
  }
}
