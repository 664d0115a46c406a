public import Foundation

/// The prediction of an arrival or a departure.
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/reference/#message-stoptimeevent>
public struct StopTimeEvent: Hashable, Sendable {
  /// How much later than scheduled it is; negative when it is earlier.
  public var delay: Duration?
  /// The predicted time, which takes precedence over the delay.
  public var time: Date?
  /// The expected error of the prediction; zero when it is certain, `nil` when it is unknown.
  public var uncertainty: Duration?
  /// The scheduled time, in updates of trips that are not in the timetable.
  public var scheduledTime: Date?

  /// Creates a prediction.
  ///
  /// - Parameters:
  ///   - delay: How much later than scheduled it is.
  ///   - time: The predicted time.
  ///   - uncertainty: The expected error of the prediction.
  ///   - scheduledTime: The scheduled time.
  public init(
    delay: Duration? = nil, time: Date? = nil, uncertainty: Duration? = nil,
    scheduledTime: Date? = nil
  ) {
    (self.delay, self.time) = (delay, time)
    (self.uncertainty, self.scheduledTime) = (uncertainty, scheduledTime)
  }
}

extension StopTimeEvent {
  /// Returns the prediction with time and delay, as far as they follow from one another.
  ///
  /// - Parameter scheduled: The time in the timetable, if it has one.
  /// - Returns: The prediction with its scheduled time; `nil` when nothing is predicted. A time outside
  ///   of the years 1 to 9999 counts as none.
  func resolved(scheduled: Date?) -> StopTimeEvent? {
    var event = self
    event.time = time.flatMap(Self.plausible)
    guard event.time != nil || delay != nil else { return nil }
    event.scheduledTime = scheduled ?? scheduledTime.flatMap(Self.plausible)
    guard let schedule = event.scheduledTime else { return event }
    // "If both time and delay are specified, time will take precedence."
    if let time = event.time {
      event.delay = .seconds(time.timeIntervalSince(schedule))
    } else if let delay {
      event.time = schedule + delay / .seconds(1)
    }
    return event
  }

  private static func plausible(_ date: Date) -> Date? {
    ServiceDay.years.contains(date.timeIntervalSince1970) ? date : nil
  }

  /// Returns the prediction for a scheduled time and a delay; without a delay, no prediction.
  func delayed(by delay: Duration?) -> StopTimeEvent {
    let event = StopTimeEvent(delay: delay, scheduledTime: scheduledTime)
    return event.resolved(scheduled: nil) ?? event
  }
}
