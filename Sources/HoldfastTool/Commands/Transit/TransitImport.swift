import Foundation
import HoldfastFeeds
import HoldfastTransit

/// `holdfast transit import FEED OUT.db|--into FOLDER [--previous OLD.db] [--replace]`.
struct TransitImport: Verb {
  private let feed = Argument(
    "FEED", "A GTFS feed: a zip archive, or a folder with its text files.", .path)
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

  var declaration: Declaration {
    Declaration(
      "import", "Converts a GTFS feed into a timetable database for offline search.", feed,
      output, folder, previous, replace, example: "Samples/port-merrow harbour.db")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let importer = try importer(arguments)
    if let previous = arguments[previous], previous.isFolder {
      throw ToolError.noDatabaseButFolder(previous.relativePath)
    }
    let made = try output.withProgress { bar in
      try importer.run { fraction in
        try bar.show(fraction, "Importing \(arguments[feed].lastPathComponent)")
      }
    }
    try output.record(Record(made, at: importer.output))
    remark(on: made.report, of: arguments[feed], output)
    return .success
  }

  private func importer(_ arguments: ParsedArguments) throws -> FeedImporter {
    let (feed, previous) = (arguments[feed], arguments[previous])
    switch (arguments[output], arguments[folder]) {
    case (let database?, nil):
      try database.checkIsPlaceForFile()
      var importer = FeedImporter(feed: feed, output: database, previous: previous)
      importer.replacesOutput = arguments[replace]
      return importer
    case (nil, let folder?):
      if arguments[replace] { throw ToolError.notTogether(self.folder.name, replace.name) }
      return FeedImporter(feed: feed, into: folder, previous: previous)
    case (.some, .some): throw ToolError.notTogether(output.name, folder.name)
    case (nil, nil):
      throw ToolError.missingArgument(
        "\(output.name) or \(folder.spelling)", of: "holdfast transit import")
    }
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
  /// Creates the summary of an import to a file, or into a folder.
  init(_ made: FeedImport, at url: URL) {
    let rows = made.rows.sorted { $0.key < $1.key }
    let database = made.folder.map { "\(url.relativePath)/\($0.database)" }
    self = [
      "output": .text(database ?? url.relativePath),
      "rows": .record(
        Record(columns: rows.map(\.key), cells: rows.map { Cell($0.value) })),
      "feed_identity": .text(made.feedIdentity),
      "bytes": Cell(made.bytes),
      "warnings": Cell(made.report.warningCount),
      // The content of the other files is not in the database.
      "files_not_taken": .list(
        made.report.files.map(\.name).filter { made.rows[$0] == nil }.map(Cell.text)),
    ]
    if let folder = made.folder { fields += Record(folder).fields }
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
