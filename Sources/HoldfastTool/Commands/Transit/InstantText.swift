import Foundation
import HoldfastTransit

/// An instant as it is typed: ISO 8601, with an offset from UTC or as a local time.
struct InstantText: Sendable {
  /// The seconds since 1970 of the local time, as if it were UTC.
  private let local: Int
  /// The offset from UTC in seconds; `nil` for the time zone of the place.
  private let offset: Int?

  /// Creates the instant that a text names.
  ///
  /// - Parameter text: `YYYY-MM-DDTHH:MM`, with `:SS` and an offset `Z` or `±HH:MM` if wanted. A
  ///   fraction of a second is left out: timetables have none.
  init?(_ text: String) {
    guard let day = ServiceDay(String(text.prefix(10))) else { return nil }
    let rest = text.dropFirst(10)
    guard let separator = rest.first, separator == "T" || separator == " ",
      let match = rest.dropFirst().wholeMatch(
        of: /([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?/),
      let hours = Int(match.1), hours < 24, let minutes = Int(match.2), minutes < 60,
      let seconds = match.3.map({ Int($0) }) ?? 0, seconds < 60
    else { return nil }
    local = day.daysSince1970 * 86400 + hours * 3600 + minutes * 60 + seconds
    guard let zone = match.4, zone != "Z" else {
      offset = match.4 == nil ? nil : 0
      return
    }
    let digits = zone.dropFirst().filter { $0 != ":" }
    guard let number = Int(digits), number / 100 < 24, number % 100 < 60 else { return nil }
    let magnitude = number / 100 * 3600 + number % 100 * 60
    offset = zone.first == "-" ? -magnitude : magnitude
  }

  /// Returns the instant.
  ///
  /// - Parameter zone: The time zone of the place.
  /// - Returns: The instant: the first one of a local time that clocks repeat; one that they skip is
  ///   later by what they skip.
  func date(in zone: TimeZone) -> Date {
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

extension Reading<InstantText> {
  /// An instant, or a local time.
  static let instant = Reading(
    expected:
      "a day and a time in ISO 8601, such as 2026-07-24T08:00, 2026-07-24T08:00:00+02:00 or "
      + "2026-07-24T06:00Z"
  ) { InstantText($0) }
}

extension Reading<ServiceDay> {
  /// A day of the calendar.
  static let day = Reading(expected: "a day such as 2026-07-24") { ServiceDay($0) }
}

extension Cell {
  /// An instant in ISO 8601 with the offset of a time zone.
  init(_ instant: Date?, in zone: TimeZone) {
    self = Cell(
      instant.map {
        $0.formatted(Date.ISO8601FormatStyle(timeZoneSeparator: .colon, timeZone: zone))
      })
  }
}
