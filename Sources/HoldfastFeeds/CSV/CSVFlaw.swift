/// Something that is wrong with the text of a row, before anybody asks what it means.
package struct CSVFlaw: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A NUL byte.
    case nul
    /// A byte that is not UTF-8.
    case invalidUTF8
    /// The file is UTF-16; nothing of it is read.
    case utf16(isBigEndian: Bool)
    /// A quote inside a field that does not begin with one, or text after the closing quote.
    case strayQuote
    /// The file ends inside quotes.
    case unterminatedQuote
    /// A quoted field spans lines.
    case lineBreak
    /// The row is too long to be one; the rest of the file is not read.
    case tooLong
  }

  package var kind: Kind
  /// The number of the field, from 0.
  package var field: Int
  /// Where in the file the byte stands, from 0, for the flaws that are one byte.
  package var offset: Int?
}

/// How a CSV file is written, as far as the rows do not tell.
package struct CSVDialect: Hashable, Sendable {
  package enum LineEnd: String, Sendable, CaseIterable { case LF, CRLF, CR }

  /// Whether the file begins with a UTF-8 byte order mark.
  package internal(set) var hasByteOrderMark = false
  /// The line on which each kind of line end was first met.
  package internal(set) var lineEnds: [LineEnd: Int] = [:]
  /// How many lines were empty or held nothing but blanks.
  package internal(set) var blankLines = 0
  /// How many rows had blanks around a field.
  package internal(set) var paddedRows = 0
  /// The first row that had blanks around a field.
  package internal(set) var firstPaddedLine: Int?
}
