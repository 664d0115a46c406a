import Foundation
import HoldfastFeeds

/// `holdfast transit report FEED [--at ISO]`.
struct TransitReport: Verb {
  private let feed = Argument(
    "FEED", "A GTFS feed: a zip archive, or a folder with its text files.", .path)

  private let instant = Option(
    "--at", "ISO",
    "Looks for services that are over at this instant, in ISO 8601; without an offset it is UTC. "
      + "Otherwise now.", .instant)

  var declaration: Declaration {
    Declaration(
      "report", "Reads every file of a GTFS feed and lists its problems.", feed, instant,
      example: "Samples/port-merrow")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let report = try output.withProgress { bar in
      try FeedReport.examine(
        arguments[feed], at: arguments[instant]?.date(in: .gmt) ?? .now
      ) { fraction in
        try bar.show(fraction, "Reading \(arguments[feed].lastPathComponent)")
      }
    }
    let layout = TextTable.Layout(
      keys: ["severity", "file", "line", "field", "message"], isLastWrapped: true,
      styles: ["severity": ["error": .red, "warning": .yellow]])
    // The most severe ones first, and within one severity in the order of reading.
    let problems = FeedProblem.Severity.allCases.flatMap { severity in
      report.problems.filter { $0.severity == severity }
    }
    try output.records(
      of: "problems", as: layout,
      problems.lazy.map { OutputRecord($0, total: report.counts[$0.code] ?? 0) })
    let unlisted = report.counts.values.reduce(0, +) - report.problems.count
    if unlisted > 0 { output.note("\(unlisted) more of the same kinds are not listed.") }
    switch report.errorCount {
    case 0: output.note("No error: the feed can be imported.")
    case 1: output.note("1 error: the feed would be refused.")
    case let count: output.note("\(count) errors: the feed would be refused.")
    }
    return report.errorCount > 0 ? .problemsFound : .success
  }
}

extension OutputRecord {
  /// Creates the record of a problem and its place, with the number of all problems of its name.
  fileprivate init(_ problem: FeedProblem, total: Int) {
    self = [
      "severity": .text(problem.severity.rawValue),
      "code": .text(problem.code),
      "file": .text(problem.file),
      "line": Cell(problem.line),
      "field": Cell(problem.field),
      "value": Cell(problem.value),
      "message": .text(problem.message),
      "advice": Cell(problem.advice),
      "total": Cell(total),
    ]
  }
}
