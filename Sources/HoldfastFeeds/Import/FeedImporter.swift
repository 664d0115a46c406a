public import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTransit

/// An importer that converts a GTFS feed into a timetable database.
///
/// The database appears under its name only when it is complete and checked. When the feed is
/// refused, the disk is full or the process is killed, an older database stays unchanged, byte for
/// byte; the next import removes the files that a killed one left next to it.
///
/// An existing database is not replaced unless ``replacesOutput`` says so, because a process may have
/// it open. Where processes read while a newer feed is imported, import it into a folder:
/// ``init(feed:into:previous:)``.
///
/// Equal feeds produce equal bytes with one version of SQLite: neither the time nor a path is
/// stored.
///
/// ```swift
/// let summary = try FeedImporter(feed: feedURL, output: databaseURL).run()
/// print(summary.rows["stops.txt"] ?? 0, "stops")
/// ```
public struct FeedImporter: Sendable {
  /// The feed: a GTFS zip or a folder.
  public var feed: URL

  /// The text before each identifier of the feed; none by default.
  public var prefix = ""

  /// Further feeds for the same database.
  ///
  /// All identifiers of a feed, and all references to them, get its prefix, as in
  /// `bus_central` for the stop `central`. At most one feed has no prefix, and no prefix begins with
  /// another, so that no identifiers of two feeds are equal. Feeds are complete by themselves; their
  /// rows of `feed_info.txt` are all kept, and the first one describes the database.
  public var furtherFeeds: [PrefixedFeed] = []

  /// The database to create, or the folder to which one is added.
  public var output: URL

  /// Whether an existing timetable database is replaced; false by default.
  ///
  /// It is refused nevertheless while a process has it open or holds a lock on it, as far as this one
  /// may know: on Linux it finds its user's processes, or all of them as root, in its own PID
  /// namespace; elsewhere itself and those that hold a lock. It has no effect in a folder, where no
  /// file is replaced.
  public var replacesOutput = false

  private let isFolder: Bool

  /// An older database, whose numbers for stops, routes and trips are kept.
  public var previous: URL?

  /// How much of the feed's shapes is kept; everything by default.
  public var shapeDetail = ShapeDetail.full

  /// Prepares an import, without reading or writing anything yet.
  ///
  /// - Parameters:
  ///   - feed: A GTFS zip or a folder.
  ///   - output: The database to create.
  ///   - previous: An older database of the same agency: its stops, routes and trips keep their
  ///     numbers, and no number that it used is assigned to another one. A database of version 1,
  ///     which has no trips, is accepted.
  public init(feed: URL, output: URL, previous: URL? = nil) {
    self.feed = feed
    self.output = output
    self.previous = previous
    isFolder = false
  }

  /// Prepares an import that adds a database to a folder and makes it the current one, while other
  /// processes read the older one; see `TimetableFolder`.
  ///
  /// The folder may have other files, which are never touched. Two imports at once are not possible:
  /// the second one throws `FileError` with `.busy`.
  ///
  /// - Parameters:
  ///   - feed: A GTFS zip or a folder.
  ///   - folder: The folder of databases, which is created if needed.
  ///   - previous: An older database, whose numbers for stops, routes and trips are kept; `nil` for
  ///     the folder's current one.
  public init(feed: URL, into folder: URL, previous: URL? = nil) {
    self.feed = feed
    output = folder
    self.previous = previous
    isFolder = true
  }

  /// Reads the feed and creates the database; blocking.
  ///
  /// - Parameter progress: Called with the fraction done, from 0 to 1, while the feed is read and every
  ///   thousand rows that are inserted; an error that it throws ends the import.
  /// - Returns: The number of imported rows, and the report of how the feed was read.
  /// - Throws: ``FeedError`` when the feed is refused, with `.damaged` when `previous` holds numbers
  ///   that no import assigns, with `.outputExists` when the output exists and is not to be replaced,
  ///   and with `.outputInUse` when a process uses it; `TransitError` when `previous` is not a
  ///   timetable database of this version or an earlier one, or a folder's file `current` cannot be
  ///   used; `FileError` with `.busy` when another import creates the
  ///   same database, `.sidecarPresent` when it is in use, and the codes of `AtomicReplace`;
  ///   `DatabaseError` with `SQLITE_FULL` when the disk is full.
  @discardableResult
  public func run(progress: @escaping (Double) throws -> Void = { _ in }) throws -> FeedImport {
    try runMeasured { try progress($0.fractionCompleted) }
  }

  /// How far an import is.
  package struct Progress: Hashable, Sendable {
    /// The fraction done, from 0 to 1.
    package var fractionCompleted: Double

    /// About how many bytes of the feed's files have been read, unpacked.
    ///
    /// It is not an integer, because the lengths that an archive declares may be wrong, and their sum
    /// may overflow one.
    package var byteCount: Double

    /// About how many bytes the files have that are read, unpacked.
    package var totalByteCount: Double
  }

