import Foundation
import HoldfastTransit

/// A parser of one row's values, which adds invalid values to the report.
struct RowParser {
  let file: String
  let report: ReportBuilder
  var record = CSVRecord()

  /// The physical line on which the row starts.
  var line: Int { record.line }

  func add(_ problem: FeedProblem, _ column: FeedColumn) {
    report.add(problem.at(file, line: line, field: column.name))
  }

  /// Returns whether the value is blank.
  func isBlank(_ column: FeedColumn) -> Bool { filled(column) == nil }

  /// Returns the value as text; `nil` if blank.
  func text(_ column: FeedColumn) -> String? {
    guard let index = filled(column) else { return nil }
    return clean(record.text(index))
  }

  /// Returns the bytes of a value; those that are NUL or not UTF-8 become U+FFFD.
  func bytes(_ index: Int) -> ArraySlice<UInt8> {
    record.flaws.isEmpty ? record.bytes(index) : Array(clean(record.text(index)).utf8)[...]
  }

  private func clean(_ text: String) -> String {
    // SQLite's functions and most tools end a text at a NUL.
    record.flaws.isEmpty ? text : text.replacing("\0", with: "\u{FFFD}")
  }

  /// Returns the value as text; reports a blank one, unless the whole column is missing.
  func text(_ column: FeedColumn, orNote flaw: FeedFlaw) -> String? {
    if let text = text(column) { return text }
    if column.index != nil { add(.blankValue(flaw), column) }
    return nil
  }

  /// Returns the value as an integer; reports any other value.
  func integer(_ column: FeedColumn, orNote flaw: FeedFlaw = .badNumber) -> Int? {
    guard let index = filled(column) else { return nil }
    if let number = wholeNumber(column, index) { return number }
    add(.noNumber(flaw, record.text(index)), column)
    return nil
  }

  /// Returns a field as an integer; one with a fraction of zeros, such as `1.0`, is read, and reported.
  func wholeNumber(_ column: FeedColumn, _ index: Int) -> Int? {
    if let number = record.integer(index) { return number }
    guard let number = record.wholeNumber(index) else { return nil }
    add(.zeroFraction(record.text(index), number), column)
    return number
  }

  /// Returns the value as a number in a range; reports and drops any other value.
  func choice(_ column: FeedColumn, _ choices: ClosedRange<Int>) -> Int? {
    guard let number = integer(column) else { return nil }
    if choices.contains(number) { return number }
    add(.unknownValue("\(number)", leftOut: true), column)
    return nil
  }

  /// Returns the value as degrees within `limit` of zero; anything else is an error.
  func degrees(_ column: FeedColumn, within limit: Double) -> Double? {
    guard let index = filled(column) else { return nil }
    guard let degrees = record.decimal(index) else {
      add(.noNumber(.badCoordinate, record.text(index)), column)
      return nil
    }
    guard abs(degrees) <= limit else {
      add(.outOfRange(record.text(index), "\(-Int(limit)) to \(Int(limit))"), column)
      return nil
    }
    return degrees
  }

  /// Returns whether the value is 1; anything but 0 or 1 is an error.
  func flag(_ column: FeedColumn) -> Bool {
    guard let index = filled(column) else {
      if column.index != nil { add(.blankValue(.blankKey), column) }
      return false
    }
    switch wholeNumber(column, index) {
    case 0: return false
    case 1: return true
    default:
      add(.badFlag(record.text(index)), column)
      return false
    }
  }

  /// Returns the value as a date; ISO 8601 and similar forms are accepted and reported.
  func date(_ column: FeedColumn, orNote flaw: FeedFlaw) -> FeedDate? {
    guard let index = filled(column) else { return nil }
    if let date = readableDate(column) { return date }
    add(.badDate(flaw, record.text(index)), column)
    return nil
  }

  /// Returns the value as a date, if it can be parsed.
  func readableDate(_ column: FeedColumn) -> FeedDate? {
    guard let index = filled(column) else { return nil }
    if let date = record.date(index) { return date }
    let text = record.text(index)
    let parts = text.split(omittingEmptySubsequences: false) { "-/.".contains($0) }
    let digits =
      parts.map(\.utf8.count) == [4, 2, 2]
      ? parts.joined() : text.utf8.beforeZeroFraction.map { String(Substring($0)) }
    guard let digits, digits.utf8.count == 8, let number = Int(digits),
      let date = FeedDate(number: number)
    else { return nil }
    add(.dateForm(text, date), column)
    return date
  }

  /// Returns the value as six hexadecimal digits; a leading `#` is removed and reported.
  func color(_ column: FeedColumn) -> String? {
    guard let text = text(column) else { return nil }
    if Self.isColor(text) { return text }
    let bare = String(text.drop { $0 == "#" })
    let read = Self.isColor(bare) ? bare : nil
    add(.color(text, read), column)
    return read
  }

  /// Returns the value as a name of the IANA time zone database.
  func timeZone(_ column: FeedColumn, orNote flaw: FeedFlaw) -> String? {
    guard let text = text(column) else { return nil }
    if let zone = RemovedTimeZone.successor(of: text) {
      add(.removedTimeZone(text, zone), column)
      return zone
    }
    if TimeZoneName.isKnown(text) { return text }
    add(.timeZone(flaw, text), column)
    return nil
  }

  private func filled(_ column: FeedColumn) -> Int? {
    guard let index = column.index, !record.isBlank(index) else { return nil }
    return index
  }

  private static func isColor(_ text: String) -> Bool {
    text.utf8.count == 6 && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }
}
