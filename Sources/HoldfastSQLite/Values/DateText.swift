import Foundation

/// A date or time of day in the text formats of SQLite's date functions.
///
/// - SeeAlso: <https://www.sqlite.org/lang_datefunc.html#time_values>
struct DateText {
  private(set) var day: CivilDate?
  private(set) var hour = 0
  private(set) var minute = 0
  private(set) var second = 0
  private(set) var millisecond = 0

  /// The seconds east of Greenwich; `nil` when the text has no time zone.
  private(set) var offset: Int?
  private(set) var format: DatabaseDateComponents.Format

  /// Parses a text; `nil` when the whole text is not a date, or a part is out of range.
  init?(_ text: some Sequence<UInt8>) {
    var scanner = DateScanner(text)
    // "12:30" and "2024-05-01" differ in the third character.
    guard let first = scanner.number(digits: 2) else { return nil }
    format = .HM
    if scanner.skip(":") {
      hour = first
    } else {
      guard let rest = scanner.number(digits: 2), scanner.skip("-"),
        let month = scanner.number(digits: 2, in: 1...12), scanner.skip("-"),
        let day = scanner.number(digits: 2, in: 1...31)
      else { return nil }
      self.day = CivilDate(year: first * 100 + rest, month: month, day: day)
      format = .YMD
      if scanner.isAtEnd { return }
      guard scanner.skip(" ") || scanner.skip("T"),
        let hour = scanner.number(digits: 2), scanner.skip(":")
      else { return nil }
      self.hour = hour
      format = .YMD_HM
    }
    guard hour <= 24, readTime(&scanner), scanner.isAtEnd else { return nil }
  }

  /// Parses the text after the hour and its colon.
  private mutating func readTime<Text: IteratorProtocol<UInt8>>(
    _ scanner: inout DateScanner<Text>
  ) -> Bool {
    guard let minute = scanner.number(digits: 2, in: 0...59) else { return false }
    self.minute = minute
    if scanner.skip(":") {
      guard let second = scanner.number(digits: 2, in: 0...59) else { return false }
      self.second = second
      format = day == nil ? .HMS : .YMD_HMS
      if scanner.skip(".") {
        millisecond = scanner.fraction()
        format = day == nil ? .HMSS : .YMD_HMSS
      }
    }
    if scanner.isAtEnd { return true }
    _ = scanner.skip(" ")
    if scanner.skip("Z") {
      offset = 0
      return true
    }
    let isEast = scanner.skip("+")
    guard isEast || scanner.skip("-"), let hours = scanner.number(digits: 2, in: 0...14),
      scanner.skip(":"), let minutes = scanner.number(digits: 2, in: 0...59)
    else { return false }
    offset = (isEast ? 60 : -60) * (hours * 60 + minutes)
    return true
  }

  /// The components in the text.
  var components: DatabaseDateComponents {
    var components = DateComponents()
    if let offset { components.timeZone = TimeZone(secondsFromGMT: offset) }
    if let day {
      components.year = day.year
      components.month = day.month
      components.day = day.day
    }
    if format.hasTime {
      components.hour = hour
      components.minute = minute
    }
    if format.hasSeconds { components.second = second }
    if format.hasMilliseconds { components.nanosecond = millisecond * 1_000_000 }
    return DatabaseDateComponents(components, format: format)
  }

  /// The instant, in UTC unless the text has a time zone; `nil` for a time of day.
  var date: Date? {
    guard let day else { return nil }
    let seconds =
      ((day.daysSince1970 * 24 + hour) * 60 + minute) * 60 + second - (offset ?? 0)
    // Relative to its reference date, a `Date` is exact to the microsecond for centuries.
    return Date(
      timeIntervalSinceReferenceDate: Double(seconds - 978_307_200) + Double(millisecond) / 1000)
  }
}

/// A scanner of ASCII characters.
private struct DateScanner<Text: IteratorProtocol<UInt8>> {
  private var text: Text
  private var next: UInt8?

  init<Bytes: Sequence<UInt8>>(_ bytes: Bytes) where Bytes.Iterator == Text {
    text = bytes.makeIterator()
    next = text.next()
  }

  var isAtEnd: Bool { next == nil }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    next = text.next()
    return true
  }

  private mutating func digit() -> Int? {
    guard let character = next, (0x30...0x39).contains(character) else { return nil }
    next = text.next()
    return Int(character) - 0x30
  }

  mutating func number(digits: Int, in range: ClosedRange<Int> = 0...99) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return range.contains(number) ? number : nil
  }

  /// Parses any number of digits after a decimal point, and returns thousandths.
  mutating func fraction() -> Int {
    var thousandths = 0
    var weight = 100
    while let digit = digit() {
      thousandths += digit * weight
      weight /= 10
    }
    return thousandths
  }
}
