import Foundation
import HoldfastFeeds

/// `holdfast transit import FEED... OUT.db [--prefix TEXT] [--shapes DETAIL] [--previous OLD.db]`.
struct TransitImport: Verb {
  private let feeds = Argument(
    repeated: "FEED",
    "A GTFS feed: a zip archive, or a folder with its text files. Several need --prefix.", .path)
  private let output = Argument(
    "OUT.db", "The database to create; an existing timetable database is replaced.", .path)
  private let previous = Option(
    "--previous", "OLD.db", "Keeps the numbers of stops, routes and trips in OLD.db.", .path)

  private let prefixes = Option(
    repeated: "--prefix", "TEXT",
    "Goes before each identifier of a feed; once for each FEED, in their order. '' is none.", .text)
  private let shapes = Option(
    "--shapes", "DETAIL",
    "Keeps no shapes (none), what is needed to draw them within 5 meters (simplified), or all (full).",
    .word(of: ShapeDetail.allCases.map(\.rawValue)), otherwise: ShapeDetail.full.rawValue)

  var declaration: Declaration {
    Declaration(
      "import", "Converts GTFS feeds into a timetable database for offline use.", feeds, output,
      prefixes, shapes, previous, example: "Samples/port-merrow harbour.db")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let database = arguments[self.output]
    try database.checkIsPlaceForFile()
    if let previous = arguments[previous], previous.isFolder {
      throw ToolError.noDatabaseButFolder(previous.relativePath)
    }
    let (feeds, prefixes) = (arguments[feeds], arguments[prefixes])
    guard prefixes.count <= feeds.count else {
      throw ToolError.tooManyPrefixes(prefixes.count, feeds: feeds.count)
    }
    let parts = feeds.enumerated().map { index, feed in
      PrefixedFeed(feed, prefix: index < prefixes.count ? prefixes[index] : "")
    }
    var prepared = FeedImporter(
      feed: parts[0].url, output: database, previous: arguments[previous])
    prepared.prefix = parts[0].prefix
    prepared.furtherFeeds = Array(parts.dropFirst())
    prepared.shapeDetail = ShapeDetail(rawValue: arguments[shapes]) ?? .full
    let importer = prepared
    let name = feeds.map(\.lastPathComponent).joined(separator: " + ")
    let made = try output.withProgress { bar in
      try importer.run { fraction in
        try bar.show(fraction, "Importing \(name)")
      }
    }
    try output.record(Record(made, at: database))
    remark(on: made.report, of: feeds, output)
    return .success
  }

  /// Prints the first warnings; a large feed has hundreds.
  private func remark(on report: FeedReport, of feeds: [URL], _ output: Output) {
    let shown = report.problems.lazy.filter { $0.severity == .warning }.prefix(5)
    for warning in shown { output.note("\(warning.place): \(warning.message)") }
    let more = report.warningCount - shown.count
    if more > 0 {
      // A report is of one feed.
      let feed = feeds.count == 1 ? feeds[0].relativePath.quotedForShell : "FEED"
      output.note("\(more) more; to list them: holdfast transit report \(feed)")
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
