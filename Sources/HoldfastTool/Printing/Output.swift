import Foundation

/// Where a verb prints its result: a table for people, with `--json` one object per line, or CSV.
struct Output: Sendable {
  enum Format: Sendable { case table, json, csv }

  let format: Format
  let console: Console

  init(_ format: Format, console: Console) {
    (self.format, self.console) = (format, console)
  }

  /// Prints records as they come.
  ///
  /// JSON is written record by record; a table waits for its first 1000 records to find its
  /// widths. When there are none, people read "No stops found." on standard error.
  ///
  /// - Parameters:
  ///   - things: What the records are, in the plural: "stops".
  ///   - layout: What a table shows of the records.
  ///   - body: Writes the records, all with the same keys in the same order.
  /// - Throws: Whatever `body` throws, and ``ToolError`` as ``Console/print(_:)``.
  func records(
    of things: String, as layout: Table.Layout = .everything,
    _ body: (inout Listing) throws -> Void
  ) throws {
    var listing = Listing(self, layout)
    try body(&listing)
    try listing.finish()
    if listing.isEmpty { note("No \(things) found.") }
    try console.flush()
  }

  /// Prints records that are at hand.
  func records(
    of things: String, as layout: Table.Layout = .everything, _ records: some Sequence<Record>
  ) throws {
    try self.records(of: things, as: layout) { listing in
      for record in records { try listing.write(record) }
    }
  }

  /// Prints one record, at once: for people one line per key, and per value of a list.
  func record(_ record: Record) throws {
    switch format {
    case .json:
      try console.print(record.json)
    case .csv:
      try console.print(record.csvHeader)
      try console.print(record.csv)
    case .table:
      let lines = record.flattened()
      let width = lines.map(\.key.displayWidth).max() ?? 0
      for line in lines {
        try console.print(line.key.padding(toColumn: width + 2) + line.cell.tableText)
      }
    }
    try console.flush()
  }

  /// Prints a line for people on standard output; programs do not get it.
  func line(_ text: String) throws {
    if format == .table { try console.print(text) }
  }

  /// Prints a remark for people on standard error; programs do not get it.
  func note(_ text: String) {
    if format == .table { console.complain([text]) }
  }

  /// Shows a progress bar during work that leaves nothing behind when it throws.
  func withProgress<Result>(_ work: (ProgressBar) throws -> Result) rethrows -> Result {
    try console.undoing {
      defer { console.endBar() }
      return try work(ProgressBar(console: console, isShown: format == .table))
    }
  }

  /// Reports an error on standard error, after all that was printed before it.
  ///
  /// - Parameters:
  ///   - error: Any error.
  ///   - paths: The paths of the command line, which the report spells as they were given.
  /// - Returns: The code for the process to exit with.
  func report(_ error: any Error, paths: [URL] = []) -> ExitCode {
    let report = ErrorReport(error, paths: paths)
    // Whoever closed the output knows, and 'head' should not leave a complaint behind.
    if report.error.exitCode != .outputClosed {
      console.complain(format == .json ? [report.record.json] : report.lines)
    }
    return report.error.exitCode
  }
}

/// The records of one listing, on their way to the console.
struct Listing {
  private let format: Output.Format
  private let console: Console
  private let layout: Table.Layout
  private var waiting: [Record] = []
  private var table: Table?
  private var hasHeader = false
  private(set) var isEmpty = true

  fileprivate init(_ output: Output, _ layout: Table.Layout) {
    (format, console, self.layout) = (output.format, output.console, layout)
  }

  /// Prints the names of columns where a listing without records has them, too.
  mutating func begin(columns: [String]) throws {
    guard format == .csv else { return }
    try console.print(Record(columns: columns, cells: columns.map { _ in .null }).csvHeader)
    hasHeader = true
  }

  /// Prints a record, or keeps it until the table knows its widths.
  mutating func write(_ record: Record) throws {
    isEmpty = false
    switch (format, table) {
    case (.json, _):
      try console.print(record.json)
    case (.csv, _):
      if !hasHeader { try console.print(record.csvHeader) }
      hasHeader = true
      try console.print(record.csv)
    case (.table, let table?):
      try console.print(table.line(record))
    case (.table, nil):
      waiting.append(record)
      if waiting.count == 1000 { try finish() }
    }
  }

  /// Prints what is kept back.
  fileprivate mutating func finish() throws {
    guard !waiting.isEmpty else { return }
    let table = Table(for: waiting, as: layout, columns: console.output.columns)
    if let header = table.header { try console.print(header) }
    for record in waiting { try console.print(table.line(record)) }
    waiting = []
    self.table = table
  }
}

extension Record {
  /// The fields, with those of records inside as `outer.inner`, and lists value by value.
  fileprivate func flattened() -> [Field] {
    fields.flatMap { field -> [Field] in
      switch field.cell {
      case .record(let inner):
        inner.flattened().map { Field(key: "\(field.key).\($0.key)", cell: $0.cell) }
      case .list(let values) where !values.isEmpty:
        values.enumerated().map { Field(key: $0 == 0 ? field.key : "", cell: $1) }
      default: [field]
      }
    }
  }
}
