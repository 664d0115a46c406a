import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Trip modifications of a message, in departures, arrivals, journeys, alerts and vehicles.
@Suite struct ModifiedTripsTests {
  let feed: ImportedFeed
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    feed = try ImportedFeed(
      stops: "stop_id,stop_name,stop_lat,stop_lon\n"
        + ["s1", "s2", "s3", "s4", "s5", "x"].enumerated().map { index, stopID in
          "\(stopID),Stop \(stopID),52.\(index)2,13.0\n"
        }.joined(),
      calls: """
        one,08:00:00,08:00:00,s1,10
        one,08:10:00,08:11:00,s2,20
        one,08:20:00,08:20:00,s3,30
        one,08:30:00,08:30:00,s4,40
        one,08:40:00,08:40:00,s5,50
        two,09:00:00,09:00:00,s1,1
        two,09:10:00,09:11:00,s2,2
        two,09:20:00,09:20:00,s3,3
        two,09:30:00,09:30:00,s4,4
        often,00:00:00,00:00:00,s1,1
        often,00:10:00,00:10:00,s2,2
        often,00:20:00,00:20:00,s3,3

        """,
      files: [
        "frequencies.txt":
          "trip_id,start_time,end_time,headway_secs,exact_times\noften,10:00:00,11:00:00,1200,1\n"
      ], in: directory)
  }

  // MARK: - Messages

  func message(_ entities: [UInt8]...) throws -> RealtimeMessage {
    try RealtimeMessage(feedMessage: Data(Wire.header + entities.flatMap(\.self)))
  }

  func selector(_ stop: String) -> [UInt8] {
    Int(stop).map { Wire.number(1, $0) } ?? Wire.text(2, stop)
  }

  func part(
    _ start: String, _ end: String?, delay: Int = 0, _ stops: KeyValuePairs<String, Int> = [:]
  ) -> [UInt8] {
    Wire.message(
      4, Wire.bytes(1, selector(start)), end.map { Wire.bytes(2, selector($0)) } ?? [],
      Wire.number(3, delay),
      stops.flatMap { Wire.message(4, Wire.number(1, $0.value), Wire.text(2, $0.key)) },
      Wire.text(5, "a"))
  }

  func modifications(
    of trips: [String] = ["one"], on days: [String] = ["20260610"], starts: [String] = [],
    id: String = "m", _ parts: [UInt8]...
  ) -> [UInt8] {
    let fields: [[UInt8]] = [
      Wire.bytes(1, trips.flatMap { Wire.text(1, $0) } + Wire.text(2, "shape")),
      starts.flatMap { Wire.text(2, $0) }, days.flatMap { Wire.text(3, $0) },
      parts.flatMap(\.self),
    ]
    return Wire.message(2, Wire.text(1, id), Wire.bytes(8, fields.flatMap(\.self)))
  }

  /// The trip does not serve s2 and s3, but x at 8:12, and is 2 minutes later from s4 on.
  var detour: [UInt8] {
    modifications(part("s2", "30", delay: 120, ["x": 720]))
  }

  func update(_ trip: [UInt8], _ stops: [UInt8]...) -> [UInt8] {
    Wire.message(
      2, Wire.text(1, "u"), Wire.message(3, Wire.bytes(1, trip), stops.flatMap(\.self)))
  }

  func delayed(_ sequence: Int, _ seconds: Int) -> [UInt8] {
    let event = Wire.number(1, seconds)
    return Wire.message(2, Wire.number(1, sequence), Wire.bytes(2, event), Wire.bytes(3, event))
  }

  func modified(id: String = "m", day: String? = "20260610", _ relation: Int = 0) -> [UInt8] {
    Wire.joined(
      Wire.number(4, relation),
      Wire.message(
        7, Wire.text(1, id), Wire.text(2, "one"), day.map { Wire.text(4, $0) } ?? []))
  }

  // MARK: - Answers

  func departures(
    at stops: [String], from start: String = "10T07:00", hours: Int = 2, canceled: Bool = false,
    _ message: RealtimeMessage
  ) throws -> [Departure] {
    var question = Departures(
      at: try stops.map(feed.sid), from: try feed.instant("2026-06-\(start)"),
      for: .seconds(hours * 3600), limit: 50, updates: message.tripUpdates)
    question.includesCanceled = canceled
    return try feed.queue.read { [question] db in try question.fetchAll(db) }
  }

  /// The departures in words: when, from where, and how late.
  func board(
    at stops: String..., from start: String = "10T07:00", hours: Int = 2, canceled: Bool = false,
    with message: RealtimeMessage
  ) throws -> [String] {
    let midnight = try feed.instant("2026-06-\(start.prefix(2))T00:00")
    return try departures(at: stops, from: start, hours: hours, canceled: canceled, message).map {
      let time = ServiceTime(seconds: Int($0.departure.timeIntervalSince(midnight))).description
      let state =
        switch $0.status {
        case .live: "+\($0.delay.map { "\($0.components.seconds)" } ?? "?")"
        case .scheduled: "-"
        case .skipped: "skipped"
        case .canceled: "canceled"
        }
      return "\(time.prefix(5)) \($0.stop.stopID) \($0.tripID) \(state)"
    }
  }

  func journeys(
    _ from: String, _ to: String, at start: String = "10T07:00", _ message: RealtimeMessage
  ) throws -> [String] {
    feed.summary(
      try feed.journeys(from, to, at: "2026-06-\(start)") { $0.updates = message.tripUpdates })
  }

  // MARK: - Tests

  @Test func `A detour leaves out stops, serves others, and delays those after them`() throws {
    let message = try message(detour)
    #expect(
      try board(at: "s1", "s2", "s3", "s4", "x", with: message) == [
        "08:00 s1 one -", "08:12 x one -", "08:32 s4 one -",
      ])
    #expect(
      try board(at: "s2", "s3", canceled: true, with: message) == [
        "08:11 s2 one skipped", "08:20 s3 one skipped",
      ])
    // As on other days.
    #expect(try board(at: "s2", "x", from: "11T07:00", with: message) == ["08:11 s2 one -"])
    let x = try #require(try departures(at: ["x"], message).first)
    #expect(x.stopSequence == nil && x.scheduledDeparture == x.departure && x.tid != nil)
    let later = try #require(try departures(at: ["s4"], message).first)
    #expect(later.stopSequence == 40 && later.departureTime.description == "08:32:00")
    let question = Arrivals(
      at: try ["s5", "x"].map(feed.sid), from: try feed.instant("2026-06-10T07:00"),
      for: .seconds(7200), updates: message.tripUpdates)
    let arrivals = try feed.queue.read { db in try question.fetchAll(db) }
    #expect(arrivals.map(\.stop.stopID) == ["x", "s5"])
    #expect(arrivals.map { $0.origin?.stopID } == ["s1", "s1"])
    #expect(arrivals[1].arrival == (try feed.instant("2026-06-10T08:42")))
    #expect(message.tripUpdates.unappliedCounts == [:])
  }

  @Test func `Nobody would have departed from an end that is not served`() throws {
    let message = try message(modifications(part("s4", "s5", ["x": 900])))
    #expect(
      try board(at: "s4", "s5", "x", canceled: true, with: message) == ["08:30 s4 one skipped"])
  }

  /// The changes of one trip were applied once for each time that it is named: hours for 170 KB.
  @Test(.timeLimit(.minutes(1)))
  func `A trip that is named many times on a day is modified once`() throws {
    let stops = (0..<9000).map {
      Wire.message(4, Wire.number(1, 720 + $0 / 100), Wire.text(2, "x"))
    }
    let long = Wire.message(
      4, Wire.bytes(1, selector("s2")), Wire.bytes(2, selector("s3")), stops.flatMap(\.self))
    let message = try message(
      modifications(
        of: Array(repeating: "one", count: 70), on: Array(repeating: "20260610", count: 10_000),
        long))
    #expect(try board(at: "s2", "s4", with: message) == ["08:30 s4 one -"])
    #expect(try journeys("s1", "s4", message) == ["10T08:00 one 10T08:30"])
  }

  @Test func `An update of a trip whose other modifications are applied is about the timetable`()
    throws
  {
    let trip = Wire.joined(
      Wire.text(1, "one"), Wire.text(3, "20260610"),
      Wire.message(7, Wire.text(1, "old"), Wire.text(2, "one"), Wire.text(4, "20260610")))
    let message = try message(detour, update(trip, delayed(40, 300)))
    #expect(
      try board(at: "s4", from: "10T08:00", hours: 1, with: message) == ["08:35 s4 one +180"])
    // One of a trip that the named modifications do not change is not applied.
    let other = Wire.message(
      7, Wire.text(1, "m"), Wire.text(2, "two"), Wire.text(4, "20260610"))
    #expect(
      try self.message(detour, update(other, delayed(2, 60))).tripUpdates.unappliedCounts
        == ["modified_trip": 1])
  }

  @Test func `Journeys take the detour, and say which planned ones do not work`() throws {
    let message = try message(detour)
    #expect(try journeys("s1", "s4", message) == ["10T08:00 one 10T08:32"])
    #expect(try journeys("s1", "x", message) == ["10T08:00 one 10T08:12"])
    #expect(try journeys("x", "s5", message) == ["10T08:12 one 10T08:42"])
    #expect(try journeys("s1", "s3", message) == ["10T09:00 two 10T09:20"])
    #expect(try journeys("s1", "s3", at: "11T07:00", message) == ["11T08:00 one 11T08:20"])
    for (to, isPossible) in [("s3", false), ("s4", true)] {
      var question = Journeys(
        from: .stop(try feed.sid("s1")), to: .stop(try feed.sid(to)),
        .departing(try feed.instant("2026-06-10T07:00")))
      let found = try feed.queue.read { [question] db in try question.fetchAll(db) }
      let planned = try #require(found.first)
      question.updates = message.tripUpdates
      let status = try feed.queue.read { [question] db in try question.status(of: planned, db) }
      #expect(status.isPossible == isPossible)
      if case .notServed? = status.problems.first { continue }
      #expect(status.journey.arrival == (try feed.instant("2026-06-10T08:32")))
      // Asked again of the journey with the detour.
      let again = try feed.queue.read { [question] db in
        try question.status(of: status.journey, db)
      }
      #expect(again == status)
    }
  }

  @Test func `A search that reaches another day takes the detour of that day`() throws {
    let message = try message(modifications(on: ["20260612"], part("s2", "s3", ["x": 720])))
    #expect(try journeys("s1", "x", message) == ["12T08:00 one 12T08:12"])
    #expect(try journeys("s1", "x", at: "12T09:00", message).isEmpty)
  }

  @Test func `An update of the modified trip is about its stops`() throws {
    let message = try message(detour, update(modified(), delayed(2, 60)))
    #expect(
      try board(at: "s1", "s2", "s4", "x", with: message) == [
        "08:00 s1 one -", "08:13 x one +60", "08:33 s4 one +60",
      ])
    #expect(try journeys("x", "s5", message) == ["10T08:13 one 10T08:43"])
    // Without a day, and next to one for those who know no modifications.
    for order in [false, true] {
      let own = update(modified(day: nil), delayed(3, 180))
      let other = update(
        Wire.joined(Wire.text(1, "one"), Wire.text(3, "20260610")), delayed(40, 600))
      let message = try self.message(detour, order ? own : other, order ? other : own)
      #expect(
        try board(at: "s4", from: "10T08:00", hours: 1, with: message) == ["08:35 s4 one +180"])
    }
    let canceled = try self.message(detour, update(modified(3)))
    #expect(try board(at: "s1", "s4", "x", with: canceled).isEmpty)
    #expect(try journeys("s1", "s4", canceled) == ["10T09:00 two 10T09:30"])
  }

  @Test func `An update of the trip in the timetable is about the stops that are left`() throws {
    let trip = Wire.joined(Wire.text(1, "one"), Wire.text(3, "20260610"))
    let message = try message(detour, update(trip, delayed(40, 300)))
    // Five minutes after 8:30, which is three after 8:32.
    #expect(
      try board(at: "s1", "s2", "s4", "x", with: message) == [
        "08:00 s1 one -", "08:12 x one -", "08:35 s4 one +180",
      ])
    let canceled = try self.message(detour, update(Wire.joined(trip, Wire.number(4, 3))))
    #expect(
      try board(at: "s1", "s4", "x", canceled: true, with: canceled) == [
        "08:00 s1 one canceled", "08:12 x one canceled", "08:32 s4 one canceled",
      ])
    // One that has all stops takes the place of both.
    let stop = { (stopID: String, time: String) in
      let event = Wire.number(2, Int(try feed.instant("2026-06-10T\(time)").timeIntervalSince1970))
      return Wire.message(2, Wire.bytes(2, event), Wire.bytes(3, event), Wire.text(4, stopID))
    }
    let replaced = try self.message(
      detour,
      update(
        Wire.joined(trip, Wire.number(4, 5)), try stop("s2", "08:05"), try stop("s4", "08:15")))
    #expect(try board(at: "s1", "s2", "x", with: replaced) == ["08:05 s2 one +?"])
  }

  @Test func `Vehicles of a repeated trip are modified at the starts that are named`() throws {
    let part = part("s2", "s2", ["x": 300])
    let named = try message(modifications(of: ["often"], starts: ["10:20:00"], part))
    #expect(
      try board(at: "s1", "s2", "x", from: "10T10:00", with: named) == [
        "10:00 s1 often -", "10:10 s2 often -", "10:20 s1 often -", "10:25 x often -",
        "10:40 s1 often -", "10:50 s2 often -",
      ])
    // No vehicle starts then.
    let between = try message(modifications(of: ["often"], starts: ["10:05:00"], part))
    #expect(try board(at: "s2", "x", from: "10T10:00", with: between).count == 3)
    #expect(try counts(between) == ["start_times": 1])
    let unnamed = try message(modifications(of: ["often"], part))
    #expect(try board(at: "s2", "x", from: "10T10:00", with: unnamed).count == 3)
    #expect(try counts(unnamed) == ["start_times": 1])
  }

  func counts(_ message: RealtimeMessage) throws -> [String: Int] {
    try feed.queue.read { db in try message.tripUpdates.incompleteCounts(db) }
  }

  @Test func `What is not applied is counted by its reason`() throws {
    let message = try message(
      modifications(of: ["gone", "one", "often"], part("s2", "s2", ["y": 60])),
      modifications(of: ["two"], on: ["20270610", "never"], part("s2", "s2")),
      modifications(of: ["two"], id: "n", part("s5", "s5")),
      modifications(of: ["two"], id: "o", part("s2", "s3"), part("s3", "s4")),
      modifications(of: ["two"], id: "p", part("s2", "s2", ["x": 60, "s5": 30])),
      update(modified(id: "q"), delayed(2, 60)))
    #expect(
      try counts(message) == [
        "trip_ids": 1, "start_times": 1, "service_dates": 1, "stop_selector": 1,
        "modifications": 1, "travel_time_to_stop": 1, "replacement_stops": 1,
      ])
    #expect(message.tripUpdates.unappliedCounts == ["modified_trip": 1, "trip_modifications": 2])
    // A trip whose modifications do not fit is as in the timetable; a stop that it does not have is not boarded.
    #expect(try journeys("s1", "s2", message) == ["10T09:00 two 10T09:10"])
    #expect(
      try board(at: "s1", "s2", "s3", hours: 3, with: message) == [
        "08:00 s1 one -", "08:20 s3 one -", "09:00 s1 two -", "09:11 s2 two -", "09:20 s3 two -",
      ])
  }

  @Test func `The alert that describes a detour is about the trips that take it`() throws {
    let alert = Wire.message(
      2, Wire.text(1, "a"),
      Wire.message(5, Wire.message(10, Wire.message(1, Wire.text(1, "Works")))))
    let message = try message(detour, alert)
    let texts = try ["10T07:00", "11T07:00"].map { start in
      let found = try departures(at: ["s1"], from: start, hours: 3, message)
      return try feed.queue.read { db in
        try found.map { try message.alerts(for: $0, db).count }
      }
    }
    #expect(texts == [[1, 0], [0, 0]])
    let ride = try #require(
      try feed.journeys("s1", "x", at: "2026-06-10T07:00") { $0.updates = message.tripUpdates }
        .first?.rides.first)
    #expect(try feed.queue.read { db in try message.alerts(for: ride, db).count } == 1)
  }

  @Test func `The alert of another feed does not describe a detour`() throws {
    let words = Wire.message(5, Wire.message(10, Wire.message(1, Wire.text(1, "Works"))))
    let alert = try message(Wire.message(2, Wire.text(1, "a"), words))
    let detour = try message(detour)
    let found = try departures(at: ["s1"], from: "10T07:00", hours: 3, detour)
    // Identifiers of entities are unique within a message only.
    let counts = try ["", "b:"].map { prefix in
      let both = RealtimeMessage(merging: [detour, alert.prefixed(by: prefix)])
      return try feed.queue.read { db in try found.map { try both.alerts(for: $0, db).count } }
    }
    #expect(counts == [[1, 0], [0, 0]])
  }

  @Test func `A vehicle of a modified trip is at the stop that its number has there`() throws {
    let vehicle = Wire.message(
      2, Wire.text(1, "v"),
      Wire.message(4, Wire.bytes(1, modified()), Wire.number(3, 2), Wire.number(4, 1)))
    let message = try message(detour, vehicle)
    let found = try departures(at: ["s4"], message)
    let position = try feed.queue.read { db in
      try message.vehiclePosition(for: try #require(found.first), db)
    }
    #expect(position?.stopID == "x")
  }

  @Test func `A message with a prefix, and one of several, modifies its own trips`() throws {
    let (first, second) = (try message(detour), try message(update(modified(), delayed(2, 60))))
    #expect(second.tripUpdates.unappliedCounts == ["modified_trip": 1])
    #expect(
      second.tripUpdates.unappliedCounts(among: [first, second].map(\.tripUpdates)) == [:])
    let merged = RealtimeMessage(merging: [first, second])
    #expect(merged.tripUpdates.unappliedCounts == [:])
    #expect(try board(at: "x", with: merged) == ["08:13 x one +60"])
    let prefixed = merged.prefixed(by: "b:")
    #expect(prefixed.tripUpdates.tripModifications[0].selectedTrips[0].tripIDs == ["b:one"])
    #expect(try board(at: "x", with: prefixed).isEmpty)
    #expect(try !feed.queue.read { db in try prefixed.matchesTimetable(db) })
    #expect(try feed.queue.read { db in try first.matchesTimetable(db) })
    #expect(prefixed.tripUpdates != merged.tripUpdates)
  }

  @Test func `The library gives the stops of one trip`() throws {
    let message = try message(detour, update(modified(), delayed(3, 60)))
    let times = ["08:00", "08:10", "08:20", "08:30", "08:40"]
    let stops = try times.enumerated().map { index, time in
      let instant = try feed.instant("2026-06-10T\(time)")
      return ScheduledStopTime(
        stopSequence: 10 * (index + 1), stopID: "s\(index + 1)", arrival: instant,
        departure: instant)
    }
    let trip = TripInstance(
      tripID: "one", routeID: "r1", directionID: nil, startDate: "20260610",
      startTime: .seconds(28_800), start: try #require(stops[0].departure))
    let live = message.tripUpdates.liveStopTimes(of: trip, for: stops)
    #expect(live.map(\.stopID) == ["s1", "s2", "s3", "x", "s4", "s5"])
    #expect(live.map(\.stopSequence) == [10, 20, 30, nil, 40, 50])
    #expect(live.map(\.status) == [.scheduled, .skipped, .skipped, .scheduled, .live, .live])
    #expect(live[4].departure.time == (try feed.instant("2026-06-10T08:33")))
    var other = trip
    other.startDate = "20260611"
    #expect(
      message.tripUpdates.liveStopTimes(of: other, for: stops) == stops.map { LiveStopTime($0) })
  }

  @Test func `Modifications are counted in whose place later ones count`() throws {
    let (first, second) = (
      modifications(of: ["one", "two"], part("s2", "s2")),
      modifications(of: ["one", "one"], on: ["20260610", "20260611"], id: "n", part("s3", "s3"))
    )
    #expect(try message(first).tripUpdates.unappliedCounts == [:])
    #expect(try message(second).tripUpdates.unappliedCounts == [:])
    let both = try message(first, second)
    #expect(both.tripUpdates.unappliedCounts == ["trip_modifications": 1])
    #expect(try board(at: "s2", "s3", with: both) == ["08:11 s2 one -"])
    #expect(both.prefixed(by: "x:").tripUpdates.unappliedCounts == ["trip_modifications": 1])
    // Also of another message, of which those of one with the later modifications are applied.
    let apart = try [message(first), message(second)]
    let merged = RealtimeMessage(merging: apart).tripUpdates
    #expect(merged.unappliedCounts == ["trip_modifications": 1])
    let all = apart.map(\.tripUpdates)
    #expect(all.map { $0.unappliedCounts(among: all) } == [["trip_modifications": 1], [:]])
  }

  /// A few hundred kilobytes would otherwise need gigabytes.
  @Test func `Modified trips with more stops than memory allows are refused`() throws {
    let updates = try message(modifications(of: ["one", "two"], part("s2", "s2"))).tripUpdates
    let instant = Int(try feed.instant("2026-06-10T07:00").timeIntervalSince1970)
    try feed.queue.read { db in
      let network = try JourneyNetwork.of(db)
      func count(upTo most: Int) throws -> Int {
        try LiveTrips(updates, at: instant, network, db, mostModifiedCalls: most).trips.count
      }
      #expect(try count(upTo: 9) == 2)
      let error = try #require(throws: TransitError.self) { try count(upTo: 8) }
      #expect(error.code == .tooLarge && error.message.contains("more than 8 stops"))
    }
  }

  /// A few kilobytes would otherwise name a million trips on their days.
  @Test func `Counts whose product is larger than any message are refused`() throws {
    let names = (0..<1000).map { "t\($0)" }
    for entity in [
      modifications(of: names, on: Array(repeating: "20260610", count: 1000), part("s2", "s2")),
      Wire.message(
        2, Wire.text(1, "m"),
        Wire.bytes(
          8,
          Wire.bytes(1, names.flatMap { Wire.text(1, $0) }) + Wire.text(3, "20260610")
            + Array(repeating: part("s2", "s2"), count: 1000).flatMap(\.self))),
      modifications(
        of: Array(names.prefix(10)), on: Array(repeating: "20260610", count: 1000),
        starts: Array(repeating: "10:00:00", count: 100), part("s2", "s2")),
    ] {
      let error = try #require(throws: TransitError.self) { try message(entity) }
      #expect(error.code == .unsupportedMessage)
    }
  }
}
