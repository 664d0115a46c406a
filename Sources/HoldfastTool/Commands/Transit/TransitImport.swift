import Foundation
import HoldfastFeeds
import HoldfastTransit

/// `holdfast transit import FEED... OUT.db|--into FOLDER [options]`.
struct TransitImport: Verb {
  private let feeds = Argument(
    repeated: "FEED",
    "A GTFS feed: a zip archive, or a folder with its text files. Several need --prefix.", .path)
  private let output = Argument(optional: "OUT.db", "The database to create.", .path)
  private let folder = Option(
    "--into", "FOLDER",
    "Adds the database to FOLDER and makes it the current one, while others are read.", .path)
  private let previous = Option(
    "--previous", "OLD.db",
    "Keeps the numbers of stops, routes and trips in OLD.db, by default those of the current one in "
      + "FOLDER.", .path)
  private let replace = Flag(
    "--replace", "Replaces OUT.db if it is a timetable database that no process has open.")

  private let prefixes = Option(
    repeated: "--prefix", "TEXT",
    "Goes before each identifier of a feed; once for each FEED, in their order. '' is none.", .text)
  private let shapes = Option(
    "--shapes", "DETAIL",
    "Keeps no shapes (none), what is needed to draw them within 5 meters (simplified), or all (full).",
    .word(of: ShapeDetail.allCases.map(\.rawValue)), otherwise: ShapeDetail.full.rawValue)

  var declaration: Declaration {
    Declaration(
      "import",
      "Converts GTFS feeds into a timetable database for offline use; ends with 1 if flaws of the feed leave no stop with service.",
      feeds, output,
      folder, prefixes, shapes, previous, replace, example: "Samples/port-merrow harbour.db")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let importer = try importer(arguments)
    if let previous = arguments[previous], previous.isFolder {
      throw ToolError.noDatabaseButFolder(previous.relativePath)
    }
    let name = importer.feedURLs.map(\.lastPathComponent).joined(separator: " + ")
    let made = try output.withProgress { bar in
      try importer.runMeasured { progress in
        let isReading = progress.byteCount < progress.totalByteCount
        try bar.show(
          progress.fractionCompleted, "Importing \(name)",
          byteCount: isReading ? progress.byteCount : nil)
      }
    }
    try output.record(OutputRecord(made, at: importer.output))
    remark(on: made.report, of: importer.feedURLs, output)
    if made.stopsWithoutService > 0 {
      let all = made.isWithoutService ? "; no stop has any left" : ""
      output.note(
        "\(Count.of(made.stopsWithoutService, "stop")) of stop_times.txt lost all service, because "
          + "rows or values could not be used\(all).")
    } else if made.isWithoutService {
      output.note("No stop has any service, because rows of stop_times.txt could not be used.")
    }
    return made.isWithoutService ? .problemsFound : .success
  }

  private func importer(_ arguments: ParsedArguments) throws -> FeedImporter {
    var (feeds, prefixes) = (arguments[feeds], arguments[prefixes])
    let previous = arguments[previous]
    var importer: FeedImporter
    switch (arguments[output], arguments[folder]) {
    case (let database?, nil):
      try database.checkIsPlaceForFile()
      importer = FeedImporter(feed: feeds[0], output: database, previous: previous)
      importer.replacesOutput = arguments[replace]
    case (let last, let folder?):
      if arguments[replace] { throw ToolError.notTogether(self.folder.name, replace.name) }
      if let last {
        // With prefixes there are several feeds, and the last of them stands in the database's place.
        guard !prefixes.isEmpty else { throw ToolError.notTogether(output.name, self.folder.name) }
        feeds.append(last)
      }
      importer = FeedImporter(feed: feeds[0], into: folder, previous: previous)
    case (nil, nil):
      throw ToolError.missingArgument(
        "\(output.name) or \(folder.spelling)", of: "holdfast transit import")
    }
    guard prefixes.count <= feeds.count else {
      throw ToolError.tooManyPrefixes(prefixes.count, feeds: feeds.count)
    }
    prefixes += Array(repeating: "", count: feeds.count - prefixes.count)
    importer.prefix = prefixes[0]
    importer.furtherFeeds = zip(feeds, prefixes).dropFirst().map { PrefixedFeed($0, prefix: $1) }
    importer.shapeDetail = ShapeDetail(rawValue: arguments[shapes]) ?? .full
    return importer
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

extension OutputRecord {
  /// Creates the summary of an import to a file, or into a folder.
  init(_ made: FeedImport, at url: URL) {
    let rows = made.rows.sorted { $0.key < $1.key }
    let database = made.folder.map { "\(url.relativePath)/\($0.database)" }
    let unknown = made.report.problems.filter { $0.code == "unknown_file" }.map(\.file)
    self = [
      "output": .text(database ?? url.relativePath),
      "rows": .record(
        OutputRecord(columns: rows.map(\.key), cells: rows.map { Cell($0.value) })),
      "feed_identity": .text(made.feedIdentity),
      "bytes": Cell(made.bytes),
      "warnings": Cell(made.report.warningCount),
      "stops_without_service": Cell(made.stopsWithoutService),
      // The content of the other files is not in the database.
      "files_not_taken": .list(
        (made.report.files.map(\.name) + unknown).filter { made.rows[$0] == nil }
          .map(Cell.text)),
    ]
    if let folder = made.folder { fields += OutputRecord(folder).fields }
  }

  /// Creates the part about the folder.
  private init(_ update: TimetableFolder.Update) {
    self = [
      "switched": .bool(update.isSwitched),
      "previous": Cell(update.previous),
      "removed": .list(update.removed.map(Cell.text)),
      "kept": .list(
        update.kept.map { .record(["file": .text($0.name), "reason": .text($0.reason)]) }),
    ]
  }
}

extension FeedImporter {
  /// All feeds, in the order of the command line.
  fileprivate var feedURLs: [URL] { [feed] + furtherFeeds.map(\.url) }
}
