import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// What an importer writes is read back completely, in whatever order it was.
@Suite struct TimetableWriterTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A feed with everything that the compact format stores.
  private static let feed = TextFeed([
    "agency.txt": "agency_id,agency_timezone\nHF,Australia/Sydney\n",
    "stops.txt": "stop_id,stop_name\nA,Quay\nB,Point\nC,Bay\n",
    "routes.txt": "route_id,route_short_name,route_type,agency_id\nF1,F1,4,HF\nF2,F2,4,HF\n",
    "trips.txt": """
    route_id,service_id,trip_id,trip_headsign,trip_short_name,direction_id,block_id,shape_id,wheelchair_accessible,bikes_allowed
    F1,W,T1,Bay,101,0,B1,S1,1,2
    F1,W,T2,Bay,,0,B1,,,
    F1,S,T3,,,1,,S1,0,0
    F2,S,T4,Łódź,,,,,2,1
    F2,W,T5,,,,,,,
    """,
    "stop_times.txt": """
    trip_id,stop_sequence,stop_id,arrival_time,departure_time,pickup_type,drop_off_type,timepoint,shape_dist_traveled,stop_headsign
    T1,1,A,08:00:00,08:01:00,,1,1,0,
    T1,2,B,,,,,0,1.25,Express
    T1,5,C,08:20:00,08:20:00,1,,1,7.5,
    T2,1,A,25:00:00,25:01:00,,1,1,0,
    T2,2,B,,,,,0,1.25,Express
    T2,5,C,25:20:00,25:20:00,1,,1,7.5,
    T3,1,A,,09:00:00,,,,,
    T3,2,B,09:10:00,,,,,0.3333333333333333,
    T4,10,A,,,2,3,,,
    T4,20,A,10:00:00,10:00:00,,,,,
    """,
    "calendar.txt": """
    service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
    W,1,1,1,1,1,0,0,20260101,20261231
    """,
    "calendar_dates.txt": """
    service_id,date,exception_type
    W,20260126,2
    S,20260126,1
    S,20260101,1
    """,
    "frequencies.txt": """
    trip_id,start_time,end_time,headway_secs,exact_times
    T3,09:00:00,10:00:00,600,
    T3,10:00:00,24:30:00,300,1
    """,
  ])

  private func written(
    _ name: String, _ change: (inout TimetableContent) -> Void = { _ in }
  ) throws -> DatabaseQueue {
    try WrittenFeed(Self.feed).database(at: directory.file(name), change)
  }

  /// Everything in the tables, as texts under the feed's names.
  private static func content(of db: Database) throws -> [String] {
    let tables = try TripTables(db)
    let texts = try tables.allTexts()
    let text = { (number: Int32) in number == 0 ? "" : texts[Int(number) - 1] }
    var tripIDs: [Int64: String] = [:]
    try tables.forEachTrip { tripIDs[$0.tid] = "\($0.tripID)@\($0.pid)" }
    let services = try tables.services()
    var lines = services.map { service in
      "service \(service.serviceID) \(service.stored.weekdays) \(service.startDate ?? 0) "
        + "\(service.endDate ?? 0) \(text(service.others)) "
        + service.stored.exceptions.map { "\($0.day)\($0.isAdded)\(text($0.others))" }.joined()
    }
    try tables.forEachPattern { pattern in
      lines.append(
        "pattern \(pattern.pid) \(pattern.rid) \(pattern.directionID ?? -1) "
          + pattern.stored.calls.map {
            "\($0.sid),\($0.sequence),\($0.pickupType ?? -1),\($0.dropOffType ?? -1),"
              + "\($0.timepoint ?? -1),\($0.continuousPickup ?? -1),\($0.continuousDropOff ?? -1),"
              + "\(text($0.headsign)),\($0.distance ?? -1),\(text($0.others))"
          }.joined(separator: " "))
      for run in pattern.stored.runs {
        let timing = pattern.stored.timings[Int(run.timing)]
        let times = zip(timing.arrivals, timing.departures).map { "\($0)-\($1)" }
        lines.append(
          "run \(run.tid) \(tripIDs[run.tid] ?? "?") \(run.start) \(times) "
            + "\(services[Int(run.service) - 1].serviceID) \(text(run.headsign)) "
            + "\(text(run.shortName)) \(text(run.block)) \(text(run.shape)) \(text(run.others)) "
            + "\(run.wheelchairAccessible ?? -1) \(run.bikesAllowed ?? -1)")
      }
    }
    for headway in try tables.headways() {
      lines.append(
        "headway \(headway.tid) \(headway.start) \(headway.end) \(headway.headway) "
          + "\(headway.exactTimes ?? -1) \(text(headway.others))")
    }
    return lines + (try tables.otherColumns().map { "column \($0.file) \($0.name)" })
  }

  @Test func `Every column comes back as it was`() throws {
    let queue = try written("all.db") { content in
      content.texts += ["a,b", "c"]
      let (pair, single) = (Int32(content.texts.count - 2), Int32(content.texts.count - 1))
      content.tripColumns = ["cars_allowed", "note"]
      content.stopTimeColumns = ["stop_note"]
      content.runs[0].others = pair
      content.patterns[0].calls[1].others = single
      content.patterns[0].calls[1].continuousPickup = 1
      content.patterns[0].calls[2].continuousDropOff = 0
      content.services[0].week?.others = single
      content.services[0].exceptions[0].others = single
      content.frequencies[0].others = single
    }
    let found = try queue.read(Self.content)
    let blank = TimetableContent.Timing.blank
    let times = "[\"-60-0\", \"\(blank)-\(blank)\", \"1140-1140\"]"
    #expect(
      found == [
        "service S 0 0 0  2026-01-01true2026-01-26true",
        "service W 31 20260101 20261231 c 2026-01-26falsec",
        "pattern 1 1 0 1,1,-1,1,1,-1,-1,,0.0, 2,2,-1,-1,0,1,-1,Express,1.25,c "
          + "3,5,1,-1,1,-1,0,,7.5,",
        "run 1 T1@1 28860 \(times) W Bay 101 B1 S1 a,b 1 2",
        "run 2 T2@1 90060 \(times) W Bay  B1   -1 -1",
        "pattern 2 1 1 1,1,-1,-1,-1,-1,-1,,-1.0, 2,2,-1,-1,-1,-1,-1,,0.3333333333333333,",
        "run 3 T3@2 32400 [\"\(blank)-0\", \"600-\(blank)\"] S    S1  0 0",
        "pattern 3 2 -1 1,10,2,3,-1,-1,-1,,-1.0, 1,20,-1,-1,-1,-1,-1,,-1.0,",
        "run 4 T4@3 36000 [\"\(blank)-\(blank)\", \"0-0\"] S Łódź     2 1",
        "pattern 4 2 -1 ", "run 5 T5@4 0 [] W      -1 -1",
        "headway 3 32400 36000 600 -1 c", "headway 3 36000 88200 300 1 ",
        "column stop_times.txt stop_note", "column trips.txt cars_allowed",
        "column trips.txt note",
      ])
    let patterns = try queue.read { db in
      try [1, 2, 3].map { try TripTables(db).pids(ofStop: $0) }
    }
    #expect(patterns == [[1, 2, 3], [1, 2], [1]])
  }

  private static var texts: [WritableKeyPath<TimetableContent.Run, Int32>] {
    [\.headsign, \.shortName, \.block, \.shape, \.others]
  }

  @Test func `The order of the content does not matter`() throws {
    let first = try written("first.db")
    let second = try written("second.db") { content in
      let count = content.texts.count
      for index in content.runs.indices {
        for property in Self.texts where content.runs[index][keyPath: property] >= 0 {
          content.runs[index][keyPath: property] =
            Int32(count) - 1 - content.runs[index][keyPath: property]
        }
        let patterns = Int32(content.patterns.count)
        content.runs[index].pattern = patterns - 1 - content.runs[index].pattern
        content.runs[index].service =
          Int32(content.services.count) - 1
          - content.runs[index].service
      }
      for pattern in content.patterns.indices {
        for call in content.patterns[pattern].calls.indices
        where content.patterns[pattern].calls[call].headsign >= 0 {
          content.patterns[pattern].calls[call].headsign =
            Int32(count) - 1 - content.patterns[pattern].calls[call].headsign
        }
      }
      content.texts.reverse()
      content.patterns.reverse()
      content.services.reverse()
      for service in content.services.indices { content.services[service].exceptions.reverse() }
      for frequency in content.frequencies.indices {
        content.frequencies[frequency].run =
          Int32(content.runs.count) - 1 - content.frequencies[frequency].run
      }
      content.runs.reverse()
      content.frequencies.reverse()
    }
    try first.writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
    try second.writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
    try first.close()
    try second.close()
    #expect(
      try Data(contentsOf: directory.file("first.db"))
        == Data(contentsOf: directory.file("second.db")))
  }

  @Test func `The identity is that of the content, and not of its numbers`() throws {
    let digest = { (name: String, change: (inout TimetableContent) -> Void) in
      try written(name, change).read { try TimetableIdentity($0).digest() }
    }
    let original = try digest("1.db") { _ in }
    let renumbered = try digest("2.db") { content in
      for index in content.runs.indices { content.runs[index].tid += 100 }
    }
    #expect(renumbered == original)
    let changes: [(inout TimetableContent) -> Void] = [
      { $0.runs[0].start += 1 }, { $0.runs[0].headsign = -1 }, { $0.runs[1].tripID = "T9" },
      { $0.patterns[0].calls[0].sequence = 0 }, { $0.patterns[0].timings[0].arrivals[2] += 1 },
      { $0.services[0].exceptions.removeAll() }, { $0.services[0].week?.days = 63 },
      { $0.frequencies[0].headway = 601 }, { $0.patterns[0].directionID = 1 },
      { $0.runs[0].bikesAllowed = nil }, { $0.patterns[0].calls[0].distance = nil },
    ]
    for (index, change) in changes.enumerated() {
      #expect(try digest("change\(index).db", change) != original, "change \(index)")
    }
  }

  @Test func `Numbers of trips are known to the next import`() throws {
    let queue = try written("numbers.db") { $0.lastTripNumber = 77 }
    let (numbers, last) = try queue.read(TimetableContent.tripNumbers)
    #expect(last == 77)
    #expect(numbers[ExactText("T4")] == 4)
    #expect(numbers.count == 5)
    let more = try written("more.db") { $0.runs[0].tid = 100 }
    #expect(try more.read(TimetableContent.tripNumbers).last == 100)
  }

  @Test func `A trip is found by its identifier among many`() throws {
    let queue = try written("many.db") { content in
      let run = content.runs[0]
      for number in 0..<1000 {
        var copy = run
        // Two imports: each has its identifiers in order.
        copy.tid = Int64(1000 + number)
        copy.tripID = "\(number < 500 ? "b" : "a")\(1000 + number)"
        content.runs.append(copy)
      }
    }
    try queue.read { db in
      for name in ["a1500", "a1999", "b1000", "b1499", "T3"] {
        let trip = try #require(try TripTables(db).trip(name))
        #expect(trip.tripID == name)
        #expect(name.hasSuffix("\(trip.tid)"))
      }
      #expect(try TripTables(db).trip("b1500") == nil)
      #expect(try TripTables(db).trip("") == nil)
    }
  }

  @Test func `The patterns of a stop are in a row that is quickly read`() throws {
    let counts = Array(repeating: 3, count: 100) + [2000, 1, 1000, 30, 1]
    let stops = counts.enumerated().map { index, count in
      StoredStopPatterns.Stop(
        sid: Int64(index * 2 + 1), pids: (0..<count).map { Int64(index / 5 + $0 * 7) })
    }
    let blobs = StoredStopPatterns.blobs(of: stops)
    #expect(blobs.map(\.stops.count) == [64, 37, 3, 1])
    #expect(try blobs.flatMap { try StoredStopPatterns($0.bytes).stops } == stops)
    // Three patterns of a stop need about as many bytes.
    #expect(blobs[0].bytes.count < 250)
    for pids: [Int64] in [[2, 1], [1, 1]] {
      let blob = StoredStopPatterns(stops: [.init(sid: 1, pids: pids)])
      #expect(throws: DamagedBytes.self) { try StoredStopPatterns(blob.bytes) }
    }
    let twice = StoredStopPatterns(stops: [.init(sid: 1, pids: [1]), .init(sid: 1, pids: [2])])
    #expect(throws: DamagedBytes.self) { try StoredStopPatterns(twice.bytes) }
  }

  // MARK: - Damage

  /// Flips bytes in each kind of blob: questions are answered or refused, and never trap.
  @Test func `Damaged rows are an error, and never a trap`() throws {
    let columns = [
      ("patterns", "pid", "calls"), ("patterns", "pid", "timings"), ("patterns", "pid", "runs"),
      ("stop_patterns", "first", "patterns"), ("dict_trip", "first", "trips"),
      ("texts", "first", "texts"), ("services", "service", "exceptions"),
    ]
    var random = SeededRandom()
    let queue = try written("damaged.db")
    let day = try #require(ServiceDay("2026-01-26"))
    var refused: [String: Int] = [:]
    for round in 0..<700 {
      let (table, key, column) = columns[round % columns.count]
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "SAVEPOINT damage")
        let rows = try Row.fetchAll(
          db,
          sql: "SELECT \(key), \(column) FROM \(table) WHERE \(column) IS NOT NULL ORDER BY 1")
        let row = try #require(rows.randomElement(using: &random))
        var bytes = Array(try row.decode(Data.self, atIndex: 1))
        let id: Int64 = try row.decode(atIndex: 0)
        for _ in 0...Int.random(in: 0...2, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        if round % 5 == 0 { bytes.removeLast() }
        try db.execute(
          sql: "UPDATE \(table) SET \(column) = ? WHERE \(key) = ?",
          arguments: [Data(bytes), id])
        do {
          _ = try Departures(
            at: [1, 2, 3], from: day.start(in: .gmt) - 86400, for: .seconds(3 * 86400), limit: 50
          ).fetchAll(db)
          for name in ["T1", "T3", "T5"] { _ = try Trip.fetchOne(db, tripID: name) }
          _ = try TimetableIdentity(db).digest()
        } catch let error as TransitError {
          // A damaged count is one that a feed may have, and asks for more memory than is allowed.
          #expect(error.code == .damaged || error.code == .tooLarge, "\(error)")
          refused[column, default: 0] += 1
        }
        try db.execute(sql: "ROLLBACK TO damage; RELEASE damage")
      }
    }
    #expect(Set(refused.keys) == Set(columns.map(\.2)), "\(refused)")
    // Trips are found by their order.
    let trips = [2, 1].map { StoredTrip(tid: $0, pid: 1, tripID: "T\($0)") }
    #expect(throws: DamagedBytes.self) { try StoredTrips(StoredTrips(trips).bytes) }
  }
}
