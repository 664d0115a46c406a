import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Names in the rider's language.
@Suite struct TranslationsTests {
  private static let rows = """
    table_name,field_name,language,translation,record_id,record_sub_id,field_value
    stops,stop_name,en,Shrine,J,,
    stops,stop_name,en,Temple,,,神社
    stops,stop_name,fr,Sanctuaire,J,,
    stops,stop_name,fr-CH,Sanctuaire suisse,J,,
    stops,stop_name,en,Harbour,,,港
    stops,stop_desc,en,Wrong field,P,,
    routes,route_long_name,en,Bay Line,F1,,
    trips,trip_headsign,en,City,,,市内

    """

  private func timetable(
    feedLanguage: String = "ja", files: [String: String] = [:]
  ) throws -> Timetable {
    try SmallFeed().timetable(
      of: [
        .init(id: "J", name: "神社"), .init(id: "J2", name: "神社"), .init(id: "P", name: "港"),
        .init(id: "K", name: "駅", position: "-33.9,151.3"),
      ], routes: "F1,HF,F1,湾線,4,\n",
      files: [
        "translations.txt": Self.rows,
        "feed_info.txt": """
        feed_publisher_name,feed_publisher_url,feed_lang
        Harbour,https://example.org,\(feedLanguage)

        """,
      ].merging(files) { $1 })
  }

  @Test(arguments: [
    (["en"], "Shrine"), (["en-AU"], "Shrine"), (["EN_us"], "Shrine"), (["fr"], "Sanctuaire"),
    (["fr-CA"], "Sanctuaire"), (["fr-CH"], "Sanctuaire suisse"),
    (["fr-CH-1996"], "Sanctuaire suisse"), (["de", "fr"], "Sanctuaire"), (["de"], "神社"),
    ([], "神社"), (["ja", "en"], "神社"), (["ja-JP", "en"], "神社"), (["f"], "神社"),
  ])
  func `The most preferred language is chosen`(languages: [String], name: String) throws {
    let timetable = try timetable()
    try timetable.reader.read { db in
      let stop = try #require(try Stop.fetchOne(db, stopID: "J"))
      #expect(try Translations(languages).translating(stop, db).stopName == name)
    }
  }

  @Test func `A row of the record comes before one of the text`() throws {
    let timetable = try timetable()
    let names = try timetable.reader.read { db in
      try ["J", "J2", "P", "K"].map { id in
        let stop = try #require(try Stop.fetchOne(db, stopID: id))
        return try Translations(["en"]).translating(stop, db).stopName
      }
    }
    #expect(names == ["Shrine", "Temple", "Harbour", "駅"])
  }

  /// A feed in several languages is in none of them.
  @Test func `A feed of many languages is always translated`() throws {
    let timetable = try timetable(feedLanguage: "mul")
    try timetable.reader.read { db in
      let stop = try #require(try Stop.fetchOne(db, stopID: "J"))
      #expect(try Translations(["ja", "en"]).translating(stop, db).stopName == "Shrine")
    }
  }

  /// Each feed of a database has its own row, and its own agencies.
  @Test(arguments: [
    ("ja", "de", "Shrine"), ("ja", "mul", "Shrine"), ("ja", "JA-jp", "神社"), ("ja", "", "神社"),
  ])
  func `Feeds in several languages are always translated`(
    one: String, other: String, name: String
  ) throws {
    let description = """
      feed_publisher_name,feed_publisher_url,feed_lang,tag
      Harbour,https://example.org,\(one),
      City,https://example.org,\(other),
      Nobody,https://example.org,,one of the publisher's own

      """
    let agencies = """
      agency_id,agency_name,agency_url,agency_timezone,agency_lang
      HF,Harbour Ferries,https://example.org,Australia/Sydney,\(one)
      CT,City Trams,https://example.org,Australia/Sydney,\(other)

      """
    let header = "feed_publisher_name,feed_publisher_url,feed_lang\n"
    for files in [
      ["feed_info.txt": description], ["feed_info.txt": header, "agency.txt": agencies],
    ] {
      let timetable = try timetable(files: files)
      try timetable.reader.read { db in
        let stop = try #require(try Stop.fetchOne(db, stopID: "J"))
        #expect(try Translations(["ja", "en"]).translating(stop, db).stopName == name)
      }
    }
  }

  @Test func `Routes are translated`() throws {
    let timetable = try timetable()
    try timetable.reader.read { db in
      let route = try #require(try Route.fetchAll(db).first)
      let translated = try Translations(["en"]).translating(route, db)
      #expect(translated.routeLongName == "Bay Line" && translated.routeShortName == "F1")
      #expect(try Translations(["fr"]).translating(route, db) == route)
    }
  }