  /// Reads the feed and creates the database, and tells how much of the feed has been read; blocking.
  ///
  /// - Parameter progress: Called as the argument of ``run(progress:)`` is.
  /// - Returns: The result of the import.
  /// - Throws: The errors of ``run(progress:)``.
  package func runMeasured(
    progress: @escaping (Progress) throws -> Void
  ) throws -> FeedImport {
    let names = ([feed] + furtherFeeds.map(\.url)).map { Log.name($0.path) }
    let (feedName, name) = (names.joined(separator: " + "), Log.name(output.path))
    do {
      let result = isFolder ? try addToFolder(progress) : try createFile(progress)
      Log.report(
        .info, .feedImport,
        "Imported \(feedName) into \(name): \(result.rows.values.reduce(0, +)) rows.")
      return result
    } catch {
      let kind = (error as? FeedError).map { "\($0.code)" } ?? Log.kind(of: error)
      Log.report(.error, .feedImport, "Could not import \(feedName) into \(name): \(kind)")
      throw error
    }
  }

  private func createFile(_ progress: @escaping (Progress) throws -> Void) throws -> FeedImport {
    let replaced = ReplacedDatabase(at: output, isWanted: replacesOutput)
    // Everything runs under the replacement's lock, so that a second import does not read the feed
    // in vain.
    return try AtomicReplace(at: output).write { staging in
      try replaced.check()
      return try writeDatabase(at: staging, keepingNumbersOf: previous, progress)
    } verify: { _ in
      // Examined again, because the import may have taken long.
      try replaced.check()
    }
  }

  private func addToFolder(_ progress: @escaping (Progress) throws -> Void) throws -> FeedImport {
    let folder = try FilePath(of: output)
    try folder.createDirectory()
    let update = try FolderUpdate(of: folder)
    do {
      var result = try writeDatabase(
        at: update.staging.url, keepingNumbersOf: previous ?? update.currentFile, progress)
      let made = try update.publish()
      result.output = folder.appending([made.database]).url
      result.folder = made
      return result
    } catch {
      // The first error is the one to report; what cannot be removed now is removed next time.
      try? update.removeLeftovers()
      throw error
    }
  }

  /// Writes a complete and checked database into a file that does not exist yet.
  private func writeDatabase(
    at staging: URL, keepingNumbersOf previous: URL?,
    _ progress: @escaping (Progress) throws -> Void
  ) throws -> FeedImport {
    let numbers = try previous.map { try StableNumbers(from: $0) } ?? StableNumbers()
    let name = Log.name(output.path)
    Log.report(.debug, .feedImport, "\(name): reading the feed")
    let source = try source()
    let size = byteCount(of: source)
    func show(_ fraction: Double, read: Double = 1) throws {
      try progress(
        Progress(fractionCompleted: fraction, byteCount: read * size, totalByteCount: size))
    }
    // For a zip, reading is most of the work; writing and checking share the rest.
    var builder = try TimetableBuilder(
      read(source) { try show($0 * 0.8, read: $0) }, numbers: numbers, shapeDetail: shapeDetail)
    var result: FeedImport
    do {
      Log.report(.debug, .feedImport, "\(name): writing the database")
      result = try builder.build(at: staging) { try show(0.8 + $0 * 0.1) }
      try show(0.9)
      Log.report(.debug, .feedImport, "\(name): checking the database")
      try builder.verify(staging)
    } catch var error as DatabaseError
      where error.path?.hasSuffix("/" + staging.lastPathComponent) == true
    {
      // A file that no longer exists helps nobody; the disk is the same.
      error.path = output.path(percentEncoded: false)
      throw error
    }
    try show(1)
    result.output = output
    if let merged = source.mergedFeed {
      result.report.problems = result.report.problems.map(merged.placed)
    }
    return result
  }

  /// The sum of the declared lengths of the files that are read.
  private func byteCount(of source: FeedSource) -> Double {
    let files = source.files.filter {
      FeedCatalog.isText($0.name) && (shapeDetail != .none || $0.name != ShapePointTable.file)
    }
    return (files + source.otherFiles).reduce(0) { $0 + Double($1.size) }
  }

  /// Reads the feed, and refuses it because of its first error.
  private func read(
    _ source: FeedSource, progress: @escaping (Double) throws -> Void
  ) throws -> FeedReading {
    var reading = FeedReading(
      of: source, progress: progress, keepsShapes: shapeDetail != .none)
    try reading.read(.timetable)
    var report = reading.report.value
    if let merged = source.mergedFeed { report.problems = report.problems.map(merged.placed) }
    if let problem = report.firstError { throw FeedError(problem, in: report) }
    return reading
  }

  private func source() throws -> FeedSource {
    let first = try FeedSource(at: feed)
    if prefix.isEmpty, furtherFeeds.isEmpty { return first }
    let others = try furtherFeeds.map {
      MergedFeed.Part(try FeedSource(at: $0.url), prefix: $0.prefix)
    }
    return FeedSource(try MergedFeed([MergedFeed.Part(first, prefix: prefix)] + others))
  }
}
