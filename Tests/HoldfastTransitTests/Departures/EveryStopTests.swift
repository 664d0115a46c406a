import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Departures and arrivals of imported feeds are those of the reference, at every stop.
///
/// `HOLDFAST_DEPARTURES=all` asks for 20 instants of every stop of every real feed, which takes minutes;
/// otherwise the sample feed is asked.
@Suite struct EveryStopTests {
  private static let folder = PackageFolder.shared.appending(path: "data/feeds")

  private static var feeds: [URL] {
    guard ProcessInfo.processInfo.environment["HOLDFAST_DEPARTURES"] == "all",
      // Without the shared feeds there is only the sample.
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    else { return [PortMerrow.folder] }
    return names.sorted().filter { $0.hasSuffix(".zip") }.map { folder.appending(path: $0) }
  }

  @Test(arguments: feeds)
  func `Every stop has the departures of the reference on days of all kinds`(feed: URL) throws {
    let directory = try TemporaryDirectory()
    let database = directory.file("timetable.db")
    do {
      try FeedImporter(feed: feed, output: database).run()
    } catch is FeedError {
      print("\(feed.lastPathComponent): refused")
      return
    }
    let texts =
      feed == PortMerrow.folder
      ? try TextFeed(folder: feed)
      : try TextFeed(unpacking: feed, into: directory.url.appending(path: "texts"))
    let reference = try ReferenceTimetable(texts)
    var random = SeededRandom(unprinted: 1)
    let timetable = try Timetable(at: database)
    let moments = try timetable.reader.read { db in
      try Moments(of: ServiceDays().fetchAll(db) ?? [], in: reference.timeZone)
    }
    let isSample = feed == PortMerrow.folder
    var counts = (questions: 0, events: 0, differences: 0)
    for stopID in reference.stopIDs {
      let sid = try timetable.reader.read { try Stop.fetchOne($0, stopID: stopID)?.sid }
      guard let sid else { continue }
      for (index, start) in moments.some(isSample ? 3 : 20, using: &random).enumerated() {
        let hours = index == 0 ? 24.0 : 2.0
        let seconds = Duration.seconds(Int(hours) * 3600)
        let (departures, arrivals) = try timetable.reader.read { db in
          (
            try Departures(at: [sid], from: start, for: seconds, limit: .max).fetchAll(db),
            try Arrivals(at: [sid], from: start, for: seconds, limit: .max).fetchAll(db)
          )
        }
        let expected = [ReferenceTimetable.Kind.departures, .arrivals].map { kind in
          reference.events(kind, at: stopID, from: start, seconds: hours * 3600).map(\.summary)
        }
        // At one instant the numbers of trips decide, which the texts do not have.
        let found = [departures.map(\.summary), arrivals.map(\.summary)]
        counts.questions += 1
        counts.events += departures.count + arrivals.count
        for (found, expected) in zip(found, expected) where found.sorted() != expected.sorted() {
          counts.differences += 1
          guard counts.differences <= 5 else { continue }
          let (less, more) = (Set(expected).subtracting(found), Set(found).subtracting(expected))
          Issue.record(
            """
            \(feed.lastPathComponent), \(stopID) from \(start): missing \(less.sorted().prefix(3)), \
            extra \(more.sorted().prefix(3)), \(found.count) instead of \(expected.count)
            """)
        }
        #expect(zip(departures, departures.dropFirst()).allSatisfy { $0.departure <= $1.departure })
        let first = try timetable.reader.read { db in
          try Departures(at: [sid], from: start, for: seconds, limit: 7).fetchAll(db)
        }
        #expect(first == Array(departures.prefix(7)))
      }
    }
    print("\(feed.lastPathComponent): \(counts)")
    let hasRides = reference.trips.contains { $0.calls.count > 1 }
    #expect(counts.events > 0 || moments.days.isEmpty || !hasRides)
    #expect(counts.differences == 0)
  }

  /// Instants of all kinds on the days of a timetable.
  private struct Moments {
    let days: [ServiceDay]
    let zone: TimeZone
    /// The days on which clocks change.
    private var changes: [ServiceDay] = []

    init(of days: [ServiceDay], in zone: TimeZone) throws {
      (self.days, self.zone) = (days, zone)
      changes = days.filter { day in
        let next = ServiceDay(daysSince1970: day.daysSince1970 + 1)
        let offsets = [day, next].map { day in
          zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(day.daysSince1970 * 86400)))
        }
        return offsets[0] != offsets[1]
      }
    }

    /// Returns some instants: about a third on days on which clocks change, a third in the hour after
    /// midnight, and a third at any time.
    func some(_ count: Int, using random: inout SeededRandom) -> [Date] {
      guard !days.isEmpty else { return [] }
      return (0..<count).map { number in
        let isChange = number % 3 == 0 && !changes.isEmpty
        let day =
          isChange
          ? changes[number / 3 % changes.count] : days[Int.random(in: days.indices, using: &random)]
        let range = number % 3 == 1 ? 0...3600 : -3600...90_000
        return day.start(in: zone) + Double(Int.random(in: range, using: &random))
      }
    }
  }
}
