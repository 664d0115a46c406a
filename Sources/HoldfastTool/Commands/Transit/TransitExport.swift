import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTransit

/// `holdfast transit export DB OUT [--replace]`.
struct TransitExport: Verb {
  private let database = Argument.timetable
  private let output = Argument(
    "OUT",
    "The archive to create, if its name ends in .zip; a plain SQLite database for other tools, if it "
      + "ends in .sqlite, .sqlite3 or .db; otherwise a folder.", .path)
  private let replace = Flag(
    "--replace", "Replaces OUT, if it is a feed or a database that was exported.")

  var declaration: Declaration {
    Declaration(
      "export", "Writes the feed in a timetable database as GTFS text, or as plain SQL tables.",
      database, output,
      replace, example: "harbour.db feed.zip")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let database = arguments[database]
    let timetable = try Timetable(readingFileAt: database)
    defer { timetable.reader.closeIgnoringErrors() }
    var exporter = FeedExporter(database: database, output: arguments[self.output])
    exporter.replaces = arguments[replace]
    let made = try output.withProgress { [exporter] bar in
      try exporter.run(timetable) { fraction in
        try bar.show(fraction, "Exporting \(database.lastPathComponent)")
      }
    }
    try output.record(OutputRecord(made, at: arguments[self.output]))
    return .success
  }
}

extension OutputRecord {
  /// Creates the summary of an export.
  fileprivate init(_ made: FeedExport, at url: URL) {
    let rows = made.rows.sorted { $0.key < $1.key }
    self = [
      "output": .text(url.relativePath),
      "rows": .record(
        OutputRecord(columns: rows.map(\.key), cells: rows.map { Cell($0.value) })),
      "bytes": Cell(made.bytes),
    ]
  }
}
