import HoldfastFiles

/// The rows of one file; the problems of each row's text are reported.
///
/// A large file is parsed on several threads. The rows and the problems are in the file's order, and
/// on the caller's thread.
struct FeedRows {
  enum Depth {
    /// The values are used, and few rows decide about many others: a flaw in the text is an error.
    case names
    /// The values are used, and there are many rows: a flaw in the text of one costs at most that
    /// row.
    case rows
    /// The values are kept as text, and departures do not need them: a flaw in the text of a row
    /// costs at most the rows from there on, and is a warning.
    case text

    /// Returns the kind of a flaw in a file of this depth.
    func flaw(names: FeedFlaw, rows: FeedFlaw, text: FeedFlaw) -> FeedFlaw {
      switch self {
      case .names: names
      case .rows: rows
      case .text: text
      }
    }
  }

  /// A closure that is called with each row read: the file, the header and the row.
  typealias Observer = (_ file: String, _ columns: [String], _ record: CSVRecord) -> Void

  private(set) var header: FeedHeader?
  /// The numbers of the columns without a name, until a value in one was reported.
  private var unnamed: [Int] = []
  private(set) var parser: RowParser
  private let file: FeedSource.File
  private let report: ReportBuilder
  private let onRow: Observer?
  private let depth: Depth
  private var meter: FeedMeter?
  /// The file from the next block on; `nil` at its end, and when a pipeline reads it.
  private var splitter: CSVSplitter?
  private var pipeline: RowPipeline<Void>?
  private var rows = CSVRows.empty
  /// The number of rows of the block that were read.
  private var index = 0
  private var dialect = CSVDialect()
  private var count = 0
  private var isUnreadable = false

  init(
    of file: FeedSource.File, depth: Depth, report: ReportBuilder, onRow: Observer?
  ) {
    self.file = file
    self.report = report
    self.onRow = onRow
    self.depth = depth
    parser = RowParser(file: file.name, report: report)
  }

  /// Opens the file and reads its header.
  mutating func open(in source: FeedSource, _ meter: FeedMeter) throws {
    self.meter = meter
    splitter = CSVSplitter(try source.open(file))
    guard try readRow() else { return }
    if let content = SubstituteContent(parser.record.bytes(0)) {
      let flaw = depth.flaw(
        names: .substitute, rows: .substitute, text: .substituteOfOtherFile)
      note(.substitute(flaw, content))
      isUnreadable = true
      return
    }
    note(parser.record.flaws, names: nil)
    // In a file with another encoding, missing columns mean nothing.
    isUnreadable = parser.record.count == 0
    if isUnreadable { return }
    let header = FeedHeader(parser.record, of: file.name, report: report)
    self.header = header
    unnamed = header.names.indices.filter { header.names[$0].isEmpty }
  }

  /// About how many rows the file has, by the length of the first ones.
  ///
  /// It is at most a million, because the declared length of a file may be wrong.
  var expectedCount: Int {
    let blocks = Double(file.size) / Double(max(1, rows.size))
    return Int(min(Double(1 << 20), blocks * Double(rows.count) * 1.125))
  }

  /// Reads the next row that has a value.
  mutating func next() throws -> Bool {
    guard let header else { return false }
    if index == rows.count { startPipeline() }
    while try readRow() {
      guard noteText(header) else { continue }
      count += 1
      noteUnnamed(parser.record)
      onRow?(file.name, header.names, parser.record)
      if isUsable(header) { return true }
    }
    return false
  }

