public import Foundation

/// A day, a time of day or both, in the formats of SQLite's date functions.
///
/// It contains only the components of the text; a `Date` would add a time zone and missing parts.
///
/// ```swift
/// let birthday = DatabaseDateComponents(DateComponents(year: 1973, month: 9, day: 18), format: .YMD)
/// try db.execute(sql: "INSERT INTO person (birthday) VALUES (?)", arguments: [birthday])
/// ```
///
/// - SeeAlso: <https://www.sqlite.org/lang_datefunc.html#time_values>
public struct DatabaseDateComponents: Hashable, Sendable {
  /// The format of date components.
  public enum Format: String, Sendable {
    /// A day: `yyyy-MM-dd`.
    case YMD = "yyyy-MM-dd"
    /// A day and minutes: `yyyy-MM-dd HH:mm`.
    case YMD_HM = "yyyy-MM-dd HH:mm"
    /// A day and seconds: `yyyy-MM-dd HH:mm:ss`, the format of `CURRENT_TIMESTAMP`.
    case YMD_HMS = "yyyy-MM-dd HH:mm:ss"
    /// A day and milliseconds: `yyyy-MM-dd HH:mm:ss.SSS`, as a `Date` is stored.
    case YMD_HMSS = "yyyy-MM-dd HH:mm:ss.SSS"
    /// A time of day: `HH:mm`.
    case HM = "HH:mm"
    /// A time of day with seconds: `HH:mm:ss`.
    case HMS = "HH:mm:ss"
    /// A time of day with milliseconds: `HH:mm:ss.SSS`.
    case HMSS = "HH:mm:ss.SSS"
  }

  /// The components in the text; the others are `nil`.
  public let dateComponents: DateComponents

  /// The format in which they are stored.
  public let format: Format

  /// Creates a value that is stored in a format.
  ///
  /// - Parameters:
  ///   - dateComponents: The components; missing ones default to 1 January of the year 0, midnight.
  ///   - format: The format in which they are stored.
  public init(_ dateComponents: DateComponents, format: Format) {
    self.dateComponents = dateComponents
    self.format = format
  }
}

extension DatabaseDateComponents: DatabaseValueConvertible {
  /// The text in the value's format; a time zone is not stored.
  public var databaseValue: DatabaseValue { text.databaseValue }

  private var text: String {
    // No part of a date has more than the 20 characters of an integer.
    DateDigits.text(capacity: 7 * 20 + 6) { digits in
      let components = dateComponents
      if format.hasDay {
        digits.append(
          CivilDate(
            year: components.year ?? 0, month: components.month ?? 1, day: components.day ?? 1))
        if format.hasTime { digits.append(" ") }
      }
      if format.hasTime {
        digits.append(components.hour ?? 0, width: 2)
        digits.append(":")
        digits.append(components.minute ?? 0, width: 2)
      }
      if format.hasSeconds {
        digits.append(":")
        digits.append(components.second ?? 0, width: 2)
      }
      if format.hasMilliseconds {
        digits.append(".")
        digits.append(((components.nanosecond ?? 0) + 500_000) / 1_000_000, width: 3)
      }
    }
  }

  /// Returns the components of a stored text, in any of the formats.
  ///
  /// Day and time may be separated by a `T` instead of a space, and the minutes or seconds followed
  /// by a time zone such as `Z` or `+02:00`. Digits after the milliseconds are ignored.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> DatabaseDateComponents? {
    String.fromDatabaseValue(value).flatMap { DateText($0.utf8)?.components }
  }
}

extension DatabaseDateComponents: Codable {
  /// Creates the components of a text, in any of the formats.
  ///
  /// - Throws: `DecodingError` when there is no text in one of the formats.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let components = DateText(text.utf8)?.components else {
      throw Self.unreadable(text, at: container.codingPath)
    }
    self = components
  }

  /// Encodes the text in the value's format.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension DatabaseDateComponents.Format {
  var hasDay: Bool {
    switch self {
    case .YMD, .YMD_HM, .YMD_HMS, .YMD_HMSS: true
    case .HM, .HMS, .HMSS: false
    }
  }

  var hasTime: Bool { self != .YMD }

  var hasSeconds: Bool {
    switch self {
    case .YMD_HMS, .YMD_HMSS, .HMS, .HMSS: true
    case .YMD, .YMD_HM, .HM: false
    }
  }

  var hasMilliseconds: Bool { self == .YMD_HMSS || self == .HMSS }
}
