public import Foundation

/// A day on which services run: a day of the calendar, without a time zone.
///
/// Times of a service day are counted from noon minus 12 hours, which is midnight except on the days
/// on which clocks change, and go past 24:00 for trips that end after midnight.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#field-types>, "Date" and "Time"
public struct ServiceDay: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The instants of the years 1 to 9999, in seconds since 1970.
  static let years = -62_135_596_800.0...253_402_300_800.0

  /// The days since 1 January 1970.
  package let daysSince1970: Int

  package init(daysSince1970: Int) {
    self.daysSince1970 = daysSince1970
  }

  /// Creates the day with a number, if the Gregorian calendar contains it.
  ///
  /// - Parameter number: `YYYYMMDD`, from the year 1 on.
  public init?(number: Int) {
    let (year, month, day) = (number / 10000, number / 100 % 100, number % 100)
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
    let first = Self.days(before: month, of: year)
    guard first + day <= Self.days(before: month + 1, of: year) else { return nil }
    daysSince1970 = first + day - 1 - Self.daysBefore1970
  }

  /// Creates the day that a text names.
  ///
  /// - Parameter text: `YYYY-MM-DD` or `YYYYMMDD`.
  public init?(_ text: String) {
    let digits = Array(text.utf8)
    let dash = UInt8(ascii: "-")
    let plain =
      digits.count == 10 && digits[4] == dash && digits[7] == dash
      ? digits[0..<4] + digits[5..<7] + digits[8..<10] : digits[...]
    guard plain.count == 8, plain.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(number: plain.reduce(0) { $0 * 10 + Int($1 - 0x30) })
  }

  /// The day as one number, `YYYYMMDD`.
  public var number: Int {
    let days = daysSince1970 + Self.daysBefore1970
    // The mean length of a Gregorian year finds the year, or one next to it.
    var year = Int((Double(days) / 365.2425).rounded(.down)) + 1
    while Self.days(before: 1, of: year) > days { year -= 1 }
    while Self.days(before: 13, of: year) <= days { year += 1 }
    var month = 1
    while Self.days(before: month + 1, of: year) <= days { month += 1 }
    return year * 10000 + month * 100 + days - Self.days(before: month, of: year) + 1
  }

  /// The day in ISO 8601 format, `YYYY-MM-DD`.
  public var description: String {
    let digits = String(number)
    let padded = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    return "\(padded.prefix(4))-\(padded.dropFirst(4).prefix(2))-\(padded.suffix(2))"
  }

  /// The day of the week: 0 for Monday, 6 for Sunday.
  package var weekday: Int {
    // 1 January 1970 was a Thursday.
    let rest = (daysSince1970 + 3) % 7
    return rest < 0 ? rest + 7 : rest
  }

  /// Returns the instant from which the day's times are counted: noon minus 12 hours.
  ///
  /// - Parameter zone: The time zone of the agency.
  /// - Returns: The instant: midnight, and on a day on which clocks change as far from it as they
  ///   change.
  public func start(in zone: TimeZone) -> Date {
    Date(timeIntervalSince1970: Double(startSeconds(in: zone)))
  }

  /// The same in seconds since 1970.
  package func startSeconds(in zone: TimeZone) -> Int {
    let noon = daysSince1970 * 86400 + 43200
    // The offset at noon, found by way of an instant that is at most a day away from it.
    let near = noon - zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(noon)))
    let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(near)))
    return noon - offset - 43200
  }

  /// Returns whether one day is before another.
  public static func < (lhs: ServiceDay, rhs: ServiceDay) -> Bool {
    lhs.daysSince1970 < rhs.daysSince1970
  }

  // MARK: - The calendar

  private static let daysBefore1970 = 719_162

  /// The days of a year before each month, in a year without a leap day.
  private static let daysBeforeMonth = [
    0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365,
  ]

  /// Returns the days from 1 January of the year 1 to the first day of a month; month 13 is the next
  /// January.
  private static func days(before month: Int, of year: Int) -> Int {
    let past = year - 1
    let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return past * 365 + past.quotient(by: 4) - past.quotient(by: 100) + past.quotient(by: 400)
      + daysBeforeMonth[month - 1] + (isLeapYear && month > 2 ? 1 : 0)
  }
}

extension Int {
  /// Returns the quotient rounded down; `/` rounds towards 0.
  package func quotient(by divisor: Int) -> Int {
    let quotient = self / divisor
    return quotient * divisor > self ? quotient - 1 : quotient
  }
}
