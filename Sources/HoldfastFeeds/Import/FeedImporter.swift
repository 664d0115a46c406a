public import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTransit

/// An importer that converts a GTFS feed into a timetable database.
///
/// The database appears under its name only when it is complete and checked. When the feed is
/// refused, the disk is full or the process is killed, an older database of that name stays
/// unchanged, byte for byte; the next import removes the files that a killed one left next to it.
///
/// Equal feeds produce equal bytes with one version of SQLite: neither the time nor a path is
/// stored.
///
/// ```swift
/// let summary = try FeedImporter(feed: feedURL, output: databaseURL).run()
/// print(summary.rows["stops.txt"] ?? 0, "stops")
/// ```
///
/// - Important: The output must not be open in any process. A process that has the file open keeps
///   reading the old file after the replacement.
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

  /// The database to create or replace.
  public var output: URL

  /// An older database, whose numbers for stops, routes and trips are kept.
  public var previous: URL?

  /// How much of the feed's shapes is kept; everything by default.
  public var shapeDetail = ShapeDetail.full

  /// Prepares an import, without reading or writing anything yet.
  ///
  /// - Parameters:
  ///   - feed: A GTFS zip or a folder.
  ///   - output: The database to create; an existing one is replaced if it is a timetable database.
  ///   - previous: An older database of the same agency: its stops, routes and trips keep their
  ///     numbers, and no number that it used is assigned to another one. A database of version 1,
  ///     which has no trips, is accepted.
  public init(feed: URL, output: URL, previous: URL? = nil) {
    self.feed = feed
    self.output = output
    self.previous = previous
  }

  /// Reads the feed and creates the database; blocking.
  ///
  /// - Parameter progress: Called with the fraction done, from 0 to 1, while the feed is read and every
  ///   thousand rows that are inserted; an error that it throws ends the import.
  /// - Returns: The number of imported rows, and the report of how the feed was read.
  /// - Throws: ``FeedError`` when the feed is refused, and with `.damaged` when `previous` holds
  ///   numbers that no import assigns; `TransitError` when `previous` is not a timetable database
  ///   of this version or an earlier one; `FileError` with `.busy` when another import creates the
  ///   same database, `.sidecarPresent` when it is in use, and the codes of `AtomicReplace`;
  ///   `DatabaseError` with `SQLITE_FULL` when the disk is full.
  @discardableResult
  public func run(progress: @escaping (Double) throws -> Void = { _ in }) throws -> FeedImport {
    let names = ([feed] + furtherFeeds.map(\.url)).map { Log.name($0.path) }
    let (feedName, name) = (names.joined(separator: " + "), Log.name(output.path))
    do {
      let result = try makeDatabase(progress)
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

  private func makeDatabase(_ progress: @escaping (Double) throws -> Void) throws -> FeedImport {
    // Everything runs under the replacement's lock, so that a second import does not read the feed
    // in vain.
    try AtomicReplace(at: output).write { staging in
      try refuseForeignOutput()
      let numbers = try previous.map { try StableNumbers(from: $0) } ?? StableNumbers()
      // For a zip, reading is most of the work; writing and checking share the rest.
      let source = try source()
      var builder = try TimetableBuilder(
        read(source) { try progress($0 * 0.8) }, numbers: numbers, shapeDetail: shapeDetail)
      var result = try builder.build(at: staging) { try progress(0.8 + $0 * 0.1) }
      try progress(0.9)
      try builder.verify(staging)
      try progress(1)
      if let merged = source.mergedFeed {
        result.report.problems = result.report.problems.map(merged.placed)
      }
      return result
    }
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

  /// Refuses to replace a file that this importer cannot have created.
  private func refuseForeignOutput() throws {
    let path = output.path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path) else { return }
    do {
      // Not read-only: with a foreign database in WAL mode, a read-only connection would leave a
      // `-wal` and a `-shm` behind. Nothing is written.
      let queue = try DatabaseQueue(path: path)
      defer { queue.closeIgnoringErrors() }
      let id = try queue.read { db in try db.headerNumber(.applicationID) }
      guard id == TimetableSchema.applicationID else {
        throw FeedError.foreignOutput(output.lastPathComponent)
      }
    } catch let error as DatabaseError
      where [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
    {
      throw FeedError.foreignOutput(output.lastPathComponent, error)
    }
  }
}
