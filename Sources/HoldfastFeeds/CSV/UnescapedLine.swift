/// The rest of a row from a quoted field on in which a quote is not doubled.
///
/// A publisher that does not double quotes writes `"Platz "Am Markt", Nord"`. Which quote ends the field
/// shows the number of columns: a closing quote is followed by a comma or the end of the line, and the
/// first one with which the row has as many fields as the header is taken. If there is none, quotes
/// may belong to the value that begins with one, as in `"Alte Post" Markt`. All quotes that do not
/// delimit a field are characters of it.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#file-requirements>, by which quotes in
///   values are doubled.
struct UnescapedLine {
  /// A field of the line.
  struct Field: Equatable {
    var start: Int
    var end: Int
    /// Whether quotes of the value are doubled, and one follows the value.
    var isEscaped = false
    /// The flaw of the field; `nil` if it has none.
    var flaw: CSVFlaw.Kind?
  }

  /// The largest number of quotes that are tried as the end of the first field.
  private static let mostTries = 16

  private let bytes: CSVBytes
  /// The line from the first field's opening quote on, without the line end.
  private let line: Range<Int>
  /// The first quote in the first field that is neither doubled nor followed by the field's end.
  private let stray: Int?
  /// The index from which on no quote is followed by a comma or the end of the line.
  private var openFrom = Int.max
  /// The number of bytes that may still be read to find the ends of quoted fields, so that the time
  /// grows with the length of the line only.
  private var budget: Int

  /// Creates the line.
  ///
  /// - Parameters:
  ///   - bytes: The block.
  ///   - line: The range from the opening quote to the line end.
  ///   - stray: The index of the first quote that is not doubled; `nil` if there is none.
  init(_ bytes: CSVBytes, _ line: Range<Int>, stray: Int?) {
    self.bytes = bytes
    self.line = line
    self.stray = stray
    budget = 32 * line.count
  }

  /// Returns the fields of the line.
  ///
  /// - Parameter count: The number of fields that the line has by the header; `nil` if it is not known.
  /// - Returns: At least one field, and at most one more than a row can have.
  mutating func fields(expecting count: Int?) -> [Field] {
    var first: [Field]?
    var close = closingQuote(from: closersStart)
    for _ in 0..<Self.mostTries {
      guard let end = close else { break }
      let fields = fields(
        after: Field(start: line.lowerBound + 1, end: end, flaw: .strayQuote))
      if fields.count == count { return fields }
      if first == nil { first = fields }
      close = closingQuote(from: end + 1)
    }
    guard let stray else {
      // Only the number of columns tells that a quote which seems to be doubled is none.
      return fields(after: unterminated(line.lowerBound))
    }
    let plain = fields(
      after: Field(start: line.lowerBound, end: commaOrEnd(stray), flaw: .strayQuote))
    return plain.count == count ? plain : first ?? plain
  }

  /// The index from which on a quote may close the first field: a line break before the stray quote is
  /// part of the value.
  private var closersStart: Int {
    let start = line.lowerBound + 1
    guard let stray, bytes.endOfLine(start..<stray) < stray else { return start }
    return stray
  }

  // MARK: - Fields

  /// Returns a field and those that follow it.
  private mutating func fields(after first: Field) -> [Field] {
    var fields = [first]
    var index = next(after: first)
    while index < line.upperBound, fields.count <= CSVParser.mostFields {
      // The byte at the index is the comma.
      let field = field(at: index + 1)
      fields.append(field)
      index = next(after: field)
    }
    return fields
  }

  /// Returns the index of the comma after a field, or the end of the line.
  private func next(after field: Field) -> Int {
    var index = field.end
    while index < line.upperBound, bytes[index] != CSVBytes.comma { index += 1 }
    return index
  }

  private mutating func field(at start: Int) -> Field {
    let open = endOfPadding(start)
    guard open < line.upperBound, bytes[open] == CSVBytes.quote, budget > 0 else {
      let end = commaOrEnd(start)
      let hasQuote = bytes.contains(CSVBytes.quote, start..<end)
      return Field(start: start, end: end, flaw: hasQuote ? .strayQuote : nil)
    }
    var index = open + 1
    var isEscaped = false
    defer { budget -= index - open }
    while index < line.upperBound {
      if bytes[index] != CSVBytes.quote {
        index += 1
      } else if index + 1 < line.upperBound, bytes[index + 1] == CSVBytes.quote {
        isEscaped = true
        index += 2
      } else if closes(index) {
        return Field(
          start: open + 1, end: isEscaped ? index + 1 : index, isEscaped: isEscaped)
      } else {
        break
      }
    }
    if let close = closingQuote(from: open + 1) {
      return Field(start: open + 1, end: close, flaw: .strayQuote)
    }
    guard index < line.upperBound else { return unterminated(open) }
    return Field(start: open, end: commaOrEnd(index), flaw: .strayQuote)
  }

  private func unterminated(_ open: Int) -> Field {
    Field(
      start: open + 1, end: line.upperBound, isEscaped: true,
      flaw: .unterminatedQuote)
  }

  // MARK: - Quotes

  /// Returns whether a comma or the end of the line follows a quote.
  private func closes(_ quote: Int) -> Bool {
    let index = endOfPadding(quote + 1)
    return index == line.upperBound || bytes[index] == CSVBytes.comma
  }

  /// Returns the first quote from an index on that a comma or the end of the line follows.
  private mutating func closingQuote(from start: Int) -> Int? {
    guard start < openFrom else { return nil }
    var index = start
    while index < line.upperBound {
      if bytes[index] == CSVBytes.quote, closes(index) { return index }
      index += 1
    }
    openFrom = start
    return nil
  }

  private func endOfPadding(_ start: Int) -> Int {
    var index = start
    while index < line.upperBound, CSVBytes.isPadding(bytes[index]) { index += 1 }
    return index
  }

  private func commaOrEnd(_ start: Int) -> Int {
    var index = start
    while index < line.upperBound, bytes[index] != CSVBytes.comma { index += 1 }
    return index
  }
}
