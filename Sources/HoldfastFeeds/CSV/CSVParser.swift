/// A parser of GTFS's dialect of CSV, block by block.
///
/// It accepts and records a byte order mark, LF, CRLF and CR, blank lines, spaces around fields,
/// quoted fields with doubled quotes and line breaks, and a last line without a line ending. For
/// any input, parsing ends and does not trap; the errors in a row are in its `flaws`.
///
/// A quote that is not closed within ``longestRow`` bytes of its row, or before the end of the file,
/// was opened by mistake: its field ends with its line, and the next row starts with the next line.
/// A quoted field in which a quote is not doubled ends with its line at the latest; ``UnescapedLine``
/// finds where.
///
/// Values stay where they are in the block; only a quoted one with a quote inside is moved, within
/// its own place. A parser belongs to one thread at a time; it keeps memory for the next block.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#file-requirements>
@safe struct CSVParser: ~Copyable {
  /// The largest length of a row in bytes, without its line end.
  static let longestRow = 1 << 20
  /// The largest number of fields in a row.
  static let mostFields = 4096

  /// The kinds of bytes in a row that need a closer look.
  private struct Kinds {
    var hasNul = false
    var isASCII = true
  }

  /// A field while its row is parsed.
  private struct Value {
    var start: Int
    var end: Int
    /// The index of the byte that ends the field, or of the end of the bytes.
    var next: Int
    var isQuoted = false
    var isPadded = false
  }

  // Memory for the largest number of fields and rows of a block: a block of commas or line ends.
  private var fields = UnsafeMutablePointer<CSVRows.Field>.allocate(capacity: 0)
  private var rows = UnsafeMutablePointer<CSVRows.Row>.allocate(capacity: 0)
  private var capacity = 0

  private var fieldCount = 0
  private var rowCount = 0
  private var flaws: [CSVFlaw] = []
  private var dialect = CSVDialect()
  private var firstLines: (feed: Int?, pair: Int?, carriageReturn: Int?) = (nil, nil, nil)
  private var isCutOff = false
  private var firstLine = 1
  private var offset = 0
  private var columnCount: Int?
  /// The number of lines before the current byte in the block.
  private var line = 0

  // The row that is being read.
  private var firstFieldOfRow = 0
  private var firstFlawOfRow = 0
  private var rowIsPadded = false
  private var rowIsQuoted = false
  /// The index at which a quote that is still open counts as one that is never closed.
  private var quoteLimit = 0
  private var kinds = Kinds()
  /// The opening quote of a field in which one is not doubled or that is not closed, and the former.
  private var unescaped: (open: Int, stray: Int?)?
  /// The fields of the row whose quotes are still in them.
  private var unresolved: [Int] = []

  init() {}

  deinit {
    unsafe fields.deallocate()
    unsafe rows.deallocate()
  }

  /// Parses the rows of a block, and takes the bytes out of it.
  mutating func parse(_ block: inout CSVBlock) -> CSVRows {
    // Taken and not copied: an array with a second owner would be copied when it is changed.
    var bytes: [UInt8] = []
    swap(&bytes, &block.bytes)
    let size = bytes.count
    begin(size: size, offset: block.offset, firstLine: block.firstLine)
    columnCount = block.columnCount
    if let isBigEndian = block.utf16IsBigEndian {
      flaws.append(CSVFlaw(kind: .utf16(isBigEndian: isBigEndian), field: 0))
      endRow(line: 0, isPadded: false)
      isCutOff = true
    } else {
      dialect.hasByteOrderMark = block.start > 0
      let start = block.start
      unsafe bytes.withUnsafeMutableBufferPointer { buffer in
        if let bytes = unsafe CSVBytes(buffer) { readRows(bytes, from: start) }
      }
    }
    let ends: [(CSVDialect.LineEnd, Int?)] = [
      (.LF, firstLines.feed), (.CRLF, firstLines.pair), (.CR, firstLines.carriageReturn),
    ]
    for (end, line) in ends where line != nil { dialect.lineEnds[end] = line }
    return CSVRows(
      bytes: bytes,
      fields: unsafe Array(UnsafeBufferPointer(start: fields, count: fieldCount)),
      rows: unsafe Array(UnsafeBufferPointer(start: rows, count: rowCount)),
      flaws: flaws, firstLine: block.firstLine, dialect: dialect, size: size,
      isCutOff: isCutOff)
  }

