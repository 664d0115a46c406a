import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// The trips of a route that an update without a `trip_id` may be for.
@Suite struct RouteStartsTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A feed with trips of one route at eight, of which the first ones are of another service, and one that repeats.
  private func feed(_ count: Int, others: Int = 0) throws -> ImportedFeed {
    let days = "monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date"
    let names = (0..<count).map { "t\($0)" } + ["often"]
    return try ImportedFeed(
      stops: "stop_id,stop_name,stop_lat,stop_lon\ns1,One,52.1,13\ns2,Two,52.2,13\n",
      calls: names.map { "\($0),08:00:00,08:00:00,s1,1\n\($0),08:10:00,08:10:00,s2,2\n" }
        .joined(),
      files: [
        "calendar.txt":
          "service_id,\(days)\nD,1,1,1,1,1,1,1,20260101,20261231\nE,1,1,1,1,1,1,1,20250101,20251231\n",
        "trips.txt": "route_id,service_id,trip_id\n"
          + names.enumerated().map { "r1,\($0 < others ? "E" : "D"),\($1)\n" }.joined(),
        "frequencies.txt":
          "trip_id,start_time,end_time,headway_secs,exact_times\n"
          + "often,10:00:00,11:00:00,1200,1\noften,12:00:00,13:00:00,600,1\n",
      ], in: directory)
  }

  private func update(
    at time: String, on day: String = "20260610", delay: Int = 60
  ) -> TripUpdate {
    TripUpdate(
      id: "u", trip: TripDescriptor(routeID: "r1", startTime: time, startDate: day),
      delay: .seconds(delay))
  }

  private func trips(_ update: TripUpdate, _ feed: ImportedFeed) throws -> [String] {
    try feed.queue.read { db in
      let cache = try TripCache.of(db)
      return try LiveCalls.trips(ofRouteIn: update, cache, db).map { pattern, run in
        #expect(pattern.run(run.tid) == run)
        return try cache.tripID(run.tid, db)
      }
    }
  }

  @Test func `Only the trips are looked at that start then on the day`() throws {
    let feed = try feed(3, others: 1)
    for (time, day, expected) in [
      ("08:00:00", "20260610", ["t1", "t2"]), ("08:00:00", "20250610", ["t0"]),
      ("08:00:00", "20240610", []), ("32:00:00", "20260610", ["t1", "t2"]),
      ("08:00:01", "20260610", []), ("10:20:00", "20260610", ["often"]),
      ("12:10:00", "20260610", ["often"]), ("10:10:00", "20260610", []),
      ("11:00:00", "20260610", []), ("10:20:00", "20250610", []), ("8:00", "20260610", []),
    ] {
      #expect(try trips(update(at: time, on: day), feed) == expected, "\(time) \(day)")
    }
  }

  /// "If the TripDescriptor does not resolve to a single trip instance (i.e., it resolves to zero or multiple trip
  /// instances), it is considered an error".
  @Test func `An update that fits two trips is for none, and counted`() throws {
    for count in [1, 2, 17] {
      let feed = try feed(count)
      let updates = TripUpdates([update(at: "08:00:00")], timestamp: nil)
      let question = Departures(
        at: [try feed.sid("s1")], from: try feed.instant("2026-06-10T07:00"), for: .seconds(7200),
        updates: updates)
      let (board, counts) = try feed.queue.read { db in
        (try question.fetchAll(db), try updates.incompleteCounts(db))
      }
      #expect(board.count { $0.status == .live } == (count == 1 ? 1 : 0))
      #expect(counts == (count == 1 ? [:] : ["route_id": 1]))
    }
  }

  @Test(arguments: [2, 3], [false, true])
  func `An update that fits two trips is for none, though one of them has its own`(
    count: Int, isFirst: Bool
  ) throws {
    let feed = try feed(count)
    let own = TripUpdate(
      id: "own", trip: TripDescriptor(tripID: "t0", startDate: "20260610"), delay: .seconds(60))
    let cancellation = TripUpdate(
      id: "route",
      trip: TripDescriptor(
        routeID: "r1", startTime: "08:00:00", startDate: "20260610", scheduleRelationship: .canceled
      ))
    let updates = TripUpdates(isFirst ? [own, cancellation] : [cancellation, own], timestamp: nil)
    let question = Departures(
      at: [try feed.sid("s1")], from: try feed.instant("2026-06-10T07:00"), for: .seconds(7200),
      updates: updates)
    let board = try feed.queue.read { db in try question.fetchAll(db) }
    #expect(board.map(\.tripID).sorted() == (0..<count).map { "t\($0)" })
    #expect(board.map { $0.status == .live } == board.map { $0.tripID == "t0" })
  }

  @Test(arguments: [1, 2]) func `A vehicle that fits two trips is at none`(count: Int) throws {
    let feed = try feed(count)
    let trip = Wire.joined(
      Wire.text(5, "r1"), Wire.text(2, "08:00:00"), Wire.text(3, "20260610"))
    let vehicle = Wire.message(
      2, Wire.text(1, "v"), Wire.message(4, Wire.bytes(1, trip), Wire.number(3, 1)))
    let message = try RealtimeMessage(feedMessage: Data(Wire.header + vehicle))
    let question = Departures(
      at: [try feed.sid("s1")], from: try feed.instant("2026-06-10T07:00"), for: .seconds(7200))
    let ids = try feed.queue.read { db in
      try question.fetchAll(db).map { try message.vehiclePosition(for: $0, db)?.id }
    }
    #expect(ids == (count == 1 ? ["v"] : [nil, nil]))
  }

  private func starts(_ feed: ImportedFeed, _ db: Database) throws -> (RouteStarts, TripCache) {
    let cache = try TripCache.of(db)
    let rid = try #require(try Route.fetchOne(db, routeID: "r1")?.rid)
    return (try cache.starts(ofRoute: rid, TripTables(checked: db)), cache)
  }

  /// 3,000 updates of 2,000 trips took more than a minute.
  @Test func `The days of trips that start together are looked at once for each service`() throws {
    let feed = try feed(200, others: 100)
    let day = try #require(ServiceDay("20260610"))
    let (questions, found) = try feed.queue.read { db in
      let (starts, cache) = try starts(feed, db)
      var questions = 0
      let found = try starts.trips(at: 8 * 3600, inDirection: nil, on: { _ in [day] }) { number in
        questions += 1
        return try cache.service(number, db).stored
      }
      return (questions, found)
    }
    // Two are enough to know that the update names none.
    #expect(questions <= 2 && found.count == 2)
  }

  /// 3,000 updates of as many days and 2,000 trips took half a minute.
  @Test(arguments: [false, true])
  func `Services of many trips are not looked at for each day`(areRepeated: Bool) throws {
    let count = 50
    let days = "monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date"
    let feed = try ImportedFeed(
      stops: "stop_id,stop_name,stop_lat,stop_lon\ns1,One,52.1,13\ns2,Two,52.2,13\n",
      calls: (0..<count).map { "t\($0),08:00:00,08:00:00,s1,1\nt\($0),08:10:00,08:10:00,s2,2\n" }
        .joined(),
      files: [
        "calendar.txt": "service_id,\(days)\nS0,1,1,1,1,1,1,1,20260101,20260228\n",
        "calendar_dates.txt": "service_id,date,exception_type\n"
          + (1..<count).map { "S\($0),202603\($0 % 30 + 10 > 31 ? 31 : $0 % 30 + 10),1\n" }
          .joined(),
        "trips.txt": "route_id,service_id,trip_id\n"
          + (0..<count).map { "r1,S\($0),t\($0)\n" }.joined(),
        "frequencies.txt": "trip_id,start_time,end_time,headway_secs,exact_times\n"
          + (0..<(areRepeated ? count : 0)).map { "t\($0),07:00:00,09:00:00,600,1\n" }.joined(),
      ], in: directory)
    try feed.queue.read { db in
      let (starts, cache) = try starts(feed, db)
      var questions = 0
      let first = try #require(ServiceDay("20260101"))
      for offset in 0..<120 {
        let day = ServiceDay(daysSince1970: first.daysSince1970 + offset)
        let found = try starts.trips(at: 8 * 3600, inDirection: nil, on: { _ in [day] }) { number in
          questions += 1
          return try cache.service(number, db).stored
        }
        let expected = try (0..<count).count { number in
          let tid = try #require(try TripTables(checked: db).trip("t\(number)"))
          let pattern = try cache.pattern(tid.pid, TripTables(checked: db))
          let run = try #require(pattern.run(tid.tid))
          return try cache.service(run.service, db).stored.runs(on: day)
        }
        #expect(found.count == min(2, expected), "\(day)")
      }
      #expect(questions == count)
    }
  }

  /// Alerts, vehicles and modifications ask for the run of each trip that they name.
  @Test func `Each trip of a pattern has its run`() throws {
    let feed = try feed(50)
    try feed.queue.read { db in
      let (cache, tables) = (try TripCache.of(db), TripTables(checked: db))
      for name in (0..<50).map({ "t\($0)" }) + ["often"] {
        let trip = try #require(try tables.trip(name))
        #expect(try cache.pattern(trip.pid, tables).run(trip.tid)?.tid == trip.tid)
      }
      let first = try #require(try tables.trip("t0"))
      #expect(try cache.pattern(first.pid, tables).run(1_000_000) == nil)
      #expect(try cache.pattern(first.pid, tables).run(-1) == nil)
    }
  }
}
