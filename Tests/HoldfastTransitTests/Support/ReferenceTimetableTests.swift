import Foundation
import HoldfastTestSupport
import Testing

/// The reference itself, against times that were computed by hand.
@Suite struct ReferenceTimetableTests {
  private static func date(_ text: String) throws -> Date {
    try Date(text, strategy: .iso8601)
  }

  private static func times(
    _ feed: TextFeed, _ kind: ReferenceTimetable.Kind = .departures, at stop: String,
    from start: String, hours: Double = 24, includesEnds: Bool = false, includesClosed: Bool = false
  ) throws -> [String] {
    try ReferenceTimetable(feed).events(
      kind, at: stop, from: date(start), seconds: hours * 3600, includesEnds: includesEnds,
      includesClosed: includesClosed
    ).map(\.description)
  }

  // MARK: - Service days

  /// Clocks went from 03:00 (+11:00) to 02:00 (+10:00) on 5 April 2026, so noon minus 12 hours is
  /// 01:00 (+11:00).
  @Test func `On the day clocks go back, times count from noon minus 12 hours`() throws {
    let feed = TextFeed.ferries(
      calls: """
        early,1,A,00:30:00,00:30:00,,,
        early,2,D,00:50:00,00:50:00,,,
        night,1,A,02:30:00,02:30:00,,,
        night,2,D,02:50:00,02:50:00,,,
        over,1,A,26:30:00,26:30:00,,,
        over,2,D,26:50:00,26:50:00,,,
        day,1,A,08:00:00,08:00:00,,,
        day,2,D,08:20:00,08:20:00,,,
        """)
    #expect(
      try Self.times(feed, at: "A", from: "2026-04-05T00:00:00+11:00", hours: 25) == [
        "2026-04-05T01:30:00+11:00 early", "2026-04-05T02:30:00+11:00 over",
        "2026-04-05T02:30:00+10:00 night", "2026-04-05T08:00:00+10:00 day",
      ])
    // On the next day all is as usual.
    #expect(
      try Self.times(feed, at: "A", from: "2026-04-06T00:00:00+10:00") == [
        "2026-04-06T00:30:00+10:00 early", "2026-04-06T02:30:00+10:00 night",
        "2026-04-06T02:30:00+10:00 over", "2026-04-06T08:00:00+10:00 day",
      ])
  }

  /// Clocks went from 02:00 (+10:00) to 03:00 (+11:00) on 4 October 2026, so noon minus 12 hours is
  /// 23:00 (+10:00) of the day before.
  @Test func `On the day clocks go forward, times count from noon minus 12 hours`() throws {
    let feed = TextFeed.ferries(
      calls: """
        early,1,A,00:30:00,00:30:00,,,
        early,2,D,00:50:00,00:50:00,,,
        night,1,A,03:30:00,03:30:00,,,
        night,2,D,03:50:00,03:50:00,,,
        over,1,A,26:30:00,26:30:00,,,
        over,2,D,26:50:00,26:50:00,,,
        """)
    #expect(
      try Self.times(feed, at: "A", from: "2026-10-03T23:00:00+10:00") == [
        "2026-10-03T23:30:00+10:00 early", "2026-10-04T03:30:00+11:00 night",
        "2026-10-04T03:30:00+11:00 over",
      ])
    let events = try ReferenceTimetable(feed).events(
      at: "A", from: Self.date("2026-10-03T23:00:00+10:00"), seconds: 86400)
    #expect(events.map(\.serviceDate) == ["20261004", "20261004", "20261003"])
    #expect(events.map(\.time) == [1800, 12_600, 95_400])
  }

  /// Clocks go forward on 8 March 2026 and back on 1 November 2026 at 02:00.
  @Test func `Western zones change clocks as well`() throws {
    let feed = TextFeed.ferries(
      zone: "America/New_York",
      calls: "day,1,A,08:00:00,08:00:00,,,\nday,2,D,08:20:00,08:20:00,,,\n")
    for (date, time) in [
      ("2026-03-07", "08:00:00-05:00"), ("2026-03-08", "08:00:00-04:00"),
      ("2026-10-31", "08:00:00-04:00"), ("2026-11-01", "08:00:00-05:00"),
    ] {
      #expect(
        try Self.times(feed, at: "A", from: "\(date)T12:00:00Z", hours: 3) == [
          "\(date)T\(time) day"
        ])
    }
  }

  @Test func `A trip of the day before the last one still runs after midnight`() throws {
    let feed = TextFeed.ferries(
      calls: "late,1,A,49:10:00,49:10:00,,,\nlate,2,D,49:30:00,49:30:00,,,\n",
      calendar: "W,1,1,1,1,1,1,1,20260601,20260601\n")
    #expect(
      try Self.times(feed, at: "A", from: "2026-06-03T01:00:00+10:00", hours: 1) == [
        "2026-06-03T01:10:00+10:00 late"
      ])
    #expect(try Self.times(feed, at: "A", from: "2026-06-01T00:00:00+10:00", hours: 48) == [])
  }

  @Test func `Exceptions win over weekdays and the first and last date`() throws {
    let calls = "t,1,A,08:00:00,08:00:00,,,\nt,2,D,08:20:00,08:20:00,,,\n"
    // From Thursday 4 June to Wednesday 10 June, on weekdays; Friday is off, and Sunday is on.
    let feed = TextFeed.ferries(
      calls: calls, calendar: "W,1,1,1,1,1,0,0,20260604,20260610\n",
      exceptions: "W,20260605,2\nW,20260607,1\nW,20260612,1\n")
    let days = [4, 7, 8, 9, 10, 12].map { $0 < 10 ? "0\($0)" : "\($0)" }
    let expected = days.map { "2026-06-\($0)T08:00:00+10:00 t" }
    #expect(
      try Self.times(feed, at: "A", from: "2026-06-01T00:00:00+10:00", hours: 480) == expected)

    let alone = TextFeed.ferries(
      calls: calls, calendar: "", exceptions: "W,20260607,1\nX,20260608,1\n")
    #expect(
      try Self.times(alone, at: "A", from: "2026-06-01T00:00:00+10:00", hours: 480) == [
        "2026-06-07T08:00:00+10:00 t"
      ])
  }

  // MARK: - Calls

  @Test func `Last stops and closed doors are left out`() throws {
    let feed = TextFeed.ferries(
      calls: """
        t,10,A,08:00:00,08:00:00,,1,
        t,20,B,08:10:00,08:11:00,1,,
        t,30,C,08:20:00,08:21:00,2,1,Express
        t,40,D,08:30:00,08:30:00,,,
        """)
    let start = "2026-06-01T00:00:00+10:00"
    func departures(_ stop: String, ends: Bool = false, closed: Bool = false) throws -> [String] {
      try Self.times(feed, at: stop, from: start, includesEnds: ends, includesClosed: closed)
    }
    #expect(try departures("A") == ["2026-06-01T08:00:00+10:00 t"])
    #expect(try departures("B") == [])
    #expect(try departures("B", closed: true) == ["2026-06-01T08:11:00+10:00 t"])
    #expect(try departures("C") == ["2026-06-01T07:51:00+09:30 t"])
    #expect(try departures("D") == [])
    #expect(try departures("D", ends: true) == ["2026-06-01T08:30:00+10:00 t"])

    func arrivals(_ stop: String, ends: Bool = false, closed: Bool = false) throws -> [String] {
      try Self.times(
        feed, .arrivals, at: stop, from: start, includesEnds: ends, includesClosed: closed)
    }
    #expect(try arrivals("A") == [])
    #expect(try arrivals("A", ends: true) == [])
    #expect(try arrivals("A", ends: true, closed: true) == ["2026-06-01T08:00:00+10:00 t"])
    #expect(try arrivals("B") == ["2026-06-01T08:10:00+10:00 t"])
    #expect(try arrivals("C") == [])
    #expect(try arrivals("D") == ["2026-06-01T08:30:00+10:00 t"])

    let event = try #require(
      try ReferenceTimetable(feed).events(at: "C", from: Self.date(start)).first)
    #expect(event.headsign == "Express")
    #expect(event.stopSequence == 30)
    #expect(event.routeID == "F1")
    #expect(event.isExact)
  }

  @Test func `A call without times is spread between its neighbours`() throws {
    // From 08:01 to 08:10 in three parts, in the order of the sequence and not of the file.
    let feed = TextFeed.ferries(
      calls: """
        t,7,D,08:10:00,,,,
        t,1,A,08:00:00,08:01:00,,,
        t,2,B,,,,,
        t,5,C,,,,,
        t,9,A,,,,,
        t,10,B,,,,,
        """)
    let start = "2026-06-01T00:00:00+10:00"
    #expect(try Self.times(feed, at: "A", from: start) == ["2026-06-01T08:01:00+10:00 t"])
    #expect(try Self.times(feed, at: "B", from: start) == ["2026-06-01T08:04:00+10:00 t"])
    #expect(try Self.times(feed, at: "C", from: start) == ["2026-06-01T07:37:00+09:30 t"])
    #expect(try Self.times(feed, at: "D", from: start) == ["2026-06-01T08:10:00+10:00 t"])
    #expect(
      try Self.times(feed, .arrivals, at: "B", from: start) == ["2026-06-01T08:04:00+10:00 t"])

    let thirds = TextFeed.ferries(
      calls: "t,1,A,8:00:00,8:00:00,,,\nt,2,B,,,,,\nt,3,C,,,,,\nt,4,D,8:00:50,8:00:50,,,\n")
    #expect(try Self.times(thirds, at: "B", from: start) == ["2026-06-01T08:00:16+10:00 t"])
    #expect(try Self.times(thirds, at: "C", from: start) == ["2026-06-01T07:30:33+09:30 t"])

    // A row of a flexible service has no stop, and still has its place.
    let flexible = TextFeed.ferries(
      calls: "t,1,A,8:00:00,8:00:00,,,\nt,2,,,,,,\nt,3,C,,,,,\nt,4,D,8:00:50,8:00:50,,,\n")
    #expect(try Self.times(flexible, at: "C", from: start) == ["2026-06-01T07:30:33+09:30 t"])
    #expect(try Self.times(flexible, at: "", from: start) == [])
  }

  @Test func `A trip with frequencies starts every few minutes, and not at its own times`() throws {
    let feed = TextFeed.ferries(
      calls: """
        t,1,A,00:10:00,00:10:00,,,
        t,2,B,00:15:00,00:16:00,,,
        t,3,D,00:30:00,00:30:00,,,
        """,
      frequencies: "t,08:00:00,08:30:00,600,\nt,23:50:00,24:00:01,600,1\n")
    #expect(
      try Self.times(feed, at: "B", from: "2026-06-01T07:00:00+10:00") == [
        "2026-06-01T08:06:00+10:00 t", "2026-06-01T08:16:00+10:00 t", "2026-06-01T08:26:00+10:00 t",
        "2026-06-01T23:56:00+10:00 t", "2026-06-02T00:06:00+10:00 t",
      ])
    let events = try ReferenceTimetable(feed).events(
      at: "B", from: Self.date("2026-06-01T07:00:00+10:00"))
    #expect(events.map(\.isExact) == [false, false, false, true, true])
    #expect(events.map(\.time) == [29_160, 29_760, 30_360, 86_160, 86_760])

    let untimed = TextFeed.ferries(
      calls: "t,1,A,,,,,\nt,2,B,0:15:00,0:16:00,,,\nt,3,D,0:30:00,0:30:00,,,\n",
      frequencies: "t,08:00:00,08:20:00,600,\n")
    #expect(
      try Self.times(untimed, at: "B", from: "2026-06-01T07:00:00+10:00") == [
        "2026-06-01T08:01:00+10:00 t", "2026-06-01T08:11:00+10:00 t",
      ])
  }

  @Test func `A station answers for everything below it, and a stop for itself`() throws {
    let feed = TextFeed.ferries(
      calls: """
        one,1,A,08:00:00,08:00:00,,,
        one,2,D,08:20:00,08:20:00,,,
        two,1,A2,08:05:00,08:05:00,,,
        two,2,D,08:25:00,08:25:00,,,
        three,1,A2a,08:03:00,08:03:00,,,
        three,2,A,08:23:00,08:23:00,,,
        """)
    let start = "2026-06-01T08:00:00+10:00"
    #expect(
      try Self.times(feed, at: "S", from: start, hours: 1) == [
        "2026-06-01T08:00:00+10:00 one", "2026-06-01T08:03:00+10:00 three",
        "2026-06-01T08:05:00+10:00 two",
      ])
    #expect(
      try Self.times(feed, at: "A2", from: start, hours: 1) == [
        "2026-06-01T08:03:00+10:00 three", "2026-06-01T08:05:00+10:00 two",
      ])
    #expect(try Self.times(feed, at: "A", from: start) == ["2026-06-01T08:00:00+10:00 one"])
    // The end of an interval is not part of it.
    #expect(try Self.times(feed, at: "S", from: start, hours: 0.05).count == 1)
    #expect(try Self.times(feed, at: "none", from: start) == [])
  }

  // MARK: - Text

  @Test func `Tables are split as they are written in the wild`() {
    let text = "\u{FEFF} a , b,c\r\n\"1,\"\"x\"\"\",  2 ,3,4\r\n\r\n\"two\nlines\",5\n\n6"
    let table = TextTable(Data(text.utf8), columns: ["c", "a", "missing", "b"])
    #expect(
      table.rows == [["3", "1,\"x\"", "", "2"], ["", "two\nlines", "", "5"], ["", "6", "", ""]])
    #expect(TextTable(Data([0x61, 0x0A, 0xC5]), columns: ["a"]).rows == [["Å"]])
    #expect(TextTable(Data(), columns: ["a"]).rows == [])
  }

  @Test(
    arguments: [
      ("8:00:00", 28_800), ("08:00:01", 28_801), ("125:59:59", 453_599), ("", nil), ("8:00", nil),
      ("8:60:00", nil), ("x:00:00", nil), ("-1:00:00", nil),
    ] as [(String, Int?)])
  func `A time is hours, minutes and seconds`(text: String, seconds: Int?) {
    #expect(ReferenceTimetable.seconds(text) == seconds)
  }

  // MARK: - A feed of others

  /// `CITY1` leaves Stagecoach at 06:00 every 30 minutes until 07:59:59, then every 10 until 09:59:59;
  /// `STBA` leaves every 30 minutes; `CITY2` ends there.
  @Test(.enabled(if: GoogleFeed.isPresent, "the shared feeds are absent"))
  func `The sample feed of the specification is answered from its archive`() throws {
    let folder = try TemporaryDirectory()
    let timetable = try ReferenceTimetable(
      TextFeed(unpacking: GoogleFeed.archive, into: folder.url))
    #expect(timetable.stopIDs.count == 9)
    let events = timetable.events(
      at: "STAGECOACH", from: try Self.date("2008-01-02T06:00:00-08:00"), seconds: 3 * 3600)
    let city = events.filter { $0.tripID == "CITY1" }.map { ($0.time - 6 * 3600) / 60 }
    #expect(city == [0, 30, 60, 90, 120, 130, 140, 150, 160, 170])
    #expect(
      events.filter { $0.tripID == "STBA" }.map { ($0.time - 6 * 3600) / 60 }
        == [0, 30, 60, 90, 120, 150])
    #expect(Set(events.map(\.tripID)) == ["CITY1", "STBA"])
    #expect(events.allSatisfy { $0.offset == -8 * 3600 && !$0.isExact })
  }
}

private enum GoogleFeed {
  static let archive = PackageFolder.shared.appending(path: "data/feeds/sample-feed-google.zip")
  static let isPresent = FileManager.default.fileExists(atPath: archive.path)
}