  private mutating func begin(size: Int, offset: Int, firstLine: Int) {
    let needed = size + 2
    if needed > capacity {
      unsafe fields.deallocate()
      unsafe rows.deallocate()
      unsafe fields = .allocate(capacity: needed)
      unsafe rows = .allocate(capacity: needed)
      capacity = needed
    }
    self.offset = offset
    self.firstLine = firstLine
    (fieldCount, rowCount, firstFieldOfRow, firstFlawOfRow, line) = (0, 0, 0, 0, 0)
    flaws = []
    dialect = CSVDialect()
    firstLines = (nil, nil, nil)
    isCutOff = false
  }

  // MARK: Rows

  private mutating func readRows(_ bytes: CSVBytes, from start: Int) {
    var index = start
    while index < bytes.count, !isCutOff {
      let lineOfRow = line
      let (end, next) = readRow(bytes, index..<bytes.count, isCut: false)
      if end - index > Self.longestRow {
        // Parsed again up to the limit, so that the result does not depend on the block's length.
        line = lineOfRow
        fieldCount = firstFieldOfRow
        flaws.removeLast(flaws.count - firstFlawOfRow)
        _ = readRow(bytes, index..<(index + Self.longestRow), isCut: true)
        finishRow(bytes, index..<(index + Self.longestRow), line: lineOfRow)
        return
      }
      finishRow(bytes, index..<end, line: lineOfRow)
      if next > end { endLine(bytes, end..<next) }
      index = next
    }
  }

  /// Reads the fields of a row, and returns where it ends and where the next one starts.
  private mutating func readRow(
    _ bytes: CSVBytes, _ range: Range<Int>, isCut: Bool
  ) -> (end: Int, next: Int) {
    firstFieldOfRow = fieldCount
    firstFlawOfRow = flaws.count
    kinds = Kinds()
    rowIsPadded = false
    rowIsQuoted = false
    unresolved.removeAll(keepingCapacity: true)
    let limit = range.upperBound
    quoteLimit = range.lowerBound + Self.longestRow
    var index = range.lowerBound
    while true {
      // Most fields have nothing unusual before their comma.
      let end = bytes.firstUnusual(index..<limit)
      if end < limit, bytes[end] == CSVBytes.comma, fieldCount - firstFieldOfRow < Self.mostFields {
        unsafe fields[fieldCount] = CSVRows.Field(index, end)
        fieldCount += 1
        index = end + 1
        continue
      }
      let value: Value
      if let plain = readPlain(bytes, index..<limit) {
        value = plain
      } else {
        value = readQuoted(bytes, index..<limit, isCut)
        if let (open, stray) = unescaped {
          unescaped = nil
          rowIsQuoted = true
          if open > index { rowIsPadded = true }
          index = value.next
          let isWhole = addFields(
            of: UnescapedLine(bytes, open..<index, stray: stray), bytes, isCut && index == limit)
          if !isWhole || index == limit { return (index, index) }
          break
        }
      }
      if value.isPadded { rowIsPadded = true }
      if value.isQuoted { rowIsQuoted = true }
      let isOneTooMany = fieldCount - firstFieldOfRow == Self.mostFields && index < limit
      index = value.next
      let isTooLong = isOneTooMany || isCut && index == limit
      if isTooLong { mark(.tooLong) }
      unsafe fields[fieldCount] = CSVRows.Field(value.start, value.end)
      fieldCount += 1
      if isTooLong {
        isCutOff = true
        return (index, index)
      }
      guard index < limit else { return (index, index) }
      if bytes[index] != CSVBytes.comma { break }
      index += 1
    }
    let isPair =
      bytes[index] == CSVBytes.carriageReturn && index + 1 < limit
      && bytes[index + 1] == CSVBytes.lineFeed
    return (index, index + (isPair ? 2 : 1))
  }

  /// Completes the row whose fields were read, unless it is a blank line.
  private mutating func finishRow(_ bytes: CSVBytes, _ range: Range<Int>, line: Int) {
    if kinds.hasNul || !kinds.isASCII { checkEncoding(bytes, range) }
    for field in unresolved { resolveQuotes(bytes, field) }
    let isSingle = fieldCount - firstFieldOfRow == 1
    if isSingle, !rowIsQuoted, !isCutOff, unsafe fields[firstFieldOfRow].isEmpty {
      dialect.blankLines += 1
      fieldCount = firstFieldOfRow
      return
    }
    if rowIsPadded {
      dialect.paddedRows += 1
      if dialect.firstPaddedLine == nil { dialect.firstPaddedLine = firstLine + line }
    }
    endRow(line: line, isPadded: rowIsPadded)
  }

