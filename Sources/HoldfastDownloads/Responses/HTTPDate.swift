import Foundation

/// The three forms in which HTTP writes an instant.
///
/// - SeeAlso: RFC 9110, section 5.6.7.
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Parses an instant; `nil` when the text has none of the forms.
  static func date(_ text: String, now: Date = Date()) -> Date? {
    let words = text.split { $0 == " " || $0 == "," }
    // Sun, 06 Nov 1994 08:49:37 GMT
    if words.count == 6, words[5] == "GMT" {
      return date(
        day: number(words[1], digits: 2...2), month: words[2],
        year: number(words[3], digits: 4...4),
        time: words[4])
    }
    // Sun Nov  6 08:49:37 1994
    if words.count == 5 {
      return date(
        day: number(words[2], digits: 1...2), month: words[1],
        year: number(words[4], digits: 4...4),
        time: words[3])
    }
    // Sunday, 06-Nov-94 08:49:37 GMT
    let parts =
      words.count == 4 ? words[1].split(separator: "-", omittingEmptySubsequences: false) : []
    guard parts.count == 3, words[3] == "GMT", let year = number(parts[2], digits: 2...2) else {
      return nil
    }
    // "A year that appears to be more than 50 years in the future" is in the past.
    let thisYear = calendar.component(.year, from: now)
    var full = thisYear / 100 * 100 + year
    if full > thisYear + 50 { full -= 100 }
    return date(day: number(parts[0], digits: 2...2), month: parts[1], year: full, time: words[2])
  }

  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  /// Parses decimal digits alone, as many as the form has.
  private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.utf8.count) else { return nil }
    return Int64(digits: text).map { Int($0) }
  }

  private static func date(day: Int?, month: Substring, year: Int?, time: Substring) -> Date? {
    let times = time.split(separator: ":", omittingEmptySubsequences: false)
      .map { number($0, digits: 2...2) }
    guard times.count == 3, let hour = times[0], let minute = times[1], let second = times[2],
      let day, (1...31).contains(day), let year, let month = months.firstIndex(of: String(month)),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    return calendar.date(
      from: DateComponents(
        year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second))
  }
}
