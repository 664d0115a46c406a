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

  /// The database to create or replace.
  public var output: URL

  /// An older database, whose numbers for stops, routes and trips are kept.
  public var previous: URL?

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
    let (feedName, name) = (Log.name(feed.path), Log.name(output.path))
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
      var builder = try TimetableBuilder(read { try progress($0 * 0.8) }, numbers: numbers)
      let result = try builder.build(at: staging) { try progress(0.8 + $0 * 0.1) }
      try progress(0.9)
      try builder.verify(staging)
      try progress(1)
      return result
    }
  }

  /// Reads the feed, and refuses it because of its first error.
  private func read(
    progress: @escaping (Double) throws -> Void
  ) throws -> FeedReading {
    var reading = FeedReading(of: try FeedSource(at: feed), progress: progress)
    try reading.read(.timetable)
    let report = reading.report.value
    if let problem = report.firstError { throw FeedError(problem, in: report) }
    return reading
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
