/// Takes down what happens while one feed is read.
///
/// Belongs to one reading and one thread; the report is its result.
final class FeedJournal {
  private(set) var report: FeedReport

  init(_ source: FeedSource) {
    report = FeedReport(
      feed: source.name, isArchive: source.isArchive, directory: source.directory)
    report.files = source.files.map { .init(name: $0.name, path: $0.path, bytes: $0.size) }
    if !source.directory.isEmpty {
      report.add(.feedDirectory(source.directory).at(source.name))
    }
    for file in source.files where !file.path.hasSuffix(file.name) {
      report.add(.fileNameCase(file.path).at(file.name))
    }
    for name in source.unknownFiles { report.add(.unknownFile().at(name)) }
  }

  func add(_ problem: FeedProblem) { report.add(problem) }

  /// Takes down how a file was written and how many rows it had.
  func finish(_ name: String, rows: Int, dialect: CSVDialect) {
    let ends = dialect.lineEnds.sorted { $0.value < $1.value }
    if let index = report.files.firstIndex(where: { $0.name == name }) {
      report.files[index].rows = rows
      report.files[index].hasByteOrderMark = dialect.hasByteOrderMark
      report.files[index].lineEnds = ends.map(\.key.rawValue)
    }
    if dialect.hasByteOrderMark { add(.byteOrderMark().at(name)) }
    if ends.count > 1 {
      add(.mixedLineEnds(ends.map(\.key.rawValue)).at(name, line: ends[1].value))
    }
    if dialect.blankLines > 0 { add(.blankLines(dialect.blankLines).at(name)) }
    if let line = dialect.firstPaddedLine {
      add(.padding(dialect.paddedRows).at(name, line: line))
    }
  }
}
