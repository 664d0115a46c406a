import Foundation

extension Date {
  /// Returns the time in ISO 8601 format with milliseconds and the offset from UTC.
  func timestamp(in timeZone: TimeZone) -> String {
    formatted(
      Date.ISO8601FormatStyle(
        timeZoneSeparator: .colon, includingFractionalSeconds: true, timeZone: timeZone))
  }
}
