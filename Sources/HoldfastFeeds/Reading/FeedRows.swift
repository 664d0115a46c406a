/// The rows of one file; the problems of each row's text are reported.
struct FeedRows {
  enum Depth {
    /// The values are used, and few rows decide about many others: a flaw in the text is an error.
    case names
    /// The values are used, and there are many rows: a flaw in the text of one costs at most that
    /// row.
    case rows
    /// Only the text is examined: a flaw in it is a warning.
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

  private(set) var header: FeedHeader?
  private(set) var parser: RowParser
  private let file: FeedSource.File
  private let report: ReportBuilder
  private let onRow: FeedReading.RowObserver?
  private let depth: Depth
  private var reader: CSVReader
  private var count = 0
  private var isUnreadable = false

  init(
    of file: FeedSource.File, depth: Depth, report: ReportBuilder, onRow: FeedReading.RowObserver?
  ) {
    self.file = file
    self.report = report
    self.onRow = onRow
    self.depth = depth
    parser = RowParser(file: file.name, report: report)
    reader = CSVReader { [] }
  }

  /// Opens the file and reads its header.
  mutating func open(in source: FeedSource, _ meter: FeedMeter) throws {
    let chunks = try source.open(file)
    reader = CSVReader {
      let chunk = try chunks()
      try meter.count(chunk.count)
      return chunk
    }
    guard try reader.read(&parser.record) else { return }
    note(parser.record.flaws, names: nil)
    // In a file with another encoding, missing columns mean nothing.
    isUnreadable = parser.record.count == 0
    if isUnreadable { return }
    header = FeedHeader(parser.record, of: file.name, report: report)
  }

  /// Reads the next row that has a value.
  mutating func next() throws -> Bool {
    guard let header else { return false }
    while try reader.read(&parser.record) {
      note(parser.record.flaws, names: header.names)
      if parser.record.isBlank {
        note(.blankRow())
        continue
      }
      count += 1
      onRow?(file.name, header.names, parser.record)
      if checkCount(header.names.count) { return true }
    }
    return false
  }

  /// Reports how the file was written and whether it had rows.
  func close(needsRows: Bool) {
    report.finish(file.name, rows: count, dialect: reader.dialect)
    if isUnreadable { return }
    if header == nil {
      report.add(.emptyFile(needsRows ? .emptyFileOfNames : .emptyFile).at(file.name))
    } else if count == 0 {
      report.add(.noRows(needsRows ? .noRowsOfNames : .noRows).at(file.name))
    }
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
      names: .extraCellsOfName, rows: .extraCells, text: .extraCellsOfUnusedFile)
    note(.extraCells(flaw, found, of: expected))
    return flaw.decision.outcome != .dropsRow
  }

  private func note(_ flaws: [CSVFlaw], names: [String]?) {
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
        depth.flaw(names: .utf16, rows: .utf16, text: .utf16OfUnusedFile), file: file.name,
        isBigEndian: isBigEndian)
    case .strayQuote: .strayQuote()
    case .unterminatedQuote:
      .unterminatedQuote(
        depth.flaw(
          names: .unterminatedQuote, rows: .unterminatedQuote,
          text: .unterminatedQuoteOfUnusedFile))
    case .lineBreak: .lineBreak()
    case .tooLong:
      .tooLong(
        depth.flaw(names: .rowTooLong, rows: .rowTooLong, text: .rowTooLongOfUnusedFile))
    }
  }

  private func note(_ problem: FeedProblem, field: String? = nil) {
    report.add(problem.at(file.name, line: parser.line, field: field))
  }
}