  /// A trip over J, P and K to J2, on weekdays; two stops have headsigns of their own, of which a row with `part`
  /// as its `record_sub_id` translates the second one.
  private func timetableWithTrip(part: String = "2") throws -> Timetable {
    let rows = """
      trips,trip_short_name,en,Fast,T1,,
      trips,trip_headsign,en,Downtown,T1,,
      stop_times,stop_headsign,en,Loop,T1,\(part),

      """
    return try timetable(files: [
      "translations.txt": Self.rows + rows,
      "trips.txt": """
      route_id,service_id,trip_id,trip_headsign,trip_short_name
      F1,W,T1,市内,快速

      """,
      "stop_times.txt": """
      trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign
      T1,08:00:00,08:00:00,J,1,港湾
      T1,08:10:00,08:10:00,P,2,環状
      T1,08:20:00,08:20:00,K,3,
      T1,08:30:00,08:30:00,J2,4,

      """,
    ])
  }

  @Test func `Trips are translated, and their stops`() throws {
    let timetable = try timetableWithTrip()
    let english = Translations(["en"])
    try timetable.reader.read { db in
      let own = try #require(try Trip.fetchOne(db, tripID: "T1"))
      let trip = try english.translating(own, db)
      #expect(trip.route.routeLongName == "Bay Line")
      // The row of a stop's headsign is not one of the trip's.
      #expect((trip.tripHeadsign, trip.tripShortName) == ("Downtown", "Fast"))
      #expect(trip.calls.map(\.stop?.stopName) == ["Shrine", "Harbour", "駅", "Temple"])
      // Nor is that of the trip one of a stop's.
      #expect(trip.calls.map(\.stopHeadsign) == ["港湾", "Loop", nil, nil])
      let day = try #require(ServiceDay("2026-07-24"))
      let ofRoute = try #require(try RouteTrips(of: own.route.rid, on: day).fetchAll(db).first)
      let translated = try english.translating(ofRoute, db)
      #expect((translated.tripHeadsign, translated.tripShortName) == ("Downtown", "Fast"))
      #expect(
        (translated.origin?.stopName, translated.destination?.stopName) == ("Shrine", "Temple"))
      #expect(try Translations(["ja"]).translating(ofRoute, db) == ofRoute)
    }
  }

  /// The `stop_sequence` of a call is a number, however a file writes it.
  @Test(arguments: [
    ("2", "Loop"), ("02", "Loop"), ("0002", "Loop"), ("+2", "Loop"), ("02x", "環状"), ("20", "環状"),
    ("-2", "環状"),
  ]) func `A stop's headsign is found by its number`(part: String, headsign: String) throws {
    let timetable = try timetableWithTrip(part: part)
    try timetable.reader.read { db in
      let own = try #require(try Trip.fetchOne(db, tripID: "T1"))
      let trip = try Translations(["en"]).translating(own, db)
      #expect(trip.calls.map(\.stopHeadsign) == ["港湾", headsign, nil, nil])
    }
  }

  @Test func `Departures have the headsign of the stop or of the trip`() throws {
    let timetable = try timetableWithTrip()
    try timetable.reader.read { db in
      let start = Date(timeIntervalSince1970: 1_784_843_400)  // 2026-07-24, 07:50 in Sydney.
      let found = try ["J", "P", "K"].map { id in
        let stop = try #require(try Stop.fetchOne(db, stopID: id))
        let own = try #require(try Departures(at: [stop.sid], from: start).fetchAll(db).first)
        return try Translations(["en"]).translating(own, db)
      }
      #expect(found.map(\.headsign) == ["港湾", "Loop", "Downtown"])
      #expect(found.map(\.tripShortName) == ["Fast", "Fast", "Fast"])
    }
  }

  @Test func `Journeys are translated`() throws {
    let timetable = try timetableWithTrip()
    try timetable.reader.read { db in
      let sids = try ["J", "P", "K"].map { try #require(try Stop.fetchOne(db, stopID: $0)).sid }
      let start = Date(timeIntervalSince1970: 1_784_843_400)  // 2026-07-24, 07:50 in Sydney.
      func journey(_ from: Int, _ to: Int) throws -> Journey {
        var question = Journeys(from: .stop(sids[from]), to: .stop(sids[to]), .departing(start))
        question.walking.radius = try Distance(meters: 0)
        question.includesIntermediateCalls = true
        let journey = try #require(try question.fetchAll(db).first)
        #expect(try Translations(["ja"]).translating(journey, db) == journey)
        return try Translations(["en"]).translating(journey, db)
      }
      let ride = try #require(try journey(0, 2).rides.first)
      #expect((ride.headsign, ride.tripShortName) == ("港湾", "Fast"))
      #expect(ride.route.routeLongName == "Bay Line")
      #expect(
        ([ride.board] + ride.intermediateCalls + [ride.alight]).map(\.stop.stopName)
          == ["Shrine", "Harbour", "駅"])
      #expect(try journey(1, 2).rides.map(\.headsign) == ["Loop"])
    }
  }

  @Test func `Walks are translated`() throws {
    let timetable = try timetable()
    try timetable.reader.read { db in
      let sids = try ["J", "P"].map { try #require(try Stop.fetchOne(db, stopID: $0)).sid }
      let start = Date(timeIntervalSince1970: 1_784_843_400)
      let own = try #require(
        try Journeys(from: .stop(sids[0]), to: .stop(sids[1]), .departing(start)).fetchAll(db).first
      )
      let walks = try Translations(["en"]).translating(own, db).legs.compactMap { leg in
        if case .walk(let walk) = leg { walk } else { nil as Journey.Walk? }
      }
      #expect(walks.map(\.from?.stopName) == ["Shrine"] && walks.map(\.to?.stopName) == ["Harbour"])
    }
  }

  @Test func `A stop is found by its name in any language`() throws {
    let timetable = try timetable()
    let found = { (text: String, languages: [String]) in
      var search = StopSearch(text)
      search.languages = languages
      return try timetable.reader.read { db in try search.fetchAll(db).map(\.stopName) }
    }
    #expect(try found("harb", []) == ["港"])
    #expect(try found("harb", ["en-NZ", "ja"]) == ["Harbour"])
    #expect(try found("港", ["en"]) == ["Harbour"])
    #expect(try found("sanctuaire s", []) == ["神社"])
    #expect(try found("temple", []) == ["神社", "神社"])
    #expect(try found("wrong", []) == [])
  }

  @Test func `A timetable without translations stays as it is`() throws {
    let timetable = try SmallFeed().timetable(named: ["Quay"])
    try timetable.reader.read { db in
      let stop = try #require(try Stop.fetchAll(db).first)
      #expect(try Translations(["fr"]).translating(stop, db) == stop)
    }
  }

  @Test func `Booking rules and groups of stops are translated`() throws {
    let directory = try TemporaryDirectory()
    let feed = try ImportedFeed(
      stops: "stop_id,stop_name,stop_lat,stop_lon\na,A,52.0,13.0\nb,B,52.1,13.0\n", calls: "",
      files: [
        "trips.txt": "route_id,service_id,trip_id\nr1,D,t\nr1,D,u\n",
        "stop_times.txt": """
        trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type,\
        pickup_booking_rule_id,drop_off_booking_rule_id,location_group_id,\
        start_pickup_drop_off_window,end_pickup_drop_off_window
        t,08:00:00,08:00:00,a,1,2,,rule,,,,
        t,08:30:00,08:30:00,b,2,,2,,rule,,,
        u,,,,1,2,2,rule,rule,group,08:00:00,18:00:00
        u,,,,2,2,2,rule,rule,group,08:00:00,18:00:00

        """,
        "booking_rules.txt":
          "booking_rule_id,booking_type,message,phone_number\nrule,0,Bitte anrufen,+49 1\n",
        "location_groups.txt": "location_group_id,location_group_name\ngroup,Dorf\n",
        "location_group_stops.txt": "location_group_id,stop_id\ngroup,b\n",
        "feed_info.txt":
          "feed_publisher_name,feed_publisher_url,feed_lang\nP,https://p.example,de\n",
        "translations.txt": """
        table_name,field_name,language,translation,record_id,record_sub_id,field_value
        booking_rules,message,en,Please call,rule,,
        booking_rules,phone_number,en,+49 2,rule,,
        location_groups,location_group_name,en,Village,,,Dorf

        """,
      ], in: directory)
    let english = Translations(["en"])
    try feed.queue.read { db in
      let trip = try english.translating(try #require(try Trip.fetchOne(db, tripID: "u")), db)
      #expect(trip.calls.map(\.areaName) == ["Village", "Village"])
      #expect(trip.calls.map(\.pickupBookingRule?.message) == ["Please call", "Please call"])
      #expect(trip.calls.map(\.dropOffBookingRule?.message) == ["Please call", "Please call"])
      #expect(trip.calls.map(\.pickupBookingRule?.phoneNumber) == ["+49 2", "+49 2"])
    }
    let start = try feed.instant("2026-06-10T07:00")
    let (from, to) = (try feed.sid("a"), try feed.sid("b"))
    let journey = try #require(try feed.journeys("a", "b", at: "2026-06-10T07:00").first)
    try feed.queue.read { db in
      let departure = try Departures(at: [from], from: start, limit: 1).fetchAll(db).first
      let arrival = try Arrivals(at: [to], from: start, limit: 1).fetchAll(db).first
      let ride = try #require(try english.translating(journey, db).rides.first)
      let rules = [
        try english.translating(try #require(departure), db).bookingRule,
        try english.translating(try #require(arrival), db).bookingRule,
        ride.board.pickupBookingRule, ride.alight.dropOffBookingRule,
      ]
      #expect(rules.map { $0?.message } == Array(repeating: "Please call", count: 4))
      #expect(departure?.bookingRule?.message == "Bitte anrufen")
    }
  }
}
