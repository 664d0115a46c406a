import Foundation

/// How much older than the question a message is whose predictions may no longer hold.
struct MessageAge: Sendable {
  /// The moment at which the message was made.
  let timestamp: Date
  /// The time from then to the instant of the question, in seconds.
  let seconds: Int
  /// The zone in which riders read times.
  let zone: TimeZone

  /// The age up to which nothing is said, in seconds.
  ///
  /// Agencies are asked for messages that are not older than minutes; an hour is no matter of how often an app fetches.
  ///
  /// - SeeAlso: <https://gtfs.org/documentation/realtime/realtime-best-practices/>
  private static let most = 3600

  /// `nil` for a message that is not so old, or that does not say when it was made.
  init?(_ timestamp: Date?, at instant: Date, in zone: TimeZone, now: Date = .now) {
    // To a question about tomorrow no message is newer than one of today.
    guard let timestamp, Int(min(instant, now).timeIntervalSince(timestamp)) > Self.most else {
      return nil
    }
    // Both are in the years 1 to 9999.
    (self.timestamp, self.zone) = (timestamp, zone)
    seconds = Int(instant.timeIntervalSince(timestamp))
  }

  /// What is said of the message, after its name.
  var words: String {
    let hours = seconds / 3600
    let time = hours < 48 ? Count.of(hours, "hour") : Count.of(hours / 24, "day")
    return "was made at \(Instant(timestamp, in: zone).iso8601), \(time) before the time of the "
      + "question: vehicles may run otherwise by then."
  }
}
