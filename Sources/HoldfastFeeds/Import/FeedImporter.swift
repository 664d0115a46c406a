public import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTransit

/// Turns a GTFS feed into a timetable database.
///
/// The database appears under its name when it is complete and checked, and not before. When the
/// feed is refused, the disk is full or the process is killed, an older database of that name
/// stays as it was, byte for byte; what a killed import left beside it goes with the next one.
///
/// Equal feeds give equal bytes under one version of SQLite: neither the time nor a path is stored.
///
/// ```swift
/// let summary = try FeedImporter(feed: feedURL, output: databaseURL).run()
/// print(summary.rows["stops.txt"] ?? 0, "stops")
/// ```
///
/// - Important: The output must not be open anywhere. A file that is replaced while somebody has
///   it open stays, for them, the old one.
public struct FeedImporter: Sendable {
  /// The feed: a GTFS zip or a folder.
  public var feed: URL

  /// The database to make or to replace.
  public var output: URL

  /// An older database, whose numbers for stops and routes are kept.
  public var previous: URL?

  /// Prepares an import; nothing happens yet.
  ///
  /// - Parameters:
  ///   - feed: A GTFS zip or a folder.
  ///   - output: The database to make; an existing one is replaced if it is a timetable database.
  ///   - previous: An older database of the same agency: stops and routes that it knows keep their
  ///     numbers, and no number it gave is given again.
  public init(feed: URL, output: URL, previous: URL? = nil) {
    self.feed = feed
    self.output = output
    self.previous = previous
  }

  /// Reads the feed and makes the database; blocking.
  ///
  /// - Parameter progress: Is told the fraction done, from 0 to 1; what it throws ends the import.
  /// - Returns: What was imported, and how the feed was read.
  /// - Throws: ``FeedError`` when the feed is refused, and with `.damaged` when `previous` holds
  ///   numbers that no import gave; `TransitError` when `previous` is no timetable database of this
  ///   version; `FileError` with `.busy` when another import makes the
  ///   same database, `.sidecarPresent` when it is in use, and the codes of `AtomicReplace`;
  ///   `DatabaseError` with `SQLITE_FULL` when the disk is full.
  @discardableResult
  public func run(progress: @escaping (Double) throws -> Void = { _ in }) throws -> FeedImport {
    let (feedName, name) = (Log.name(feed.path), Log.name(output.path))
    do {
      let result = try makeDatabase(progress)
      Log.report(
        .info, .feedImport,
        "Imported \(feedName) into \(name): \(result.rows.values.reduce(0, +)) rows.")
      return result
    } catch {
      Log.report(.error, .feedImport, "Could not import \(feedName) into \(name): \(error)")
      throw error
    }
  }

  private func makeDatabase(_ progress: @escaping (Double) throws -> Void) throws -> FeedImport {
    // All of it under the replacement's lock: a second import shall not read a feed for nothing.
    try AtomicReplace(at: output).write { staging in
      try refuseForeignOutput()
      let numbers = try previous.map { try StableNumbers(from: $0) } ?? StableNumbers()
      // Reading is most of the work for a zip; the rest is shared by writing and checking.
      let (feed, report) = try Feed.read(from: feed) { try progress($0 * 0.8) }
      let builder = TimetableBuilder(feed: feed, report: report, numbers: numbers)
      let result = try builder.build(at: staging)
      try progress(0.9)
      try builder.verify(staging)
      try progress(1)
      return result
    }
  }

  /// Refuses to replace a file that this importer cannot have made.
  private func refuseForeignOutput() throws {
    let path = output.path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path) else { return }
    do {
      // Not read-only: of somebody's database in WAL mode such a connection would leave a `-wal`
      // and a `-shm` behind. Nothing is written.
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
