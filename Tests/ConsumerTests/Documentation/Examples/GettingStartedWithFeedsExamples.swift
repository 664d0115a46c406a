// The Swift of GettingStartedWithFeeds.md, compiled: GettingStartedTests finds each block of it here,
// and runs every function.

import Foundation
import HoldfastFeeds

func problems(in feed: URL) throws -> [String] {
  try FeedReport.examine(feed).problems.map { problem in
    "\(problem.place): \(problem.message)"
  }
}

func importFeed(
  _ feed: URL, into database: URL, previous: URL?, show: @escaping (Double) -> Void
) throws -> Int {
  let importer = FeedImporter(feed: feed, output: database, previous: previous)
  let result = try importer.run { fraction in
    try Task.checkCancellation()
    show(fraction)
  }
  return result.rows["stops.txt"] ?? 0
}

func importBoth(_ ferries: URL, _ trams: URL, into database: URL) throws {
  var importer = FeedImporter(feed: ferries, output: database)
  importer.furtherFeeds = [PrefixedFeed(trams, prefix: "tram:")]
  try importer.run()
}

func importOrExplain(_ feed: URL, into database: URL) throws -> String {
  do {
    try FeedImporter(feed: feed, output: database).run()
    return "imported"
  } catch let error as FeedError where error.code == .badData {
    return error.report?.firstError?.message ?? error.message
  }
}

func ferryNames(in feed: URL) throws -> [String] {
  let (feed, _) = try Feed.read(from: feed)
  return feed.routes.filter { $0.routeType == 4 }.compactMap(\.routeShortName)
}
