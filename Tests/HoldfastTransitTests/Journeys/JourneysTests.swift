import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Journeys are those of an exhaustive search, which looks at every vehicle in the text files.
@Suite struct JourneysTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static func date(_ text: String) throws -> Date {
    try Date(text, strategy: .iso8601)
  }

  private static func seconds(_ date: Date) -> Int { Int(date.timeIntervalSince1970) }

  /// A feed's database, and its answers next to those of the reference.
  private struct Comparison {
    let written: WrittenFeed
    let queue: DatabaseQueue
    let reference: ReferenceJourneys
    let hours: Double

    init(
      _ feed: TextFeed, from start: Date, hours: Double, in directory: TemporaryDirectory
    ) throws {
      written = WrittenFeed(feed)
      queue = try written.database(at: directory.file("\(UUID()).db"))
      self.hours = hours
      reference = try ReferenceJourneys(feed, from: start, hours: hours)
      let columns = [
        "from_stop_id", "to_stop_id", "from_route_id", "to_route_id", "from_trip_id", "to_trip_id",
        "transfer_type", "min_transfer_time",
      ]
      try queue.write { [written] db in
        for row in feed.rows("stops.txt", "stop_id", "stop_lat", "stop_lon") {
          try db.execute(
            sql: "UPDATE packed_stops SET lat = ?, lon = ? WHERE sid = ?",
            arguments: [Double(row[1]), Double(row[2]), written.sids[row[0]]])
        }
        if feed.files["transfers.txt"] != nil {
          let list = columns.map { "\($0) TEXT" }.joined(separator: ", ")
          try db.execute(sql: "DROP TABLE IF EXISTS gtfs_transfers")
          try db.execute(sql: "CREATE TABLE gtfs_transfers (\(list))")
          for row in feed.rows(
            "transfers.txt", columns[0], columns[1], columns[2], columns[3], columns[4], columns[5],
            columns[6], columns[7])
          {
            try db.execute(
              sql: "INSERT INTO gtfs_transfers VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
              arguments: StatementArguments(row.map { $0.isEmpty ? nil : $0 as String? }))
          }
        }
      }
    }

    func journeys(
      _ from: String, _ to: String, _ time: Journeys.Time, window: Int = 0, changes: Int = 3
    ) throws -> [Journey] {
      guard let start = written.sids[from], let end = written.sids[to] else { return [] }
      var question = Journeys(from: .stop(start), to: .stop(end), time)
      question.maximumChanges = changes
      question.maximumDuration = .seconds(Int(hours * 1800))
      question.window = .seconds(window)
      return try queue.read { db in try question.fetchAll(db) }
    }

    /// The numbers of rides of the journeys with their arrivals.
    func arrivals(_ from: String, _ to: String, _ start: Date) throws -> [[Int]] {
      let limit = seconds(start) + Int(hours * 1800)
      let arrivals = reference.arrivals(from: from, to: to, departing: seconds(start), rides: 4)
      return arrivals.indices.filter {
        arrivals[$0] <= limit && ($0 == 0 || arrivals[$0] < arrivals[$0 - 1])
      }.map { [$0, arrivals[$0]] }
    }

    /// The numbers of rides of the journeys with their departures, found by trying.
    func departures(_ from: String, _ to: String, _ end: Date) -> [[Int]] {
      var found: [[Int]] = []
      var known: [Int: [Int]] = [:]
      for rides in 0...4 {
        // The later the departure, the later the arrival: the last good second is between these.
        var (good, bad) = (seconds(end) - Int(hours * 1800) - 1, seconds(end) + 1)
        func arrives(_ departure: Int) -> Bool {
          let arrivals =
            known[departure]
            ?? reference.arrivals(from: from, to: to, departing: departure, rides: 4)
          known[departure] = arrivals
          return arrivals[rides] <= seconds(end)
        }
        let least = good
        guard arrives(good + 1) else { continue }
        while bad - good > 1 {
          let middle = (good + bad) / 2
          if arrives(middle) { good = middle } else { bad = middle }
        }
        if good > least, good > found.last?[1] ?? least { found.append([rides, good]) }
      }
      return found
    }

    /// The number of rides, the departure and the arrival of all journeys in a window.
    func window(_ from: String, _ to: String, _ start: Date, _ length: Int) -> Set<[Int]> {
      let first = seconds(start)
      var best = reference.arrivals(from: from, to: to, departing: first + length + 1, rides: 4)
      var found: Set<[Int]> = []
      for departure in reference.departures(from: from, between: first...first + length).reversed()
      {
        let arrivals = reference.arrivals(from: from, to: to, departing: departure, rides: 4)
        for rides in 1...4
        where arrivals[rides] < best[rides] && arrivals[rides] < arrivals[rides - 1]
          && arrivals[rides] <= departure + Int(hours * 1800)
        {
          found.insert([rides, departure, arrivals[rides]])
        }
        for rides in 0...4 { best[rides] = min(best[rides], arrivals[rides]) }
      }
      return found
    }
  }

  private static func rides(_ journey: Journey) -> Int {
    journey.rides.count { !$0.isContinuation }
  }

  /// Checks that each part of a journey begins where and after the one before it ends.
  private func check(_ journey: Journey, _ text: Comment) throws {
    var (instant, stop) = (journey.departure, Int64?.none)
    for leg in journey.legs {
      switch leg {
      case .walk(let walk):
        #expect(walk.departure >= instant, text)
        #expect(stop == nil || walk.from?.sid == stop, text)
        (instant, stop) = (walk.arrival, walk.to?.sid)
      case .ride(let ride):
        #expect(try #require(ride.board.departure) >= instant, text)
        #expect(stop == nil || ride.board.stop.sid == stop, text)
        (instant, stop) = (try #require(ride.alight.arrival), ride.alight.stop.sid)
      }
    }
    #expect(instant == journey.arrival, text)
  }

  // MARK: - Small feeds

  /// `HOLDFAST_CASES=1000 swift test --filter …` looks at more feeds.
  private static let seedCount =
    ProcessInfo.processInfo.environment["HOLDFAST_CASES"].flatMap { Int($0) } ?? 12

  @Test(arguments: 0..<seedCount)
  func `Journeys of small feeds are those of an exhaustive search`(seed: Int) throws {
    var random = SeededRandom(unprinted: UInt64(seed))
    let feed = SmallCity.feed(&random, hasHeadways: seed % 3 == 0)
    try compare(feed, &random, hasWindows: seed % 3 != 0, "seed \(seed)")
  }

  @Test(arguments: 0..<seedCount * 3)
  func `Journeys among rules of trips, routes and stops are those of an exhaustive search`(
    seed: Int
  ) throws {
    var random = SeededRandom(unprinted: UInt64(seed) + 1_000_000)
    let feed = SmallCity.feed(&random, hasHeadways: seed % 5 == 0)
      .withManyTransfers(&random)
    try compare(feed, &random, hasWindows: seed % 5 != 0, "rules, seed \(seed)")
  }

  /// Compares journeys between some stops of a feed with those of the reference.
  private func compare(
    _ feed: TextFeed, _ random: inout SeededRandom, hasWindows: Bool, _ seed: String
  ) throws {
    let base = try Self.date("2026-03-28T00:00:00+01:00")
    let timetable = try ReferenceTimetable(feed)
    let stops = timetable.stopIDs
    for _ in 0..<3 {
      let (from, to) = (
        stops.randomElement(using: &random) ?? "", stops.randomElement(using: &random) ?? ""
      )
      let start = base + Double([6, 7, 23, 25, 26, 30].randomElement(using: &random) ?? 0) * 3600
      let text: Comment = "\(seed): \(from) to \(to) at \(start)"
      // Between parts of one place there is nothing to be asked.
      let parts = timetable.stops(below: from)
      let isSame = timetable.stops(below: to).contains { parts.contains($0) }
      if isSame { continue }
      let here = try Comparison(feed, from: start - 6 * 3600, hours: 12, in: directory)
      let journeys = try here.journeys(from, to, .departing(start))
      let expected = try here.arrivals(from, to, start)
      #expect(
        journeys.map { [Self.rides($0), Self.seconds($0.arrival)] }.sorted { $0[0] < $1[0] }
          == expected, text)
      for journey in journeys { try check(journey, text) }
      let end = start + 3 * 3600
      let backward = try here.journeys(from, to, .arriving(end))
      #expect(
        backward.map { [Self.rides($0), Self.seconds($0.departure)] }.sorted { $0[0] < $1[0] }
          == here.departures(from, to, end), text)
      for journey in backward { try check(journey, text) }
      if hasWindows {
        let window = try here.journeys(from, to, .departing(start), window: 7200)
        let found = window.filter { !$0.rides.isEmpty }.map {
          [Self.rides($0), Self.seconds($0.departure), Self.seconds($0.arrival)]
        }
        #expect(Set(found) == here.window(from, to, start, 7200), text)
        #expect(Set(found).count == found.count, text)
      }
    }
  }

  // MARK: - Real feeds

  private static let feeds = PackageFolder.shared.appending(path: "data/feeds")
  private static let arePresent = FileManager.default.fileExists(atPath: feeds.path)

  @Test(
    .enabled(if: arePresent, "the shared feeds (../shared/data) are absent"),
    arguments: [
      ("caltrain-2016", "2016-11-07"), ("island-transit-2009", "2009-03-10"),
      ("sample-feed-google", "2008-03-10"),
    ])
  func `Journeys of real feeds are those of an exhaustive search`(
    name: String, day: String
  ) throws {
    let folder = try TemporaryDirectory()
    let feed = try TextFeed(unpacking: Self.feeds.appending(path: "\(name).zip"), into: folder.url)
    let timetable = try ReferenceTimetable(feed)
    var random = SeededRandom(for: "\(name)")
    let start = try #require(ServiceDay(day)).start(in: timetable.timeZone) + 8 * 3600
    let comparison = try Comparison(feed, from: start, hours: 12, in: directory)
    let stops = Set(feed.rows("stop_times.txt", "stop_id").map { $0[0] }).sorted()
    var count = 0
    for _ in 0..<8 {
      let (from, to) = (
        stops.randomElement(using: &random) ?? "", stops.randomElement(using: &random) ?? ""
      )
      if from == to { continue }
      let journeys = try comparison.journeys(from, to, .departing(start))
      let expected = try comparison.arrivals(from, to, start)
      #expect(
        journeys.map { [Self.rides($0), Self.seconds($0.arrival)] }.sorted { $0[0] < $1[0] }
          == expected, "\(from) to \(to)")
      for journey in journeys { try check(journey, "\(from) to \(to)") }
      count += journeys.count
    }
    #expect(count > 0)
  }
}

private func seconds(_ date: Date) -> Int { Int(date.timeIntervalSince1970) }
