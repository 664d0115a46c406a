public import Foundation

/// What a timetable database needs of a GTFS feed, read and judged.
///
/// Every row of `agency.txt`, `stops.txt` and `routes.txt` is here: a feed is taken whole or
/// refused. What was read in another way than it is written stands in the report.
public struct Feed: Sendable {
  /// The rows of `agency.txt`, in the file's order.
  public var agencies: [FeedAgency] = []
  /// The rows of `stops.txt`, in the file's order.
  public var stops: [FeedStop] = []
  /// The rows of `routes.txt`, in the file's order.
  public var routes: [FeedRoute] = []
  /// The row of `feed_info.txt`, if the feed has one.
  public var info: FeedInfo?
  /// The first and the last service date: as `feed_info.txt` says, else as the services run.
  ///
  /// A service runs from its first to its last day in `calendar.txt` if it runs on any weekday,
  /// and on the days that `calendar_dates.txt` adds. `nil` if no service has a day.
  public var serviceDates: ClosedRange<FeedDate>?

  /// Reads a feed.
  ///
  /// Reads the files that the value holds, and looks whether the others that GTFS requires exist.
  /// Nothing is unpacked to disk, and nothing outside the feed is touched.
  ///
  /// - Parameters:
  ///   - url: a GTFS Schedule feed: a zip archive or a folder.
  ///   - progress: is told the fraction of the bytes read, from 0 to 1; what it throws ends the
  ///     reading.
  /// - Returns: the feed, and the report of how it was read.
  /// - Throws: ``FeedError`` with `.notFound`, `.unreadable`, `.notAFeed` or `.damaged`, or with
  ///   `.badData` and the report for a feed with errors; whatever `progress` throws.
  /// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/>
  public static func read(
    from url: URL, progress: @escaping (Double) throws -> Void = { _ in }
  ) throws -> (feed: Feed, report: FeedReport) {
    var reading = FeedReading(of: try FeedSource(at: url), progress: progress)
    try reading.run(.tables)
    let report = reading.journal.report
    if let problem = report.firstError { throw FeedError(problem, in: report) }
    return (reading.feed, report)
  }
}

extension FeedReport {
  /// Reads every file of a feed and reports what was found, without refusing the feed for it.
  ///
  /// The files that ``Feed`` does not hold are read for their text and their rows alone; what is
  /// wrong in them is a warning.
  ///
  /// - Parameters:
  ///   - url: a GTFS Schedule feed: a zip archive or a folder.
  ///   - progress: is told the fraction of the bytes read, from 0 to 1; what it throws ends the
  ///     reading.
  /// - Returns: the report.
  /// - Throws: ``FeedError`` with `.notFound`, `.unreadable`, `.notAFeed` or `.damaged`; whatever
  ///   `progress` throws.
  public static func examine(
    _ url: URL, progress: @escaping (Double) throws -> Void = { _ in }
  ) throws -> FeedReport {
    var reading = FeedReading(of: try FeedSource(at: url), progress: progress)
    try reading.run(.everything)
    return reading.journal.report
  }
}
