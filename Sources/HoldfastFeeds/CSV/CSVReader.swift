/// A reader of GTFS's dialect of CSV, row by row, from chunks of bytes.
///
/// It accepts and records a byte order mark, LF, CRLF and CR, blank lines, spaces around fields,
/// quoted fields with doubled quotes and line breaks, and a last line without a line ending. For
/// any input, reading ends and does not trap; the errors in a row are in its `flaws`.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#file-requirements>
package struct CSVReader {
  /// The largest length of a row in bytes; a longer one is caused by an unclosed quote.
  package static let longestRow = 1 << 20
  /// The largest number of fields in a row.
  package static let mostFields = 4096

  private enum FieldEnd { case comma, line, file }

  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// The properties of the file, as read so far.
  package private(set) var dialect = CSVDialect()
  private let nextChunk: () throws -> [UInt8]
  private var chunk: [UInt8] = []
  private var position = 0
  private var chunkOffset = 0
  private var line = 1
  private var isAtStart = true
  private var isAtEnd = false

  /// Creates a reader of the bytes that a closure returns.
  ///
  /// - Parameter nextChunk: Returns the next chunk of bytes; an empty one at the end.
  package init(_ nextChunk: @escaping () throws -> [UInt8]) { self.nextChunk = nextChunk }

  /// Fills a record with the next row that is not blank.
  ///
  /// - Parameter record: The record to fill; its previous content is discarded.
  /// - Returns: Whether there was a row.
  /// - Throws: Whatever the closure throws.
  package mutating func read(_ record: inout CSVRecord) throws -> Bool {
    if isAtStart, let flaw = try start() {
      record.begin(line: 1)
      record.mark(flaw)
      return true
    }
    while try readLine(&record) {
      if record.count == 1, record.isBlank(0), !record.fields[0].isQuoted {
        dialect.blankLines += 1
        continue
      }
      if record.isPadded {
        dialect.paddedRows += 1
        if dialect.firstPaddedLine == nil { dialect.firstPaddedLine = record.line }
      }
      record.checkEncoding()
      return true
    }
    return false
  }

  static func isPadding(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0B || byte == 0x0C
  }

  // MARK: Rows

  private mutating func readLine(_ record: inout CSVRecord) throws -> Bool {
    record.begin(line: line)
    guard try hasByte() else { return false }
    while true {
      switch try readField(&record) {
      case .comma: continue
      case .line, .file: return true
      }
    }
  }

  private mutating func readField(_ record: inout CSVRecord) throws -> FieldEnd {
    let isPadded = try skipPadding()
    if isPadded { record.isPadded = true }
    record.beginField(offset: offset)
    let end: FieldEnd
    if try hasByte(), chunk[position] == Self.quote {
      position += 1
      record.beginQuotes(offset: offset)
      end = try readQuoted(&record)
    } else {
      end = try readPlain(&record)
    }
    record.endField()
    return end
  }

  private mutating func readPlain(_ record: inout CSVRecord) throws -> FieldEnd {
    while try hasByte() {
      let start = position
      while position < chunk.count, !Self.endsPlain(chunk[position]) { position += 1 }
      record.bytes.append(contentsOf: chunk[start..<position])
      if isTooLong(&record) { return .file }
      guard position < chunk.count else { continue }
      let byte = chunk[position]
      position += 1
      switch byte {
      case Self.comma: return .comma
      case Self.quote:
        markOnce(.strayQuote, &record)
        record.bytes.append(byte)
      default:
        try endLine(after: byte)
        return .line
      }
    }
    return .file
  }

  private mutating func readQuoted(_ record: inout CSVRecord) throws -> FieldEnd {
    while try hasByte() {
      let start = position
      while position < chunk.count, !Self.endsQuoted(chunk[position]) { position += 1 }
      record.bytes.append(contentsOf: chunk[start..<position])
      if isTooLong(&record) { return .file }
      guard position < chunk.count else { continue }
      let byte = chunk[position]
      position += 1
      if byte == Self.quote {
        guard try hasByte(), chunk[position] == Self.quote else { return try readClosed(&record) }
        position += 1
      } else {
        markOnce(.lineBreak, &record)
        let isReturn = byte == Self.carriageReturn
        let isPair = try isReturn && hasByte() && chunk[position] == Self.lineFeed
        if !isPair { line += 1 }
      }
      record.bytes.append(byte)
    }
    record.mark(.unterminatedQuote)
    return .file
  }

  /// Reads what follows a closing quote: spaces up to the field's end, or text, which is added to
  /// the field.
  private mutating func readClosed(_ record: inout CSVRecord) throws -> FieldEnd {
    while try hasByte(), Self.isPadding(chunk[position]) {
      record.bytes.append(chunk[position])
      position += 1
      if isTooLong(&record) { return .file }
    }
    if try hasByte(), !Self.endsPlain(chunk[position]) { markOnce(.strayQuote, &record) }
    return try readPlain(&record)
  }

  // MARK: Bytes

  private var offset: Int { chunkOffset + position }

  private static func endsPlain(_ byte: UInt8) -> Bool {
    byte == comma || byte == lineFeed || byte == carriageReturn || byte == quote
  }

  private static func endsQuoted(_ byte: UInt8) -> Bool {
    byte == quote || byte == lineFeed || byte == carriageReturn
  }

  private mutating func skipPadding() throws -> Bool {
    var didSkip = false
    while try hasByte(), Self.isPadding(chunk[position]) {
      position += 1
      didSkip = true
    }
    return didSkip
  }

  private mutating func endLine(after byte: UInt8) throws {
    var end = CSVDialect.LineEnd.LF
    if byte == Self.carriageReturn {
      end = .CR
      if try hasByte(), chunk[position] == Self.lineFeed {
        position += 1
        end = .CRLF
      }
    }
    if dialect.lineEnds[end] == nil { dialect.lineEnds[end] = line }
    line += 1
  }

  private mutating func isTooLong(_ record: inout CSVRecord) -> Bool {
    guard record.bytes.count > Self.longestRow || record.fields.count > Self.mostFields
    else { return false }
    record.mark(.tooLong)
    isAtEnd = true
    position = chunk.count
    return true
  }

  private func markOnce(_ kind: CSVFlaw.Kind, _ record: inout CSVRecord) {
    if record.flaws.last?.kind != kind { record.mark(kind) }
  }

  /// Returns whether there is a byte at `position`, fetching the next chunk if needed.
  private mutating func hasByte() throws -> Bool {
    while position == chunk.count {
      if isAtEnd { return false }
      chunkOffset += chunk.count
      position = 0
      chunk = try nextChunk()
      isAtEnd = chunk.isEmpty
    }
    return true
  }

  /// Examines the first bytes: skips a byte order mark, refuses UTF-16.
  private mutating func start() throws -> CSVFlaw.Kind? {
    isAtStart = false
    while chunk.count < 4, !isAtEnd {
      let more = try nextChunk()
      isAtEnd = more.isEmpty
      chunk += more
    }
    let head = chunk.prefix(4)
    if head.starts(with: [0xEF, 0xBB, 0xBF]) {
      dialect.hasByteOrderMark = true
      position = 3
      return nil
    }
    // A header is ASCII, so UTF-16 without a byte order mark is recognized by its NUL bytes.
    let isNul = head.map { $0 == 0 }
    let isBigEndian = head.starts(with: [0xFE, 0xFF]) || isNul == [true, false, true, false]
    let isLittleEndian = head.starts(with: [0xFF, 0xFE]) || isNul == [false, true, false, true]
    guard isBigEndian || isLittleEndian else { return nil }
    isAtEnd = true
    position = chunk.count
    return .utf16(isBigEndian: isBigEndian)
  }
}
