import Foundation
import HoldfastTransit

/// An instant as it is typed in ISO 8601: a day, a time of day, or both.
struct InstantText: Sendable {
  /// The day of the calendar; `nil` for today, or the day of another option.
  let day: ServiceDay?
  /// The time of the day in seconds; `nil` for the whole day.
  let seconds: Int?
  /// The offset from UTC in seconds; `nil` for the time zone of the place.
  private let offset: Int?

  /// Creates the instant of a whole day.
  init(_ day: ServiceDay) {
    (self.day, seconds, offset) = (day, nil, nil)
  }

  /// Creates the instant that a text names.
  ///
  /// - Parameter text: `YYYY-MM-DD`, `HH:MM` or `YYYY-MM-DDTHH:MM`, a time with `:SS` and an offset `Z`
  ///   or `±HH:MM` if wanted. A fraction of a second is left out: timetables have none.
  init?(_ text: String) {
    var time = Substring(text)
    if let day = ServiceDay(String(text.prefix(10))), text.prefix(10).contains("-") {
      self.day = day
      let rest = text.dropFirst(10)
      guard let separator = rest.first else {
        (seconds, offset) = (nil, nil)
        return
      }
      guard separator == "T" || separator == " " else { return nil }
      time = rest.dropFirst()
    } else {
      day = nil
    }
    guard
      let match = time.wholeMatch(
        of: /([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?/),
      let hours = Int(match.1), hours < 24, let minutes = Int(match.2), minutes < 60,
      let seconds = match.3.map({ Int($0) }) ?? 0, seconds < 60
    else { return nil }
    self.seconds = hours * 3600 + minutes * 60 + seconds
    guard let zone = match.4, zone != "Z" else {
      offset = match.4 == nil ? nil : 0
      return
    }
    let digits = zone.dropFirst().filter { $0 != ":" }
    guard let number = Int(digits), number / 100 < 24, number % 100 < 60 else { return nil }
    let magnitude = number / 100 * 3600 + number % 100 * 60
    offset = zone.first == "-" ? -magnitude : magnitude
  }

  /// Returns the day of the instant.
  ///
  /// - Parameters:
  ///   - zone: The time zone of the place.
  ///   - now: The instant whose day is today.
  /// - Returns: The day that was typed, or else today where the time is counted.
  func day(in zone: TimeZone, now: Date = .now) -> ServiceDay {
    if let day { return day }
    let seconds = Int(now.timeIntervalSince1970.rounded(.down))
    let local = seconds + (offset ?? zone.secondsFromGMT(for: now))
    return ServiceDay(daysSince1970: local.quotient(by: 86400))
  }

  /// Returns the instant.
  ///
  /// - Parameters:
  ///   - zone: The time zone of the place.
  ///   - now: The instant whose day is today.
  /// - Returns: The instant, of a whole day its beginning: the first one of a local time that clocks
  ///   repeat; one that they skip is later by what they skip.
  func date(in zone: TimeZone, now: Date = .now) -> Date {
    instant(day(in: zone, now: now).daysSince1970 * 86400 + (seconds ?? 0), in: zone)
  }

  /// Returns the instant, of a whole day its end.
  ///
  /// - Parameter zone: The time zone of the place.
  /// - Returns: The given instant, or the midnight after the given day.
  func end(in zone: TimeZone) -> Date {
    guard seconds == nil, let day else { return date(in: zone) }
    return instant((day.daysSince1970 + 1) * 86400, in: zone)
  }

  /// Returns the instant of a local time in seconds since 1970, counted as if it were UTC.
  private func instant(_ local: Int, in zone: TimeZone) -> Date {
    func offset(at seconds: Int) -> Int {
      zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    }
    if let offset = self.offset { return Date(timeIntervalSince1970: Double(local - offset)) }
    // No zone changes its clocks twice within two days.
    let (before, after) = (offset(at: local - 86400), offset(at: local + 86400))
    let isAfter = offset(at: local - before) != before && offset(at: local - after) == after
    return Date(timeIntervalSince1970: Double(local - (isAfter ? after : before)))
  }
}

extension InstantText {
  /// Creates the instant of two options, one of which may be the day of the other's time.
  ///
  /// - Parameters:
  ///   - time: The value of `--at`.
  ///   - day: The value of `--date`.
  /// - Returns: `nil` when neither is given.
  /// - Throws: ``ToolError`` when both name a day.
  static func combined(_ time: InstantText?, _ day: ServiceDay?) throws(ToolError) -> InstantText? {
    guard let day else { return time }
    guard let time else { return InstantText(day) }
    guard time.day == nil else { throw .twoDays }
    return InstantText(day, time)
  }

  private init(_ day: ServiceDay, _ time: InstantText) {
    (self.day, seconds, offset) = (day, time.seconds, time.offset)
  }
}

extension Reading<InstantText> {
  /// An instant, a local time, or a day.
  static let instant = Reading(
    expected:
      "a day, a time of day or both in ISO 8601, such as 2026-07-24, 08:00, 2026-07-24T08:00 or "
      + "2026-07-24T06:00Z"
  ) { InstantText($0) }
}

extension Reading<ServiceDay> {
  /// A day of the calendar.
  static let day = Reading(expected: "a day such as 2026-07-24") { ServiceDay($0) }
}
