import Foundation
import HoldfastFeeds

/// `holdfast transit report FEED`.
struct TransitReport: Verb {
  private let feed = Argument("FEED", "A GTFS zip or a folder with its text files.", .path)

  var declaration: Declaration {
    Declaration(
      "report", "Reads every file of a GTFS feed and lists what is wrong in it.", feed,
      example: "gtfs.zip")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let report = try output.withProgress { bar in
      try FeedReport.examine(arguments[feed]) { fraction in
        bar.show(fraction, "Reading \(arguments[feed].lastPathComponent)")
      }
    }
    try output.records(of: "problems", report.problems.lazy.map(Record.init(problem:)))
    let kept = report.problems.count
    let met = report.counts.values.reduce(0, +)
    if met > kept {
      output.note("\(met - kept) more of the same kinds are not listed.")
    }
    output.note(
      report.errorCount > 0
        ? "\(report.errorCount) errors: the feed would be refused."
        : "No error: the feed can be imported.")
    return report.errorCount > 0 ? .problemsFound : .success
  }
}

extension Record {
  /// A problem and its place.
  fileprivate init(problem: FeedProblem) {
    self = [
      "severity": .text(problem.severity.rawValue),
      "code": .text(problem.code),
      "file": .text(problem.file),
      "line": Cell(problem.line),
      "field": Cell(problem.field),
      "message": .text(problem.message),
    ]
  }
}
