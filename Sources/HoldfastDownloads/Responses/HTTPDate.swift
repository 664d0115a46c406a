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
    let words = text.split { $0 == " " || $0 == "," }.map(String.init)
    // Sun, 06 Nov 1994 08:49:37 GMT
    if words.count == 6, words[5] == "GMT" {
      return date(day: words[1], month: words[2], year: Int(words[3]), time: words[4])
    }
    // Sun Nov  6 08:49:37 1994
    if words.count == 5 {
      return date(day: words[2], month: words[1], year: Int(words[4]), time: words[3])
    }
    // Sunday, 06-Nov-94 08:49:37 GMT
    let parts = words.count == 4 ? words[1].split(separator: "-").map(String.init) : []
    guard parts.count == 3, words[3] == "GMT", let year = Int(parts[2]) else { return nil }
    // "A year that appears to be more than 50 years in the future" is in the past.
    let thisYear = calendar.component(.year, from: now)
    var full = thisYear / 100 * 100 + year
    if full > thisYear + 50 { full -= 100 }
    return date(day: parts[0], month: parts[1], year: full, time: words[2])
  }

  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  private static func date(day: String, month: String, year: Int?, time: String) -> Date? {
    let times = time.split(separator: ":").compactMap { Int($0) }
    guard let day = Int(day), let month = months.firstIndex(of: month), let year, times.count == 3
    else { return nil }
    let parts = DateComponents(
      year: year, month: month + 1, day: day, hour: times[0], minute: times[1], second: times[2])
    guard (1...31).contains(day), times[0] < 24, times[1] < 60, times[2] <= 60 else { return nil }
    return calendar.date(from: parts)
  }
}
