import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Journeys of imported feeds are those of an exhaustive search, between sampled pairs of stops.
///
/// `HOLDFAST_JOURNEYS=all` asks for 20 pairs of every real feed, which takes minutes; otherwise a few of three feeds
/// are compared.
@Suite struct SampledJourneysTests {
  private static let folder = PackageFolder.shared.appending(path: "data/feeds")
  private static let arePresent = FileManager.default.fileExists(atPath: folder.path)
  private static let asksAll = ProcessInfo.processInfo.environment["HOLDFAST_JOURNEYS"] == "all"

  private static var feeds: [String] {
    guard asksAll,
      // Without the shared feeds the test is skipped.
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    else { return ["caltrain-2016.zip", "island-transit-2009.zip", "sample-feed-google.zip"] }
    return names.sorted().filter { $0.hasSuffix(".zip") }
  }

  @Test(.enabled(if: arePresent, "the shared feeds (../shared/data) are absent"), arguments: feeds)
  func `Journeys of real feeds are those of an exhaustive search`(name: String) throws {
    let directory = try TemporaryDirectory()
    let archive = Self.folder.appending(path: name)
    let texts = directory.url.appending(path: "texts")
    let database = directory.file("timetable.db")
    let feed: TextFeed
    do {
      try FeedImporter(feed: archive, output: database).run()
      feed = try TextFeed(unpacking: archive, into: texts)
    } catch is FeedError {
      print("\(name): refused")
      return
    }
    let queue = try DatabaseQueue(path: database.path)
    let timetable = try ReferenceTimetable(feed)
    guard let day = try busiestDay(timetable, queue) else { return }
    let start = day.start(in: timetable.timeZone) + 8 * 3600
    let (simple, isSimple) = try feed.withoutRulesOfVehicles(queue)
    // The search looks at the days that the reference knows.
    let comparison = try ComparedJourneys(
      simple, importedInto: queue, start...start + 30 * 3600, longest: 6 * 3600)
    let stops = Set(feed.rows("stop_times.txt", "stop_id").map { $0[0] }).subtracting([""]).sorted()
    var random = SeededRandom(for: "\(name)")
    var counts = (pairs: 0, journeys: 0)
    for _ in 0..<(Self.asksAll ? 20 : 8) {
      guard let from = stops.randomElement(using: &random),
        let to = stops.randomElement(using: &random), from != to
      else { continue }
      if comparison.isOnePlace(from, to) { continue }
      let expected = comparison.arrivals(from, to, start)
      // The reference knows one day, after which the library goes on.
      if expected.isEmpty { continue }
      let journeys = try comparison.journeys(from, to, .departing(start))
      let found = journeys.map { journey in
        [journey.rides.count { !$0.isContinuation }, Int(journey.arrival.timeIntervalSince1970)]
      }.sorted { $0[0] < $1[0] }
      #expect(found == expected, "\(name), \(from) to \(to) at \(start)")
      counts.pairs += 1
      counts.journeys += found.count
    }
    print("\(name)\(isSimple ? "" : ", without rules of vehicles"): \(counts) on \(day)")
    #expect(counts.journeys > 0 || Self.asksAll)
  }

  /// Returns the day with the most trips, of some that are spread over the timetable.
  private func busiestDay(
    _ timetable: ReferenceTimetable, _ queue: DatabaseQueue
  ) throws -> ServiceDay? {
    let days = try queue.read { db in try ServiceDays().fetchAll(db) ?? [] }
    let some = days.enumerated().filter { $0.offset % max(1, days.count / 30) == 0 }.map(\.element)
    func count(_ day: ServiceDay) -> Int {
      guard let own = timetable.day(named: day.digits) else { return 0 }
      let running = timetable.services(runningOn: own)
      return timetable.trips.count { running.contains($0.serviceID) && $0.calls.count > 1 }
    }
    return some.map { ($0, count($0)) }.filter { $0.1 > 0 }.max { $0.1 < $1.1 }?.0
  }
}

extension TextFeed {
  /// Returns the feed and leaves the database without the rules of changes that name trips or routes, if it has many
  /// trips: the reference compares each two of them at each two stops.
  ///
  /// - Parameter queue: The database of the feed.
  /// - Returns: The feed, and whether it has all of its rules.
  /// - Throws: `DatabaseError` when the database cannot be written.
  fileprivate func withoutRulesOfVehicles(_ queue: DatabaseQueue) throws -> (TextFeed, Bool) {
    let columns = [
      "from_stop_id", "to_stop_id", "from_route_id", "to_route_id", "from_trip_id", "to_trip_id",
      "transfer_type", "min_transfer_time",
    ]
    let all = TextTable(files["transfers.txt"] ?? Data(), columns: columns).rows
    let kept = all.filter { $0[2...5].allSatisfy(\.isEmpty) }
    guard kept.count < all.count, rows("trips.txt", "trip_id").count > 100 else {
      return (self, true)
    }
    var feed = self
    let lines = ([columns] + kept).map { $0.joined(separator: ",") + "\n" }
    feed.files["transfers.txt"] = Data(lines.joined().utf8)
    try queue.write { [feed] db in try feed.copy("transfers", columns, db) }
    return (feed, false)
  }
}
