import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Trip modifications together with alerts, vehicles, planned journeys and vehicles that go on as other trips.
extension ModifiedTripsTests {
  @Test func `A planned journey keeps its stop where another one is replaced by the same`() throws {
    // s3 is served at 8:12 in place of s2, and at 8:20.
    let message = try message(modifications(part("s2", "s2", ["s3": 720])))
    let planned = try #require(try feed.journeys("s3", "s5", at: "2026-06-10T07:00").first)
    var question = Journeys(
      from: .stop(try feed.sid("s3")), to: .stop(try feed.sid("s5")), .departing(planned.departure))
    question.updates = message.tripUpdates
    let status = try feed.queue.read { [question] db in try question.status(of: planned, db) }
    #expect(status.isPossible)
    #expect(status.journey.rides.first?.board.stopSequence == 30)
    // One that was planned with the detour keeps the other.
    let early = try #require(
      try feed.journeys("s1", "s3", at: "2026-06-10T07:00") { $0.updates = message.tripUpdates }
        .first)
    #expect(early.rides.first?.alight.stopSequence == nil)
    let again = try feed.queue.read { [question] db in try question.status(of: early, db) }
    #expect(again.journey == early && again.problems.isEmpty)
  }

  @Test func `An alert and a vehicle of one start find it where its times are modified`() throws {
    let start = Wire.joined(
      Wire.text(1, "often"), Wire.text(2, "10:20:00"), Wire.text(3, "20260610"))
    let alert = Wire.message(
      2, Wire.text(1, "w"), Wire.message(5, Wire.message(5, Wire.bytes(4, start))))
    let vehicle = Wire.message(
      2, Wire.text(1, "v"), Wire.message(4, Wire.bytes(1, start), Wire.number(3, 3)))
    let message = try message(
      modifications(
        of: ["often"], starts: ["10:20:00"], part("s2", "s2", delay: 300, ["x": 700])),
      alert, vehicle)
    let found = try departures(at: ["s1", "s2", "x"], from: "10T10:00", message)
      .filter { $0.status == .scheduled }
    #expect(found.map(\.stop.stopID) == ["s1", "s2", "s1", "x", "s1", "s2"])
    try feed.queue.read { db in
      #expect(try found.map { try message.alerts(for: $0, db).count } == [0, 0, 1, 1, 0, 0])
      #expect(
        try found.map { try message.vehiclePosition(for: $0, db)?.stopID }
          == [nil, nil, "s3", "s3", nil, nil])
      let arrivals = try Arrivals(
        at: [try #require(try Stop.fetchOne(db, stopID: "s3")).sid],
        from: try feed.instant("2026-06-10T10:00"), for: .seconds(7200), limit: 50,
        updates: message.tripUpdates
      ).fetchAll(db)
      #expect(try arrivals.map { try message.alerts(for: $0, db).count } == [0, 1, 0])
    }
  }

  @Test func `An alert about a start is about the trip that replaces it`() throws {
    let stop = { (stopID: String, time: String) throws -> [UInt8] in
      let instant = Int(try self.feed.instant("2026-06-10T\(time)").timeIntervalSince1970)
      let event = Wire.number(2, instant)
      return Wire.message(2, Wire.text(4, stopID), Wire.bytes(2, event), Wire.bytes(3, event))
    }
    let trip = Wire.joined(
      Wire.text(1, "often"), Wire.text(2, "10:20:00"), Wire.text(3, "20260610"))
    let alert = Wire.message(
      2, Wire.text(1, "w"), Wire.message(5, Wire.message(5, Wire.bytes(4, trip))))
    let message = try message(
      update(trip + Wire.number(4, 5), try stop("s1", "10:31"), try stop("x", "10:45")), alert)
    let found = try departures(at: ["s1"], from: "10T10:00", message)
    #expect(
      try board(at: "s1", from: "10T10:00", with: message) == [
        "10:00 s1 often -", "10:31 s1 often +?", "10:40 s1 often -",
      ])
    #expect(
      try feed.queue.read { db in try found.map { try message.alerts(for: $0, db).count } }
        == [0, 1, 0])
  }

  @Test func `A vehicle that names other modifications is at no known stop`() throws {
    func position(_ id: String, _ entities: [UInt8]...) throws -> VehiclePosition? {
      let vehicle = Wire.message(
        2, Wire.text(1, "v"), Wire.message(4, Wire.bytes(1, modified(id: id)), Wire.number(3, 2)))
      let message = try RealtimeMessage(
        feedMessage: Data(Wire.header + vehicle + entities.flatMap(\.self)))
      let found = try departures(at: ["s4"], message)
      return try feed.queue.read { db in
        try message.vehiclePosition(for: try #require(found.first), db)
      }
    }
    #expect(try position("m", detour)?.stopID == "x")
    let other = try #require(try position("other", detour))
    #expect(other.id == "v" && other.stopID == nil && other.currentStopSequence == 2)
    // The stops of the timetable have other numbers, too.
    #expect(try #require(try position("m")).stopID == nil)
  }

  @Test func `Updates that fit nothing are counted by what does not fit`() throws {
    let date = Wire.text(3, "20260610")
    let added = Wire.joined(
      Wire.text(1, "new"), Wire.text(5, "r1"), date, Wire.number(4, 8))
    func call(_ stopID: String, _ time: Int) -> [UInt8] {
      let event = Wire.bytes(3, Wire.number(2, time))
      return Wire.message(2, Wire.text(4, stopID), Wire.bytes(2, Wire.number(2, time)), event)
    }
    let gone = update(Wire.text(1, "gone") + date, delayed(1, 60))
    let another = update(Wire.text(1, "one") + Wire.text(3, "20270610"), delayed(10, 60))
    let elsewhere = update(
      Wire.text(1, "two") + date, delayed(1, 60), delayed(77, 60), call("s5", 1_780_000_000))
    let unnamed = update(
      Wire.joined(Wire.text(5, "r1"), Wire.text(2, "07:00:00"), date), delayed(1, 60))
    // A line's trip at 8:00, named twice, is one of the timetable.
    let twice = update(
      Wire.joined(Wire.text(5, "r1"), Wire.text(2, "08:00:00"), date), delayed(10, 60))
    let far = update(
      added, call("s1", 1_781_070_000), call("far", 1_781_070_600), call("far", 1_781_070_900))
    let unknown = update(modified(id: "q"), delayed(2, 60))
    let message = try message(
      gone, another, elsewhere, unnamed, twice, twice, far, unknown)
    #expect(
      try counts(message) == [
        "trip_id": 1, "start_date": 1, "stop_time_update": 2, "route_id": 1, "stop_id": 1,
      ])
  }

  @Test func `A modified trip without an update begins when its late vehicle is there`() throws {
    let chain = try ImportedFeed(
      stops: "stop_id,stop_name,stop_lat,stop_lon\n"
        + ["s1", "s2", "s3", "s4", "s5", "x"].enumerated().map { index, stopID in
          "\(stopID),Stop \(stopID),52.\(index)2,13.0\n"
        }.joined(),
      calls: """
        p,08:00:00,08:00:00,s1,1
        p,08:30:00,08:30:00,s2,2
        q,08:35:00,08:35:00,s2,1
        q,08:50:00,08:50:00,s3,2
        q,09:00:00,09:00:00,s4,3
        r,09:05:00,09:05:00,s4,1
        r,09:20:00,09:20:00,s5,2

        """,
      files: [
        "transfers.txt":
          "from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type\n,,p,q,4\n,,q,r,4\n"
      ], in: directory)
    let date = Wire.text(3, "20260610")
    let late = update(Wire.text(1, "p") + date, delayed(1, 1200))
    struct Answers: Equatable {
      let journeys, board: [String]
    }
    func answers(_ entities: [UInt8]...) throws -> Answers {
      let message = try RealtimeMessage(
        feedMessage: Data(Wire.header + entities.flatMap(\.self)))
      let found = try chain.journeys("s1", "s5", at: "2026-06-10T07:50") {
        $0.updates = message.tripUpdates
      }
      let question = Departures(
        at: try ["s2", "x", "s4"].map(chain.sid), from: try chain.instant("2026-06-10T08:00"),
        for: .seconds(7200), updates: message.tripUpdates)
      let board = try chain.queue.read { db in try question.fetchAll(db) }
      return Answers(
        journeys: chain.summary(found),
        board: board.map { "\($0.stop.stopID) \($0.tripID) \($0.delay?.components.seconds ?? -1)" })
    }
    // s2 at 8:50, x a quarter of an hour later, s4 at 9:15.
    let detour = modifications(of: ["q"], part("s3", "s3", ["x": 900]))
    let found = try answers(late, detour)
    #expect(found.journeys == ["10T08:20 p+=q+=r 10T09:30"])
    #expect(found.board == ["s2 q 900", "x q 900", "s4 r 600"])
    // Of two modifications the last ones count, here too.
    let overridden = modifications(of: ["q"], id: "other", part("s3", "s3", ["x": 60]))
    #expect(try answers(late, overridden, detour).board == found.board)
    // Updates that say nothing are none: a feed says NO_DATA where it means that nothing is known.
    for silent in [
      update(Wire.text(1, "q") + date), update(Wire.text(1, "q") + Wire.text(2, "08:35:00") + date),
    ] {
      #expect(try answers(late, silent).journeys == ["10T08:20 p+=q+=r 10T09:30"])
      #expect(try answers(late, silent).board == ["s2 q 900", "s4 r 600"])
      #expect(try answers(late, silent, detour) == found)
    }
    let silent = Wire.message(7, Wire.text(1, "m"), Wire.text(2, "q"), Wire.text(4, "20260610"))
    #expect(try answers(late, update(silent), detour) == found)
    let explicit = update(
      Wire.text(1, "q") + date, Wire.message(2, Wire.number(1, 1), Wire.number(5, 2)))
    #expect(try answers(late, explicit).board == ["s2 q -1", "s4 r -1"])
    // An update of the trip counts.
    let own = update(Wire.text(1, "q") + date, delayed(1, 960))
    #expect(try answers(late, detour, own).board == ["x q -1", "s2 q 960", "s4 r 660"])
    // One that is late by its detour delays the next one, too.
    #expect(
      try answers(late, modifications(of: ["q"], part("s3", nil, delay: 60))).board
        == ["s2 q 900", "s4 r 660"])
  }

  /// A message may add as many trips as it has vehicles.
  @Test func `Of vehicles and updates of an added trip the last ones count`() throws {
    func added(_ stops: String...) -> [UInt8] {
      let trip = Wire.joined(
        Wire.text(1, "new"), Wire.text(5, "r1"), Wire.text(3, "20260610"), Wire.number(4, 8))
      return update(
        trip,
        stops.enumerated().flatMap { index, stop in
          let event = Wire.number(2, 1_781_070_000 + index * 600)
          return Wire.message(
            2, Wire.number(1, index + 1), Wire.text(4, stop), Wire.bytes(2, event),
            Wire.bytes(3, event))
        })
    }
    func vehicle(_ id: String, _ trip: String, _ sequence: Int) -> [UInt8] {
      Wire.message(
        2, Wire.text(1, id),
        Wire.message(4, Wire.message(1, Wire.text(1, trip)), Wire.number(3, sequence)))
    }
    let message = try message(
      added("s1", "s2", "s3"), added("s3", "s4", "s5"), vehicle("a", "new", 1),
      vehicle("b", "new", 2), vehicle("c", "other", 3))
    let found = try departures(at: ["s3", "s4"], from: "10T04:00", hours: 4, message)
    let departure = try #require(found.first { $0.tripID == "new" && $0.stop.stopID == "s3" })
    let position = try feed.queue.read { db in try message.vehiclePosition(for: departure, db) }
    #expect(position?.id == "b" && position?.stopID == "s4")
  }

  /// Servers leave the entity of a vehicle that served the trip before.
  @Test func `Of several vehicles of a trip the one that was measured last counts`() throws {
    func vehicle(_ id: String, _ sequence: Int, at time: Int?) -> [UInt8] {
      let trip = Wire.bytes(1, Wire.text(1, "one") + Wire.text(3, "20260610"))
      let moment = time.map { Wire.number(5, 1_781_070_000 + $0) } ?? []
      return Wire.message(
        2, Wire.text(1, id), Wire.message(4, trip, Wire.number(3, sequence), moment))
    }
    func id(_ entities: [UInt8]...) throws -> String? {
      let message = try RealtimeMessage(
        feedMessage: Data(Wire.header + entities.flatMap(\.self)))
      let found = try departures(at: ["s4"], message)
      return try feed.queue.read { db in
        try message.vehiclePosition(for: try #require(found.first), db)?.id
      }
    }
    #expect(try id(vehicle("new", 20, at: 60), vehicle("old", 10, at: 0)) == "new")
    #expect(try id(vehicle("old", 10, at: 0), vehicle("new", 20, at: 60)) == "new")
    #expect(try id(vehicle("first", 20, at: nil), vehicle("last", 10, at: nil)) == "last")
  }
}
