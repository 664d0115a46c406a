import Foundation

/// The field `Retry-After`: when the server wants to be asked again.
///
/// - SeeAlso: RFC 9110, section 10.2.3.
enum RetryAfter {
  /// Parses a number of seconds or an instant; `nil` for anything else.
  static func delay(_ text: String, now: Date = Date()) -> Duration? {
    let text = text.trimmingCharacters(in: .whitespaces)
    if let seconds = Int64(digits: text) { return .seconds(min(seconds, 1_000_000_000)) }
    guard let date = HTTPDate.date(text, now: now) else { return nil }
    return .seconds(max(0, date.timeIntervalSince(now).rounded(.up)))
  }
}
