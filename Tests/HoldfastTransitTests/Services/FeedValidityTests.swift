import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// ST-B18: an app notices that its timetable is out of date.
@Suite struct FeedValidityTests {
  private func instant(_ text: String) throws -> Date {
    try Date(text, strategy: .iso8601)
  }

  private func status(
    _ first: String?, _ last: String?, _ zone: String = "Australia/Sydney",
    services: (String, String)? = nil, at text: String
  ) throws -> FeedValidity.Status {
    try FeedValidity(
      feedStartDate: first.flatMap { ServiceDay($0) }, feedEndDate: last.flatMap { ServiceDay($0) },
      serviceDays: services.flatMap { days in
        ServiceDay(days.0).flatMap { first in ServiceDay(days.1).map { first...$0 } }
      }, timeZone: TimeZone(identifier: zone), at: instant(text)
    ).status
  }

  /// Sydney is 11 hours ahead of UTC in January, and 10 in July.
  @Test(
    arguments: [
      ("2026-01-04T12:59:59Z", .upcoming), ("2026-01-04T13:00:00Z", .valid),
      ("2026-03-01T00:00:00Z", .valid), ("2026-07-31T13:59:59Z", .valid),
      ("2026-07-31T14:00:00Z", .expired), ("2040-01-01T00:00:00Z", .expired),
    ] as [(String, FeedValidity.Status)])
  func `The days begin and end where the agency is`(
    instant: String, status: FeedValidity.Status
  ) throws {
    #expect(try self.status("2026-01-05", "2026-07-31", at: instant) == status)
  }

  @Test func `The days of a change of the clock are whole`() throws {
    // Clocks go back at 16:00 UTC on 4 April 2026, and forward at 16:00 UTC on 3 October.
    for (day, begin, end) in [
      ("2026-04-05", "2026-04-04T13:00:00Z", "2026-04-05T13:59:59Z"),
      ("2026-10-04", "2026-10-03T14:00:00Z", "2026-10-04T12:59:59Z"),
    ] {
      #expect(try status(day, day, at: begin) == .valid)
      #expect(try status(day, day, at: end) == .valid)
      let (before, after) = (try instant(begin) - 1, try instant(end) + 1)
      let zone = TimeZone(identifier: "Australia/Sydney")
      let answers = try [before, after].map {
        try FeedValidity(
          feedStartDate: ServiceDay(day), feedEndDate: ServiceDay(day), serviceDays: nil,
          timeZone: zone, at: $0)
      }
      #expect(answers.map(\.status) == [.upcoming, .expired])
    }
  }

