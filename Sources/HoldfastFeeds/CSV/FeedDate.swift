/// A service date of a feed: a day of the calendar, without a time zone.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#field-types>, "Date"
public struct FeedDate: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
  /// The day as one number, `YYYYMMDD`.
  public let number: Int

  /// Creates the date with a number, if the calendar contains it.
  ///
  /// - Parameter number: `YYYYMMDD`, from 1 January of the year 1 on.
  public init?(number: Int) {
    let (year, month, day) = (number / 10000, number / 100 % 100, number % 100)
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
    self.number = number
  }

  /// The date in digits, `YYYYMMDD`.
  public var description: String {
    let digits = String(number)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// The date in ISO 8601 format, `YYYY-MM-DD`.
  var isoText: String {
    let digits = description
    return "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
  }

  /// Returns whether one date is earlier than another.
  ///
  /// - Parameters:
  ///   - lhs: The date that may be earlier.
  ///   - rhs: The date that may be later.
  /// - Returns: Whether `lhs` is the earlier one.
  public static func < (lhs: FeedDate, rhs: FeedDate) -> Bool { lhs.number < rhs.number }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}
