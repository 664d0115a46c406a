internal import CSQLite
public import Foundation

// How dates are stored. The format is GRDB's, so that files move over.

extension Date: DatabaseValueConvertible {
  /// The instant as `yyyy-MM-dd HH:mm:ss.SSS` in UTC, rounded to the nearest millisecond.
  ///
  /// Text cannot hold a year outside of 1 to 9999: such an instant is stored as the number of
  /// seconds since 1970, which every reader of this format takes too.
  public var databaseValue: DatabaseValue {
    let seconds = timeIntervalSince1970
    let milliseconds = (seconds * 1000 + 0.5).rounded(.down)
    guard Self.millisecondsWithText.contains(milliseconds) else { return seconds.databaseValue }
    let time = Int(milliseconds)
    let days = time.quotient(86_400_000)
    return Self.text(CivilDate(daysSince1970: days), time: time - days * 86_400_000).databaseValue
  }

  /// From the first instant of the year 1 to the last millisecond of the year 9999.
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

  /// Returns the instant that a stored text spells, or a stored number as seconds since 1970.
  ///
  /// The text may be any that ``DatabaseDateComponents`` reads, with a day; it is in UTC unless it
  /// names its time zone.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Date? {
    switch value.storage {
    case .string(let text): DateText(text.utf8)?.date
    case .blob(let data): DateText(data)?.date
    case .int64(let seconds): Date(timeIntervalSince1970: Double(seconds))
    case .double(let seconds): Date(timeIntervalSince1970: seconds)
    case .null: nil
    }
  }

  /// Returns the instant that the column's text spells, or its number as seconds since 1970.
  public static func fromColumn(_ column: StatementColumn) -> Date? {
    let statement = unsafe column.statement
    let index = column.index
    guard unsafe sqlite3_column_type(statement, index) == SQLITE_TEXT,
      let text = unsafe sqlite3_column_text(statement, index)
    else { return fromDatabaseValue(column.databaseValue) }
    let count = unsafe Int(sqlite3_column_bytes(statement, index))
    return unsafe DateText(UnsafeBufferPointer(start: text, count: count))?.date
  }

  /// Creates a date from a Julian day, as SQLite's `julianday` gives it and old files hold it.
  ///
  /// - Parameter julianDay: Days since noon in Greenwich on 24 November 4714 B.C.
  /// - SeeAlso: <https://www.sqlite.org/lang_datefunc.html>
  public init(julianDay: Double) {
    // SQLite counts in milliseconds too: a Julian day is no more precise than that.
    let milliseconds = (julianDay * 86_400_000).rounded()
    self.init(timeIntervalSince1970: (milliseconds - 210_866_760_000_000) / 1000)
  }
}
