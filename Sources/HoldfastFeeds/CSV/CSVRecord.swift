/// One row of a CSV file: its bytes, and the positions of its fields in them.
///
/// Fields are decoded only on demand. Spaces and quotes around a field are not part of it. One
/// record is reused for all rows, so that reading allocates nothing per row.
package struct CSVRecord {
  struct Field: Equatable {
    var start: Int
    var end: Int
    /// The offset of the field's first byte in the file.
    var offset: Int
    var isQuoted: Bool
  }

  /// The physical line on which the row starts; the header is line 1.
  package internal(set) var line = 0
  /// The errors in the row's text; nearly always empty.
  package internal(set) var flaws: [CSVFlaw] = []
  /// Whether there were spaces around a field.
  package internal(set) var isPadded = false
  var bytes: [UInt8] = []
  var fields: [Field] = []

  package init() {}

  /// The number of fields.
  package var count: Int { fields.count }

  /// Whether every field is empty.
  package var isBlank: Bool { fields.allSatisfy { $0.start == $0.end } }

  /// Returns the bytes of a field; empty if the row is too short.
  package func bytes(_ index: Int) -> ArraySlice<UInt8> {
    guard index < fields.count else { return [] }
    return bytes[fields[index].start..<fields[index].end]
  }

  /// Returns whether a field is empty or missing.
  package func isBlank(_ index: Int) -> Bool {
    index >= fields.count || fields[index].start == fields[index].end
  }

  /// Returns a field as text; bytes that are not UTF-8 become U+FFFD.
  package func text(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

  /// Returns a field as an integer in decimal digits, with or without a sign.
  package func integer(_ index: Int) -> Int? {
    var digits = bytes(index)
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
    let digits = bytes(index)
    // Swift also parses "nan", "inf" and "0x1p3", which GTFS does not allow.
    let isPlain = digits.allSatisfy {
      Self.value(of: $0) != nil || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0)
    }
    guard isPlain, let number = Double(text(index)), number.isFinite else { return nil }
    return number
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

// The functions that the reader fills a record with.
extension CSVRecord {
  mutating func begin(line: Int) {
    self.line = line
    flaws.removeAll()
    isPadded = false
    bytes.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
  }

  mutating func beginField(offset: Int) {
    fields.append(
      Field(start: bytes.count, end: bytes.count, offset: offset, isQuoted: false))
  }

  mutating func beginQuotes(offset: Int) {
    fields[fields.count - 1].offset = offset
    fields[fields.count - 1].isQuoted = true
  }

  mutating func endField() {
    var field = fields[fields.count - 1]
    field.end = bytes.count
    while field.end > field.start, CSVReader.isPadding(bytes[field.end - 1]) { field.end -= 1 }
    while field.start < field.end, CSVReader.isPadding(bytes[field.start]) {
      field.start += 1
      field.offset += 1
    }
    if field.end - field.start < bytes.count - fields[fields.count - 1].start { isPadded = true }
    fields[fields.count - 1] = field
  }

  mutating func mark(_ kind: CSVFlaw.Kind) {
    flaws.append(CSVFlaw(kind: kind, field: max(0, fields.count - 1)))
  }

  /// Records the first NUL and the first byte that is not UTF-8 as flaws.
  mutating func checkEncoding() {
    var isASCII = true
    var nul: Int?
    for index in bytes.indices {
      let byte = bytes[index]
      if byte >= 0x80 { isASCII = false }
      if byte == 0, nul == nil { nul = index }
    }
    if let nul { mark(.nul, at: nul) }
    if !isASCII, let invalid = firstInvalidByte() { mark(.invalidUTF8, at: invalid) }
  }

  private func firstInvalidByte() -> Int? {
    var parser = UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var index = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded): index += encoded.count
      case .emptyInput: return nil
      case .error: return index
      }
    }
  }

  private mutating func mark(_ kind: CSVFlaw.Kind, at index: Int) {
    let number = fields.lastIndex { $0.start <= index } ?? 0
    guard number < fields.count else { return }
    let field = fields[number]
    // A doubled quote is one byte here and two in the file.
    let doubled =
      field.isQuoted
      ? bytes[field.start..<max(field.start, index)].count { $0 == UInt8(ascii: "\"") } : 0
    flaws.append(
      CSVFlaw(kind: kind, field: number, offset: field.offset + index - field.start + doubled))
  }
}
