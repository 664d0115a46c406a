import Foundation
import HoldfastFeeds

/// `holdfast transit report FEED`.
struct TransitReport: Verb {
  private let feed = Argument(
    "FEED", "A GTFS feed: a zip archive, or a folder with its text files.", .path)

  var declaration: Declaration {
    Declaration(
      "report", "Reads every file of a GTFS feed and lists its problems.", feed,
      example: "Samples/port-merrow")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let report = try output.withProgress { bar in
      try FeedReport.examine(arguments[feed]) { fraction in
        try bar.show(fraction, "Reading \(arguments[feed].lastPathComponent)")
      }
    }
    let layout = Table.Layout(
      keys: ["severity", "file", "line", "field", "message"], isLastWrapped: true)
    try output.records(
      of: "problems", as: layout, report.problems.lazy.map(Record.init(problem:)))
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

extension Record {
  /// Creates the record of a problem and its place.
  fileprivate init(problem: FeedProblem) {
    self = [
      "severity": .text(problem.severity.rawValue),
      "code": .text(problem.code),
      "file": .text(problem.file),
      "line": Cell(problem.line),
      "field": Cell(problem.field),
      "message": .text(problem.message),
      "advice": Cell(problem.advice),
    ]
  }
}
