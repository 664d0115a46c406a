import Foundation
import HoldfastFeeds

/// `holdfast transit import FEED OUT.db [--previous OLD.db]`.
struct TransitImport: Verb {
  private let feed = Argument(
    "FEED", "A GTFS feed: a zip archive, or a folder with its text files.", .path)
  private let output = Argument(
    "OUT.db", "The database to create; an existing timetable database is replaced.", .path)
  private let previous = Option(
    "--previous", "OLD.db", "Keeps the numbers of stops, routes and trips in OLD.db.", .path)

  var declaration: Declaration {
    Declaration(
      "import", "Converts a GTFS feed into a timetable database for offline search.", feed,
      output, previous, example: "Samples/port-merrow harbour.db")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let database = arguments[self.output]
    try database.checkIsPlaceForFile()
    if let previous = arguments[previous], previous.isFolder {
      throw ToolError.noDatabaseButFolder(previous.relativePath)
    }
    let importer = FeedImporter(
      feed: arguments[feed], output: database, previous: arguments[previous])
    let made = try output.withProgress { bar in
      try importer.run { fraction in
        try bar.show(fraction, "Importing \(arguments[feed].lastPathComponent)")
      }
    }
    try output.record(Record(made, at: database))
    remark(on: made.report, of: arguments[feed], output)
    return .success
  }

  /// Prints the first warnings; a large feed has hundreds.
  private func remark(on report: FeedReport, of feed: URL, _ output: Output) {
    let shown = report.problems.lazy.filter { $0.severity == .warning }.prefix(5)
    for warning in shown { output.note("\(warning.place): \(warning.message)") }
    let more = report.warningCount - shown.count
    if more > 0 {
      output.note(
        "\(more) more; to list them: holdfast transit report \(feed.relativePath.quotedForShell)")
    }
  }
}

extension Record {
  /// Creates the summary of an import.
  init(_ made: FeedImport, at url: URL) {
    let rows = made.rows.sorted { $0.key < $1.key }
    self = [
      "output": .text(url.relativePath),
      "rows": .record(
        Record(columns: rows.map(\.key), cells: rows.map { Cell($0.value) })),
      "feed_identity": .text(made.feedIdentity),
      "bytes": Cell(made.bytes),
      "warnings": Cell(made.report.warningCount),
      // The content of the other files is not in the database.
      "files_not_taken": .list(
        made.report.files.map(\.name).filter { made.rows[$0] == nil }.map(Cell.text)),
    ]
  }
}
