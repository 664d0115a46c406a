public import Foundation

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

// Dates are stored in GRDB's format, so that its database files can be used.

extension Date: DatabaseValueConvertible {
  /// The instant as `yyyy-MM-dd HH:mm:ss.SSS` in UTC, rounded to the nearest millisecond.
  ///
  /// The text format has years from 1 to 9999: other instants are stored as the number of seconds
  /// since 1970, which every reader of this format also accepts.
  public var databaseValue: DatabaseValue {
    let seconds = timeIntervalSince1970
    let milliseconds = (seconds * 1000 + 0.5).rounded(.down)
    guard Self.millisecondsWithText.contains(milliseconds) else { return seconds.databaseValue }
    let time = Int(milliseconds)
    let days = time.quotient(86_400_000)
    return Self.text(CivilDate(daysSince1970: days), time: time - days * 86_400_000).databaseValue
  }

  /// The milliseconds since 1970 that have a text: the years 1 to 9999.
  private static let millisecondsWithText = -62_135_769_600_000.0...253_402_300_799_999

  private static func text(_ day: CivilDate, time: Int) -> String {
    DateDigits.text(capacity: 23) { digits in
      digits.append(day)
      digits.append(" ")
      digits.append(time / 3_600_000, width: 2)
      digits.append(":")
      digits.append(time / 60_000 % 60, width: 2)
      digits.append(":")
      digits.append(time / 1000 % 60, width: 2)
      digits.append(".")
      digits.append(time % 1000, width: 3)
    }
  }

  /// Returns the instant of a stored text, or of a stored number of seconds since 1970.
  ///
  /// The text may have any format of ``DatabaseDateComponents`` with a day; it is in UTC unless it
  /// contains a time zone.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Date? {
    switch value.storage {
    case .string(let text): DateText(text.utf8)?.date
    case .blob(let data): DateText(data)?.date
    case .int64(let seconds): Date(timeIntervalSince1970: Double(seconds))
    case .double(let seconds): Date(timeIntervalSince1970: seconds)
    case .null: nil
    }
  }

  /// Returns the instant of the column's text, or of its number of seconds since 1970.
  public static func fromColumn(_ column: StatementColumn) -> Date? {
    let statement = unsafe column.statement
    let index = column.index
    guard unsafe sqlite3_column_type(statement, index) == SQLITE_TEXT,
      let text = unsafe sqlite3_column_text(statement, index)
    else { return fromDatabaseValue(column.databaseValue) }
    let count = unsafe Int(sqlite3_column_bytes(statement, index))
    let bytes = unsafe UnsafeBufferPointer(start: text, count: count)
    guard let date = unsafe StoredDate(bytes.span) else { return unsafe DateText(bytes)?.date }
    return Date(timeIntervalSinceReferenceDate: date.secondsSinceReferenceDate)
  }

  /// Creates a date from a Julian day, as returned by SQLite's `julianday`.
  ///
  /// It fails outside of the days that SQLite knows, from 0 to 5373484.5: the years -4713 to 9999.
  ///
  /// - Parameter julianDay: The days since noon in Greenwich on 24 November 4714 B.C.
  /// - SeeAlso: <https://www.sqlite.org/lang_datefunc.html>
  public init?(julianDay: Double) {
    // SQLite uses milliseconds too: a Julian day is not more precise.
    let milliseconds = (julianDay * 86_400_000).rounded()
    guard (0..<464_269_060_800_000).contains(milliseconds) else { return nil }
    self.init(timeIntervalSince1970: (milliseconds - 210_866_760_000_000) / 1000)
  }
}
