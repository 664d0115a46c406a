// Every message about a feed that could not be opened or read. The messages about the contents of a
// feed are in FeedProblem+Messages.swift.
import HoldfastFiles

extension FeedError {
  static func foreignOutput(_ name: String, _ cause: (any Error)? = nil) -> FeedError {
    FeedError(
      .foreignOutput, "'\(name)' exists and is not a timetable database; it was left as it is.",
      advice: "Choose another name for the database, or remove the file.", file: name,
      underlying: cause)
  }

  static func outputExists(_ name: String) -> FeedError {
    FeedError(
      .outputExists, "'\(name)' already exists; it was left as it is.",
      advice: "Name another file, add --replace if no process has it open, or import with --into a "
        + "folder, which replaces nothing.", file: name)
  }

  static func outputInUse(_ name: String, by process: String) -> FeedError {
    FeedError(
      .outputInUse, "'\(name)' is in use by \(process); it was left as it is.",
      advice: "End that process, or import with --into a folder, which replaces nothing.",
      file: name)
  }

  static func exportInUse(_ name: String, by process: String) -> FeedError {
    FeedError(
      .outputInUse, "'\(name)' is in use by \(process); it was left as it is.",
      advice: "End that process, or choose another name.", file: name)
  }

  static func exportExists(_ name: String) -> FeedError {
    FeedError(
      .foreignOutput, "'\(name)' exists; it was left as it is.",
      advice: "Choose another name, or pass --replace (FeedExporter.replaces).", file: name)
  }

  static func foreignDatabase(_ name: String, _ cause: (any Error)? = nil) -> FeedError {
    FeedError(
      .foreignOutput, "'\(name)' is not a database that was exported; it was left as it is.",
      advice: "Choose another name, or remove it.", file: name, underlying: cause)
  }

  static func foreignExport(_ name: String, isFolder: Bool) -> FeedError {
    FeedError(
      .foreignOutput,
      "'\(name)' is not \(isFolder ? "a folder" : "a ZIP archive") with nothing but the files of a feed; "
        + "it was left as it is.",
      advice: "Choose another name, or remove it.", file: name)
  }

  static func implausibleNumber(
    _ value: String, column: String, table: String, _ expected: ClosedRange<Int64>, in name: String
  ) -> FeedError {
    FeedError(
      .damaged,
      "The older database '\(name)' is damaged: \(column) in its table \(table) is "
        + "\(value.clipped), expected \(expected.lowerBound) to \(expected.upperBound).",
      advice: "Give an undamaged copy of the older database, or import without it.", file: name)
  }

  static func unsoundDatabase(
    problems: [String], rows: [String: Int], expected: [String: Int]
  ) -> FeedError {
    FeedError(
      .unsoundDatabase,
      "The created database failed its check and was removed: rows \(rows), "
        + "expected \(expected); \(problems.prefix(3).joined(separator: "; ")).",
      advice: "Please report it, with the feed.")
  }

  static func nothing(at name: String) -> FeedError {
    FeedError(
      .notFound, "There is no feed '\(name)': there is no such file or folder.",
      advice: "Check the path; it must name a GTFS zip archive or a folder.", file: name)
  }

  static func neitherFileNorFolder(_ name: String) -> FeedError {
    FeedError(
      .unreadable, "'\(name)' is neither a file nor a folder.",
      advice: "Name a GTFS zip archive or a folder.", file: name)
  }

  static func cannotRead(_ name: String, because reason: String, _ cause: (any Error)? = nil)
    -> FeedError
  {
    FeedError(
      .unreadable, "'\(name)' cannot be read: \(reason).",
      advice: "Check the file's permissions and the medium it lies on.", file: name,
      underlying: cause)
  }

  static func notAnArchive(_ name: String) -> FeedError {
    FeedError(
      .notAFeed, "'\(name)' is neither a zip archive nor a folder.",
      advice: "Name a GTFS Schedule feed: a zip archive or the folder of its text files.",
      file: name)
  }

  static func notAnArchive(_ name: String, _ content: SubstituteContent) -> FeedError {
    FeedError(
      .notAFeed, "'\(name)' is no feed: it is \(content.sentence).", advice: content.advice,
      file: name)
  }

  static func databaseAsFeed(_ name: String) -> FeedError {
    FeedError(
      .notAFeed, "'\(name)' is a SQLite database, not a feed.",
      advice:
        "Name the feed from which it was imported; `holdfast transit export` makes one of a timetable "
        + "database.", file: name)
  }

  static func emptyArchive(_ name: String) -> FeedError {
    FeedError(
      .notAFeed, "'\(name)' is empty.", advice: "Name the feed, or fetch it again.", file: name)
  }

  static func cutOffArchive(_ name: String) -> FeedError {
    FeedError(
      .damaged,
      "'\(name)' begins as a zip archive, but the list of its files at the end is missing or "
        + "altered.",
      advice: "Fetch the feed again; the download was probably cut off.", file: name)
  }

  static func damagedArchive(_ name: String, because reason: String) -> FeedError {
    FeedError(
      .damaged, "The archive '\(name)' cannot be read: \(reason).", advice: "Fetch the feed again.",
      file: name)
  }

