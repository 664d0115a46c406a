import Foundation
import Holdfast
import HoldfastTestSupport
import HoldfastTransit
import Testing

@testable import HoldfastFeeds

/// Import, export, import: the content stays, and the second database has the bytes of the first.
@Suite(
  .enabled(if: SharedFeeds.arePresent, SharedFeeds.absence),
  .enabled(if: FeedComparison.isPossible, "python3 is absent"))
struct RoundTripTests {
  /// `HOLDFAST_ROUND_TRIPS=all` takes every feed, which takes minutes; otherwise some small ones.
  private static var names: [String] {
    let imported = FeedOutcomeTests.feeds.filter {
      if case .imported = $0.value { true } else { false }
    }
    if ProcessInfo.processInfo.environment["HOLDFAST_ROUND_TRIPS"] == "all" {
      return imported.keys.sorted()
    }
    return [
      // Frequencies and times past 24 hours; unknown columns of many files; other columns of trips;
      // blank names and coordinates; a nested folder with unknown files; padded headers.
      "sample-feed-google", "turlock-fares-v2", "macosx-junk", "vta-blank-latlon", "nested-dir",
      "fiji-antimeridian",
    ]
  }

  @Test(arguments: names)
  func `A feed is given back`(name: String) throws {
    let directory = try TemporaryDirectory()
    let feed = SharedFeeds.root.appending(path: "feeds/\(name).zip")
    let (first, second) = (directory.file("first.db"), directory.file("second.db"))
    let archive = directory.file("feed.zip")
    let made = try FeedImporter(feed: feed, output: first).run()
    let exported = try FeedExporter(database: first, output: archive).run()
    #expect(exported.rows == made.rows.filter { exported.rows[$0.key] != nil })
    let comparison = try FeedComparison.compare(feed, archive)
    // Python reads quotes that are not doubled in another way.
    let malformed = "malformed"
    #expect(comparison.differences.filter { !$0.hasPrefix(malformed) } == [])
    // A file that the database does not hold is not exported.
    for (file, missing) in comparison.missing
    where made.rows[file] != nil && !file.hasPrefix(malformed) {
      let lost = (made.report.rows[file] ?? 0) - (made.rows[file] ?? 0)
      #expect(missing == lost, "\(file)")
    }
    let again = try FeedImporter(feed: archive, output: second).run()
    #expect(again.feedIdentity == made.feedIdentity)
    // A database says how many stops lost their service. The feed that it gives back lost nothing, unless its trips
    // have services that the feed does not have, which it gives back too.
    let lost = again.stopsWithoutService
    #expect([0, made.stopsWithoutService].contains(lost))
    let isSame = try Data(contentsOf: first) == Data(contentsOf: second)
    #expect(isSame == (made.stopsWithoutService == lost))
    #expect(try directory.names == ["feed.zip", "first.db", "second.db"])
  }
}
