/// A builder of the report on one feed, while the feed is read.
///
/// It belongs to one pass and one thread; the report is its result.
final class ReportBuilder {
  private(set) var value: FeedReport
  private struct Kind: Hashable {
    var severity: FeedProblem.Severity
    var code: String
    var file: String
  }

  private var kept: [Kind: Int] = [:]

  /// Creates a builder that adds to a report without problems.
  init(_ report: FeedReport) { value = report }

  /// Counts a problem, and keeps it unless the limit for its kind is reached.
  func add(_ problem: FeedProblem) {
    value.count(problem)
    // Problems of whole files share one limit: an archive may contain any number of files.
    let place = problem.line == nil ? "" : problem.file
    let kind = Kind(severity: problem.severity, code: problem.code, file: place)
    guard kept[kind, default: 0] < FeedReport.problemsKept else { return }
    kept[kind, default: 0] += 1
    value.problems.append(problem)
  }

  /// Records how a file was written and how many rows it had.
  func finish(_ name: String, rows: Int, dialect: CSVDialect) {
    let ends = dialect.lineEnds.sorted { $0.value < $1.value }
    if let index = value.files.firstIndex(where: { $0.name == name }) {
      value.files[index].rows = rows
      value.files[index].hasByteOrderMark = dialect.hasByteOrderMark
      value.files[index].lineEnds = ends.map(\.key.rawValue)
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
