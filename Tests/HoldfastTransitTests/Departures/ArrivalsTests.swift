import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Arrivals are those of the reference, and the other questions about trips agree with them.
@Suite struct ArrivalsTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let start = Date(timeIntervalSince1970: 1_780_236_000)  // 2026-06-01T00:00+10:00

  @Test func `First stops and stops without drop-off are left out unless asked for`() throws {
    let compared = try ComparedTimetable(
      TextFeed.ferries(
        calls: """
          t,10,A,08:00:00,08:00:00,,,
          t,20,B,08:10:00,08:11:00,,1,
          t,30,C,08:20:00,08:21:00,1,2,Express
          t,40,D,08:30:00,08:30:00,,,
          r,1,A,09:00:00,09:00:00,,,
          r,2,B,,,,,
          r,3,D,09:30:00,09:31:00,,,
          """, frequencies: "r,10:00:00,11:00:00,900,0\n"), in: directory)
    for (stop, usual, all) in [("A", 0, 5), ("B", 4, 5), ("C", 1, 1), ("D", 5, 5), ("S", 0, 5)] {
      #expect(try compared.arrivals(stop, from: Self.start).count == usual)
      #expect(try compared.arrivals(stop, from: Self.start, all: true).count == all)
      try compared.arrivals(stop, from: Self.start, limit: 2)
    }
    let bay = try #require(try compared.arrivals("C", from: Self.start).first)
    #expect(bay.origin?.stopID == "A")
    #expect(bay.arrival == Self.start + 8 * 3600 + 1200)
    #expect((bay.headsign, bay.dropOffType, bay.isLastStop) == ("Express", 2, false))
    #expect(
      try compared.arrivals("D", from: Self.start).map(\.isLastStop) == [
        true, true, true, true, true,
      ])
  }

  @Test func `Between two times that go back there are none`() throws {
    let compared = try ComparedTimetable(
      TextFeed.ferries(
        calls: "t,1,A,08:00:00,08:00:10,,,\nt,2,B,,,,,\nt,3,C,,,,,\nt,4,D,08:00:00,08:00:00,,,\n"),
      in: directory)
    #expect(try compared.arrivals("B", from: Self.start).isEmpty)
    #expect(try compared.arrivals("C", from: Self.start).isEmpty)
  }

  @Test func `The routes of a stop are those of its station and platforms, and of nothing else`()
    throws
  {
    let feed = TextFeed([
      "agency.txt": "agency_id,agency_timezone\nHF,Australia/Sydney\n",
      "routes.txt": """
      route_id,route_short_name,route_type,agency_id
      F1,F1,4,HF
      F2,F2,4,HF
      F3,F3,4,HF
      """,
      "stops.txt": """
      stop_id,stop_name,parent_station
      A,Quay,S
      A2,Second wharf,S
      S,Harbour,
      B,Point,
      """,
      "trips.txt": "trip_id,route_id,service_id\none,F1,W\ntwo,F2,W\nmore,F1,W\n",
      "stop_times.txt": """
      trip_id,stop_sequence,stop_id,arrival_time,departure_time
      one,1,A,08:00:00,08:00:00
      one,2,B,08:20:00,08:20:00
      two,1,A2,08:00:00,08:00:00
      two,2,B,08:20:00,08:20:00
      more,1,B,08:00:00,08:00:00
      more,2,A,08:20:00,08:20:00
      """,
      "calendar_dates.txt": "service_id,date,exception_type\nW,20260601,1\n",
    ])
    let written = WrittenFeed(feed)
    let queue = try written.database(at: directory.file("routes.db"))
    for (stops, routes) in [
      (["A"], ["F1"]), (["A2"], ["F2"]), (["S"], ["F1", "F2"]), (["B"], ["F1", "F2"]),
      (["A2", "A"], ["F1", "F2"]), ([], []),
    ] {
      let sids = stops.compactMap { written.sids[$0] } + [0, 999]
      let found = try queue.read { db in try Route.fetchAll(db, callingAt: sids) }
      #expect(found.map(\.routeID) == routes)
    }
    #expect(try queue.read { try Route.fetchOne($0, routeID: "F3")?.routeShortName } == "F3")
    #expect(try queue.read { try Route.fetchOne($0, routeID: "f3") } == nil)
  }

  // MARK: - Trips and days

  @Test func `The trips of a route are those that run on the day, by their departures`() throws {
    let compared = try ComparedTimetable(
      TextFeed.ferries(
        calls: """
          late,1,A,25:00:00,25:10:00,,,
          late,2,D,25:20:00,25:20:00,,,
          first,1,,,,,,
          first,2,B,07:00:00,07:01:00,,,
          first,3,A,07:20:00,07:20:00,,,
          none,1,A,,,,,
          none,2,B,,,,,
          often,1,A,00:00:00,00:00:00,,,
          often,2,D,00:20:00,00:20:00,,,
          """, frequencies: "often,09:00:00,10:00:00,600,0\noften,08:00:00,09:00:00,900,1\n"),
      in: directory)
    let day = try #require(ServiceDay("2026-06-01"))
    let trips = try compared.queue.read { db in try RouteTrips(of: 1, on: day).fetchAll(db) }
    #expect(trips.map(\.tripID) == ["first", "often", "often", "late", "none"])
    #expect(
      trips.map { $0.departureTime?.description ?? "-" } == [
        "07:01:00", "08:00:00", "09:00:00", "25:10:00", "-",
      ])
    #expect(trips.map { $0.origin?.stopID } == [nil, "A", "A", "A", "A"])
    #expect(trips.map { $0.destination?.stopID } == ["A", "D", "D", "D", "B"])
    #expect(trips.map { $0.frequency?.isExact } == [nil, true, false, nil, nil])
    #expect(trips[3].arrival == Self.start + 25 * 3600 + 1200)
    #expect(trips.allSatisfy { $0.departureTimeZone == $0.timeZone })
    #expect(trips[4].arrival == nil && trips[4].callCount == 2)
    let without = try #require(ServiceDay("2027-06-01"))
    #expect(try compared.queue.read { try RouteTrips(of: 1, on: without).fetchAll($0) }.isEmpty)
    #expect(try compared.queue.read { try RouteTrips(of: 9, on: day).fetchAll($0) }.isEmpty)
    let tid = try #require(trips.first?.tid)
    #expect(try compared.queue.read { try Trip.fetchOne($0, tid: tid)?.tripID } == "first")
    #expect(try compared.queue.read { try Trip.fetchOne($0, tid: 99) } == nil)
    #expect(try compared.queue.read { try Trip.fetchOne($0, tid: 0) } == nil)
    // An area of a flexible service is no stop, whatever a question asks for.
    let found = try compared.queue.read { db in
      try Departures(at: [0, -1], from: Self.start).fetchAll(db)
    }
    #expect(found.isEmpty)
  }

  @Test func `Service days are those on which a trip, a route, a service or anything runs`() throws
  {
    let compared = try ComparedTimetable(
      TextFeed.ferries(
        calls: "t,1,A,08:00:00,08:00:00,,,\nt,2,D,08:20:00,08:20:00,,,\n",
        calendar: "W,1,1,1,1,1,0,0,20260603,20260612\nX,0,0,0,0,0,0,1,20260601,20260630\n",
        exceptions: "W,20260603,2\nW,20260607,1\nW,20260612,2\nY,20260701,2\nX,20260628,2\n"),
      in: directory)
    let text = { (days: ServiceDays) in
      try compared.queue.read { db in
        try days.fetchAll(db)?.map { String($0.description.suffix(2)) }.joined(separator: " ")
      }
    }
    let weekdays = "04 05 07 08 09 10 11"
    #expect(try text(ServiceDays(ofTrip: "t")) == weekdays)
    #expect(try text(ServiceDays(ofRoute: 1)) == weekdays)
    #expect(try text(ServiceDays(ofService: "W")) == weekdays)
    #expect(try text(ServiceDays(ofService: "X")) == "07 14 21")
    #expect(try text(ServiceDays(ofService: "Y")) == "")
    #expect(try text(ServiceDays()) == weekdays + " 14 21")
    let (first, last) = (ServiceDay("2026-06-07"), ServiceDay("2026-06-08"))
    #expect(try text(ServiceDays(ofTrip: "t", from: first, through: last)) == "07 08")
    #expect(try text(ServiceDays(from: last, through: first)) == "")
    var few = ServiceDays(ofTrip: "t")
    few.limit = 2
    #expect(try text(few) == "04 05")
    few.limit = -1
    #expect(try text(few) == "")
    for none in [ServiceDays(ofTrip: "T"), ServiceDays(ofRoute: 7), ServiceDays(ofService: "w")] {
      #expect(try text(none) == nil)
    }
    let validity = try compared.queue.read { try FeedValidity($0, at: Self.start) }
    #expect(validity.firstDay?.description == "2026-06-04")
    #expect(validity.lastDay?.description == "2026-06-21")
  }

  // MARK: - Damage

  /// Few bytes can stand for a million equal trips, in one row or in several.
  @Test(arguments: [1 << 20, 120_000])
  func `A board of damaged patterns ends in an error before it takes the memory`(
    runs: Int
  ) throws {
    let compared = try ComparedTimetable(
      TextFeed.ferries(calls: "t,1,A,08:00:00,08:00:00,,,\nt,2,D,08:20:00,08:20:00,,,\n"),
      in: directory)
    var writer = ByteWriter()
    writer.append(count: runs)
    writer.append(unsigned: 0)
    for value in [1, 0, 0, 1] as [Int64] {
      writer.append(0)
      writer.append(signed: value)
      writer.append(0)
    }
    let bytes = Data(writer.bytes)
    try compared.queue.write { db in
      try db.execute(sql: "UPDATE patterns SET runs = ?", arguments: [bytes])
      try db.execute(
        sql: """
          INSERT INTO patterns (rid, calls, timings, runs)
          SELECT rid, calls, timings, runs FROM patterns, (VALUES (1), (2), (3), (4))
          """)
      try db.execute(
        sql: "UPDATE stop_patterns SET patterns = ? WHERE first = 1",
        arguments: [Data(StoredStopPatterns(stops: [.init(sid: 1, pids: [1, 2, 3, 4, 5])]).bytes)])
    }
    let error = try #require(throws: TransitError.self) {
      try compared.queue.read { try Departures(at: [1], from: Self.start).fetchAll($0) }
    }
    #expect(error.code == .tooLarge)
    #expect(error.message.contains("more than 32 MiB"))
  }

  @Test(arguments: ["patterns", "services"])
  func `A board names a row that it needs and that is missing`(table: String) throws {
    let compared = try ComparedTimetable(
      TextFeed.ferries(calls: "t,1,A,08:00:00,08:00:00,,,\nt,2,D,08:20:00,08:20:00,,,\n"),
      in: directory)
    try compared.queue.write { try $0.execute(sql: "UPDATE \(table) SET rowid = 9") }
    let error = try #require(throws: TransitError.self) {
      try compared.queue.read { try Departures(at: [1], from: Self.start).fetchAll($0) }
    }
    #expect(error.message.contains("the table '\(table)' has no row 1"))
  }

  @Test func `What is too large for a cache is not kept, and the rest is bounded`() {
    var values = RecentValues<Int, String>(limit: 10)
    values.insert("large", for: 0, cost: 11)
    #expect(values.value(0) == nil)
    for key in 1...40 { values.insert("\(key)", for: key, cost: 3) }
    let kept = (1...40).filter { values.value($0) != nil }
    #expect(kept.count <= 6 && kept.contains(40))
  }
}
