/// The rows of one file; the problems of each row's text are reported.
struct FeedRows {
  enum Depth {
    /// The values are used: a flaw in the text is an error.
    case values
    /// Only the text is examined: a flaw in it is a warning.
    case text
  }

  private(set) var header: FeedHeader?
  private(set) var cells: RowParser
  private let file: FeedSource.File
  private let journal: ReportBuilder
  private let witness: FeedReading.Witness?
  private let severity: FeedProblem.Severity
  private var reader: CSVReader
  private var count = 0
  private var isUnreadable = false

  init(
    of file: FeedSource.File, depth: Depth, journal: ReportBuilder, witness: FeedReading.Witness?
  ) {
    self.file = file
    self.journal = journal
    self.witness = witness
    severity = depth == .values ? .error : .warning
    cells = RowParser(file: file.name, journal: journal)
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
    guard try reader.read(&cells.record) else { return }
    note(cells.record.flaws, names: nil)
    // In a file with another encoding, missing columns mean nothing.
    isUnreadable = cells.record.count == 0
    if isUnreadable { return }
    header = FeedHeader(cells.record, of: file.name, journal: journal)
  }

  /// Reads the next row that has a value.
  mutating func next() throws -> Bool {
    guard let header else { return false }
    while try reader.read(&cells.record) {
      note(cells.record.flaws, names: header.names)
      if cells.record.isBlank {
        note(.blankRow())
        continue
      }
      checkCount(header.names.count)
      count += 1
      witness?(file.name, header.names, cells.record)
      return true
    }
    return false
  }

  /// Reports how the file was written and whether it had rows.
  func close(severityWithoutRows: FeedProblem.Severity) {
    journal.finish(file.name, rows: count, dialect: reader.dialect)
    if isUnreadable { return }
    if header == nil {
      let severity = severityWithoutRows == .error ? FeedProblem.Severity.error : .warning
      journal.add(.emptyFile(severity).at(file.name))
    } else if count == 0 {
      journal.add(.noRows(severityWithoutRows).at(file.name))
    }
  }

  private func checkCount(_ expected: Int) {
    let found = cells.record.count
    if found < expected { note(.missingCells(found, of: expected)) }
    guard found > expected else { return }
    let areBlank = (expected..<found).allSatisfy(cells.record.isBlank)
    note(
      areBlank
        ? .blankExtraCells(found, of: expected) : .extraCells(severity, found, of: expected))
  }

  private func note(_ flaws: [CSVFlaw], names: [String]?) {
    for flaw in flaws {
      // In the header, the flawed value is the name itself.
      let field =
        names.map { $0.indices.contains(flaw.field) ? $0[flaw.field] : "\(flaw.field + 1)" }
        ?? (flaw.field < cells.record.count ? cells.record.text(flaw.field) : nil)
      note(problem(of: flaw), field: field)
    }
  }

  private func problem(of flaw: CSVFlaw) -> FeedProblem {
    switch flaw.kind {
    case .nul: .nul(severity, offset: flaw.offset ?? 0)
    case .invalidUTF8: .invalidUTF8(severity, file: file.name, offset: flaw.offset ?? 0)
    case .utf16(let isBigEndian): .utf16(severity, file: file.name, isBigEndian: isBigEndian)
    case .strayQuote: .strayQuote()
    case .unterminatedQuote: .unterminatedQuote(severity)
    case .lineBreak: .lineBreak()
    case .tooLong: .tooLong(severity)
    }
  }

  private func note(_ problem: FeedProblem, field: String? = nil) {
    journal.add(problem.at(file.name, line: cells.line, field: field))
  }
}