  private mutating func endRow(line: Int, isPadded: Bool) {
    let row = CSVRows.Row(
      firstField: UInt32(truncatingIfNeeded: firstFieldOfRow),
      firstFlaw: UInt32(truncatingIfNeeded: firstFlawOfRow),
      line: UInt32(truncatingIfNeeded: line), isPadded: isPadded)
    unsafe rows[rowCount] = row
    rowCount += 1
  }

  private mutating func endLine(_ bytes: CSVBytes, _ range: Range<Int>) {
    let number = firstLine + line
    if range.count == 2 {
      if firstLines.pair == nil { firstLines.pair = number }
    } else if bytes[range.lowerBound] == CSVBytes.lineFeed {
      if firstLines.feed == nil { firstLines.feed = number }
    } else if firstLines.carriageReturn == nil {
      firstLines.carriageReturn = number
    }
    line += 1
  }

  // MARK: Fields

  /// Reads a field that is not quoted; `nil` if it is.
  private mutating func readPlain(_ bytes: CSVBytes, _ range: Range<Int>) -> Value? {
    let limit = range.upperBound
    var hasPadding = false
    var hasNul = false
    var isASCII = true
    var index = range.lowerBound
    scan: while true {
      index = bytes.firstUnusual(index..<limit)
      guard index < limit else { break }
      let byte = bytes[index]
      switch byte {
      case CSVBytes.comma, CSVBytes.lineFeed, CSVBytes.carriageReturn: break scan
      case CSVBytes.quote:
        if isPadding(bytes, range.lowerBound..<index) { return nil }
        markOnce(.strayQuote)
      case 0x20, 0x09, 0x0B, 0x0C: hasPadding = true
      case 0: hasNul = true
      case 0x80...: isASCII = false
      default: break
      }
      index += 1
    }
    if hasNul { kinds.hasNul = true }
    if !isASCII { kinds.isASCII = false }
    var value = Value(start: range.lowerBound, end: index, next: index)
    if hasPadding { trim(bytes, &value) }
    return value
  }

  private func isPadding(_ bytes: CSVBytes, _ range: Range<Int>) -> Bool {
    range.allSatisfy { CSVBytes.isPadding(bytes[$0]) }
  }

  /// Removes the spaces around a value.
  private func trim(_ bytes: CSVBytes, _ value: inout Value) {
    let length = value.end - value.start
    while value.end > value.start, CSVBytes.isPadding(bytes[value.end - 1]) { value.end -= 1 }
    while value.start < value.end, CSVBytes.isPadding(bytes[value.start]) { value.start += 1 }
    if value.end - value.start < length { value.isPadded = true }
  }

  /// Reads a quoted field, before whose quote there may be spaces.
  private mutating func readQuoted(
    _ bytes: CSVBytes, _ range: Range<Int>, _ isCut: Bool
  ) -> Value {
    let limit = range.upperBound
    var open = range.lowerBound
    while bytes[open] != CSVBytes.quote { open += 1 }
    let start = open + 1
    var isWhole = true
    var close: Int?
    var index = start
    let (lineOfField, flawsBefore) = (line, flaws.count)
    let end = min(limit, quoteLimit)
    while index < end, close == nil {
      let byte = bytes[index]
      if byte > CSVBytes.quote, byte < 0x80 {
        index += 1
        continue
      }
      switch byte {
      case CSVBytes.quote:
        if index + 1 < limit, bytes[index + 1] == CSVBytes.quote {
          isWhole = false
          index += 1
        } else {
          close = index
        }
      case CSVBytes.lineFeed: readLineBreak(isCounted: true)
      case CSVBytes.carriageReturn:
        let isPair = index + 1 < limit && bytes[index + 1] == CSVBytes.lineFeed
        readLineBreak(isCounted: !isPair)
      default: note(byte)
      }
      index += 1
    }
    if close == nil, isCut { index = bytes.endOfLine(start..<limit) }
    let afterQuotes = index
    while index < limit, CSVBytes.isPadding(bytes[index]) { index += 1 }
    var value = Value(start: start, end: close ?? index, next: index, isQuoted: true)
    if open > range.lowerBound { value.isPadded = true }
    guard close == nil ? isCut : index == limit || CSVBytes.endsField(bytes[index]) else {
      var lastLine = start
      if let close { lastLine = bytes.startOfLastLine(of: start, unescaped: close) }
      if lastLine == start {
        // The lines that follow are rows, although they were searched.
        line = lineOfField
        flaws.removeLast(flaws.count - flawsBefore)
      }
      value.next = bytes.endOfLine(lastLine..<limit)
      for index in lastLine..<value.next { note(bytes[index]) }
      unescaped = (open, close.flatMap { $0 < value.next ? $0 : nil })
      return value
    }
    if isWhole {
      trim(bytes, &value)
      if index > afterQuotes { value.isPadded = true }
    } else {
      value.end = index
      unresolved.append(fieldCount)
    }
    return value
  }

