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
        // A feed may join trips that end and begin at different stops.
        #expect(ride.isContinuation || stop == nil || ride.board.stop.sid == stop, text)
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
    try compare(feed, [], [], &random, hasWindows: seed % 3 != 0, "seed \(seed)")
  }

  @Test(arguments: 0..<seedCount * 2)
  func `Journeys among rules of trips, routes and stops are those of an exhaustive search`(
    seed: Int
  ) throws {
    var random = SeededRandom(unprinted: UInt64(seed) + 1_000_000)
    let feed = SmallCity.feed(&random, hasHeadways: seed % 5 == 0)
      .withManyTransfers(&random)
    let changes =
      try seed % 4 != 3 ? [] : feed.liveChanges(&random, on: ["20260327", "20260328", "20260329"])
    try compare(feed, changes, [], &random, hasWindows: seed % 5 != 0, "rules, seed \(seed)")
  }

  /// Trips of several days, times that decrease, windows, riders who stay seated over midnight,
  /// entrances and pathways; and in every second feed live data.
  @Test(arguments: 0..<seedCount)
  func `Journeys at the edges of the specification are those of an exhaustive search`(
    seed: Int
  ) throws {
    var random = SeededRandom(unprinted: UInt64(seed) + 2_000_000)
    let hasHeadways = seed % 7 == 0
    var feed = SmallCity.feed(&random, hasHeadways: hasHeadways).withEdges(&random)
    if seed % 3 > 0 { feed = feed.withEntrances(&random) }
    let changes =
      try seed % 2 == 0
      ? [] : feed.liveChanges(&random, on: ["20260327", "20260328", "20260329", "20260330"])
    try compare(feed, changes, [], &random, hasWindows: !hasHeadways, "edges, seed \(seed)")
  }

  /// Detours of trips with and without updates, of the modified trips and of those in the timetable.
  @Test(arguments: 0..<seedCount)
  func `Journeys with trip modifications are those of an exhaustive search`(seed: Int) throws {
    var random = SeededRandom(unprinted: UInt64(seed) + 3_000_000)
    let hasHeadways = seed % 7 == 0
    var feed = SmallCity.feed(&random, hasHeadways: hasHeadways).withEdges(&random)
    if seed % 3 == 0 { feed = feed.withEntrances(&random) }
    if seed % 3 == 1 { feed = feed.withManyTransfers(&random) }
    let days = ["20260327", "20260328", "20260329", "20260330"]
    let modifications = try feed.tripModifications(&random, on: days)
    var changes = try seed % 4 == 0 ? [] : feed.liveChanges(&random, on: days)
    if seed % 2 == 0 { changes += try feed.changes(of: modifications, &random) }
    try compare(
      feed, changes, modifications, &random, hasWindows: !hasHeadways, "modifications, seed \(seed)"
    )
  }

  /// Compares journeys between some stops of a feed with those of the reference.
  private func compare(
    _ feed: TextFeed, _ changes: [ReferenceChange], _ modifications: [ReferenceModification],
    _ random: inout SeededRandom, hasWindows: Bool, _ seed: String
  ) throws {
    let base = try Self.date("2026-03-28T00:00:00+01:00")
    let timetable = try ReferenceTimetable(feed)
    let stops = timetable.stopIDs.filter { $0.hasPrefix("S") || $0 == "X" }
    let longest = [6, 6, 20, 30, 168].randomElement(using: &random) ?? 6
    let starts = [6, 7, 23, 25, 26, 30]
    let around = (Double(longest) / 24 + 7.5) * 86400
    func pick<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: values.indices, using: &random)]
    }
    var pace = ReferenceWalks.Pace()
    if pick([true, false, false]) {
      pace.radius = pick([100, 500, 1500])
      (pace.speed, pace.factor) = (pick([0.7, 1.3, 2]), pick([1, 1.3, 1.8]))
      pace.change = pick([0, 60, 240])
    }
    // For all starts: the reference compares each two kinds of vehicles at each two stops when it is made.
    let here = try ComparedJourneys(
      feed, base + 6 * 3600 - around...base + 30 * 3600 + around, longest: longest * 3600, changes,
      modifications, rides: pick([4, 4, 3, 2, 1]), pace, in: directory)
    for _ in 0..<3 {
      let (from, to) = (
        stops.randomElement(using: &random) ?? "", stops.randomElement(using: &random) ?? ""
      )
      let start = base + Double(starts.randomElement(using: &random) ?? 0) * 3600
      let text: Comment = "\(seed): \(from) to \(to) at \(start)"
      if here.isOnePlace(from, to) { continue }
      let journeys = try here.journeys(from, to, .departing(start))
      #expect(
        journeys.map { [Self.rides($0), Self.seconds($0.arrival)] }.sorted { $0[0] < $1[0] }
          == here.arrivals(from, to, start), text)
      for journey in journeys { try check(journey, text) }
      let end = start + 3 * 3600
      let backward = try here.journeys(from, to, .arriving(end))
      #expect(
        backward.map { [Self.rides($0), Self.seconds($0.departure)] }.sorted { $0[0] < $1[0] }
          == here.departures(from, to, end), text)
      for journey in backward { try check(journey, text) }
      #expect((journeys + backward).allSatisfy { $0.duration <= .seconds(longest * 3600) }, text)
      if hasWindows {
        for journey in backward {
          let arrivals = here.reference.arrivals(
            from: from, to: to, departing: Self.seconds(journey.departure),
            rides: Self.rides(journey))
          #expect(Self.seconds(journey.arrival) == arrivals.last, text)
        }
        for journey in journeys {
          // A second later nobody arrives as early.
          let arrivals = here.reference.arrivals(
            from: from, to: to, departing: Self.seconds(journey.departure) + 1,
            rides: Self.rides(journey))
          #expect(arrivals.last ?? .max > Self.seconds(journey.arrival), text)
        }
        let window = try here.journeys(from, to, .departing(start), window: 7200)
        let found = window.filter { !$0.rides.isEmpty }.map {
          [Self.rides($0), Self.seconds($0.departure), Self.seconds($0.arrival)]
        }
        #expect(Set(found) == here.window(from, to, start, 7200), text)
        #expect(Set(found).count == found.count, text)
      }
    }
  }
}
