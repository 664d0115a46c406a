public import Foundation

extension Feed {
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
  /// - Returns: The report, also of a feed that an import would refuse.
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
