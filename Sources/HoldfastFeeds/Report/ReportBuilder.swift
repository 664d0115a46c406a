import Holdfast

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

  init(_ source: FeedSource) {
    value = FeedReport(
      feed: source.name, isArchive: source.isArchive, directory: source.directory)
    value.files = (source.files + source.otherFiles).map {
      .init(name: $0.name, path: $0.path, bytes: $0.size)
    }
    if !source.directory.isEmpty {
      add(.feedDirectory(source.directory).at(source.name))
    }
    for file in source.files where !file.path.hasSuffix(file.name) {
      add(.fileNameCase(file.path).at(file.name))
    }
    let kept = Set(source.otherFiles.map { ExactText($0.name) })
    let present = Set(source.files.map(\.name))
    for name in source.unknownFiles {
      let isKept = kept.contains(ExactText(name))
      if let meant = FeedCatalog.meant(by: name), !present.contains(meant) {
        add(.misnamedFile(meant, isKept: isKept).at(name))
      } else {
        add(.unknownFile(isKept: isKept).at(name))
      }
    }
  }

  /// Adds the files that the feed lacks and needs; `folder` stands before their names, where there are
  /// several feeds.
  func addMissingFiles(of source: FeedSource, in folder: String = "") {
    let present = Set(source.files.map(\.name))
    func candidate(for names: [String]) -> String? {
      source.unknownFiles.first { FeedCatalog.meant(by: $0).map(names.contains) == true }
    }
    for name in FeedCatalog.required
    where !present.contains(name) && FeedCatalog.isRequired(name, in: present) {
      add(.missingFile(candidate: candidate(for: [name])).at(folder + name))
    }
    if present.isDisjoint(with: FeedCatalog.calendars) {
      add(
        .missingCalendar(candidate: candidate(for: FeedCatalog.calendars))
          .at(folder + FeedCatalog.calendars[0]))
    }
  }

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
