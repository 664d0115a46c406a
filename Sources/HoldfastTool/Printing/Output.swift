import Foundation

/// The output of a verb: a table for people, one object per line with `--json`, or CSV.
struct Output: Sendable {
  enum Format: Sendable { case table, json, csv }

  let format: Format
  let console: Console

  init(_ format: Format, console: Console) {
    (self.format, self.console) = (format, console)
  }

  /// Prints records while they are produced.
  ///
  /// JSON is written record by record; a table waits for its first 1000 records to determine its
  /// widths. When there are none, "No stops found." is printed on standard error.
  ///
  /// - Parameters:
  ///   - things: The name of the records, in the plural: "stops".
  ///   - layout: The layout of a table.
  ///   - body: Writes the records, all with the same keys in the same order.
  /// - Throws: Whatever `body` throws, and ``ToolError`` as ``Console/print(_:)`` does.
  func records(
    of things: String, as layout: TextTable.Layout = .everything,
    _ body: (inout Listing) throws -> Void
  ) throws {
    var listing = Listing(self, layout)
    try body(&listing)
    try listing.finish()
    if listing.isEmpty { note("No \(things) found.") }
    try console.flush()
  }

  /// Prints a sequence of records.
  func records(
    of things: String, as layout: TextTable.Layout = .everything,
    _ records: some Sequence<OutputRecord>
  ) throws {
    try self.records(of: things, as: layout) { listing in
      for record in records { try listing.write(record) }
    }
  }

  /// Prints one record: in the text format, one line per key with a value, and per text of a list.
  func record(_ record: OutputRecord) throws {
    switch format {
    case .json:
      try console.print(record.json)
    case .csv:
      try console.print(record.csvHeader)
      try console.print(record.csv)
    case .table:
      let lines = record.flattened().map { (key: $0.key.escapingControls, cell: $0.cell) }
      let width = lines.map(\.key.displayWidth).max() ?? 0
      for line in lines {
        try console.print(line.key.padding(toColumn: width + 2) + line.cell.tableText)
      }
    }
    try console.flush()
  }

  /// Prints a line on standard output, in the text format only.
  func line(_ text: String) throws {
    if format == .table { try console.print(text) }
  }

  /// Prints a heading on standard output, in the text format only.
  func heading(_ text: String) throws {
    if format == .table { try console.print(StyledText(text.escapingControls, .bold)) }
  }

  /// Prints a remark on standard error, in the text format only.
  func note(_ text: String) {
    if format == .table { console.complain([text]) }
  }

  /// Prints on standard error why an answer is empty: a sentence, or a record with `--json`.
  func explain(_ sentence: String, _ record: OutputRecord) {
    console.complain([format == .json ? record.json : sentence])
  }

  /// Shows a progress bar during work that leaves nothing behind when it throws.
  func withProgress<Result>(_ work: (ProgressBar) throws -> Result) rethrows -> Result {
    try console.undoing {
      defer { console.endBar() }
      return try work(ProgressBar(console: console, isShown: format == .table))
    }
  }

  /// Reports an error on standard error, after everything printed before it.
  ///
  /// - Parameters:
  ///   - error: Any error.
  ///   - paths: The paths on the command line, which the report spells as they were given.
  /// - Returns: The exit code of the process.
  func report(_ error: any Error, paths: [URL] = []) -> ExitCode {
    let report = ErrorReport(error, paths: paths)
    // A closed output is no surprise to its reader, such as 'head', so no error is printed.
    if report.error.exitCode != .outputClosed {
      if format == .json {
        console.complain([report.record.json])
      } else {
        console.complain(report.lines, first: .bold)
      }
    }
    return report.error.exitCode
  }
}

/// A writer of the records of one listing.
struct Listing {
  private let format: Output.Format
  private let console: Console
  private let layout: TextTable.Layout
  private var waiting: [OutputRecord] = []
  private var table: TextTable?
  private var headings = InstantHeadings()
  private var hasHeader = false
  private(set) var isEmpty = true

  fileprivate init(_ output: Output, _ layout: TextTable.Layout) {
    (format, console, self.layout) = (output.format, output.console, layout)
  }

  /// Prints the column names, in a format that has them even without records.
  mutating func begin(columns: [String]) throws {
    guard format == .csv else { return }
    try console.print(OutputRecord(columns: columns, cells: columns.map { _ in .null }).csvHeader)
    hasHeader = true
  }

  /// Prints a record, or keeps it until the table's widths are known.
  mutating func write(_ record: OutputRecord) throws {
    isEmpty = false
    switch (format, table) {
    case (.json, _):
      try console.print(record.json)
    case (.csv, _):
      if !hasHeader { try console.print(record.csvHeader) }
      hasHeader = true
      try console.print(record.csv)
    case (.table, let table?):
      try print(headings.times(of: record, shown: layout.keys), in: table)
    case (.table, nil):
      waiting.append(record)
      if waiting.count == 1000 { try finish() }
    }
  }

  /// Prints the records that were kept.
  fileprivate mutating func finish() throws {
    guard !waiting.isEmpty else { return }
    var records = waiting.map { headings.times(of: $0, shown: layout.keys) }
    waiting = []
    let table = TextTable(for: records.map(\.record), as: layout, columns: console.output.columns)
    // The first day is above the names of the columns.
    if let first = records.firstIndex(where: { $0.heading != nil }),
      let heading = records[first].heading
    {
      try console.print(StyledText(heading, .bold))
      records[first].heading = nil
    }
    if let header = table.header { try console.print(header) }
    for record in records { try print(record, in: table) }
    self.table = table
  }

  private func print(_ row: (heading: String?, record: OutputRecord), in table: TextTable) throws {
    if let heading = row.heading { try console.print(StyledText("\n" + heading, .bold)) }
    try console.print(table.line(row.record))
  }
}

extension OutputRecord {
  /// Returns the fields with values: fields of nested records as `outer.inner`, and lists of texts value
  /// by value.
  fileprivate func flattened() -> [Field] {
    fields.flatMap { field -> [Field] in
      switch field.cell {
      case .record(let inner):
        inner.flattened().map { Field(key: "\(field.key).\($0.key)", cell: $0.cell) }
      case .null: []
      // Numbers belong together, as the edges of an area do.
      case .list(let values) where !values.isEmpty && !values.allSatisfy(\.isNumber):
        values.enumerated().map { Field(key: $0 == 0 ? field.key : "", cell: $1) }
      default: [field]
      }
    }
  }
}