  /// Adds the fields of the rest of a row, and returns whether the row can be as long.
  private mutating func addFields(
    of rest: consuming UnescapedLine, _ bytes: CSVBytes, _ isTooLong: Bool
  ) -> Bool {
    let expected = columnCount.map { $0 - (fieldCount - firstFieldOfRow) }
    for field in rest.fields(expecting: expected) {
      let isOneTooMany = fieldCount - firstFieldOfRow == Self.mostFields
      if isOneTooMany { mark(.tooLong) } else if let flaw = field.flaw { markOnce(flaw) }
      var value = Value(start: field.start, end: field.end, next: field.end)
      if field.isEscaped { unresolved.append(fieldCount) } else { trim(bytes, &value) }
      if value.isPadded { rowIsPadded = true }
      unsafe fields[fieldCount] = CSVRows.Field(value.start, value.end)
      fieldCount += 1
      if isOneTooMany { isCutOff = true }
    }
    if isTooLong, !isCutOff {
      mark(.tooLong)
      isCutOff = true
    }
    return !isCutOff
  }

  private mutating func readLineBreak(isCounted: Bool) {
    markOnce(.lineBreak)
    if isCounted { line += 1 }
  }

  private mutating func note(_ byte: UInt8) {
    if byte == 0 { kinds.hasNul = true }
    if byte >= 0x80 { kinds.isASCII = false }
  }

  /// Removes the closing quote and one of two doubled quotes from a field, in its own place.
  private mutating func resolveQuotes(_ bytes: CSVBytes, _ field: Int) {
    let range = unsafe Int(fields[field].start)..<Int(fields[field].end)
    var isInside = true
    var end = range.lowerBound
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      index += 1
      if isInside, byte == CSVBytes.quote {
        guard index < range.upperBound, bytes[index] == CSVBytes.quote else {
          isInside = false
          continue
        }
        index += 1
      }
      bytes[end] = byte
      end += 1
    }
    var value = Value(start: range.lowerBound, end: end, next: end)
    trim(bytes, &value)
    if value.isPadded { rowIsPadded = true }
    unsafe fields[field] = CSVRows.Field(value.start, value.end)
  }

  // MARK: Flaws

  private mutating func mark(_ kind: CSVFlaw.Kind) {
    flaws.append(CSVFlaw(kind: kind, field: fieldCount - firstFieldOfRow))
  }

  private mutating func markOnce(_ kind: CSVFlaw.Kind) {
    if flaws.count == firstFlawOfRow || flaws.last?.kind != kind { mark(kind) }
  }

  /// Records the first NUL and the first byte that is not UTF-8 as flaws.
  private mutating func checkEncoding(_ bytes: CSVBytes, _ range: Range<Int>) {
    if kinds.hasNul, let index = range.first(where: { bytes[$0] == 0 }) { mark(.nul, at: index) }
    if !kinds.isASCII, let index = bytes.firstInvalidByte(range) { mark(.invalidUTF8, at: index) }
  }

  private mutating func mark(_ kind: CSVFlaw.Kind, at index: Int) {
    var field = fieldCount - 1
    while field > firstFieldOfRow, unsafe Int(fields[field].start) > index { field -= 1 }
    flaws.append(
      CSVFlaw(kind: kind, field: field - firstFieldOfRow, offset: offset + index))
  }
}
