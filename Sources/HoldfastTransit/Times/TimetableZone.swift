import Foundation

/// A time zone, with the starts of its service days that were computed before.
final class TimetableZone {
  let zone: TimeZone
  private var starts: [Int: Int] = [:]

  init(_ zone: TimeZone) {
    self.zone = zone
  }

  /// Returns the start of a service day in seconds since 1970.
  func start(of day: ServiceDay) -> Int {
    if let start = starts[day.daysSince1970] { return start }
    if starts.count >= 1000 { starts = [:] }
    let start = day.startSeconds(in: zone)
    starts[day.daysSince1970] = start
    return start
  }

  /// Returns the day of the calendar at an instant.
  func day(at seconds: Int) -> ServiceDay {
    let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    return ServiceDay(daysSince1970: (seconds + offset).quotient(by: 86400))
  }

  /// Returns the service days whose times may be in an interval of seconds since 1970.
  ///
  /// A service day may begin hours before or after midnight, and its times may go on for days.
  ///
  /// - Parameters:
  ///   - interval: The seconds since 1970.
  ///   - latest: The latest time in seconds of the service day.
  /// - Returns: The days in their order.
  func days(
    around interval: ClosedRange<Int>, latest: Int
  ) -> LazyMapSequence<ClosedRange<Int>, ServiceDay> {
    // A hostile timetable's times may all be long before their days.
    let first = day(at: interval.lowerBound).daysSince1970 - max(0, latest) / 86400 - 2
    let last = day(at: interval.upperBound).daysSince1970 + 1
    return (first...last).lazy.map { ServiceDay(daysSince1970: $0) }
  }

  /// Returns the service day of the run that is closest to a moment.
  ///
  /// - Parameters:
  ///   - moment: The seconds since 1970.
  ///   - runs: Whether the trip runs on a day.
  ///   - latest: The latest time of the trip, in seconds of the service day.
  ///   - start: The beginning of what the moment is compared to, in seconds of the service day.
  ///   - end: Its end.
  /// - Returns: The day; `nil` if no run is within half a day.
  func day(
    nearestTo moment: Int, whereRuns runs: (ServiceDay) -> Bool, latest: Int, from start: Int,
    through end: Int
  ) -> ServiceDay? {
    let margin = 43_200
    var nearest: (day: ServiceDay, distance: Int)?
    for day in days(around: moment - margin...moment + margin, latest: max(latest, end))
    where runs(day) {
      let midnight = self.start(of: day)
      let distance = max(0, midnight + start - moment, moment - (midnight + end))
      // Of two that are as close, the later one has its run still before it.
      if distance <= min(margin, nearest?.distance ?? margin) { nearest = (day, distance) }
    }
    return nearest?.day
  }
}
