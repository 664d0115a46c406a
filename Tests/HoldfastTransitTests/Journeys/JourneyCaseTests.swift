import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTestSupport
import HoldfastTransit
import Testing

/// Journeys at the edges of the specification: the cases in `../shared/cases/transit`, and others of their
/// kinds.
@Suite struct JourneyCaseTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let arePresent = FileManager.default.fileExists(
    atPath: ImportedFeed.folder(ofCase: "inseat-next-day").path)

  private static let stops = """
    stop_id,stop_name,stop_lat,stop_lon
    s1,One,52.0,13.0
    s2,Two,52.02,13.0
    s3,Three,52.04,13.0
    s4,Four,52.06,13.0

    """

  private func shared(_ name: String) throws -> ImportedFeed {
    try ImportedFeed(ImportedFeed.folder(ofCase: name), in: directory)
  }

  // MARK: - Long journeys

  @Test(.enabled(if: arePresent, "the shared cases (../shared/cases) are absent"))
  func `Ships of more than a day are journeys`() throws {
    let feed = try shared("journey-longer-than-24h")
    #expect(
      feed.summary(try feed.journeys("s1", "s2", at: "2026-06-10T20:00"))
        == ["10T20:30 t 12T00:00"])
    #expect(
      feed.summary(try feed.journeys("s1", "s3", at: "2026-06-10T20:00"))
        == ["10T20:30 t 12T23:00"])
    #expect(
      feed.summary(try feed.journeys("s1", "s2", by: "2026-06-12T23:00"))
        == ["10T20:30 t 12T00:00"])
    #expect(
      try feed.journeys("s1", "s2", at: "2026-06-10T20:00") {
        $0.maximumDuration = .seconds(27 * 3600)
      }.isEmpty)
  }

  /// A ship that leaves on Saturdays, in the night in which clocks are put forward.
  @Test func `Waiting does not count, and neither do clocks that change`() throws {
    let feed = try ImportedFeed(
      stops: Self.stops,
      calls: """
        t,23:00:00,23:00:00,s1,1
        t,46:30:00,46:30:00,s2,2
        u,06:00:00,06:00:00,s2,1
        u,07:00:00,07:00:00,s3,2

        """,
      files: [
        "calendar.txt":
          "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
          + "D,0,0,0,0,0,1,0,20260101,20261231\nE,1,1,1,1,1,1,1,20260101,20261231\n",
        "trips.txt": "route_id,service_id,trip_id\nr1,D,t\nr2,E,u\n",
      ], in: directory)
    for change: (inout Journeys) -> Void in [
      { _ in }, { $0.maximumDuration = .seconds(84600) },
    ] {
      // From Wednesday on; the service day of 28 March begins in winter time, and ends in summer time.
      #expect(
        feed.summary(try feed.journeys("s1", "s2", at: "2026-03-25T12:00", change))
          == ["28T23:00 t 29T23:30"])
      #expect(
        feed.summary(try feed.journeys("s1", "s2", by: "2026-04-01T12:00", change))
          == ["28T23:00 t 29T23:30"])
    }
    #expect(
      try feed.journeys("s1", "s2", at: "2026-03-25T12:00") {
        $0.maximumDuration = .seconds(84599)
      }.isEmpty)
    #expect(
      feed.summary(try feed.journeys("s1", "s3", at: "2026-03-28T22:00"))
        == ["28T23:00 t+u 30T07:00"])
    #expect(
      feed.summary(
        try feed.journeys("s1", "s3", at: "2026-03-28T22:00") { $0.window = .seconds(7200) })
        == ["28T23:00 t+u 30T07:00"])
  }

  /// Both were at the same position, so that the walk between two towns was one of 0 meters.
  @Test(arguments: ["0,0", ","])
  func `A walk to a stop whose place is unknown has no length`(place: String) throws {
    let feed = try ImportedFeed(
      stops: "stop_id,stop_name,stop_lat,stop_lon\ns1,One,52.0,13.0\ns2,Two,\(place)\n"
        + "s3,Three,\(place)\ns4,Four,52.2,13.0\n",
      calls: """
        t,08:00:00,08:00:00,s1,1
        t,09:00:00,09:00:00,s2,2
        u,09:30:00,09:30:00,s3,1
        u,10:00:00,10:00:00,s4,2

        """,
      files: [
        "transfers.txt": "from_stop_id,to_stop_id,transfer_type,min_transfer_time\ns2,s3,2,300\n"
      ], in: directory)
    let found = try feed.journeys("s1", "s4", at: "2026-06-10T07:00")
    #expect(feed.summary(found) == ["10T08:00 t+u 10T10:00"])
    let walks = found.flatMap(\.legs).compactMap { leg -> Journey.Walk? in
      if case .walk(let walk) = leg { walk } else { nil }
    }
    #expect(walks.count == 1 && walks.allSatisfy { $0.distance == nil })
    #expect(walks.first?.duration == .seconds(300))
  }

  /// Two stops of unknown places, which a feed has at 0, 0, are not next to each other.
  @Test func `Nobody walks between stops whose places are unknown`() throws {
    let feed = try ImportedFeed(
      stops: """
        stop_id,stop_name,stop_lat,stop_lon
        s1,One,52.0,13.0
        s2,Two,0,0
        s3,Three,0.0,0
        s4,Four,0,0.001

        """,
      calls: """
        t,08:00:00,08:00:00,s1,1
        t,09:00:00,09:00:00,s2,2
        u,09:30:00,09:30:00,s3,1
        u,10:00:00,10:00:00,s4,2
        v,11:00:00,11:00:00,s2,1
        v,12:00:00,12:00:00,s3,2

        """, in: directory)
    #expect(
      try feed.summary(feed.journeys("s1", "s3", at: "2026-06-10T07:00")) == [
        "10T08:00 t+v 10T12:00"
      ])
    #expect(
      try feed.summary(feed.journeys("s2", "s3", at: "2026-06-10T07:00")) == ["10T11:00 v 10T12:00"]
    )
    // No way on foot from s2, which is not 111 meters from s4.
    #expect(
      try feed.summary(feed.journeys("s1", "s4", at: "2026-06-10T07:00")) == [
        "10T08:00 t+v+u 11T10:00"
      ])
  }

  @Test func `A direct ship is an answer next to a journey with changes that is not half as long`()
    throws
  {
    let feed = try ImportedFeed(
      stops: Self.stops,
      calls: """
        t,08:00:00,08:00:00,s1,1
        t,38:00:00,38:00:00,s3,2
        a,08:00:00,08:00:00,s1,1
        a,18:00:00,18:00:00,s2,2
        b,18:30:00,18:30:00,s2,1
        b,28:00:00,28:00:00,s3,2
        c,08:00:00,08:00:00,s2,1
        c,09:00:00,09:00:00,s4,2
        d,09:30:00,09:30:00,s4,1
        d,10:00:00,10:00:00,s3,2
        e,06:00:00,06:00:00,s2,1
        e,56:00:00,56:00:00,s3,2

        """, in: directory)
    #expect(
      feed.summary(try feed.journeys("s1", "s3", at: "2026-06-10T08:00"))
        == ["10T08:00 a+b 11T04:00", "10T08:00 t 11T14:00"])
    // Fifty hours are more than twice two hours.
    #expect(
      feed.summary(try feed.journeys("s2", "s3", at: "2026-06-10T06:00"))
        == ["10T08:00 c+d 10T10:00", "10T18:30 b 11T04:00"])
  }

  // MARK: - Staying seated

  @Test(.enabled(if: arePresent, "the shared cases (../shared/cases) are absent"))
  func `Riders stay seated into the next service day`() throws {
    let feed = try shared("inseat-next-day")
    let found = try feed.journeys("s1", "s3", at: "2026-06-10T23:30")
    #expect(feed.summary(found) == ["10T23:40 ta+=tb 11T00:20"])
    #expect(found.first?.changes == 0)
    #expect(found.first?.rides.map(\.serviceDay.description) == ["2026-06-10", "2026-06-11"])
    #expect(
      feed.summary(try feed.journeys("s1", "s3", by: "2026-06-11T00:20"))
        == ["10T23:40 ta+=tb 11T00:20"])
    #expect(
      feed.summary(
        try feed.journeys("s1", "s3", at: "2026-06-10T23:30") {
          $0.window = .seconds(3600)
          $0.maximumChanges = 0
        }) == ["10T23:40 ta+=tb 11T00:20"])
  }

  /// The trips of a vehicle on a weekday, on a weekend, and over two midnights.
  private func chain(
    _ transfers: String, lastOfFirst: String = "24:00:00", trips: String? = nil,
    zone: String = "Europe/Berlin"
  ) throws -> ImportedFeed {
    try ImportedFeed(
      stops: Self.stops,
      calls: """
        ta,23:40:00,23:40:00,s1,1
        ta,\(lastOfFirst),\(lastOfFirst),s2,2
        tb,00:00:30,00:00:30,s2,1
        tb,00:20:00,00:20:00,s3,2
        tc,00:20:00,00:20:00,s3,1
        tc,00:30:00,00:30:00,s4,2

        """,
      files: [
        "transfers.txt":
          "from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type\n" + transfers,
        "agency.txt":
          "agency_id,agency_name,agency_url,agency_timezone\nA,Agency,https://a.example,\(zone)\n",
        "calendar.txt":
          "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
          + "D,1,1,1,1,1,1,1,20260101,20261231\nF,0,0,0,0,1,0,0,20260101,20261231\n"
          + "S,0,0,0,0,0,1,0,20260101,20261231\n",
      ].merging(trips.map { ["trips.txt": "route_id,service_id,trip_id\n" + $0] } ?? [:]) { $1 },
      in: directory)
  }

  @Test func `A vehicle goes on as the trip of the first day that begins after the other one`()
    throws
  {
    let stays = ",,ta,tb,4\n,,tb,tc,4\n"
    let all = try chain(stays)
    #expect(
      feed(all, "s1", "s4", "2026-06-10T23:30") == ["10T23:40 ta+=tb+=tc 11T00:30"])
    // Friday's trip, and that of Saturday.
    let weekend = try chain(stays, trips: "r1,F,ta\nr1,S,tb\nr1,S,tc\n")
    #expect(feed(weekend, "s1", "s4", "2026-06-12T23:30") == ["12T23:40 ta+=tb+=tc 13T00:30"])
    #expect(
      weekend.summary(
        try weekend.journeys("s1", "s4", by: "2026-06-13T00:30") { $0.maximumChanges = 0 })
        == ["12T23:40 ta+=tb+=tc 13T00:30"])
    // The vehicle does not wait for the trip of another day.
    let parted = try chain(stays, trips: "r1,F,ta\nr1,F,tb\nr1,F,tc\n")
    #expect(
      try parted.journeys("s1", "s4", at: "2026-06-12T23:30") { $0.maximumChanges = 0 }.isEmpty)
    let long = try chain(stays, lastOfFirst: "47:50:00")
    #expect(feed(long, "s1", "s4", "2026-06-10T23:30") == ["10T23:40 ta+=tb+=tc 12T00:30"])
    let forbidden = try chain(stays + ",,ta,tb,5\n")
    #expect(
      try forbidden.journeys("s1", "s3", at: "2026-06-10T23:30") { $0.maximumChanges = 0 }.isEmpty)
    // In the night in which clocks are put back, a service day has 25 hours.
    let autumn = try chain(stays, lastOfFirst: "24:30:00")
    #expect(feed(autumn, "s1", "s4", "2026-10-24T23:30") == ["24T23:40 ta+=tb+=tc 25T01:30"])
    #expect(
      try autumn.journeys("s1", "s4", at: "2026-10-25T23:30") { $0.maximumChanges = 0 }.isEmpty)
  }

  private func feed(
    _ feed: ImportedFeed, _ from: String, _ to: String, _ start: String
  ) -> [String] {
    let found = try? feed.journeys(from, to, at: start) { $0.maximumChanges = 0 }
    return feed.summary(found ?? [])
  }

  /// A vehicle that has no end, as some feeds say.
  @Test func `A circle of trips has an end`() throws {
    let feed = try chain(",,ta,tb,4\n,,tb,ta,4\n")
    #expect(
      self.feed(feed, "s1", "s3", "2026-06-10T23:30") == ["10T23:40 ta+=tb 11T00:20"])
    #expect(try feed.journeys("s1", "s4", at: "2026-06-10T23:30") { $0.maximumChanges = 0 }.isEmpty)
  }

  // MARK: - Times that decrease

  @Test(.enabled(if: arePresent, "the shared cases (../shared/cases) are absent"))
  func `No journey arrives before it departs`() throws {
    let feed = try shared("journey-arrives-before-departure")
    #expect(try feed.journeys("s1", "s2", at: "2026-06-10T18:00").isEmpty)
    #expect(try feed.journeys("s1", "s3", at: "2026-06-10T18:00").isEmpty)
    #expect(try feed.journeys("s1", "s2", by: "2026-06-11T18:00").isEmpty)
  }

  @Test func `Calls that are earlier than one before them are left out`() throws {
    let feed = try ImportedFeed(
      stops: Self.stops,
      calls: """
        t,08:00:00,08:00:00,s1,1
        t,07:10:00,07:10:00,s2,2
        t,,,s2,3
        t,08:20:00,08:20:00,s3,4
        t,08:40:00,08:30:00,s4,5
        u,08:00:00,08:00:00,s2,1
        u,08:10:00,08:05:00,s4,2
        u,09:00:00,09:00:00,s1,3
        f,00:10:00,00:10:00,s4,1
        f,00:00:00,00:00:00,s2,2
        f,00:30:00,00:30:00,s1,3

        """,
      files: [
        "frequencies.txt":
          "trip_id,start_time,end_time,headway_secs,exact_times\nf,10:00:00,11:00:00,1800,1\n"
      ],
      in: directory)
    #expect(
      feed.summary(try feed.journeys("s1", "s3", at: "2026-06-10T06:00")) == ["10T08:00 t 10T08:20"]
    )
    #expect(try feed.journeys("s2", "s3", at: "2026-06-10T06:00") { $0.maximumChanges = 0 }.isEmpty)
    #expect(try feed.journeys("s1", "s4", at: "2026-06-10T06:00") { $0.maximumChanges = 0 }.isEmpty)
    #expect(try feed.journeys("s2", "s4", at: "2026-06-10T06:00") { $0.maximumChanges = 0 }.isEmpty)
    #expect(
      feed.summary(try feed.journeys("s2", "s1", at: "2026-06-10T07:59")) == ["10T08:00 u 10T09:00"]
    )
    #expect(try feed.journeys("s4", "s2", at: "2026-06-10T09:30").isEmpty)
    #expect(
      feed.summary(try feed.journeys("s4", "s1", at: "2026-06-10T10:10")) == ["10T10:30 f 10T10:50"]
    )
    let ride = try feed.journeys("s1", "s3", at: "2026-06-10T06:00") {
      $0.includesIntermediateCalls = true
    }.first?.rides.first
    #expect(ride?.intermediateCalls.map(\.arrival) == [nil, nil])
  }

  // MARK: - One departure

  @Test(arguments: [
    ("", "a+b 10T08:30"), ("s2,s2,a,b,2\n", "a+b 10T08:30"), ("s2,s2,a,c,2\n", "a+b 10T08:30"),
    ("s2,s2,a,b,3\n", "a+c 10T08:40"),
  ])
  func `Of several arrivals of the latest departure the earliest is the answer`(
    rules: String, answer: String
  ) throws {
    let feed = try ImportedFeed(
      stops: Self.stops,
      calls: """
        a,08:00:00,08:00:00,s1,1
        a,08:10:00,08:10:00,s2,2
        b,08:15:00,08:15:00,s2,1
        b,08:30:00,08:30:00,s3,2
        c,08:20:00,08:20:00,s2,1
        c,08:40:00,08:40:00,s3,2

        """,
      files: [
        "trips.txt": "route_id,service_id,trip_id\nr1,D,a\nr1,D,b\nr2,D,c\n",
        "transfers.txt":
          "from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type\n" + rules,
      ], in: directory)
    for window in [Duration.zero, .seconds(3600)] {
      let found = try feed.journeys("s1", "s3", by: "2026-06-10T09:00") { $0.window = window }
      #expect(feed.summary(found) == ["10T08:00 \(answer)"])
    }
  }

  @Test(arguments: [
    ("", "10T08:05 c+b"), ("s2,s2,c,b,2\n", "10T08:05 c+b"), ("s2,s2,a,b,2\n", "10T08:05 c+b"),
    ("s2,s2,c,b,3\n", "10T08:00 a+b"),
  ])
  func `Of several departures to the earliest arrival the latest is the answer`(
    rules: String, answer: String
  ) throws {
    let feed = try ImportedFeed(
      stops: Self.stops,
      calls: """
        a,08:00:00,08:00:00,s1,1
        a,08:10:00,08:10:00,s2,2
        c,08:05:00,08:05:00,s1,1
        c,08:12:00,08:12:00,s2,2
        b,08:15:00,08:15:00,s2,1
        b,08:30:00,08:30:00,s3,2

        """,
      files: [
        "trips.txt": "route_id,service_id,trip_id\nr1,D,a\nr1,D,b\nr2,D,c\n",
        "transfers.txt":
          "from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type\n" + rules,
      ], in: directory)
    for window in [Duration.zero, .seconds(3600)] {
      let found = try feed.journeys("s1", "s3", at: "2026-06-10T07:55") { $0.window = window }
      #expect(feed.summary(found) == ["\(answer) 10T08:30"])
    }
  }

  /// Riders who depart first reach one platform, and no later ones reach the other sooner.
  @Test(arguments: [["p1", "p2"], ["p2", "p1"]])
  func `The latest departure may arrive at another platform`(platforms: [String]) throws {
    let feed = try ImportedFeed(
      stops: """
        stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
        s1,One,52.0,13.0,,
        s2,Two,52.02,13.0,,
        s3,Three,52.04,13.0,1,
        p1,Three,52.04,13.0,,s3
        p2,Three,52.04,13.0,,s3

        """,
      calls: """
        a,08:00:00,08:00:00,s1,1
        a,08:10:00,08:10:00,s2,2
        b,08:05:00,08:05:00,s1,1
        b,08:17:00,08:17:00,s2,2
        c,08:15:00,08:15:00,s2,1
        c,08:30:00,08:30:00,\(platforms[0]),2
        d,08:20:00,08:20:00,s2,1
        d,08:30:00,08:30:00,\(platforms[1]),2

        """, in: directory)
    let found = try feed.journeys("s1", "s3", at: "2026-06-10T07:55")
    #expect(feed.summary(found) == ["10T08:05 b+d 10T08:30"])
  }

  // MARK: - Loops

  @Test func `Riders board a loop trip where it comes by last, and alight where it does first`()
    throws
  {
    let feed = try ImportedFeed(
      stops: Self.stops,
      calls: """
        loop,08:00:00,08:00:00,s1,1
        loop,08:10:00,08:10:00,s2,2
        loop,08:30:00,08:30:00,s1,3
        loop,08:40:00,08:40:00,s3,4
        loop,08:50:00,08:50:00,s2,5
        loop,09:00:00,09:00:00,s3,6
        feeder,07:00:00,07:00:00,s4,1
        feeder,07:50:00,07:50:00,s1,2
        later,07:30:00,07:30:00,s4,1
        later,08:20:00,08:20:00,s1,2

        """, in: directory)
    #expect(
      feed.summary(try feed.journeys("s1", "s3", at: "2026-06-10T07:00")) == [
        "10T08:30 loop 10T08:40"
      ])
    // The feeder of the later visit is of one pattern with the other one, and riders leave later.
    #expect(
      feed.summary(try feed.journeys("s4", "s3", at: "2026-06-10T06:30")) == [
        "10T07:30 later+loop 10T08:40"
      ])
    #expect(
      feed.summary(try feed.journeys("s1", "s3", by: "2026-06-10T10:00")) == [
        "10T08:30 loop 10T08:40"
      ])
    #expect(
      feed.summary(try feed.journeys("s1", "s2", at: "2026-06-10T07:00")) == [
        "10T08:00 loop 10T08:10"
      ])
    #expect(
      feed.summary(
        try feed.journeys("s1", "s3", at: "2026-06-10T07:00") { $0.window = .seconds(7200) })
        == ["10T08:30 loop 10T08:40"])
  }
}
