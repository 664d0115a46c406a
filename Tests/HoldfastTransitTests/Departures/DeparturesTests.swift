import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Departures are those of the reference, which computes them straight from the text files.
@Suite struct DeparturesTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static func date(_ text: String) throws -> Date {
    try Date(text, strategy: .iso8601)
  }

  /// Such times ended the process.
  @Test func `Times that are all long before their days leave no day without a search`() {
    let zone = TimetableZone(.gmt)
    #expect(zone.days(around: 0...86_400, latest: Int(Int32.min)).count > 0)
  }

  // MARK: - Service days

  /// ST-B16: the days on which clocks change were ignored.
  @Test(arguments: ["Australia/Sydney", "America/New_York", "Europe/London", "Australia/Lord_Howe"])
  func `Times count from noon minus 12 hours on both days on which clocks change`(
    zone: String
  ) throws {
    let calls = ["00:30:00", "01:30:00", "02:30:00", "03:30:00", "26:30:00", "49:10:00"].map {
      "t\($0.prefix(2)),1,A,\($0),\($0),,,\nt\($0.prefix(2)),2,D,\($0),\($0),,,\n"
    }.joined()
    let comparison = try ComparedTimetable(
      TextFeed.ferries(zone: zone, calls: calls), in: directory)
    var count = 0
    for day in ["2026-03-08", "2026-03-29", "2026-04-05", "2026-10-04", "2026-10-25", "2026-11-01"]
    {
      for hour in -30...30 {
        let start = try Self.date("\(day)T00:00:00Z") + Double(hour) * 3600
        count += try comparison.departures("A", from: start, hours: 3).count
      }
    }
    #expect(count > 200)
  }

  /// ST-B16: trips of the day before were shown until 01:00 only.
  @Test func `A trip of earlier days runs after midnight, however long it takes`() throws {
    let comparison = try ComparedTimetable(
      TextFeed.ferries(
        calls: """
          late,1,A,49:10:00,49:10:00,,,
          late,2,B,121:00:00,121:30:00,,,
          late,3,D,122:00:00,122:00:00,,,
          """, calendar: "W,1,1,1,1,1,1,1,20260601,20260601\n"), in: directory)
    let start = try Self.date("2026-06-03T01:00:00+10:00")
    let first = try #require(try comparison.departures("A", from: start, hours: 1).first)
    #expect(first.serviceDay.description == "2026-06-01")
    #expect(first.departureTime.description == "49:10:00")
    #expect(first.departure == (try Self.date("2026-06-03T01:10:00+10:00")))
    let last = try comparison.departures("B", from: try Self.date("2026-06-06T01:00:00+10:00"))
    #expect(last.map(\.arrivalTime.description) == ["121:00:00"])
  }

  /// ST-B16: exceptions were never read.
  @Test func `Exceptions win over weekdays, and exceptions alone make a service`() throws {
    let calls = "t,1,A,08:00:00,08:00:00,,,\nt,2,D,08:20:00,08:20:00,,,\n"
    for (calendar, exceptions, count) in [
      ("W,1,1,1,1,1,0,0,20260604,20260610\n", "W,20260605,2\nW,20260607,1\nW,20260612,1\n", 6),
      ("", "W,20260607,1\nX,20260608,1\n", 1), ("W,1,1,1,1,1,1,1,20260604,20260603\n", "", 0),
      ("", "", 0), ("W,1,1,1,1,1,1,1,00010101,99991231\n", "W,20260607,2\n", 19),
    ] {
      let comparison = try ComparedTimetable(
        TextFeed.ferries(calls: calls, calendar: calendar, exceptions: exceptions), in: directory)
      let start = try Self.date("2026-06-01T00:00:00+10:00")
      #expect(try comparison.departures("A", from: start, hours: 480).count == count)
    }
  }

  // MARK: - Calls

  @Test func `Last stops and stops without pickup are left out unless asked for`() throws {
    let comparison = try ComparedTimetable(
      TextFeed.ferries(
        calls: """
          t,10,A,08:00:00,08:00:00,,1,
          t,20,B,08:10:00,08:11:00,1,,
          t,30,C,08:20:00,08:21:00,2,1,Express
          t,40,D,08:30:00,08:30:00,,,
          """), in: directory)
    let start = try Self.date("2026-06-01T00:00:00+10:00")
    for (stop, usual, all) in [("A", 1, 1), ("B", 0, 1), ("C", 1, 1), ("D", 0, 1)] {
      #expect(try comparison.departures(stop, from: start).count == usual)
      #expect(try comparison.departures(stop, from: start, all: true).count == all)
    }
    let bay = try #require(try comparison.departures("C", from: start).first)
    #expect(bay.headsign == "Express")
    #expect((bay.pickupType, bay.dropOffType, bay.isLastStop) == (2, 1, false))
    #expect(bay.timeZone.identifier == "Australia/Broken_Hill")
    #expect(bay.arrival == (try Self.date("2026-06-01T08:20:00+10:00")))
    #expect((bay.route.routeID, bay.tripID, bay.stop.stopName) == ("F1", "t", "Bay"))
  }

  @Test(arguments: [("", "Australia/Sydney"), ("Pacific/Auckland", "Pacific/Auckland")])
  func `A part of a station has the zone of the station, and not its own`(
    harbourZone: String, expected: String
  ) throws {
    let comparison = try ComparedTimetable(
      TextFeed.ferries(
        harbourZone: harbourZone,
        calls: """
          t,10,A2,08:00:00,08:00:00,,,
          t,20,A2a,08:10:00,08:11:00,,,
          t,30,C,08:20:00,08:21:00,,,

          """), in: directory)
    let start = try Self.date("2026-06-01T00:00:00+10:00")
    for stop in ["A2", "A2a"] {
      let departure = try #require(try comparison.departures(stop, from: start).first)
      #expect(departure.timeZone.identifier == expected, "\(stop)")
    }
  }

  @Test func `Blank times are interpolated, and marked`() throws {
    let comparison = try ComparedTimetable(
      TextFeed.ferries(
        calls: """
          t,7,D,08:10:00,,,,
          t,1,A,08:00:00,08:01:00,,,
          t,2,B,,,,,
          t,5,C,,,,,
          t,9,A,,,,,
          t,10,B,,,,,
          """), in: directory)
    let start = try Self.date("2026-06-01T00:00:00+10:00")
    for stop in ["A", "B", "C", "D"] { try comparison.departures(stop, from: start, all: true) }
    let point = try #require(try comparison.departures("B", from: start).first)
    #expect(point.isInterpolated)
    #expect(point.departureTime.description == "08:04:00")
    #expect(try comparison.departures("A", from: start).map(\.isInterpolated) == [false])
    let trip = try comparison.queue.read { db in try Trip.fetchOne(db, tripID: "t") }
    let calls = try #require(trip?.calls)
    #expect(
      calls.map { $0.departureTime?.description ?? "-" } == [
        "08:01:00", "08:04:00", "08:07:00", "08:10:00", "-", "-",
      ])
    #expect(calls.map(\.isInterpolated) == [false, true, true, false, false, false])
  }

  /// The last times were to be counted on from 24:00.
  @Test func `Nothing is interpolated between times that decrease`() throws {
    let comparison = try ComparedTimetable(
      TextFeed.ferries(
        calls: """
          t,1,A,23:40:00,,,,
          t,2,B,,,,,
          t,3,C,00:20:00,,,,
          t,4,B,,,,,
          t,5,D,00:40:00,,,,
          """), in: directory)
    let start = try Self.date("2026-06-01T00:00:00+10:00")
    for stop in ["A", "B", "C", "D"] { try comparison.departures(stop, from: start, all: true) }
    let trip = try comparison.queue.read { db in try Trip.fetchOne(db, tripID: "t") }
    let calls = try #require(trip?.calls)
    #expect(
      calls.map { $0.departureTime?.description ?? "-" } == [
        "23:40:00", "-", "00:20:00", "00:30:00", "00:40:00",
      ])
    #expect(calls.map(\.isInterpolated) == [false, false, false, true, false])
  }

  @Test func `A trip with frequencies starts every few minutes, and not at its own times`() throws {
    let comparison = try ComparedTimetable(
      TextFeed.ferries(
        calls: """
          t,1,A,00:10:00,00:10:00,,,
          t,2,B,00:15:00,00:16:00,,,
          t,3,D,00:30:00,00:30:00,,,
          u,1,A,,,,,
          u,2,B,00:15:00,00:16:00,,,
          u,3,D,00:30:00,00:30:00,,,
          """,
        frequencies:
          "t,08:00:00,08:30:00,600,\nt,23:50:00,24:00:01,600,1\nu,09:00:00,10:00:00,600,1\n"),
      in: directory)
    for hour in 0..<48 {
      let start = try Self.date("2026-06-01T00:03:20+10:00") + Double(hour) * 1800
      for stop in ["A", "B", "D"] {
        try comparison.departures(stop, from: start, hours: 2, all: true)
        try comparison.departures(stop, from: start, limit: 3)
      }
    }
    let found = try comparison.departures("B", from: try Self.date("2026-06-01T07:00:00+10:00"))
    let repeated = found.prefix { $0.headway != nil }
    #expect(repeated.map(\.headway) == [.seconds(600), .seconds(600), .seconds(600)])
    #expect(found.dropFirst(3).map(\.tripID) == ["u", "u", "u", "u", "u", "u", "t", "t"])
    #expect(found.dropFirst(3).allSatisfy { $0.headway == nil })
    let trip = try comparison.queue.read { db in try Trip.fetchOne(db, tripID: "t") }
    #expect(trip?.frequencies.map(\.isExact) == [false, true])
    #expect(trip?.frequencies.first?.endTime.description == "08:30:00")
  }

  @Test func `A repetition of years needs no time`() throws {
    let comparison = try ComparedTimetable(
      TextFeed.ferries(
        calls: "t,1,A,00:00:00,00:00:00,,,\nt,2,D,00:20:00,00:20:00,,,\n",
        calendar: "", exceptions: "W,20260601,1\n", frequencies: "t,00:00:00,9000:00:00,1,1\n"),
      in: directory)
    let start = try Self.date("2027-01-01T00:00:00+11:00")
    let departures = try comparison.queue.read { db in
      try Departures(at: [1], from: start, limit: 2).fetchAll(db)
    }
    #expect(departures.map(\.departure) == [start, start + 1])
  }

  // MARK: - Stops

  @Test func `A station answers for everything below it, and a set of stops for all of them`()
    throws
  {
    let comparison = try ComparedTimetable(
      TextFeed.ferries(
        harbourZone: "Australia/Broken_Hill",
        calls: """
          one,1,A,08:00:00,08:00:00,,,
          one,2,D,08:20:00,08:20:00,,,
          two,1,A2,08:05:00,08:05:00,,,
          two,2,D,08:25:00,08:25:00,,,
          three,1,A2a,08:03:00,08:03:00,,,
          three,2,A,08:23:00,08:23:00,,,
          loop,1,A,08:30:00,08:30:00,,,
          loop,2,B,08:31:00,08:31:00,,,
          loop,3,A,08:32:00,08:32:00,,,
          loop,4,D,08:33:00,08:33:00,,,
          """), in: directory)
    let start = try Self.date("2026-06-01T08:00:00+10:00")
    for stop in ["S", "A", "A2", "A2a", "B", "C", "D"] {
      for limit in [1, 2, 10_000] {
        try comparison.departures(stop, from: start, limit: limit)
        try comparison.departures(stop, from: start, limit: limit, all: true)
      }
    }
    let sids = ["B", "A", "S", "A2"].compactMap { comparison.written.sids[$0] }
    let set = try comparison.queue.read { db in
      try Departures(at: sids + sids + [999], from: start).fetchAll(db)
    }
    #expect(set.map(\.tripID) == ["one", "three", "two", "loop", "loop", "loop"])
    #expect(set.map(\.stop.stopID) == ["A", "A2a", "A2", "A", "B", "A"])
  }

  @Test func `Departures of one instant have one order, and limits cut it`() throws {
    let calls = (0..<300).map { number in
      let trip = "t\(1000 + number * 7919 % 300)"
      return
        "\(trip),1,A,08:0\(number % 3):00,08:0\(number % 3):00,,,\n\(trip),2,D,09:00:00,09:00:00,,,\n"
    }.joined()
    let comparison = try ComparedTimetable(TextFeed.ferries(calls: calls), in: directory)
    let start = try Self.date("2026-06-01T08:00:00+10:00")
    for limit in [1, 2, 31, 32, 33, 99, 100, 101, 299, 300, 301] {
      try comparison.departures("A", from: start, hours: 1, limit: limit)
    }
  }

  /// ST-10: a stop that is not there has no departures, and is no error.
  @Test(arguments: [(0, 3600.0), (-1, 3600), (20, 0), (20, -5), (.min, 1e300)])
  func `Questions for nothing have no answer`(limit: Int, seconds: Double) throws {
    let comparison = try ComparedTimetable(
      TextFeed.ferries(calls: "t,1,A,08:00:00,08:00:00,,,\nt,2,D,08:20:00,08:20:00,,,\n"),
      in: directory)
    let start = try Self.date("2026-06-01T08:00:00+10:00")
    let duration =
      seconds > 1e18
      ? Duration(secondsComponent: .max, attosecondsComponent: 0)
      : .milliseconds(Int(seconds * 1000))
    let found = try comparison.queue.read { db in
      try Departures(at: [1], from: start, for: duration, limit: limit).fetchAll(db)
    }
    #expect(found.isEmpty)
  }

  @Test(arguments: [.infinity, -.infinity, .nan, 1e30, -1e15])
  func `Instants outside of the calendar have no departures`(seconds: Double) throws {
    let comparison = try ComparedTimetable(
      TextFeed.ferries(calls: "t,1,A,08:00:00,08:00:00,,,\nt,2,D,08:20:00,08:20:00,,,\n"),
      in: directory)
    let found = try comparison.queue.read { db in
      try Departures(at: [1], from: Date(timeIntervalSince1970: seconds)).fetchAll(db)
    }
    #expect(found.isEmpty)
  }

  // MARK: - Databases

  /// The connection keeps what it decodes, but never longer than it is true.
  @Test func `A change of the database is seen by the next question`() throws {
    let comparison = try ComparedTimetable(
      TextFeed.ferries(calls: "t,1,A,08:00:00,08:00:00,,,\nt,2,D,08:20:00,08:20:00,,,\n"),
      in: directory)
    let start = try Self.date("2026-06-01T08:00:00+10:00")
    let question = Departures(at: [1], from: start)
    let name = { try comparison.queue.read { try question.fetchAll($0).map(\.stop.stopName) } }
    #expect(try name() == ["Quay"])
    try comparison.queue.write { db in
      try db.execute(sql: "UPDATE packed_names SET start = 'Pier', rest = ''")
    }
    #expect(try name() == ["Pier"])
    let other = try DatabaseQueue(path: comparison.url.path)
    try other.write { db in
      try db.execute(sql: "UPDATE packed_names SET start = 'Jetty', rest = ''")
    }
    #expect(try name() == ["Jetty"])
    try other.close()
    try comparison.queue.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN; UPDATE packed_names SET start = 'Dock', rest = ''")
      #expect(try question.fetchAll(db).map(\.stop.stopName) == ["Dock"])
      try db.execute(sql: "ROLLBACK")
      #expect(try question.fetchAll(db).map(\.stop.stopName) == ["Jetty"])
    }
  }

  /// Law 6: what is decoded already is observed like what is read.
  @Test(.timeLimit(.minutes(1)))
  func `An observation that begins with a warm cache is told of a commit`() async throws {
    let comparison = try ComparedTimetable(
      TextFeed.ferries(calls: "t,1,A,08:00:00,08:00:00,,,\nt,2,D,08:20:00,08:20:00,,,\n"),
      in: directory)
    let start = try Self.date("2026-06-01T08:00:00+10:00")
    let question = Departures(at: [1], from: start)
    #expect(try await comparison.queue.read { try question.fetchAll($0).count } == 1)
    let observation = ValueObservation.tracking { db in try question.fetchAll(db).count }
    var counts = observation.values(in: comparison.queue).makeAsyncIterator()
    #expect(try await counts.next() == 1)
    try await comparison.queue.write { db in
      try db.execute(sql: "UPDATE services SET weekdays = 0, exceptions = NULL")
    }
    #expect(try await counts.next() == 0)
  }

  @Test func `Exceptions are bounded in number and in time`() throws {
    func bytes(_ days: Range<Int>) -> [UInt8] {
      StoredExceptions(
        days.map {
          StoredExceptions.Exception(
            day: ServiceDay(daysSince1970: $0), isAdded: true, others: 0)
        }
      ).bytes
    }
    #expect(try StoredExceptions(bytes(0..<3), atMost: 3).exceptions.count == 3)
    #expect(throws: DamagedBytes.self) { try StoredExceptions(bytes(0..<3), atMost: 2) }
    #expect(throws: DamagedBytes.self) { try StoredExceptions(bytes(0..<3) + [0]) }
    for day in [-719_163, 2_932_897] {
      #expect(throws: DamagedBytes.self) { try StoredExceptions(bytes(day..<day + 1)) }
    }
    #expect(try StoredExceptions(bytes(2_932_896..<2_932_897)).exceptions.count == 1)
  }

  @Test func `A database of version 1 has no departures, and says what to do`() throws {
    let museum = PackageFolder.root.appending(path: "Tests/Museum/timetable-1.db")
    let copy = directory.file("museum.db")
    try FileManager.default.copyItem(at: museum, to: copy)
    let timetable = try Timetable(at: copy)
    #expect(try !timetable.names(for: "harb").isEmpty)
    for question in [
      { db in _ = try Departures(at: [1], from: .now).fetchAll(db) },
      { db in _ = try Trip.fetchOne(db, tripID: "T1") },
    ] as [(Database) throws -> Void] {
      let error = try #require(throws: TransitError.self) { try timetable.reader.read(question) }
      #expect(error.code == .schemaOlder)
      #expect(
        error.advice?.contains("holdfast transit import FEED OUT.db --previous OLD.db") == true)
      #expect(error.message.contains("museum.db"))
    }
  }

  @Test func `A time zone that the system does not know is an error`() throws {
    let feed = TextFeed.ferries(calls: "t,1,A,08:00:00,08:00:00,,,\nt,2,D,08:20:00,08:20:00,,,\n")
    let queue = try WrittenFeed(feed).database(at: directory.file("zone.db"))
    try queue.write { db in try db.execute(sql: "UPDATE agency SET agency_timezone = 'Mars/Base'") }
    let error = try #require(throws: TransitError.self) {
      try queue.read { db in try Departures(at: [1], from: .now).fetchAll(db) }
    }
    #expect(error.code == .unknownTimeZone)
    #expect(error.message.contains("'Mars/Base'"))
  }

  // MARK: - Real feeds

  private static let feeds = PackageFolder.shared.appending(path: "data/feeds")
  private static let arePresent = FileManager.default.fileExists(atPath: feeds.path)

  /// ST-9, ST-B15: the times of patterns were shown as times of trips.
  @Test(
    .enabled(if: arePresent, "the shared feeds (../shared/data) are absent"),
    arguments: [
      ("caltrain-2016", "2016-11-06"), ("island-transit-2009", "2009-03-08"),
      ("trimet-calendar-dates-only-2014", "2014-06-06"), ("sample-feed-google", "2008-03-09"),
      ("metra-padded-headers", "2023-11-05"),
    ])
  func `Real feeds have the departures of the reference`(name: String, day: String) throws {
    let folder = try TemporaryDirectory()
    let feed = try TextFeed(
      unpacking: Self.feeds.appending(path: "\(name).zip"), into: folder.url)
    let comparison = try ComparedTimetable(feed, in: directory)
    var random = SeededRandom(for: "\(name)")
    let zone = comparison.reference.timeZone
    let midnight = try #require(ServiceDay(day)).start(in: zone)
    var count = 0
    let stops = Set(feed.rows("stop_times.txt", "stop_id").map { $0[0] }).sorted()
    for stop in stops.shuffled(using: &random).prefix(20) {
      for start in [
        midnight, midnight + Double(Int.random(in: -86400...86400, using: &random)),
        midnight + 86400 + Double(Int.random(in: 0...3600, using: &random)),
      ] {
        count += try comparison.departures(stop, from: start).count
        try comparison.departures(stop, from: start, limit: 7, all: true)
        count += try comparison.arrivals(stop, from: start, hours: 3).count
      }
    }
    #expect(count > 0)
  }
}
