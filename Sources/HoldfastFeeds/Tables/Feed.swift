public import Foundation

/// The validated part of a GTFS feed that a timetable database needs.
///
/// It contains every row of `agency.txt`, `stops.txt` and `routes.txt`: a feed is used completely
/// or refused. The report lists what was interpreted differently than it is written.
public struct Feed: Sendable {
  /// The rows of `agency.txt`, in the file's order.
  public var agencies: [FeedAgency] = []
  /// The rows of `stops.txt`, in the file's order.
  public var stops: [FeedStop] = []
  /// The rows of `routes.txt`, in the file's order.
  public var routes: [FeedRoute] = []
  /// The row of `feed_info.txt`, if the feed has one.
  public var info: FeedInfo?
  /// The first and the last service date, from `feed_info.txt` or else from the services.
  ///
  /// A service runs from its first to its last day in `calendar.txt` if it runs on any weekday, and
  /// on the days that `calendar_dates.txt` adds. `nil` if no service has a day.
  public var serviceDates: ClosedRange<FeedDate>?

  /// The records of the columns that have no property, by file.
  struct Others: Sendable {
    var agencies = OtherColumns()
    var stops = OtherColumns()
    var routes = OtherColumns()
  }

  var others = Others()

  /// Reads a feed.
  ///
  /// Reads the files that the value contains, and checks that the other files that GTFS requires
  /// exist. Nothing is unpacked to disk, and no file outside the feed is accessed.
  ///
  /// - Parameters:
  ///   - url: A GTFS Schedule feed: a zip archive or a folder.
  ///   - progress: Called with the fraction of the bytes read, from 0 to 1; an error that it throws
  ///     ends the reading.
  /// - Returns: The feed, and the report of how it was read.
  /// - Throws: ``FeedError`` with `.notFound`, `.unreadable`, `.notAFeed` or `.damaged`, or with
  ///   `.badData` and the report for a feed with errors; whatever `progress` throws.
  /// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/>
  public static func read(
    from url: URL, progress: @escaping (Double) throws -> Void = { _ in }
  ) throws -> (feed: Feed, report: FeedReport) {
    var reading = FeedReading(of: try FeedSource(at: url), progress: progress)
    try reading.read(.tables)
    let report = reading.report.value
    if let problem = report.firstError { throw FeedError(problem, in: report) }
    return (reading.feed, report)
  }
}

extension FeedReport {
  /// Reads every file of a feed and returns a report, without refusing the feed because of errors.
  ///
  /// The files of trips, times, services and frequencies are read as for an import, unless the feed is
  /// refused for an error before them. Flaws in the others are warnings. A report also lists what an
  /// import does not look for, such as vehicles that travel too fast: <doc:ProblemsInFeeds>.
  ///
  /// - Parameters:
  ///   - url: A GTFS Schedule feed: a zip archive or a folder.
  ///   - instant: The instant at which services are over, or are still to come.
  ///   - progress: Called with the fraction of the bytes read, from 0 to 1; an error that it throws
  ///     ends the reading.
  /// - Returns: The report.
  /// - Throws: ``FeedError`` with `.notFound`, `.unreadable`, `.notAFeed` or `.damaged`; whatever
  ///   `progress` throws.
  public static func examine(
    _ url: URL, at instant: Date = .now, progress: @escaping (Double) throws -> Void = { _ in }
  ) throws -> FeedReport {
    var reading = FeedReading(
      of: try FeedSource(at: url), progress: progress, examinedAt: instant)
    try reading.read(.everything)
    return reading.report.value
  }
}
