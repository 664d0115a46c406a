import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Departures with live data: sorted by predicted times, without what does not run, with what is added.
@Suite struct LiveDeparturesTests {
  let queue: DatabaseQueue
  let written: WrittenFeed
  let directory: TemporaryDirectory

  /// Monday, 1 June 2026, in Sydney (UTC+10).
  private static let midnight = Date(timeIntervalSince1970: 1_780_236_000)

  init() throws {
    directory = try TemporaryDirectory()
    written = WrittenFeed(
      TextFeed.ferries(
        calls: """
          early,1,A,07:00:00,07:00:00,,,
          early,2,B,07:10:00,07:11:00,,,
          early,3,D,07:20:00,07:20:00,,,
          mid,1,A,08:00:00,08:00:00,,,
          mid,2,B,08:10:00,08:11:00,,,
          mid,3,D,08:20:00,08:20:00,,,
          next,1,A,08:30:00,08:30:00,,,
          next,2,B,08:40:00,08:41:00,,,
          next,3,D,08:50:00,08:50:00,,,
          often,1,C,00:00:00,00:00:00,,,
          often,2,D,00:10:00,00:10:00,,,
          """, frequencies: "often,09:00:00,10:00:00,1200,1\n"))
    queue = try written.database(at: directory.file("live.db"))
  }

  private func at(_ hour: Int, _ minute: Int) -> Date {
    Self.midnight + Double(hour * 3600 + minute * 60)
  }

  private func update(
    _ trip: String?, on day: String? = "20260601",
    _ relationship: TripDescriptor.ScheduleRelationship =
      .scheduled, delay: Int? = nil, start: String? = nil, stops: [StopTimeUpdate] = [],
    properties: TripProperties? = nil, route: String? = nil
  ) -> TripUpdate {
    TripUpdate(
      id: "u",
      trip: TripDescriptor(
        tripID: trip, routeID: route, startTime: start, startDate: day,
        scheduleRelationship: relationship),
      stopTimeUpdates: stops, delay: delay.map { .seconds($0) }, properties: properties)
  }

  private func departures(
    at stops: [String], from start: Date, hours: Int = 3, limit: Int = 20, canceled: Bool = false,
    _ updates: TripUpdate...
  ) throws -> [Departure] {
    var question = Departures(
      at: stops.compactMap { written.sids[$0] }, from: start, for: .seconds(hours * 3600),
      limit: limit, updates: TripUpdates(updates, timestamp: nil))
    question.includesCanceled = canceled
    return try queue.read { db in try question.fetchAll(db) }
  }

  /// The trips with their delays in minutes; `-` for a scheduled one.
  private func summary(_ departures: [Departure]) -> [String] {
    departures.map { departure in
      let delay = departure.delay.map { "+\($0.components.seconds / 60)" } ?? "-"
      let local = Int(departure.departure.timeIntervalSince(Self.midnight))
      let time = ServiceTime(seconds: local).description.prefix(5)
      return "\(time) \(departure.tripID) \(delay)"
        + (departure.status == .canceled || departure.status == .skipped
          ? " \(departure.status)" : "")
    }
  }

  @Test func `Predicted times order the departures, and the others say that they are scheduled`()
    throws
  {
    let found = try departures(
      at: ["S"], from: at(7, 30), update("mid", delay: 2400), update("unknown", delay: 60))
    #expect(summary(found) == ["08:30 next -", "08:40 mid +40"])
    #expect(found.map(\.status) == [.scheduled, .live])
    #expect(found[1].departureTime.description == "08:00:00")
    #expect(found[1].scheduledDeparture == at(8, 0))
    #expect(found[1].arrival == at(8, 40))
    let first = try departures(at: ["A"], from: at(7, 30), limit: 1, update("mid", delay: 2400))
    #expect(summary(first) == ["08:30 next -"])
    let delays = [
      StopTimeUpdate(stopSequence: 2, departure: StopTimeEvent(delay: .seconds(-120)))
    ]
    let point = try departures(at: ["B"], from: at(7, 30), update("mid", stops: delays))
    #expect(summary(point) == ["08:09 mid +-2", "08:41 next -"])
  }

