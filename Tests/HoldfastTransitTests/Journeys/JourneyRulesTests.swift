import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// What the article on journeys says, rule by rule.
@Suite struct JourneyRulesTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// The ferries' feed: A and A2 are at Harbour (S), B, C and D lie apart, each 100 meters from the next.
  private func database(
    _ calls: String, frequencies: String = "", _ statements: String = ""
  ) throws -> (queue: DatabaseQueue, sids: [String: Int64]) {
    let feed = TextFeed.ferries(
      calls: calls, frequencies: frequencies, tripsWithoutCalls: ["idle"])
    let written = WrittenFeed(feed)
    let queue = try written.database(at: directory.file("\(UUID()).db"))
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE gtfs_transfers (from_stop_id TEXT, to_stop_id TEXT, from_trip_id TEXT,
            to_trip_id TEXT, transfer_type TEXT, min_transfer_time TEXT);
          CREATE TABLE gtfs_pathways (from_stop_id TEXT, to_stop_id TEXT, pathway_mode TEXT,
            is_bidirectional TEXT, length TEXT, traversal_time TEXT);
          """)
      for (index, stopID) in ["A", "B", "C", "D", "A2"].enumerated() {
        try db.execute(
          sql: "UPDATE packed_stops SET lat = -33.0, lon = 151.0 + ? WHERE sid = ?",
          arguments: [Double(index) * 0.00107, written.sids[stopID]])
      }
      if !statements.isEmpty { try db.execute(sql: statements) }
    }
    return (queue, written.sids)
  }

  private static let eight = Date(timeIntervalSince1970: 1_780_264_800)  // 2026-06-01T08:00+10:00

  private func journeys(
    _ database: (queue: DatabaseQueue, sids: [String: Int64]), _ from: String, _ to: String,
    _ change: (inout Journeys) throws -> Void = { _ in }
  ) throws -> [Journey] {
    var question = Journeys(
      from: .stop(try #require(database.sids[from])), to: .stop(try #require(database.sids[to])),
      .departing(Self.eight))
    // Nothing is near unless a test says so.
    question.walking.radius = try Distance(meters: 0)
    try change(&question)
    return try database.queue.read { [question] db in try question.fetchAll(db) }
  }

  /// The trips of the journeys, and the minutes after eight at which they end.
  private func summary(_ journeys: [Journey]) -> [String] {
    journeys.map { journey in
      let minutes = Int(journey.arrival.timeIntervalSince(Self.eight)) / 60
      return journey.rides.map(\.tripID).joined(separator: "+") + " \(minutes)"
    }
  }

  private static let twoTrips = """
    one,1,A,08:00:00,08:00:00,,,
    one,2,B,08:10:00,08:10:00,,,
    two,1,B,08:12:00,08:12:00,,,
    two,2,D,08:20:00,08:20:00,,,
    zlate,1,B,08:30:00,08:30:00,,,
    zlate,2,D,08:40:00,08:40:00,,,

    """

  @Test func `A journey has no walk towards a vehicle that comes by anyway`() throws {
    let calls = """
      one,1,A,08:05:00,08:05:00,,,
      one,2,B,08:06:00,08:06:00,,,
      one,3,C,08:07:00,08:07:00,,,
      one,4,D,08:08:00,08:08:00,,,

      """
    let database = try database(calls)
    for (from, to, time) in [
      ("B", "D", Journeys.Time.departing(Self.eight)),
      ("A", "C", .arriving(Self.eight.addingTimeInterval(1800))),
    ] {
      let found = try journeys(database, from, to) {
        $0.walking.radius = try Distance(meters: 150)
        $0.time = time
      }
      let ride = try #require(found.first?.rides.first)
      #expect(ride.board.stop.sid == database.sids[from])
      #expect(ride.alight.stop.sid == database.sids[to])
    }
  }

  @Test func `A change takes a minute or what the most specific transfer says`() throws {
    for (rows, answer) in [
      ("", "one+two 20"), ("('B', 'B', NULL, NULL, '3', NULL)", nil),
      ("('B', 'B', NULL, NULL, '2', '180')", "one+zlate 40"),
      ("('B', 'B', NULL, NULL, '2', '120')", "one+two 20"),
      ("('B', 'B', NULL, NULL, '2.0', '180.0')", "one+zlate 40"),
      ("('B', 'B', NULL, NULL, '3.0', NULL)", nil),
      ("('B', 'B', NULL, NULL, '3', NULL), ('B', 'B', NULL, 'zlate', '0', NULL)", "one+zlate 40"),
      ("('B', 'B', 'one', NULL, '0', NULL), ('B', 'B', 'one', 'two', '3', NULL)", "one+zlate 40"),
      ("('B', 'B', 'nothing', NULL, '3', NULL)", "one+two 20"),
    ] {
      let insertion = rows.isEmpty ? "" : "INSERT INTO gtfs_transfers VALUES \(rows)"
      let made = try database(Self.twoTrips, insertion)
      #expect(try summary(journeys(made, "A", "D")) == [answer].compactMap(\.self), "\(rows)")
    }
    let short = try database(Self.twoTrips)
    let found = try journeys(short, "A", "D") { $0.walking.changeDuration = .seconds(121) }
    #expect(summary(found) == ["one+zlate 40"])
    let quick = try database(
      Self.twoTrips, "INSERT INTO gtfs_transfers VALUES ('B', 'B', NULL, NULL, '2', '120')")
    let own = try journeys(quick, "A", "D") { $0.walking.changeDuration = .seconds(121) }
    #expect(summary(own) == ["one+two 20"], "What the feed says takes the place of the usual time.")
    #expect(try journeys(short, "A", "D") { $0.maximumChanges = 0 }.isEmpty)
    #expect(try journeys(short, "A", "D") { $0.maximumDuration = .seconds(1199) }.isEmpty)
    #expect(try journeys(short, "A", "D") { $0.maximumDuration = .seconds(1200) }.count == 1)
  }

  /// A way for each pair of trips would be 40,000 ways, and a large hub's would fill the memory.
  @Test func `Rules between the trips of a hub are one entry each`() throws {
    let count = 200
    let time = { (minutes: Int, seconds: String) in
      "\(8 + minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):\(seconds)"
    }
    var (calls, rules) = ("", [String]())
    for trip in 0..<count {
      let (start, end) = (time(trip * 3, "00"), time(trip * 3 + 2, "00"))
      // Half a minute after the arrival, which is too soon without a rule.
      let (next, last) = (time(trip * 3 + 2, "30"), time(trip * 3 + 20, "00"))
      calls += "a\(trip),1,A,\(start),\(start),,,\na\(trip),2,B,\(end),\(end),,,\n"
      calls += "b\(trip),1,B,\(next),\(next),,,\nb\(trip),2,D,\(last),\(last),,,\n"
      if trip % 4 < 2 { rules.append("('B', 'B', 'a\(trip)', 'b\(trip)', '1', NULL)") }
      if trip % 4 > 1 { rules.append("('B', 'B', 'a\(trip)', 'b\(trip + 1)', '3', NULL)") }
    }
    let made = try database(
      calls, "INSERT INTO gtfs_transfers VALUES \(rules.joined(separator: ", "))")
    for trip in 0..<count - 4 {
      // Riders of the third of four would change to the trip after the next, which those who leave later
      // catch too; those of the fourth are faster with the next first trip, whose second one waits.
      let next = trip + [0, 0, 2, 1][trip % 4]
      let found = try journeys(made, "A", "D") {
        $0.time = .departing(Self.eight + Double(trip) * 180)
      }
      #expect(summary(found).first == "a\(next)+b\(next) \(next * 3 + 20)", "trip \(trip)")
    }
    try made.queue.read { db in
      let network = try JourneyNetwork.of(db)
      let profile = Footpaths.Profile(
        speed: 1, radius: 0, detourFactor: 1, changeSeconds: 60, needsAccess: false)
      let ways = network.reversedFootpaths(profile)
      #expect(ways.ruledWays.elements.count == 1)
      #expect(ways.ways.elements.count <= network.servedStops.count)
    }
  }

  @Test func `Riders stay on a vehicle that goes on as another trip, without a change`() throws {
    let calls = Self.twoTrips.replacingOccurrences(of: "08:12:00", with: "08:10:00")
    #expect(try summary(journeys(try database(calls), "A", "D")) == ["one+zlate 40"])
    // A trip without calls takes nobody anywhere.
    let stay = """
      INSERT INTO gtfs_transfers VALUES (NULL, NULL, 'one', 'idle', '4', NULL),
        (NULL, NULL, 'idle', 'two', '4', NULL), (NULL, NULL, 'one', 'two', '4', NULL)
      """
    let made = try database(calls, stay)
    for arrives in [false, true] {
      let found = try journeys(made, "A", "D") {
        $0.maximumChanges = 0
        if arrives { $0.time = .arriving(Self.eight + 1300) }
      }
      #expect(summary(found) == ["one+two 20"])
      #expect(found.first?.rides.map(\.isContinuation) == [false, true])
      #expect(found.first?.changes == 0)
    }
    let end = "\(stay), (NULL, NULL, 'one', 'two', '5', NULL)"
    #expect(try summary(journeys(try database(calls, end), "A", "D")) == ["one+zlate 40"])
  }

  @Test func `Riders stay on a vehicle from the stop on the way that a rule names`() throws {
    let calls = """
      front,1,A,08:00:00,08:00:00,,,
      front,2,B,08:10:00,08:10:00,,,
      front,3,C,08:20:00,08:20:00,,,
      rear,1,C,08:00:00,08:00:00,,,
      rear,2,B,08:10:00,08:10:00,,,
      rear,3,D,08:30:00,08:30:00,,,

      """
    // Without a rule the change takes a minute, and the vehicle is gone.
    for (stops, answers) in [
      ("'B', 'B'", ["front+rear 30"]), ("NULL, NULL", []), ("'C', 'C'", []), ("'B', 'D'", []),
      ("'A', 'B'", []),
    ] {
      let made = try database(
        calls, "INSERT INTO gtfs_transfers VALUES (\(stops), 'front', 'rear', '4', NULL)")
      let day = { (question: inout Journeys) in question.maximumDuration = .seconds(3600) }
      #expect(try summary(journeys(made, "A", "D", day)) == answers, "\(stops)")
      #expect(
        try summary(
          journeys(made, "A", "D") {
            day(&$0)
            $0.time = .arriving(Self.eight.addingTimeInterval(3600))
          }) == answers, "\(stops)")
      // Who boards behind the stop is not there.
      #expect(try journeys(made, "C", "D", day).flatMap(\.rides).map(\.tripID) == ["rear"])
      let ride = try journeys(made, "A", "D", day).first?.rides.first
      #expect(ride?.alight.stop.stopID == (answers.isEmpty ? nil : "B"))
    }
  }

  @Test(arguments: [false, true])
  func `Of two rules by which riders stay, each leads to all stops behind its own`(
    isReversed: Bool
  ) throws {
    let calls = """
      one,1,A,08:00:00,08:00:00,,,
      one,2,B,08:10:00,08:10:00,,,
      one,3,C,08:20:00,08:20:00,,,
      two,1,C,08:20:00,08:20:00,,,
      two,2,D,08:25:00,08:25:00,,,
      two,3,B,08:30:00,08:30:00,,,
      two,4,A2,08:40:00,08:40:00,,,

      """
    let rules = ["('B', 'B', 'one', 'two', '4', NULL)", "(NULL, NULL, 'one', 'two', '4', NULL)"]
    let made = try database(
      calls,
      "INSERT INTO gtfs_transfers VALUES "
        + (isReversed ? rules.reversed() : rules).joined(separator: ", "))
    for time in [Journeys.Time.departing(Self.eight), .arriving(Self.eight + 1800)] {
      #expect(try summary(journeys(made, "A", "D") { $0.time = time }) == ["one+two 25"])
    }
  }

  /// A ride has a way, also on a vehicle on which riders stay from where they board.
  @Test func `Nobody boards or alights at the stop where riders stay`() throws {
    let calls = """
      one,1,A,08:00:00,08:00:00,,,
      one,2,B,08:10:00,08:10:00,,,
      one,3,C,08:20:00,08:20:00,,,
      two,1,C,08:40:00,08:40:00,,,
      two,2,D,08:50:00,08:50:00,,,

      """
    let made = try database(
      calls, "INSERT INTO gtfs_transfers VALUES ('B', NULL, 'one', 'two', '4', NULL)")
    for time in [Journeys.Time.departing(Self.eight), .arriving(Self.eight + 3600)] {
      let staying = try journeys(made, "A", "D") { $0.time = time }
      #expect(staying.first?.rides.map(\.isContinuation) == [false, true])
      let changing = try journeys(made, "B", "D") { $0.time = time }
      #expect(summary(changing) == ["one+two 50"])
      #expect(changing.first?.rides.map(\.isContinuation) == [false, false])
      #expect(
        try journeys(made, "B", "D") {
          $0.time = time
          $0.maximumChanges = 0
        }.isEmpty)
    }
  }

  @Test func `A vehicle that leaves today does not hide the one of tomorrow on which riders stay`()
    throws
  {
    let calls = """
      first,1,A,09:30:00,09:30:00,,,
      first,2,B,10:00:00,10:00:00,,,
      one,1,B,09:00:00,09:00:00,,,
      one,2,D,09:20:00,09:20:00,,,
      two,1,B,10:30:00,10:30:00,,,
      two,2,D,10:50:00,10:50:00,,,
      last,1,D,09:25:00,09:25:00,,,
      last,2,C,09:40:00,09:40:00,,,

      """
    let made = try database(
      calls, "INSERT INTO gtfs_transfers VALUES (NULL, NULL, 'one', 'last', '4', NULL)")
    let found = try journeys(made, "A", "C") { $0.maximumChanges = 1 }
    #expect(summary(found) == ["first+one+last 1540"])
  }

  @Test func `A vehicle that goes on for days does not hide the one of tomorrow`() throws {
    let calls = """
      one,1,A,22:30:00,22:30:00,,,
      one,2,B,22:40:00,22:40:00,,,
      days,1,B,22:45:00,22:45:00,,,
      days,2,C,73:00:00,73:00:00,,,
      two,1,A,06:00:00,06:00:00,,,
      two,2,B,06:10:00,06:10:00,,,
      next,1,B,06:15:00,06:15:00,,,
      next,2,D,06:30:00,06:30:00,,,
      zlate,1,A,20:00:00,20:00:00,,,
      zlate,2,D,21:00:00,21:00:00,,,

      """
    let made = try database(
      calls,
      """
      INSERT INTO gtfs_transfers VALUES (NULL, NULL, 'one', 'days', '4', NULL),
        (NULL, NULL, 'two', 'next', '4', NULL)
      """)
    let found = try journeys(made, "A", "D") {
      $0.time = .departing(Self.eight + 14 * 3600)
      $0.maximumChanges = 0
    }
    #expect(summary(found) == ["two+next 1350"])
  }

  @Test func `A first call that departs before it arrives does not end a stay at the last one`()
    throws
  {
    let calls = """
      one,1,A,08:05:00,08:00:00,,,
      one,2,B,08:10:00,08:10:00,,,
      one,3,C,08:20:00,08:20:00,,,
      two,1,C,08:20:00,08:20:00,,,
      two,2,D,08:30:00,08:30:00,,,

      """
    let made = try database(
      calls, "INSERT INTO gtfs_transfers VALUES (NULL, NULL, 'one', 'two', '4', NULL)")
    #expect(try summary(journeys(made, "B", "D")) == ["one+two 30"])
  }

  @Test func `Riders walk between stops in the radius, and pathways say how long that takes`()
    throws
  {
    let calls = """
      one,1,D,08:00:00,08:00:00,,,
      one,2,A,08:10:00,08:10:00,,,
      two,1,A2,08:14:00,08:14:00,,,
      two,2,B,08:20:00,08:20:00,,,
      zlate,1,A2,08:30:00,08:30:00,,,
      zlate,2,B,08:40:00,08:40:00,,,
      """
    for (row, trips) in [
      ("('A', 'A2', '1', '1', NULL, '179')", "one+two 20"),
      ("('A', 'A2', '1', '1', NULL, '181')", "one+zlate 40"),
      ("('A2', 'A', '1', '1', '233', NULL)", "one+two 20"),
      ("('A2', 'A', '1', '0', '100', NULL)", nil),
    ] {
      let made = try database(calls, "INSERT INTO gtfs_pathways VALUES \(row)")
      let found = try journeys(made, "D", "B")
      #expect(summary(found) == [trips].compactMap(\.self), "\(row)")
      guard let journey = found.first, case .walk(let walk) = journey.legs[1] else { continue }
      #expect((walk.from?.stopID, walk.to?.stopID) == ("A", "A2"))
      #expect(walk.departure == Self.eight + 600)
    }
    let plain = try database(calls)
    #expect(try journeys(plain, "D", "B").isEmpty)
    let walked = try journeys(plain, "D", "B") { $0.walking.radius = Distance(validMeters: 150) }
    // From A to B is 100 meters.
    #expect(summary(walked).last == "one 11")
    #expect(abs((walked.last?.walkingDistance.meters ?? 0) - 130) < 1)
    let duration = try #require(walked.last?.duration)
    for (limit, count) in [(duration, walked.count), (duration - .seconds(1), walked.count - 1)] {
      let limited = try journeys(plain, "D", "B") {
        $0.walking.radius = Distance(validMeters: 150)
        $0.maximumDuration = limit
      }
      #expect(limited.count == count, "The walk at the end counts.")
    }
  }

  @Test func `A change to another stop takes the walk and a minute`() throws {
    let calls = Self.twoTrips.replacingOccurrences(of: "1,B,", with: "1,C,")
      .replacingOccurrences(of: "2,D,", with: "2,A2,")
    let made = try database(calls)
    for (seconds, answer) in [(60, "one+zlate 40"), (0, "one+two 20")] {
      let found = try journeys(made, "A", "A2") {
        $0.walking.radius = Distance(validMeters: 110)
        $0.walking.changeDuration = .seconds(seconds)
      }
      #expect(summary(found) == [answer])
    }
  }

  @Test func `Of vehicles whose headway alone is known, riders wait for at most one headway`()
    throws
  {
    let made = try database(
      "t,1,A,00:00:00,00:00:00,,,\nt,2,D,00:20:00,00:20:00,,,\n",
      frequencies: "t,07:00:00,09:00:00,600,0\nt,09:00:00,10:00:00,600,1\n")
    let at = { (minutes: Double) in
      try journeys(made, "A", "D") { $0.time = .departing(Self.eight + minutes * 60) }
    }
    #expect(try at(3).map(\.arrival) == [Self.eight + 33 * 60])
    #expect(try at(3).first?.departure == Self.eight + 180)
    #expect(try at(3).first?.rides.first?.headway == .seconds(600))
    #expect(try at(3).first?.rides.first?.board.departure == Self.eight + 13 * 60)
    #expect(try at(-70).map(\.arrival) == [Self.eight - 40 * 60])
    #expect(try at(55).map(\.arrival) == [Self.eight + 80 * 60])
    #expect(try at(55).first?.rides.first?.headway == nil)
    let back = try journeys(made, "A", "D") { $0.time = .arriving(Self.eight + 33 * 60) }
    #expect(back.map(\.departure) == [Self.eight + 180])
  }

  @Test func `A trip that overtakes another one is taken only where it is ahead`() throws {
    let made = try database(
      """
      one,1,A,08:00:00,08:00:00,,,
      one,2,B,08:10:00,08:10:00,,,
      one,3,C,08:50:00,08:50:00,,,
      one,4,D,09:00:00,09:00:00,,,
      two,1,A,08:05:00,08:05:00,,,
      two,2,B,08:20:00,08:20:00,,,
      two,3,C,08:30:00,08:30:00,,,
      two,4,D,08:40:00,08:40:00,,,
      """)
    #expect(try summary(journeys(made, "A", "B")) == ["one 10"])
    #expect(try summary(journeys(made, "A", "D")) == ["two 40"])
    #expect(
      try summary(journeys(made, "A", "D") { $0.time = .arriving(Self.eight + 3000) }) == [
        "two 40"
      ])
  }

  @Test func `Trips that take longer than the seconds of sixteen bits are found both ways`() throws
  {
    let made = try database(
      """
      feed,1,D,07:50:00,07:50:00,,,
      feed,2,A,07:55:00,07:55:00,,,
      tardy,1,D,08:05:00,08:05:00,,,
      tardy,2,A,08:10:00,08:10:00,,,
      one,1,A,08:00:00,08:00:00,,,
      one,2,B,17:00:00,17:10:00,,,
      one,3,C,26:30:00,26:30:00,,,
      next,1,C,26:20:00,26:20:00,,,
      next,2,D,26:40:00,26:40:00,,,
      zlate,1,C,26:50:00,26:50:00,,,
      zlate,2,D,27:10:00,27:10:00,,,
      """)
    #expect(try summary(journeys(made, "A", "D")) == ["one+zlate 1150"])
    #expect(
      try summary(journeys(made, "D", "C") { $0.time = .arriving(Self.eight + 1115 * 60) }) == [
        "feed+one 1110"
      ])
  }

  @Test func `A night trip of the service day before hides no trip of today`() throws {
    var calls = "fast,1,A,00:21:00,00:21:00,,,\nfast,2,B,00:23:00,00:23:00,,,\n"
    for (trip, hour, minute) in [("a", "00", 1), ("b", "00", 3), ("night", "26", 0)] {
      for (index, stop) in ["A", "B", "D"].enumerated() {
        let time = "\(hour):\(minute + index)5:00"
        calls += "\(trip),\(index + 1),\(stop),\(time),\(time),,,\n"
      }
    }
    // At 00:20 of the next day.
    let found = try journeys(try database(calls), "A", "D") {
      $0.time = .departing(Self.eight + 980 * 60)
    }
    #expect(summary(found) == ["fast+a 995", "b 1015"])
  }

  @Test func `Journeys for wheelchairs use only trips and stops that are accessible`() throws {
    let calls = "one,1,A,08:00:00,08:00:00,,,\none,2,D,08:10:00,08:10:00,,,\n"
    let made = try database(calls)
    let access = { (question: inout Journeys) in question.needsWheelchairAccess = true }
    #expect(try journeys(made, "A", "D", access).isEmpty)
    try made.queue.write { db in
      try db.execute(sql: "UPDATE stop_kinds SET wheelchair_boarding = 1")
    }
    #expect(try journeys(made, "A", "D", access).isEmpty)
    let written = WrittenFeed(TextFeed.ferries(calls: calls))
    let queue = try written.database(at: directory.file("access.db")) { content in
      content.runs[0].wheelchairAccessible = 1
    }
    // Quay has no value of its own, and that of its station is used.
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO stop_kinds (kind, location_type, wheelchair_boarding) VALUES (99, 0, 1);
          UPDATE packed_stops SET kind = 99 WHERE id IN ('S', 'D');
          """)
    }
    #expect(try journeys((queue, written.sids), "A", "D", access).count == 1)
  }

  @Test func `A ride has the trip, its headsign, its calls and the zones of its stops`() throws {
    let made = try database(
      """
      t,1,A,08:00:00,08:00:00,,,
      t,2,B,,,,,
      t,3,C,08:20:00,08:21:00,,,Express
      t,4,D,08:30:00,08:30:00,,,
      """)
    let journey = try #require(
      try journeys(made, "S", "D") { $0.includesIntermediateCalls = true }.first)
    let ride = try #require(journey.rides.first)
    #expect((ride.tripID, ride.route.routeID, ride.headsign) == ("t", "F1", "Cove"))
    #expect(ride.intermediateCalls.map(\.stop.stopID) == ["B", "C"])
    #expect(ride.intermediateCalls.map(\.isInterpolated) == [true, false])
    #expect(ride.intermediateCalls.last?.timeZone.identifier == "Australia/Broken_Hill")
    #expect(ride.intermediateCalls.first?.departure == Self.eight + 600)
    #expect(ride.serviceDay.description == "2026-06-01")
    #expect(journey.duration == .seconds(1800))
  }

  // MARK: - Questions without an answer, and damage

  @Test func `Unknown places, equal places and instants outside of the calendar have none`() throws
  {
    let made = try database(Self.twoTrips)
    #expect(try journeys(made, "A", "B").count == 1)
    #expect(try journeys(made, "A", "B") { $0.destination = .stop(999) }.isEmpty)
    #expect(try journeys(made, "A", "B") { $0.destination = $0.origin }.isEmpty)
    #expect(try journeys(made, "A", "B") { $0.maximumChanges = -1 }.isEmpty)
    for seconds in [Double.infinity, -.infinity, .nan, 1e30, -1e15] {
      let found = try journeys(made, "A", "B") {
        $0.time = .departing(Date(timeIntervalSince1970: seconds))
      }
      #expect(found.isEmpty)
    }
    let position = try Position(latitude: -33, longitude: 151)
    let walk = try journeys(made, "A", "B") {
      $0.origin = .position(position)
      $0.walking = Journeys.Walking()
    }
    #expect(walk.count == 1)
    guard case .walk(let leg)? = walk.first?.legs.first else {
      Issue.record("no walk")
      return
    }
    #expect((leg.from, leg.to?.stopID) == (nil, "B"))
    #expect(leg.departure == Self.eight)
  }

  @Test func `A database of version 1 has no journeys, and says what to do`() throws {
    let museum = PackageFolder.root.appending(path: "Tests/Museum/timetable-1.db")
    let copy = directory.file("museum.db")
    try FileManager.default.copyItem(at: museum, to: copy)
    let timetable = try Timetable(at: copy)
    let error = try #require(throws: TransitError.self) {
      try timetable.reader.read { db in
        _ = try Journeys(from: .stop(1), to: .stop(2), .departing(.now)).fetchAll(db)
      }
    }
    #expect(error.code == .schemaOlder)
  }

  @Test func `Damaged times and calls end in an error or in an answer`() throws {
    var random = SeededRandom(for: "damage")
    var errors = 0
    for column in ["calls", "timings", "runs"] {
      for _ in 0..<40 {
        let made = try database(Self.twoTrips)
        let pid = Int.random(in: 1...2, using: &random)
        let blob = try made.queue.read { db in
          try Data.fetchOne(
            db, sql: "SELECT \(column) FROM patterns WHERE pid = ?", arguments: [pid])
        }
        var bytes = Array(try #require(blob))
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
        if Bool.random(using: &random) { bytes.removeLast() }
        try made.queue.write { [bytes] db in
          try db.execute(
            sql: "UPDATE patterns SET \(column) = ? WHERE pid = ?",
            arguments: [Data(bytes), pid])
        }
        do {
          _ = try journeys(made, "A", "D")
        } catch let error as TransitError {
          errors += 1
          #expect(error.code == .damaged)
        }
      }
    }
    #expect(errors > 20)
  }

  /// The connection keeps the network, but never longer than it is true.
  @Test func `A change of the database is seen by the next question`() throws {
    let made = try database(Self.twoTrips)
    #expect(try journeys(made, "A", "D").count == 1)
    try made.queue.write { db in
      try db.execute(sql: "INSERT INTO gtfs_transfers VALUES ('B', 'B', NULL, NULL, '3', NULL)")
    }
    #expect(try journeys(made, "A", "D").isEmpty)
  }
}