  /// Converts the rows after the header on several threads; to be used instead of `next()`.
  ///
  /// The problems of each row's text are reported before `body` is called with its block.
  ///
  /// - Parameters:
  ///   - convert: A closure that is called with the rows of each block, on any thread and in any
  ///     order. Blank rows, which have no value and are reported as such, are among them.
  ///   - body: A closure that is called on the caller's thread, in the file's order, with the rows
  ///     and what `convert` returned for them; an error that it throws ends the reading.
  /// - Throws: ``FeedError`` with `.damaged` or `.unreadable`; whatever the progress and `body` throw.
  mutating func forEachBlock<Output: Sendable>(
    _ convert: @escaping @Sendable (CSVRows) -> Output,
    _ body: (CSVRows, Output) throws -> Void
  ) throws {
    guard let columns = header?.names.count else { return }
    try forEachCheckedBlock({ rows in
      (unusual: rows.unusualRows(columns: columns), output: convert(rows))
    }) { rows, converted, record in
      for row in converted.unusual { _ = record(row) }
      try body(rows, converted.output)
    }
  }

  /// Converts the rows after the header on several threads, and leaves it to a closure to have each
  /// row reported that has a flaw.
  ///
  /// - Parameters:
  ///   - convert: A closure as for ``forEachBlock(_:_:)``.
  ///   - body: A closure as for ``forEachBlock(_:_:)``. Its last argument returns a row and reports
  ///     the flaws of its text; `nil` if the row cannot be used. It is to be called once for each row
  ///     that has a flaw, no value, or another number of fields than the header.
  /// - Throws: ``FeedError`` with `.damaged` or `.unreadable`; whatever the progress and `body` throw.
  mutating func forEachCheckedBlock<Output: Sendable>(
    _ convert: @escaping @Sendable (CSVRows) -> Output,
    _ body: (CSVRows, Output, _ record: (Int) -> CSVRecord?) throws -> Void
  ) throws {
    guard let header else { return }
    let first = rows.dropFirst(index)
    index = rows.count
    try handOver(first, convert(first), header, body)
    guard let splitter else { return }
    self.splitter = nil
    // A single block needs no threads.
    let pipeline = RowPipeline(
      splitter, threads: splitter.isAtEnd ? 0 : RowPipeline<Void>.usualThreads, convert: convert)
    while let part = try pipeline.next() {
      try take(part.rows)
      try handOver(part.rows, part.output, header, body)
      if part.rows.isCutOff { return }
    }
    try meter?.count(0)
  }

  /// Reports how the file was written and whether it had rows.
  func close(needsRows: Bool) {
    report.finish(file.name, rows: count, dialect: dialect)
    if isUnreadable { return }
    if header == nil {
      report.add(.emptyFile(needsRows ? .emptyFileOfNames : .emptyFile).at(file.name))
    } else if count == 0 {
      report.add(.noRows(needsRows ? .noRowsOfNames : .noRows).at(file.name))
    }
  }

  // MARK: Blocks

  /// Makes the next row the parser's record.
  private mutating func readRow() throws -> Bool {
    while index == rows.count {
      guard let next = try nextRows() else { return false }
      try take(next)
      rows = next
      index = 0
      if next.isCutOff { (splitter, pipeline) = (nil, nil) }
    }
    parser.record = rows[index]
    index += 1
    return true
  }

  private mutating func nextRows() throws -> CSVRows? {
    var next: CSVRows?
    if let pipeline {
      next = try pipeline.next()?.rows
    } else if var block = try splitter?.next() {
      var parser = CSVParser()
      next = parser.parse(&block)
    } else if splitter == nil {
      return nil
    }
    if next == nil {
      (splitter, pipeline) = (nil, nil)
      try meter?.count(0)
    }
    return next
  }

  /// Reads the rest of the file on several threads, if there is more than one block.
  private mutating func startPipeline() {
    guard pipeline == nil, let splitter, !splitter.isAtEnd else { return }
    pipeline = RowPipeline(splitter) { _ in }
    self.splitter = nil
  }

  private mutating func take(_ rows: CSVRows) throws {
    dialect.add(rows.dialect)
    try meter?.count(rows.size)
  }

