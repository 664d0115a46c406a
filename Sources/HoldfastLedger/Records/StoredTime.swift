import Foundation
import Holdfast

/// The time as apps store it: text, seconds or milliseconds since 1970.
enum StoredTime {
  /// Returns a time in the form of another value; as text where that tells nothing.
  static func value(of time: Date, like known: DatabaseValue) -> DatabaseValue {
    let seconds = time.timeIntervalSince1970
    switch known.storage {
    // As seconds, this number is in the year 5138; as milliseconds, in 1973.
    case .int64(let number) where number.magnitude >= 100_000_000_000:
      return Int64(seconds * 1000).databaseValue
    case .int64: return Int64(seconds).databaseValue
    case .double(let number) where abs(number) >= 100_000_000_000:
      return (seconds * 1000).databaseValue
    case .double: return seconds.databaseValue
    case .string(let text) where text.utf8.contains(UInt8(ascii: "T")):
      return time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)).databaseValue
    case .null, .string, .blob: return time.databaseValue
    }
  }

  /// Returns the time that a value stands for; `nil` when it is none.
  static func date(from value: DatabaseValue) -> Date? {
    switch value.storage {
    case .int64(let number): date(fromNumber: Double(number))
    case .double(let number): date(fromNumber: number)
    case .null, .string, .blob: Date.fromDatabaseValue(value)
    }
  }

  private static func date(fromNumber number: Double) -> Date {
    Date(timeIntervalSince1970: abs(number) >= 100_000_000_000 ? number / 1000 : number)
  }
}
