import HoldfastTransit

/// One row of a CSV file, among the rows of its block.
///
/// Fields are decoded only on demand. Spaces and quotes around a field are not part of it. A record
/// refers to the bytes of its block, so that reading allocates nothing per row.
package struct CSVRecord {
  /// The physical line on which the row starts; the header is line 1.
  package let line: Int
  private let rows: CSVRows
  private let row: Int
  private let fields: Range<Int>

  init(_ rows: CSVRows, _ row: Int) {
    self.rows = rows
    self.row = row
    line = rows.line(of: row)
    fields = rows.fields(of: row)
  }

  /// Creates a record without fields.
  package init() {
    (rows, row, line, fields) = (.empty, 0, 0, 0..<0)
  }

  /// The number of fields.
  package var count: Int { fields.count }

  /// The errors in the row's text; nearly always empty.
  package var flaws: ArraySlice<CSVFlaw> { row < rows.count ? rows.flaws(of: row) : [] }

  /// Whether there were spaces around a field.
  package var isPadded: Bool { row < rows.count && rows.isPadded(row) }

  /// Whether every field is empty.
  package var isBlank: Bool { fields.allSatisfy { rows.range(of: $0).isEmpty } }

  /// Returns the bytes of a field; empty if the row is too short.
  package func bytes(_ index: Int) -> ArraySlice<UInt8> {
    guard index < fields.count else { return [] }
    return rows.bytes[rows.range(of: fields.lowerBound + index)]
  }

  /// Returns whether a field is empty or missing.
  package func isBlank(_ index: Int) -> Bool {
    index >= fields.count || rows.range(of: fields.lowerBound + index).isEmpty
  }

  /// Returns a field as text; bytes that are not UTF-8 become U+FFFD.
  package func text(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

  /// Returns a field as an integer in decimal digits, with or without a sign.
  package func integer(_ index: Int) -> Int? { Self.integer(bytes(index)) }

  /// Returns a field as an integer, also one with a fraction of zeros, such as `1.0`.
  package func wholeNumber(_ index: Int) -> Int? {
    integer(index) ?? bytes(index).beforeZeroFraction.flatMap(Self.integer)
  }

  private static func integer(_ digits: ArraySlice<UInt8>) -> Int? {
    var digits = digits
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
    guard !digits.isEmpty else { return nil }
    var number = 0
    for digit in digits {
      guard let value = Self.value(of: digit) else { return nil }
      let (tenfold, over) = number.multipliedReportingOverflow(by: 10)
      let (sum, overAgain) = tenfold.addingReportingOverflow(value)
      if over || overAgain { return nil }
      number = sum
    }
    return isNegative ? -number : number
  }

  /// Returns a field as a decimal number, rounded as the standard library rounds it.
  package func decimal(_ index: Int) -> Double? {
    guard index < fields.count else { return nil }
    return DecimalField.value(of: rows.bytes, rows.range(of: fields.lowerBound + index))
  }

  /// Returns a field as a date in GTFS's form, `YYYYMMDD`.
  package func date(_ index: Int) -> FeedDate? {
    guard bytes(index).count == 8, let number = integer(index) else { return nil }
    return FeedDate(number: number)
  }

  private static func value(of digit: UInt8) -> Int? {
    (0x30...0x39).contains(digit) ? Int(digit) - 0x30 : nil
  }
}