  private mutating func handOver<Output: Sendable>(
    _ rows: CSVRows, _ output: Output, _ header: FeedHeader,
    _ body: (CSVRows, Output, (Int) -> CSVRecord?) throws -> Void
  ) throws {
    count += rows.count
    if !unnamed.isEmpty {
      for row in 0..<rows.count { noteUnnamed(rows[row]) }
    }
    try body(rows, output) { row in
      parser.record = rows[row]
      guard noteText(header) else {
        count -= 1
        return nil
      }
      return isUsable(header) ? parser.record : nil
    }
  }

  // MARK: Problems

  /// Reports the first value in a column without a name; a comma at the end of each row is harmless.
  private mutating func noteUnnamed(_ record: CSVRecord) {
    // A header may have more of them than all rows have values.
    let present = unnamed.prefix { $0 < record.count }
    guard let index = present.first(where: { !record.isBlank($0) }) else { return }
    unnamed = []
    report.add(.unnamedColumn(index + 1).at(file.name, line: record.line))
  }

  /// Reports the problems of a row's text, and returns whether it has a value.
  private func noteText(_ header: FeedHeader) -> Bool {
    note(parser.record.flaws, names: header.names)
    if parser.record.isBlank {
      note(.blankRow())
      return false
    }
    return true
  }

  /// Returns whether a row can be used whose text was reported.
  private func isUsable(_ header: FeedHeader) -> Bool {
    // Where the columns of such a row begin is unknown; a file of names is refused for it.
    if depth != .names, isCutOff(parser.record) { return false }
    return checkCount(header.names.count)
  }

  /// Reports a row that is shorter or longer than the header, and returns whether it can be used.
  private func checkCount(_ expected: Int) -> Bool {
    let found = parser.record.count
    if found < expected { note(.missingCells(found, of: expected)) }
    guard found > expected else { return true }
    let areBlank = (expected..<found).allSatisfy(parser.record.isBlank)
    if areBlank {
      note(.blankExtraCells(found, of: expected))
      return true
    }
    let flaw = depth.flaw(
      names: .extraCellsOfName, rows: .extraCells, text: .extraCellsOfOtherFile)
    note(.extraCells(flaw, found, of: expected))
    return flaw.decision.outcome != .dropsRow
  }

  private func isCutOff(_ record: CSVRecord) -> Bool {
    record.flaws.contains { $0.kind == .unterminatedQuote || $0.kind == .tooLong }
  }

  private func note(_ flaws: ArraySlice<CSVFlaw>, names: [String]?) {
    for flaw in flaws {
      // In the header, the flawed value is the name itself.
      let field =
        names.map { $0.indices.contains(flaw.field) ? $0[flaw.field] : "\(flaw.field + 1)" }
        ?? (flaw.field < parser.record.count ? parser.record.text(flaw.field) : nil)
      note(problem(of: flaw), field: field)
    }
  }

  private func problem(of flaw: CSVFlaw) -> FeedProblem {
    switch flaw.kind {
    case .nul:
      .nul(
        depth.flaw(names: .nulInName, rows: .nulByte, text: .nulByte), offset: flaw.offset ?? 0)
    case .invalidUTF8:
      .invalidUTF8(
        depth.flaw(names: .notUTF8InName, rows: .notUTF8, text: .notUTF8), file: file.name,
        offset: flaw.offset ?? 0)
    case .utf16(let isBigEndian):
      .utf16(
        depth.flaw(names: .utf16, rows: .utf16, text: .utf16OfOtherFile), file: file.name,
        isBigEndian: isBigEndian)
    case .strayQuote: .strayQuote()
    case .unterminatedQuote:
      .unterminatedQuote(
        depth.flaw(
          names: .unterminatedQuote, rows: .unterminatedQuoteOfRow,
          text: .unterminatedQuoteOfRow))
    case .lineBreak: .lineBreak()
    case .tooLong:
      .tooLong(
        depth.flaw(names: .rowTooLong, rows: .rowTooLong, text: .rowTooLongOfOtherFile))
    }
  }

  private func note(_ problem: FeedProblem, field: String? = nil) {
    report.add(problem.at(file.name, line: parser.line, field: field))
  }
}