  @Test(arguments: [30, 90, 600, 1300])
  func `A delayed trip is found however long before its scheduled time lies`(minutes: Int) throws {
    for day in ["20260601", nil] {
      let late = Self.midnight + Double(7 * 3600 + minutes * 60)
      var update = update("early", on: day)
      update.stopTimeUpdates = [
        StopTimeUpdate(stopSequence: 1, departure: StopTimeEvent(time: late))
      ]
      // Without a day, an update is for the trip that starts within half a day of it.
      guard day != nil || minutes < 720 else { continue }
      let found = try departures(at: ["A"], from: late - 60, hours: 1, update)
      #expect(found.contains { $0.tripID == "early" && $0.departure == late && $0.status == .live })
      let before = try departures(at: ["A"], from: at(6, 30), hours: 1, update)
      #expect(before.allSatisfy { $0.tripID != "early" || $0.departure == late })
    }
  }

  @Test func `What does not run is left out, or listed as canceled where riders need it`() throws {
    let skipped = [StopTimeUpdate(stopSequence: 2, scheduleRelationship: .skipped)]
    let updates = [
      update("early", .canceled), update("mid", stops: skipped), update("next", .deleted),
    ]
    #expect(
      summary(try departures(at: ["A", "B"], from: at(6, 0), updates[0], updates[1], updates[2]))
        == ["08:00 mid -"])
    #expect(
      summary(
        try departures(
          at: ["A", "B"], from: at(6, 0), canceled: true, updates[0], updates[1], updates[2]))
        == [
          "07:00 early - canceled", "07:11 early - canceled", "08:00 mid -",
          "08:11 mid - skipped",
        ])
    // On another day everything runs.
    #expect(
      try departures(at: ["A"], from: at(30, 0), updates[0], updates[1], updates[2]).count == 3)
    // Where the end is skipped, the trip ends earlier.
    let end = [StopTimeUpdate(stopSequence: 3, scheduleRelationship: .skipped)]
    #expect(
      summary(try departures(at: ["B"], from: at(8, 0), hours: 2, update("mid", stops: end)))
        == ["08:41 next -"])
  }

  @Test func `Where the beginning is skipped, the trip begins later`() throws {
    let skipped = [StopTimeUpdate(stopSequence: 1, scheduleRelationship: .skipped)]
    let updates = TripUpdates([update("mid", stops: skipped)], timestamp: nil)
    func arrivals(at stop: String) throws -> [Arrival] {
      let question = Arrivals(
        at: [try #require(written.sids[stop])], from: at(8, 0), for: .seconds(1800),
        updates: updates)
      return try queue.read { db in try question.fetchAll(db) }
    }
    // Nobody arrives at the first stop.
    #expect(try arrivals(at: "B").isEmpty)
    #expect(try arrivals(at: "D").map { $0.origin?.stopID } == ["B"])
    let departures = try departures(at: ["B"], from: at(8, 0), hours: 1, updates.updates[0])
    #expect(departures.first?.isFirstStop == true && departures.first?.tripID == "mid")
  }

  @Test func `Copied and added trips are late by the schedule that is known of them`() throws {
    let copy = update(
      "mid", .duplicated, delay: 120,
      properties: TripProperties(tripID: "copy", startDate: "20260601", startTime: "08:15:00"))
    let found = try departures(at: ["A"], from: at(8, 10), hours: 1, copy)
    #expect(summary(found).first == "08:17 copy +2")
    let planned = [
      StopTimeUpdate(
        stopID: "A", departure: StopTimeEvent(time: at(7, 48), scheduledTime: at(7, 45))),
      // Where a trip ends nobody departs.
      StopTimeUpdate(stopID: "D", arrival: StopTimeEvent(time: at(7, 58))),
    ]
    let extra = update("extra", .new, stops: planned, route: "F1")
    #expect(
      summary(try departures(at: ["A"], from: at(7, 30), hours: 1, extra)).first
        == "07:48 extra +3")
  }

  @Test func `A message of another feed gets its prefix, and several are one`() throws {
    let message = TripUpdates([update("id", delay: 60, route: "1")], timestamp: at(8, 0))
      .prefixed(by: "m")
    #expect(message.updates.map(\.trip.tripID) == ["mid"])
    #expect(message.updates.map(\.trip.routeID) == ["m1"])
    let other = TripUpdates([update("next", delay: 120)], timestamp: at(7, 0))
    let merged = TripUpdates(merging: [message, other])
    #expect(merged.timestamp == at(7, 0))
    #expect(merged.updates.map(\.timestamp) == [at(8, 0), at(7, 0)])
    #expect(
      summary(
        try departures(
          at: ["A"], from: at(7, 30), hours: 2, merged.updates[0], merged.updates[1]))
        == ["08:01 mid +1", "08:32 next +2"])
    let messages = [
      message, other, other.prefixed(by: "x"), TripUpdates([], timestamp: nil),
    ]
    let matches = try queue.read { db in try messages.map { try $0.matchesTimetable(db) } }
    #expect(matches == [true, true, false, true])
  }

  @Test func `Alerts and vehicles are those of the departure`() throws {
    let stations = Wire.message(5, Wire.message(5, Wire.text(5, "S")))
    let others = Wire.message(5, Wire.message(5, Wire.text(5, "D")))
    let route = Wire.message(5, Wire.message(5, Wire.text(2, "F1"), Wire.text(5, "A")))
    let vehicle = Wire.message(
      4, Wire.message(1, Wire.text(1, "mid")),
      Wire.number(5, Int(at(8, 5).timeIntervalSince1970)), Wire.number(9, 5))
    let entities = [("station", stations), ("other", others), ("route", route), ("v", vehicle)]
    let message = try RealtimeMessage(
      feedMessage: Data(
        Wire.header + entities.flatMap { Wire.bytes(2, Wire.text(1, $0.0) + $0.1) }))
    let found = try departures(at: ["A"], from: at(7, 30), hours: 25)
    try queue.read { db in
      let alerts = try found.map { try message.alerts(for: $0, db).map(\.id) }
      #expect(alerts.allSatisfy { $0 == ["station", "route"] } && !alerts.isEmpty)
      let vehicles = try found.filter { $0.tripID == "mid" }.map {
        try message.vehiclePosition(for: $0, db)?.occupancyStatus
      }
      // Tomorrow another vehicle may serve the trip.
      #expect(vehicles == ["FULL", nil])
      let next = try found.first { $0.tripID == "next" }.flatMap {
        try message.vehiclePosition(for: $0, db)
      }
      #expect(next == nil)
    }
  }

  @Test func `An alert about one start of a repeated trip is about that one only`() throws {
    // The descriptor's fields: 1 trip_id, 2 start_time, 3 start_date, 5 route_id.
    func alert(_ trip: [UInt8]...) -> [UInt8] {
      Wire.message(5, Wire.message(5, Wire.bytes(4, trip.flatMap(\.self))))
    }
    let entities = [
      (
        "repeated", alert(Wire.text(1, "often"), Wire.text(2, "09:20:00"), Wire.text(3, "20260601"))
      ),
      ("whole", alert(Wire.text(1, "often"))),
      ("route", alert(Wire.text(5, "F1"), Wire.text(2, "8:30:00"), Wire.text(3, "20260601"))),
      // The trip_id is enough for a trip that is not repeated.
      ("single", alert(Wire.text(1, "mid"), Wire.text(2, "07:59:00"))),
    ]
    let message = try RealtimeMessage(
      feedMessage: Data(
        Wire.header + entities.flatMap { Wire.bytes(2, Wire.text(1, $0.0) + $0.1) }))
    let found = try departures(at: ["A", "C"], from: at(7, 30))
    let arrived = try queue.read { db in
      try Arrivals(at: [try #require(written.sids["D"])], from: at(8, 45), for: .seconds(3600))
        .fetchAll(db)
    }
    try queue.read { db in
      #expect(
        try found.map { try message.alerts(for: $0, db).map(\.id) }
          == [["single"], ["route"], ["whole"], ["repeated", "whole"], ["whole"]])
      #expect(
        try arrived.map { try message.alerts(for: $0, db).map(\.id) }
          == [["route"], ["whole"], ["repeated", "whole"]])
      let question = Journeys(
        from: .stop(try #require(written.sids["C"])), to: .stop(try #require(written.sids["D"])),
        .departing(at(9, 10)))
      let ride = try #require(try question.fetchAll(db).first?.rides.first)
      #expect(try message.alerts(for: ride, db).map(\.id) == ["repeated", "whole"])
    }
  }

  @Test func `A vehicle that names the number of its stop is on its way there`() throws {
    let vehicle = Wire.message(
      4, Wire.message(1, Wire.text(1, "mid"), Wire.text(3, "20260601")), Wire.number(3, 2))
    let message = try RealtimeMessage(
      feedMessage: Data(Wire.header + Wire.bytes(2, Wire.text(1, "v") + vehicle)))
    let departure = try #require(
      try departures(at: ["A"], from: at(7, 30)).first { $0.tripID == "mid" })
    let question = Journeys(
      from: .stop(try #require(written.sids["A"])), to: .stop(try #require(written.sids["D"])),
      .departing(at(7, 30)))
    try queue.read { db in
      let ride = try #require(try question.fetchAll(db).first?.rides.first)
      #expect(ride.tripID == "mid")
      for position in [
        try message.vehiclePosition(for: departure, db), try message.vehiclePosition(for: ride, db),
      ] {
        #expect(position?.stopID == "B" && position?.currentStatus == "IN_TRANSIT_TO")
      }
      var next = ride
      next.serviceDay = ServiceDay(daysSince1970: ride.serviceDay.daysSince1970 + 1)
      #expect(try message.vehiclePosition(for: next, db) == nil)
    }
  }

  @Test func `A vehicle is where live data let its trip stop`() throws {
    // The fields of a trip's update: 1 trip, 2 stop_time_update (1 stop_sequence, 4 stop_id).
    func trip(_ id: String, _ relationship: Int, _ route: [UInt8] = []) -> [UInt8] {
      Wire.message(
        1, Wire.text(1, id), Wire.text(3, "20260601"), Wire.number(4, relationship), route)
    }
    func stop(_ sequence: Int, _ stopID: String, _ minutes: Int) -> [UInt8] {
      let time = Wire.number(2, Int(at(8, minutes).timeIntervalSince1970))
      return Wire.message(
        2, Wire.number(1, sequence), Wire.message(2, time), Wire.message(3, time),
        Wire.text(4, stopID))
    }
    let stops = stop(1, "A", 10) + stop(2, "C", 20) + stop(3, "D", 30)
    // 0 scheduled, 5 replaced, 8 new; the properties' field 1 is the assigned stop.
    let platform = Wire.message(
      2, Wire.number(1, 2), Wire.message(6, Wire.text(1, "A2")))
    for (name, update, stopID) in [
      ("mid", trip("mid", 0) + platform, "A2"), ("mid", trip("mid", 5) + stops, "C"),
      ("extra", trip("extra", 8, Wire.text(5, "F1")) + stops, "C"),
    ] {
      let vehicle = Wire.message(
        4, Wire.message(1, Wire.text(1, name), Wire.text(3, "20260601")), Wire.number(3, 2))
      let entities = [("u", Wire.message(3, update)), ("v", vehicle)]
      let message = try RealtimeMessage(
        feedMessage: Data(
          Wire.header + entities.flatMap { Wire.bytes(2, Wire.text(1, $0.0) + $0.1) }))
      try queue.read { db in
        let found = try Departures(
          at: [try #require(written.sids["A"])], from: at(7, 30), for: .seconds(3600),
          updates: message.tripUpdates
        ).fetchAll(db)
        let departure = try #require(found.first { $0.tripID == name })
        #expect(try message.vehiclePosition(for: departure, db)?.stopID == stopID, "\(name)")
      }
    }
  }

  @Test func `A vehicle that stops at another platform departs from there`() throws {
    let moved = update(
      "mid",
      stops: [
        StopTimeUpdate(
          stopSequence: 1, departure: StopTimeEvent(delay: .seconds(60)),
          properties: StopTimeProperties(assignedStopID: "A2", stopHeadsign: "Via Bay"))
      ])
    let station = try departures(at: ["S"], from: at(7, 30), moved)
    #expect(station.map(\.stop.stopID) == ["A2", "A"])
    #expect(station.map(\.headsign) == ["Via Bay", "Cove"])
    #expect(try departures(at: ["A"], from: at(7, 30), moved).map(\.tripID) == ["next"])
    // No trip of the timetable ever calls there.
    #expect(summary(try departures(at: ["A2"], from: at(7, 30), moved)) == ["08:01 mid +1"])
  }

  /// Some servers name the platform without a number of the stop, others the station alone.
  @Test(arguments: [("A2", nil, "A2"), ("A2", 1, "A2"), ("S", nil, "A"), ("S", 1, "A")])
  func `Another platform of a station, or the station, is that of the trip's stop there`(
    named: String, sequence: Int?, stopID: String
  ) throws {
    let late = StopTimeEvent(delay: .seconds(600))
    let update = update(
      "mid",
      stops: [
        StopTimeUpdate(stopSequence: sequence, stopID: named, departure: late),
        StopTimeUpdate(stopID: "D", arrival: late),
      ])
    for board in ["S", stopID] {
      let found = try departures(at: [board], from: at(7, 30), hours: 1, update)
      #expect(found.map(\.departure) == [at(8, 10)] && found.map(\.stop.stopID) == [stopID])
    }
    // Of another station, or of none, nothing is known.
    let other = self.update("mid", stops: [StopTimeUpdate(stopID: "C", departure: late)])
    let found = try departures(at: ["S", "C"], from: at(7, 30), hours: 1, other)
    #expect(found.map(\.status) == [.scheduled] && found.map(\.stop.stopID) == ["A"])
    var question = Journeys(
      from: .stop(try #require(written.sids["S"])), to: .stop(try #require(written.sids["D"])),
      .departing(at(7, 30)))
    question.updates = TripUpdates([update], timestamp: nil)
    let ride = try queue.read { [question] db in try question.fetchAll(db).first?.rides.first }
    #expect(ride?.board.stop.stopID == stopID && ride?.board.departure == at(8, 10))
  }

  /// To look up the station of each stop of each update took most of the time of a journey.
  @Test func `The stations of stops are read once`() throws {
    func statements(_ updates: TripUpdate...) throws -> Int {
      let question = Departures(
        at: [try #require(written.sids["B"])], from: at(6, 0), for: .seconds(4 * 3600),
        updates: TripUpdates(updates, timestamp: nil))
      return try queue.read { db in
        var count = 0
        db.trace { _ in count += 1 }
        defer { db.trace(nil) }
        _ = try question.fetchAll(db)
        return count
      }
    }
    let trips = ["early", "mid", "next"]
    let named = { (stopID: String) in
      trips.map {
        update(
          $0, stops: [StopTimeUpdate(stopID: stopID, departure: StopTimeEvent(delay: .seconds(60)))]
        )
      }
    }
    _ = try statements(named("A")[0], named("S")[0])
    let known = try statements(named("A")[0], named("A")[1], named("A")[2])
    #expect(try statements(named("S")[0], named("S")[1], named("S")[2]) == known)
  }

  @Test func `Of two calls at a station a platform is the one whose time is closest`() throws {
    let loop = WrittenFeed(
      TextFeed.ferries(
        calls: """
          loop,1,A,08:00:00,08:00:00,,,
          loop,2,B,08:20:00,08:20:00,,,
          loop,3,A,09:00:00,09:00:00,,,
          """))
    let queue = try loop.database(at: directory.file("loop.db"))
    // The server leaves out what is behind the vehicle.
    let update = update(
      "loop", stops: [StopTimeUpdate(stopID: "A2", arrival: StopTimeEvent(time: at(9, 2)))])
    let arrivals = try queue.read { db in
      try Arrivals(
        at: ["A", "A2", "B"].compactMap { loop.sids[$0] }, from: at(8, 0), for: .seconds(7200),
        updates: TripUpdates([update], timestamp: nil)
      ).fetchAll(db)
    }
    #expect(arrivals.map(\.stop.stopID) == ["B", "A2"])
    #expect(arrivals.map(\.arrival) == [at(8, 20), at(9, 2)])
  }

  @Test func `Added, copied and replaced trips depart`() throws {
    let stops = [("A", 45), ("D", 55)].map { stop, minute in
      StopTimeUpdate(
        stopID: stop, arrival: StopTimeEvent(time: at(7, minute)),
        departure: StopTimeEvent(time: at(7, minute)))
    }
    let extra = update(
      "extra", .new, stops: stops, properties: TripProperties(tripHeadsign: "Extra"), route: "F1")
    let copy = update(
      "mid", .duplicated,
      properties: TripProperties(tripID: "copy", startDate: "20260601", startTime: "08:15:00"))
    let replaced = update("next", .replacement, stops: stops)
    let found = try departures(at: ["A", "D"], from: at(7, 30), extra, copy, replaced)
    #expect(
      summary(found).map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
        "07:45 next", "07:45 extra", "08:00 mid", "08:15 copy",
      ])
    #expect(found.map { $0.tid == nil } == [false, true, false, true])
    #expect(found.map(\.status) == [.live, .live, .scheduled, .scheduled])
    #expect(found[1].headsign == "Extra" && found[1].scheduledDeparture == nil)
    #expect(found[1].serviceDay == ServiceDay("2026-06-01"))
    #expect(found[3].stopSequence == 1 && found[3].headsign == "Cove")
    // Without a route that the timetable has, riders cannot board it.
    let unknown = update("extra", .new, stops: stops, route: "X9")
    #expect(try departures(at: ["A"], from: at(7, 30), hours: 1, unknown).map(\.tripID) == ["mid"])
  }

  /// Nothing else says when riders would wait there.
  @Test(arguments: [TripDescriptor.ScheduleRelationship.new, .added, .replacement])
  func `A skipped stop of an added trip is listed at the time that the message has`(
    relationship: TripDescriptor.ScheduleRelationship
  ) throws {
    let stops = [("A", 45, false), ("B", 50, true), ("D", 55, false)].map { stop, minute, skips in
      StopTimeUpdate(
        stopID: stop, arrival: StopTimeEvent(time: at(7, minute)),
        departure: StopTimeEvent(time: at(7, minute)),
        scheduleRelationship: skips ? .skipped : .scheduled)
    }
    let extra = update(
      relationship == .replacement ? "mid" : "extra", relationship, stops: stops, route: "F1")
    func listed(canceled: Bool) throws -> [LiveStopTime.Status] {
      try departures(at: ["B"], from: at(7, 40), hours: 1, canceled: canceled, extra)
        .filter { $0.departure == at(7, 50) }.map(\.status)
    }
    #expect(try listed(canceled: true) == [.skipped])
    #expect(try listed(canceled: false) == [])
  }

  @Test func `Vehicles of a repeated trip are told apart by their starts`() throws {
    let late = update("often", delay: 300, start: "09:20:00")
    let found = try departures(at: ["C"], from: at(9, 0), hours: 2, late)
    #expect(summary(found) == ["09:00 often -", "09:25 often +5", "09:40 often -"])
    #expect(
      try departures(at: ["C"], from: at(9, 0), hours: 2, update("often", delay: 60)).count == 3)
  }

  @Test(arguments: ["night", "often", nil])
  func `A start that a server counts from midnight is in the night before`(trip: String?) throws {
    // Without a trip the start must be that of one.
    let frequencies = trip == nil ? "" : "often,23:50:00,25:00:00,1200,1\n"
    let night = WrittenFeed(
      TextFeed.ferries(
        calls: """
          night,1,A,24:10:00,24:10:00,,,
          night,2,D,24:20:00,24:20:00,,,
          often,1,C,00:00:00,00:00:00,,,
          often,2,D,00:10:00,00:10:00,,,
          """, frequencies: frequencies))
    let queue = try night.database(at: directory.file("night.db"))
    let update = update(trip, on: "20260602", delay: 300, start: "00:10:00", route: "F1")
    let question = Departures(
      at: ["A", "C"].compactMap { night.sids[$0] }, from: at(24, 0), for: .seconds(90_000),
      limit: 20, updates: TripUpdates([update], timestamp: at(24, 0)))
    let found = try queue.read { db in try question.fetchAll(db) }
    let live = summary(found).filter { !$0.hasSuffix("-") }
    #expect(live == ["24:15 \(trip ?? "night") +5"])
    #expect(found.count == (trip == nil ? 4 : 9))
    #expect(found.allSatisfy { $0.status == .scheduled || $0.serviceDay.number == 20_260_601 })
  }

  @Test func `A start without a trip is that of the timetable before that of the clock`() throws {
    let night = WrittenFeed(
      TextFeed.ferries(
        calls: """
          morning,1,A,00:10:00,00:10:00,,,
          morning,2,D,00:20:00,00:20:00,,,
          night,1,A,24:10:00,24:10:00,,,
          night,2,C,24:15:00,24:15:00,,,
          night,3,D,24:20:00,24:20:00,,,
          """))
    let queue = try night.database(at: directory.file("night.db"))
    let update = update(nil, on: "20260602", delay: 300, start: "00:10:00", route: "F1")
    // At one of the stops only the later trip in the file calls.
    for (stop, expected) in [
      ("A", ["24:10 night -", "24:15 morning +5"]), ("C", ["24:15 night -"]),
    ] {
      let question = Departures(
        at: [stop].compactMap { night.sids[$0] }, from: at(24, 0), for: .seconds(3600),
        limit: 20, updates: TripUpdates([update], timestamp: at(24, 0)))
      let found = try queue.read { db in try question.fetchAll(db) }
      #expect(summary(found).sorted() == expected)
    }
  }

  @Test func `A trip without a name is found by its route, day and start`() throws {
    var named = update(nil, delay: 600, start: "08:00:00", route: "F1")
    #expect(
      summary(try departures(at: ["A"], from: at(7, 30), named)) == [
        "08:10 mid +10", "08:30 next -",
      ])
    named.trip.routeID = "F2"
    #expect(
      summary(try departures(at: ["A"], from: at(7, 30), named)) == ["08:00 mid -", "08:30 next -"])
  }

  @Test(arguments: [("09:20:00", true), ("09:30:00", false), ("08:40:00", false)])
  func `A start without a trip is that of a repeated trip that starts then`(
    start: String, isFound: Bool
  ) throws {
    let update = update(nil, delay: 300, start: start, route: "F1")
    let found = try departures(at: ["C"], from: at(9, 0), hours: 2, update)
    #expect(
      summary(found) == [
        "09:00 often -", isFound ? "09:25 often +5" : "09:20 often -", "09:40 often -",
      ])
  }

  @Test func `A start that a server counts from midnight is found as long as the vehicle runs`()
    throws
  {
    let night = WrittenFeed(
      TextFeed.ferries(
        calls: """
          night,1,A,24:10:00,24:10:00,,,
          night,2,B,30:00:00,30:00:00,,,
          night,3,D,30:10:00,30:10:00,,,
          """))
    let queue = try night.database(at: directory.file("night.db"))
    let update = update("night", on: "20260602", .canceled, start: "00:10:00")
    var question = Departures(
      at: ["B"].compactMap { night.sids[$0] }, from: at(24, 0), for: .seconds(36 * 3600),
      limit: 20, updates: TripUpdates([update], timestamp: at(29, 30)))
    question.includesCanceled = true
    let found = try queue.read { [question] db in try question.fetchAll(db) }
    #expect(summary(found) == ["30:00 night - canceled", "54:00 night -"])
  }

  @Test func `Arrivals are predicted, too, and of two updates for one trip the later one counts`()
    throws
  {
    let updates = TripUpdates(
      [update("mid", delay: 60), update("mid", delay: 3000)], timestamp: nil)
    let sid = try #require(written.sids["D"])
    let question = Arrivals(
      at: [sid], from: at(8, 0), for: .seconds(7200), limit: 2, updates: updates)
    let found = try queue.read { db in try question.fetchAll(db) }
    #expect(found.map(\.tripID) == ["next", "mid"])
    #expect(found.map(\.delay) == [nil, .seconds(3000)])
    #expect(found.map { $0.origin?.stopID } == ["A", "A"])
    #expect(question == question && updates == TripUpdates(updates.updates, timestamp: nil))
    #expect(updates != TripUpdates([], timestamp: nil))
  }

  @Test(arguments: [.infinity, -1e300, 1e18, -62_135_596_801] as [Double])
  func `Impossible predictions are not answers, and no crash`(seconds: Double) throws {
    let time = Date(timeIntervalSince1970: seconds)
    let stops = ["A", "D"].map {
      StopTimeUpdate(stopID: $0, departure: StopTimeEvent(time: time))
    }
    let found = try departures(
      at: ["A"], from: at(7, 30), hours: 1, update("mid", stops: stops),
      update("x", .new, stops: stops, route: "F1"),
      update("copy", .duplicated, stops: stops))
    #expect(summary(found) == ["08:00 mid -"])
  }
}
