/// An error in the text of a row, independent of its meaning.
package struct CSVFlaw: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A NUL byte.
    case nul
    /// A byte that is not UTF-8.
    case invalidUTF8
    /// The file is UTF-16; it is not read.
    case utf16(isBigEndian: Bool)
    /// A quote inside a field that does not begin with one, or text after the closing quote.
    case strayQuote
    /// A quote is opened and not closed; the field ends with its line.
    case unterminatedQuote
    /// A quoted field spans lines.
    case lineBreak
    /// The row is longer than any real one; the rest of the file is not read.
    case tooLong
  }

  package var kind: Kind
  /// The number of the field, from 0.
  package var field: Int
  /// The offset of the byte in the file, from 0, for flaws that are a single byte.
  package var offset: Int?
}

/// The properties of a CSV file's syntax that its rows do not show.
package struct CSVDialect: Hashable, Sendable {
  package enum LineEnd: String, Sendable, CaseIterable { case LF, CRLF, CR }

  /// Whether the file begins with a UTF-8 byte order mark.
  package internal(set) var hasByteOrderMark = false
  /// The line on which each kind of line ending first occurred.
  package internal(set) var lineEnds: [LineEnd: Int] = [:]
  /// The number of lines that were empty or contained only spaces.
  package internal(set) var blankLines = 0
  /// The number of rows with spaces around a field.
  package internal(set) var paddedRows = 0
  /// The line of the first row with spaces around a field.
  package internal(set) var firstPaddedLine: Int?

  /// Adds the properties of the rows that follow.
  mutating func add(_ next: CSVDialect) {
    hasByteOrderMark = hasByteOrderMark || next.hasByteOrderMark
    lineEnds.merge(next.lineEnds) { first, _ in first }
    blankLines += next.blankLines
    paddedRows += next.paddedRows
    firstPaddedLine = firstPaddedLine ?? next.firstPaddedLine
  }
}