  static func damagedFile(_ path: String, in name: String, because reason: String) -> FeedError {
    FeedError(
      .damaged, "'\(path)' in '\(name)' cannot be unpacked: \(reason).",
      advice: "Fetch the feed again.", file: path)
  }

  static func encryptedFile(_ path: String, in name: String) -> FeedError {
    FeedError(
      .damaged, "'\(path)' in '\(name)' is encrypted.",
      advice: "Extract the archive with its password and import the folder.", file: path)
  }

  static func unknownCompression(_ path: String, in name: String, method: Int) -> FeedError {
    FeedError(
      .damaged, "'\(path)' in '\(name)' is packed with method \(method), which is not supported.",
      advice: "Extract the archive and import the folder.", file: path)
  }

  static func implausibleSize(_ path: String, in name: String, size: Int, packed: Int) -> FeedError
  {
    FeedError(
      .damaged,
      "'\(path)' in '\(name)' would unpack from \(packed) to \(size) bytes, more than a timetable "
        + "does.",
      advice: "If the file is genuine, extract the archive and import the folder.", file: path)
  }

  static func wrongSize(_ path: String, in name: String, declared: Int) -> FeedError {
    FeedError(
      .damaged, "'\(path)' in '\(name)' unpacks to more than the \(declared) bytes it declares.",
      advice: "Fetch the feed again.", file: path)
  }

  static func noFeed(in name: String) -> FeedError {
    FeedError(
      .notAFeed, "'\(name)' holds no GTFS file: neither stops.txt nor any other.",
      advice: "Name a GTFS Schedule feed: a zip archive or the folder of its text files.",
      file: name)
  }

  static func archivesInsideArchive(_ paths: [String], in name: String) -> FeedError {
    if paths.count == 1 {
      return FeedError(
        .notAFeed, "'\(name)' holds no GTFS file but another archive, '\(paths[0])'.",
        advice: "Extract '\(paths[0])' and import that file.", file: paths[0])
    }
    return FeedError(
      .notAFeed, "'\(name)' holds no GTFS file but other archives: \(some(of: paths)).",
      advice: "Extract them, and import the one that is meant, or all of them together with "
        + "prefixes.",
      file: name)
  }

  /// Names the first three, and the number of the others.
  private static func some(of paths: [String]) -> String {
    paths.prefix(3).map { "'\($0)'" }.joined(separator: " and ")
      + (paths.count > 3 ? " and \(paths.count - 3) more" : "")
  }

  static func severalFeeds(_ directories: [String], in name: String) -> FeedError {
    FeedError(
      .notAFeed, "'\(name)' holds GTFS files in several directories: \(some(of: directories)).",
      advice: "Extract the directories, and import the one that is meant, or all of them together "
        + "with prefixes.",
      file: name)
  }

  static func unusablePrefix(_ prefix: String, of feed: String) -> FeedError {
    FeedError(
      .unusablePrefix,
      "The prefix '\(prefix)' of '\(feed)' contains a space, a quote or a comma.",
      advice: "Choose a prefix of letters, digits and signs such as '_' and ':'.", file: feed)
  }

  static func equalPrefixes(_ one: String, _ other: String) -> FeedError {
    FeedError(
      .unusablePrefix,
      "'\(one)' and '\(other)' could have equal identifiers: the prefix of one begins with the "
        + "other prefix.",
      advice: "Give each feed a prefix of its own; at most one may have none.", file: other)
  }

  static func identifierWithPrefix(
    _ id: String, of feed: String, _ prefix: String, of other: String
  ) -> FeedError {
    FeedError(
      .unusablePrefix,
      "The identifier '\(id.clipped)' of '\(feed)' begins with '\(prefix)', the prefix of '\(other)'.",
      advice: "Choose another prefix for '\(other)', or give '\(feed)' one too.", file: other)
  }

  static func unmergeableFile(_ file: String, in feed: String, line: Int) -> FeedError {
    var error = FeedError(
      .badData,
      "\(file) of '\(feed)' cannot be read to its end from line \(line) on, so that no other feed can "
        + "follow it.",
      advice: "Look at the report of the feed by itself, and correct the file.", file: file)
    error.line = line
    return error
  }

  static func sameNameTwice(_ paths: [String], in name: String) -> FeedError {
    let list = paths.map { "'\($0)'" }.joined(separator: " and ")
    return FeedError(
      .notAFeed, "'\(name)' holds the same file more than once: \(list).",
      advice: "Keep the one that is meant.", file: paths.first)
  }

  static func archiveTooLarge(_ name: String, count: Int, limit: Int) -> FeedError {
    FeedError(
      .notAFeed, "The archive '\(name)' holds \(count) files, more than \(limit); no feed does.",
      advice: "Extract the folder in which stops.txt lies and import it.", file: name)
  }

  static func folderTooLarge(_ name: String, limit: Int) -> FeedError {
    FeedError(
      .notAFeed,
      "The folder '\(name)' holds more than \(limit) files, and no GTFS file at its top.",
      advice: "Name the folder in which stops.txt lies.", file: name)
  }

  static func sentence(for problem: FeedProblem, among errors: Int) -> String {
    let more =
      switch errors {
      case ...1: ""
      case 2: " One more error follows."
      default: " \(errors - 1) more errors follow."
      }
    return "\(problem.place): \(problem.message)\(more)"
  }
}