  @Test func `One date is enough, and none is unknown`() throws {
    #expect(try status(nil, "2026-07-31", at: "2020-01-01T00:00:00Z") == .valid)
    #expect(try status(nil, "2026-07-31", at: "2027-01-01T00:00:00Z") == .expired)
    #expect(try status("2026-01-05", nil, at: "2020-01-01T00:00:00Z") == .upcoming)
    #expect(try status("2026-01-05", nil, at: "2099-01-01T00:00:00Z") == .valid)
    #expect(try status(nil, nil, at: "2026-01-01T00:00:00Z") == .unknown)
    #expect(try status("2026-07-31", "2026-01-05", at: "2026-03-01T00:00:00Z") == .unknown)
    #expect(
      try status("2026-01-05", "2026-07-31", "Mars/Olympus", at: "2026-03-01T00:00:00Z") == .unknown
    )
  }

  @Test func `The feed's own days count, or else those of the services`() throws {
    let services = ("2026-02-01", "2026-06-30")
    for (first, last, before, after) in [
      (nil, nil, .upcoming, .expired), ("2026-01-05", nil, .valid, .expired),
      (nil, "2026-07-31", .upcoming, .valid), ("2026-01-05", "2026-07-31", .valid, .valid),
    ] as [(String?, String?, FeedValidity.Status, FeedValidity.Status)] {
      for (instant, expected) in [
        ("2026-01-20T00:00:00Z", before), ("2026-01-31T13:00:00Z", .valid),
        ("2026-06-30T13:59:59Z", .valid), ("2026-06-30T14:00:00Z", after),
      ] {
        #expect(try status(first, last, services: services, at: instant) == expected)
      }
    }
    // The feed itself says when it ends, although its services go on.
    #expect(
      try status("2026-03-01", "2026-04-30", services: services, at: "2026-05-02T00:00:00Z")
        == .expired)
    #expect(
      try status("2027-03-01", "2027-04-30", services: services, at: "2026-05-02T00:00:00Z")
        == .upcoming)
  }

  @Test(arguments: [.nan, .infinity, -.infinity, 1e300, -1e15, 253_402_300_800] as [Double])
  func `An instant outside of the calendar is refused`(seconds: Double) throws {
    let error = try #require(throws: TransitError.self) {
      try FeedValidity(
        feedStartDate: nil, feedEndDate: nil, serviceDays: nil, timeZone: .gmt,
        at: Date(timeIntervalSince1970: seconds))
    }
    #expect(error.code == .outOfRange)
    #expect(error.message.contains("years 1 to 9999"))
  }

  @Test func `The ends of the calendar are answered`() throws {
    #expect(try status("0002-01-05", "9999-12-01", at: "0002-01-01T00:00:00Z") == .upcoming)
    #expect(try status("0002-01-05", "9999-12-01", at: "9999-12-20T00:00:00Z") == .expired)
    #expect(try status("0002-01-05", "9999-12-01", at: "9999-12-31T12:59:59Z") == .expired)
    func day(in zone: String, at seconds: Double) throws -> ServiceDay? {
      try FeedValidity(
        feedStartDate: nil, feedEndDate: nil, serviceDays: nil,
        timeZone: TimeZone(identifier: zone), at: Date(timeIntervalSince1970: seconds)
      ).day
    }
    // The first second of the year 1 and the last one of 9999, in UTC.
    let (first, last) = (-62_135_596_800.0, 253_402_300_799.0)
    #expect(try day(in: "Australia/Sydney", at: first) == ServiceDay("0001-01-01"))
    #expect(try day(in: "America/New_York", at: last) == ServiceDay("9999-12-31"))
    #expect(throws: TransitError.self) { try day(in: "America/New_York", at: first) }
    #expect(throws: TransitError.self) { try day(in: "Australia/Sydney", at: last) }
  }

  @Test func `A database answers with its feed's days and its agency's zone`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("harbour.db")
    try FeedImporter(feed: PortMerrow.folder, output: file).run()
    let answer = { (text: String) in
      try Timetable(at: file).reader.read { db in try FeedValidity(db, at: try instant(text)) }
    }
    let valid = try answer("2026-07-01T12:00:00Z")
    #expect(valid.status == .valid)
    #expect(valid.firstDay == ServiceDay(number: 20_260_101))
    #expect(valid.lastDay == ServiceDay(number: 20_271_231))
    #expect(valid.day == ServiceDay(number: 20_260_702))
    #expect(valid.timeZone?.identifier == "Pacific/Auckland")
    #expect(try answer("2027-12-31T10:59:59Z").status == .valid)
    // Trams of the last day run after midnight.
    #expect(try answer("2027-12-31T11:00:00Z").status == .valid)
    #expect(try answer("2028-01-03T11:00:00Z").status == .expired)
    #expect(try answer("2025-12-31T10:59:59Z").status == .upcoming)
  }

  /// The feed of `SmallFeed` has no `feed_info.txt`.
  @Test func `A feed without dates of its own has those of its services`() throws {
    let timetable = try SmallFeed().timetable(of: [.init(id: "Q", name: "Quay")])
    let validity = try timetable.reader.read { db in
      try FeedValidity(db, at: try instant("2026-12-31T13:00:00Z"))
    }
    #expect(validity.firstDay == ServiceDay(number: 20_260_105))
    #expect(validity.lastDay == ServiceDay(number: 20_261_231))
    #expect(validity.status == .expired)
  }

  @Test func `A database of version 1 is answered from`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("museum.db")
    try FileManager.default.copyItem(
      at: PackageFolder.root.appending(path: "Tests/Museum/timetable-1.db"), to: file)
    let status = try Timetable(at: file).reader.read { db in
      try FeedValidity(db, at: try instant("2026-07-01T12:00:00Z")).status
    }
    #expect(status == .valid)
  }

  @Test func `A damaged zone or no agency is unknown, and not another zone`() throws {
    let feed = try SmallFeed()
    let file = try feed.database(of: [.init(id: "Q", name: "Quay")])
    let queue = try DatabaseQueue(path: file.path)
    for sql in ["UPDATE agency SET agency_timezone = 'nowhere'", "DELETE FROM agency"] {
      try queue.write { db in
        try db.execute(sql: "PRAGMA defer_foreign_keys = 1; UPDATE routes SET aid = NULL; \(sql)")
      }
      let validity = try queue.read { db in
        try FeedValidity(db, at: try instant("2026-07-01T12:00:00Z"))
      }
      #expect(validity.status == .unknown)
      #expect(validity.day == nil && validity.timeZone == nil)
    }
  }

  /// Merged feeds may have agencies in several zones, though GTFS demands one of all.
  @Test func `The last trip arrives in the zone of its own agency`() throws {
    let directory = try TemporaryDirectory()
    let feed = try ImportedFeed(
      stops: "stop_id,stop_name,stop_lat,stop_lon\ns1,One,52.1,13\ns2,Two,52.2,13\n",
      calls: """
        west,23:00:00,23:00:00,s1,1
        west,23:30:00,23:30:00,s2,2

        """,
      files: [
        "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\n"
          + "A,East,https://a.example,Europe/Berlin\nB,West,https://b.example,Europe/London\n",
        "routes.txt": "route_id,agency_id,route_short_name,route_type\nr1,B,1,2\n",
      ], in: directory)
    // 23:30 in London is 00:30 in Berlin.
    for (time, expected) in [
      ("2027-01-01T00:29", .valid), ("2027-01-01T00:30", .expired),
    ] as [(String, FeedValidity.Status)] {
      let status = try feed.queue.read { db in
        try FeedValidity(db, at: try feed.instant(time)).status
      }
      #expect(status == expected, "\(time)")
    }
  }

  /// A trip at 25:00 is one of the day before.
  @Test func `A timetable is valid until the last trip of its last day has arrived`() throws {
    let directory = try TemporaryDirectory()
    let days = "monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date"
    let feed = try ImportedFeed(
      stops: "stop_id,stop_name,stop_lat,stop_lon\ns1,One,52.1,13\ns2,Two,52.2,13\n",
      calls: """
        night,23:50:00,23:50:00,s1,1
        night,25:00:00,25:00:00,s2,2
        early,30:00:00,30:00:00,s1,1
        early,31:00:00,31:00:00,s2,2
        often,00:00:00,00:00:00,s1,1
        often,00:10:00,00:10:00,s2,2

        """,
      files: [
        "calendar.txt": "service_id,\(days)\nD,1,1,1,1,1,1,1,20260101,20261231\n"
          + "E,1,1,1,1,1,1,1,20260101,20261230\n",
        "trips.txt": "route_id,service_id,trip_id\nr1,D,night\nr1,E,early\nr1,D,often\n",
        "frequencies.txt":
          "trip_id,start_time,end_time,headway_secs,exact_times\noften,24:00:00,25:21:00,1200,0\n",
      ], in: directory)
    let status = { (text: String) in
      try feed.queue.read { db in
        let validity = try FeedValidity(db, at: try feed.instant(text))
        return (validity.status, validity.hasService)
      }
    }
    // The last vehicle of the trip that repeats starts at 25:20; the trip at 30:00 does not run on the last day.
    for (time, expected) in [
      ("2026-12-31T23:59", .valid), ("2027-01-01T00:30", .valid), ("2027-01-01T01:29", .valid),
      ("2027-01-01T01:30", .expired), ("2027-01-02T00:30", .expired),
      ("2027-02-01T00:30", .expired),
    ] as [(String, FeedValidity.Status)] {
      #expect(try status(time).0 == expected, "\(time)")
    }
    #expect(try status("2027-01-01T00:30").1 == false)
  }
}
