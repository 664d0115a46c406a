import Foundation
import HoldfastFeeds

/// `holdfast transit import FEED OUT.db [--previous OLD.db]`.
struct TransitImport: Verb {
  private let feed = Argument("FEED", "A GTFS zip or a folder with its text files.", .path)
  private let output = Argument(
    "OUT.db", "The database to make; a timetable database of that name is replaced.", .path)
  private let previous = Option(
    "--previous", "OLD.db", "Keeps the numbers that OLD.db gave to stops and routes.", .path)

  var declaration: Declaration {
    Declaration(
      "import", "Turns a GTFS feed into a timetable database that is searched offline.", feed,
      output, previous, example: "gtfs.zip harbour.db --previous harbour-2025.db")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let database = arguments[self.output]
    let importer = FeedImporter(
      feed: arguments[feed], output: database, previous: arguments[previous])
    let made = try output.withProgress { bar in
      try importer.run { fraction in
        bar.show(fraction, "Importing \(arguments[feed].lastPathComponent)")
      }
    }
    try output.record(Record(made, at: database))
    for problem in made.report.problems where problem.severity == .warning {
      output.note("\(problem.place): \(problem.message)")
    }
    return .success
  }
}

extension Record {
  /// The summary of an import.
  init(_ made: FeedImport, at url: URL) {
    let rows = made.rows.sorted { $0.key < $1.key }
    self = [
      "output": .text(url.relativePath),
      "rows": .record(
        Record(columns: rows.map(\.key), cells: rows.map { Cell($0.value) })),
      "feed_identity": .text(made.feedIdentity),
      "bytes": Cell(made.bytes),
      "warnings": Cell(made.report.warningCount),
    ]
  }
}
