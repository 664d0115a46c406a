import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// `transit journey`, against the sample feed.
@Suite struct TransitJourneyTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// The last stop of the trip that leaves stop 2001 at six.
  private func lastStop() throws -> (stopID: String, arrival: String) {
    let calls = try place.run(
      "transit", "trip", "harbour.db", "T1-WD-0-0600", "--date", "2026-07-24", "--json"
    ).objects
    let last = try #require(calls.last)
    return (
      try #require(last["stop_id"] as? String), try #require(last["arrival"] as? String)
    )
  }

  @Test func aJourneyIsATableOfItsLegs() throws {
    let end = try lastStop()
    let found = try place.run(
      "transit", "journey", "harbour.db", "2001", end.stopID, "--at", "2026-07-24T06:00",
      "--changes", "0")
    #expect(found.errors == "")
    #expect(found.status == 0)
    let lines = found.output.split(separator: "\n")
    #expect(lines.count == 3 && lines.first == "Friday 2026-07-24, UTC+12:00")
    let arrival = end.arrival.dropFirst("2026-07-24T".count).prefix(5)
    #expect(lines.last?.hasPrefix("      1  06:00      \(arrival)    T1 ") == true)
  }

  @Test func aJourneyInJSONHasTheFeedsNames() throws {
    let end = try lastStop()
    let found = try place.run(
      "transit", "journey", "harbour.db", "2001", end.stopID, "--by", end.arrival, "--json")
    let journey = try #require(try found.objects.first)
    #expect(journey["arrival"] as? String == end.arrival)
    #expect(journey["departure"] as? String == "2026-07-24T06:00:00+12:00")
    #expect(journey["changes"] as? Int == 0)
    let ride = try #require((journey["legs"] as? [[String: Any]])?.first)
    #expect(ride["trip_id"] as? String == "T1-WD-0-0600")
    #expect(((ride["calls"] as? [[String: Any]])?.first)?["stop_id"] as? String == "2001")
  }

  @Test func aPositionIsAPlaceToo() throws {
    let found = try place.run(
      "transit", "journey", "harbour.db", "-43.805,172.965", "-43.8051,172.9651", "--at",
      "2026-07-24T08:00", "--json")
    #expect(found.errors == "")
    let leg = try #require((try found.objects.first?["legs"] as? [[String: Any]])?.first)
    #expect(leg["type"] as? String == "walk")
    #expect(leg["from_stop_id"] is NSNull)
    #expect(leg["departure"] as? String == "2026-07-24T08:00:00+12:00")
  }

  @Test(arguments: [
    (["2001", "2001"], "Both places are the same."),
    (["CQ", "CQ-A"], "'CQ-A' is a part of 'CQ'."), (["CQ-A", "CQ"], "'CQ-A' is a part of 'CQ'."),
    (["-43.827662,172.957532", "2001"], "Both places are at the same position."),
    (["0,0", "2001"], "m from 0,0, which is farther than a walk; see --walk."),
  ])
  func placesBetweenWhichNoJourneyLeadsAreNamed(words: [String], reason: String) throws {
    let found = try ToolProcess.run(
      words: ["transit", "journey", "harbour.db"] + words + ["--at", "2026-07-24T08:00"],
      in: place.folder)
    #expect(found.status == 0)
    #expect(found.complaint.first?.hasSuffix(reason) == true)
    #expect(found.complaint.last == "No journeys found.")
  }

  /// The message is of the morning of 5 January 2026.
  @Test func liveDataChangeJourneysAndSayWhatNoLongerWorks() throws {
    let live = PackageFolder.root.appending(path: "Samples/port-merrow-live/trip-updates.pb")
    func run(_ words: String...) throws -> ToolProcess.Result {
      try ToolProcess.run(
        words: ["transit", "journey", "harbour.db"] + words + ["--live", live.path],
        in: place.folder)
    }
    let words = ["2001", "CQ-1", "--at", "2026-01-05T06:00"]
    let skipped = try run(words[0], words[1], words[2], words[3])
    #expect(skipped.errors.contains("(trip T1-WD-0-0600) from"))
    #expect(skipped.errors.contains("does not stop at"))
    #expect(skipped.output.split(separator: "\n").dropFirst().first?.contains("delay") == true)
    let record = try run(words[0], words[1], words[2], words[3], "--json")
    #expect(record.errors.contains("\"problem\":\"not_served\""))
    let extra = try run("CQ-A", "WH-W1", "--at", "2026-01-05T06:15", "--json")
    let legs = try #require(try extra.objects.first?["legs"] as? [[String: Any]])
    #expect(legs.first?["trip_id"] as? String == "F1-EXTRA-0620")
    let call = try #require((legs.first?["calls"] as? [[String: Any]])?.first)
    #expect(call["departure"] as? String == "2026-01-05T06:20:00+13:00")
    #expect(call["scheduled_departure"] is NSNull && call["status"] as? String == "live")
  }

  /// Two stops that are served on request, at about eight.
  private func writeRequestFeed() throws {
    try place.writeFeed(
      "feed",
      [
        "stop_times.txt": """
        trip_id,arrival_time,departure_time,stop_id,stop_sequence,timepoint,pickup_type,drop_off_type,\
        pickup_booking_rule_id,drop_off_booking_rule_id
        T,08:00:00,08:00:00,S1,1,0,2,,B1,
        T,08:10:00,08:10:00,S2,2,1,,2,,B2

        """,
        "booking_rules.txt": """
        booking_rule_id,booking_type,phone_number,message,prior_notice_duration_min,\
        prior_notice_last_day,prior_notice_last_time,prior_notice_service_id,pickup_message,\
        drop_off_message,prior_notice_duration_max,prior_notice_start_day,prior_notice_start_time
        B1,1,+49 30 1,Call us,60,,,,,,1440,,
        B2,2,+49 30 2,,,2,17:00:00,D,Not said,Ask the driver,,7,08:00:00

        """,
      ])
    #expect(try place.run("transit", "import", "feed", "t.db").status == 0)
  }

  @Test func ridersLearnHowToBookWhereTheyBoardAndAlight() throws {
    try writeRequestFeed()
    let words = ["transit", "journey", "t.db", "S1", "S2", "--at", "2026-01-01T07:00"]
    let table = try ToolProcess.run(words: words, in: place.folder)
    #expect(
      table.complaint == [
        "Booking (B1): Call us, at most 1440 min before, at least 60 min before, +49 30 1",
        "Booking (B2): Ask the driver, from 08:00:00 7 days of service D before, "
          + "by 17:00:00 2 days of service D before, +49 30 2",
      ])
    let found = try ToolProcess.run(words: words + ["--json"], in: place.folder)
    let leg = try #require((try found.objects.first?["legs"] as? [[String: Any]])?.first)
    let calls = try #require(leg["calls"] as? [[String: Any]])
    #expect(calls.map { $0["timepoint"] as? Int } == [0, 1])
    let rules = ["pickup_booking_rule", "drop_off_booking_rule"].map { key in
      calls.map { ($0[key] as? [String: Any])?["booking_rule_id"] as? String }
    }
    #expect(rules == [["B1", nil], [nil, "B2"]])
    let last = calls.last?["drop_off_booking_rule"] as? [String: Any]
    #expect(last?["prior_notice_service_id"] as? String == "D")
    #expect((leg["alerts"] as? [Any])?.isEmpty == true)
  }

  /// Times of `booking_rules.txt` are those of the agency, which is in London here.
  @Test func theZoneOfADeadlineIsNamedWhereItIsAnotherOne() throws {
    try writeRequestFeed()
    let feed = place.folder.appending(path: "feed")
    try Data("agency_name,agency_url,agency_timezone\nA,https://a.example,Europe/London\n".utf8)
      .write(to: feed.appending(path: "agency.txt"))
    try Data(
      """
      stop_id,stop_name,stop_lat,stop_lon,stop_timezone
      S1,One,51,1,Europe/London
      S2,Two,51,2,Europe/Paris

      """.utf8
    ).write(to: feed.appending(path: "stops.txt"))
    #expect(try place.run("transit", "import", "feed", "u.db").status == 0)
    let line =
      "Booking (B2): Ask the driver, from 08:00:00 Europe/London 7 days of service D before, "
      + "by 17:00:00 Europe/London 2 days of service D before, +49 30 2"
    for words in [
      ["journey", "u.db", "S1", "S2"], ["trip", "u.db", "T"], ["arrivals", "u.db", "S2"],
    ] {
      let day = words[0] == "trip" ? ["--date", "2026-01-01"] : ["--at", "2026-01-01T07:00"]
      let table = try ToolProcess.run(words: ["transit"] + words + day, in: place.folder)
      #expect(table.complaint.last == line, "\(table.errors)")
    }
    let found = try place.run(
      "transit", "arrivals", "u.db", "S2", "--at", "2026-01-01T07:00", "--json")
    let rule = try found.objects.first?["booking_rule"] as? [String: Any]
    #expect(rule?["agency_timezone"] as? String == "Europe/London")
  }

  @Test func tablesSayWhereRidersAskAndWhichTimesAreApproximate() throws {
    try writeRequestFeed()
    let lines = [
      "Booking (B1): Call us, at most 1440 min before, at least 60 min before, +49 30 1",
      "Booking (B2): Ask the driver, from 08:00:00 7 days of service D before, "
        + "by 17:00:00 2 days of service D before, +49 30 2",
    ]
    for (words, columns, complaint) in [
      (["journey", "t.db", "S1", "S2"], ["timepoint", "pickup_type", "drop_off_type"], lines),
      (["trip", "t.db", "T"], ["timepoint", "pickup_type", "drop_off_type"], lines),
      (["departures", "t.db", "S1"], ["timepoint", "pickup_type"], Array(lines[..<1])),
      (["arrivals", "t.db", "S2"], ["drop_off_type"], Array(lines[1...])),
    ] {
      let day = words[0] == "trip" ? ["--date", "2026-01-01"] : ["--at", "2026-01-01T07:00"]
      let table = try ToolProcess.run(words: ["transit"] + words + day, in: place.folder)
      #expect(table.complaint == complaint)
      let names = table.output.split { " \n".contains($0) }.map(String.init)
      let special = ["timepoint", "pickup_type", "drop_off_type"].filter(names.contains)
      #expect(special == columns, "\(table.output)")
    }
    // As usual, nothing is said.
    let usual = try place.run("transit", "trip", "harbour.db", "T1-WD-0-0600")
    #expect(!usual.output.contains("pickup_type") && usual.errors.isEmpty)
  }

  @Test func alertsAboutARideAreInItsJourney() throws {
    try writeRequestFeed()
    func alert(_ id: String, _ selector: [UInt8], _ german: String, _ english: String) -> [UInt8] {
      func text(_ text: String, _ language: String) -> [UInt8] {
        Wire.message(1, Wire.text(1, text), Wire.text(2, language))
      }
      let header = Wire.message(10, text(german, "de"), text(english, "en"))
      return Wire.message(
        2, Wire.text(1, id), Wire.message(5, Wire.message(5, selector), Wire.number(7, 4), header))
    }
    let message =
      Wire.header + alert("a", Wire.text(5, "S2"), "Umleitung", "Detour")
      + alert("b", Wire.text(5, "S9"), "Anderswo", "Elsewhere")
      + alert("c", Wire.message(4, Wire.text(1, "T")), "Fahrt", "Trip")
    try Data(message).write(to: place.folder.appending(path: "alerts.pb"))
    let words = [
      "transit", "journey", "t.db", "S1", "S2", "--at", "2026-01-01T07:00", "--live", "alerts.pb",
      "--language", "en",
    ]
    let table = try ToolProcess.run(words: words, in: place.folder)
    #expect(
      table.complaint.filter { $0.hasPrefix("Alert") } == [
        "Alert (DETOUR): Detour", "Alert (DETOUR): Trip",
      ])
    let found = try ToolProcess.run(words: words + ["--json"], in: place.folder)
    let leg = try #require((try found.objects.first?["legs"] as? [[String: Any]])?.first)
    let alerts = try #require(leg["alerts"] as? [[String: Any]])
    #expect(alerts.map { $0["header_text"] as? String } == ["Detour", "Trip"])
  }

  /// Most of them say that an elevator is out of order.
  @Test func alertsAboutAnEntranceAreInItsJourney() throws {
    try place.writeFeed(
      "feed",
      [
        "stops.txt": """
        stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,stop_access
        X,Station,52,13,1,,
        S1,Platform,52,13,0,X,0
        E1,Door,52.001,13,2,X,
        S2,Two,52.1,13.1,0,,

        """
      ])
    #expect(try place.run("transit", "import", "feed", "t.db").status == 0)
    let text = Wire.message(10, Wire.message(1, Wire.text(1, "Elevator out of order")))
    let alert = Wire.message(
      2, Wire.text(1, "a"), Wire.message(5, Wire.message(5, Wire.text(5, "E1")), text))
    try Data(Wire.header + alert).write(to: place.folder.appending(path: "alerts.pb"))
    let words = [
      "transit", "journey", "t.db", "52.0015,13", "S2", "--at", "2026-01-01T07:00", "--live",
      "alerts.pb",
    ]
    let table = try ToolProcess.run(words: words, in: place.folder)
    #expect(table.complaint.contains("Alert: Elevator out of order"), "\(table.errors)")
    let found = try ToolProcess.run(words: words + ["--json"], in: place.folder)
    let legs = try #require(try found.objects.first?["legs"] as? [[String: Any]])
    #expect(legs.map { $0["entrance_stop_id"] as? String } == ["E1", nil])
    #expect(legs.map { ($0["alerts"] as? [Any])?.count } == [1, 0])
  }

  @Test func ridersLearnWhereTheirVehicleIsAndHowFull() throws {
    try place.writeFeed("feed")
    #expect(try place.run("transit", "import", "feed", "t.db").status == 0)
    func vehicle(_ id: String, _ trip: String, _ fields: [UInt8]) -> [UInt8] {
      Wire.message(
        2, Wire.text(1, id), Wire.message(4, Wire.message(1, Wire.text(1, trip)), fields))
    }
    let message =
      Wire.header + vehicle("v", "T", Wire.number(3, 1) + Wire.number(10, 55))
      + vehicle("w", "U", Wire.text(7, "S2"))
    try Data(message).write(to: place.folder.appending(path: "vehicles.pb"))
    for words in [
      ["transit", "journey", "t.db", "S1", "S2", "--at", "2026-01-01T07:00"],
      ["transit", "departures", "t.db", "S1", "--at", "2026-01-01T07:00"],
      ["transit", "arrivals", "t.db", "S2", "--at", "2026-01-01T07:00"],
    ] {
      let words = words + ["--live", "vehicles.pb"]
      let table = try ToolProcess.run(words: words, in: place.folder)
      #expect(
        table.complaint.filter { $0.hasPrefix("Vehicle") } == [
          "Vehicle v: trip T, IN_TRANSIT_TO S1, 55 %"
        ])
      let found = try #require(
        try ToolProcess.run(words: words + ["--json"], in: place.folder).objects.first)
      let leg = (found["legs"] as? [[String: Any]])?.first ?? found
      let position = try #require(leg["vehicle_position"] as? [String: Any])
      #expect(position["stop_id"] as? String == "S1")
      #expect(position["current_status"] as? String == "IN_TRANSIT_TO")
      #expect(position["occupancy_percentage"] as? Int == 55)
    }
  }

  /// Such a trip is named in a field of its own, and in no other.
  @Test func aModifiedTripHasItsVehicleAndItsAlerts() throws {
    try place.writeFeed("feed")
    #expect(try place.run("transit", "import", "feed", "t.db").status == 0)
    let trip = Wire.message(7, Wire.text(2, "T"))
    let vehicle = Wire.message(
      2, Wire.text(1, "v"), Wire.message(4, Wire.message(1, trip), Wire.number(10, 55)))
    let alert = Wire.message(
      2, Wire.text(1, "a"),
      Wire.message(
        5, Wire.message(5, Wire.message(4, trip)),
        Wire.message(10, Wire.message(1, Wire.text(1, "Detour")))))
    try Data(Wire.header + vehicle + alert).write(to: place.folder.appending(path: "m.pb"))
    let listed = try place.run("transit", "live", "m.pb")
    #expect(listed.output.contains("Vehicle v: modified trip T, 55 %\n"), "\(listed.output)")
    #expect(listed.output.contains("Alert about modified trip T: Detour"), "\(listed.output)")
    let board = ["transit", "departures", "t.db", "S1", "--at", "2026-01-01T07:00"]
    let found = try ToolProcess.run(words: board + ["--live", "m.pb"], in: place.folder)
    #expect(found.complaint.contains("Alert: Detour"), "\(found.errors)")
    #expect(found.complaint.contains("Vehicle v: modified trip T, 55 %"), "\(found.errors)")
    let other = try ToolProcess.run(
      words: board + ["--live", "m.pb", "--prefix", "x:"], in: place.folder)
    #expect(other.errors.contains("is in the timetable"), "\(other.errors)")
    // A vehicle of which nothing is known.
    let bare = Wire.message(
      2, Wire.text(1, "v"), Wire.message(4, Wire.message(8, Wire.text(1, "9"))))
    try Data(Wire.header + bare).write(to: place.folder.appending(path: "bare.pb"))
    #expect(try place.run("transit", "live", "bare.pb").output == "Vehicle 9\n")
  }

  /// The feed says so with `timepoint` 0, or has no time.
  @Test func tablesSayWhichTimesAreNotInTheFeed() throws {
    let times = """
      trip_id,arrival_time,departure_time,stop_id,stop_sequence
      T,08:00:00,08:00:00,S1,1
      T,,,S2,2
      T,08:30:00,08:30:00,S3,3

      """
    let stops = "stop_id,stop_name,stop_lat,stop_lon\nS1,One,1,1\nS2,Two,2,2\nS3,Three,3,3\n"
    try place.writeFeed("feed", ["stop_times.txt": times, "stops.txt": stops])
    #expect(try place.run("transit", "import", "feed", "t.db").status == 0)
    for (words, column) in [
      (["departures", "t.db", "S2"], "timepoint"), (["departures", "t.db", "S1"], nil),
      (["arrivals", "t.db", "S2"], "timepoint"), (["arrivals", "t.db", "S3"], nil),
      (["journey", "t.db", "S1", "S2"], "timepoint"), (["journey", "t.db", "S1", "S3"], nil),
      (["trip", "t.db", "T"], "is_interpolated"),
    ] {
      let day = words[0] == "trip" ? ["--date", "2026-01-01"] : ["--at", "2026-01-01T07:00"]
      let table = try ToolProcess.run(words: ["transit"] + words + day, in: place.folder)
      let names = table.output.split { " \n".contains($0) }.map(String.init)
      #expect(
        ["timepoint", "is_interpolated"].filter(names.contains) == [column].compactMap(\.self),
        "\(table.output)")
    }
  }

  @Test func aPositionWithoutAStopAndCarriagesAreSaidToo() throws {
    try place.writeFeed("feed")
    #expect(try place.run("transit", "import", "feed", "t.db").status == 0)
    func degrees(_ field: Int, _ number: Float) -> [UInt8] {
      Wire.tag(field, 5)
        + (0..<4).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt32($0))) }
    }
    let carriages =
      Wire.message(11, Wire.text(2, "A"), Wire.number(3, 5))
      + Wire.message(11, Wire.number(4, 20), Wire.number(5, 2))
    let vehicle = Wire.message(
      2, Wire.text(1, "v"),
      Wire.message(
        4, Wire.message(1, Wire.text(1, "T")),
        Wire.message(2, degrees(1, 1.5), degrees(2, -2.25)), carriages))
    try Data(Wire.header + vehicle).write(to: place.folder.appending(path: "v.pb"))
    let line = "Vehicle v: trip T, at 1.5,-2.25, carriage A FULL, carriage 2 20 %"
    let board = try place.run(
      "transit", "departures", "t.db", "S1", "--at", "2026-01-01T07:00", "--live", "v.pb")
    #expect(board.complaint.contains(line), "\(board.errors)")
    #expect(try place.run("transit", "live", "v.pb").output.hasSuffix(line + "\n"))
  }

  /// A message of another feed, or of one that was imported with a prefix, changes nothing, whatever it has.
  @Test func aMessageAboutNothingOfTheTimetableIsNamed() throws {
    try place.writeFeed("feed")
    #expect(try place.run("transit", "import", "feed", "t.db").status == 0)
    func entity(_ field: Int, _ fields: [UInt8]) -> [UInt8] {
      Wire.message(2, Wire.text(1, "e"), Wire.message(field, fields))
    }
    func trip(_ id: String) -> [UInt8] { Wire.text(1, id) }
    let cases: [(message: [UInt8], isKnown: Bool)] = [
      (entity(4, Wire.message(1, trip("X"))), false),
      (entity(4, Wire.message(1, trip("T"))), true),
      (entity(4, Wire.text(7, "S9")), false), (entity(4, Wire.text(7, "S1")), true),
      // A vehicle without a trip.
      (entity(4, Wire.number(10, 55)), true),
      (entity(5, Wire.message(5, Wire.message(4, trip("X")))), false),
      (entity(5, Wire.message(5, Wire.text(2, "R9"))), false),
      (entity(5, Wire.message(5, Wire.text(2, "R"))), true),
      // About all buses.
      (entity(5, Wire.message(5, Wire.number(3, 3))), true),
      (
        entity(4, Wire.message(1, trip("X"))) + entity(5, Wire.message(5, Wire.text(5, "S2"))), true
      ),
    ]
    for (number, (message, isKnown)) in cases.enumerated() {
      try Data(Wire.header + message).write(to: place.folder.appending(path: "m.pb"))
      for words in [["departures", "t.db", "S1"], ["journey", "t.db", "S1", "S2"]] {
        let words = ["transit"] + words + ["--at", "2026-01-01T07:00", "--live", "m.pb"]
        let answer = try ToolProcess.run(words: words, in: place.folder)
        #expect(answer.status == 0)
        #expect(
          answer.errors.contains("that 'm.pb' names is in the timetable; if its feed") != isKnown,
          "\(number): \(answer.errors)")
      }
    }
  }

  /// Servers leave later stops on time although the vehicle is late before them.
  @Test func timesThatContradictEachOtherAreNotCalledASkippedStop() throws {
    try place.writeFeed("feed")
    #expect(try place.run("transit", "import", "feed", "t.db").status == 0)
    func event(_ field: Int, _ delay: Int) -> [UInt8] { Wire.message(field, Wire.number(1, delay)) }
    let message = Wire.entity(
      Wire.message(2, Wire.number(1, 1), event(3, 1800)),
      Wire.message(2, Wire.number(1, 2), event(2, 0), event(3, 0)))
    try Data(Wire.header + message).write(to: place.folder.appending(path: "m.pb"))
    let words = [
      "transit", "journey", "t.db", "S1", "S2", "--at", "2026-01-01T07:00", "--live", "m.pb",
    ]
    let answer = try ToolProcess.run(words: words, in: place.folder)
    #expect(
      answer.errors.contains(
        "Live data do not say when 1 (trip T) from One is at Two: its time there is missing, or "
          + "does not fit those of other stops."), "\(answer.errors)")
    let record = try ToolProcess.run(words: words + ["--json"], in: place.folder)
    #expect(record.errors.contains("\"problem\":\"no_time\""))
    // The vehicle stops, and takes nobody.
    let closed = Wire.entity(
      Wire.message(2, Wire.number(1, 1), Wire.message(6, Wire.number(3, 1))))
    try Data(Wire.header + closed).write(to: place.folder.appending(path: "m.pb"))
    let other = try ToolProcess.run(words: words, in: place.folder)
    #expect(
      other.errors.contains("Nobody may board 1 (trip T) from One at One."), "\(other.errors)")
  }

  /// The trip is in the timetable, and nothing of the update can be applied.
  @Test func updatesThatSayTooLittleAreNamed() throws {
    try place.writeFeed(
      "feed",
      [
        "trips.txt": "route_id,service_id,trip_id\nR,D,T\nR,D,F\n",
        "stop_times.txt": """
        trip_id,arrival_time,departure_time,stop_id,stop_sequence
        T,08:00:00,08:00:00,S1,1
        T,08:10:00,08:10:00,S2,2
        F,09:00:00,09:00:00,S1,1
        F,09:10:00,09:10:00,S2,2

        """,
        "frequencies.txt": "trip_id,start_time,end_time,headway_secs\nF,09:00:00,10:00:00,600\n",
      ])
    #expect(try place.run("transit", "import", "feed", "t.db").status == 0)
    func update(_ trip: [UInt8]...) -> [UInt8] {
      let late = Wire.message(2, Wire.number(1, 1), Wire.message(3, Wire.number(1, 60)))
      return Wire.message(
        2, Wire.text(1, "e"), Wire.message(3, Wire.message(1, trip.flatMap(\.self)), late))
    }
    let message =
      Wire.header + update(Wire.text(1, "F"), Wire.number(4, 3)) + update(Wire.text(1, "T"))
      + update(Wire.text(1, "X"), Wire.number(4, 1), Wire.text(5, "R"))
      + update(Wire.text(1, "T"), Wire.number(4, 6))
    try Data(message).write(to: place.folder.appending(path: "m.pb"))
    for words in [["departures", "t.db", "S1"], ["journey", "t.db", "S1", "S2"]] {
      let words = ["transit"] + words + ["--at", "2026-01-01T07:00", "--live", "m.pb"]
      #expect(
        try ToolProcess.run(words: words, in: place.folder).complaint.contains(
          "'m.pb': not applied: 1 × update of a trip of frequencies.txt without start_time, "
            + "1 × DUPLICATED trip without start_date and start_time in trip_properties, "
            + "1 × ADDED trip without line, day or times."))
      let records = try ToolProcess.run(words: words + ["--json"], in: place.folder).errors
      #expect(
        records.contains(
          #"{"live":"m.pb","trip_updates":4,"matched":true,"message":"'m.pb': not applied: 1 × "#),
        "\(records)")
    }
  }

  @Test func theTableOfJourneysSaysDelaysAsBoardsDo() throws {
    try place.writeFeed("feed")
    #expect(try place.run("transit", "import", "feed", "t.db").status == 0)
    let late = Wire.message(2, Wire.number(1, 1), Wire.message(3, Wire.number(1, 120)))
    try Data(Wire.header + Wire.entity(late)).write(to: place.folder.appending(path: "m.pb"))
    let table = try place.run(
      "transit", "journey", "t.db", "S1", "S2", "--at", "2026-01-01T07:00", "--live", "m.pb")
    #expect(table.output.contains("+2 min"), "\(table.output)")
  }

  @Test func aTripNamesTheAreasThatItServes() throws {
    try place.writeFeed(
      "feed",
      [
        "stop_times.txt": """
        trip_id,stop_id,location_id,location_group_id,stop_sequence,start_pickup_drop_off_window,\
        end_pickup_drop_off_window,pickup_type,drop_off_type
        T,,zone,,1,08:00:00,10:00:00,2,1
        T,,,group,2,08:00:00,10:00:00,1,2

        """,
        "location_groups.txt": "location_group_id,location_group_name\ngroup,Group\n",
      ])
    #expect(try place.run("transit", "import", "feed", "t.db").status == 0)
    let table = try place.run("transit", "trip", "t.db", "T").output
    #expect(table.contains("location_id") && table.contains("zone") && table.contains("group"))
    let calls = try place.run("transit", "trip", "t.db", "T", "--json").objects
    #expect(calls.map { $0["location_id"] as? String } == ["zone", nil])
    #expect(calls.map { $0["location_group_id"] as? String } == [nil, "group"])
  }

  @Test func aLimitInHoursCountsFromTheDeparture() throws {
    let end = try lastStop()
    for (hours, count) in [("1", 3), ("200", 0)] {
      let found = try place.run(
        "transit", "journey", "harbour.db", "2001", end.stopID, "--at", "2026-07-24T06:00",
        "--changes", "0", "--hours", hours)
      #expect(found.output.split(separator: "\n").count == count)
    }
  }

  @Test(arguments: [(168, true), (169, false)])
  func aRideOfMoreThanAWeekIsOnBoardsAlone(hours: Int, isJourney: Bool) throws {
    try place.writeFeed(
      "feed",
      [
        "stop_times.txt": """
        trip_id,arrival_time,departure_time,stop_id,stop_sequence
        T,08:00:00,08:00:00,S1,1
        T,\(8 + hours):00:00,\(8 + hours):00:00,S2,2

        """
      ])
    #expect(try place.run("transit", "import", "feed", "t.db").status == 0)
    let board = ["transit", "departures", "t.db", "S1", "--at", "2026-01-01T07:00", "--json"]
    #expect(try ToolProcess.run(words: board, in: place.folder).objects.count == 1)
    let journey = ["transit", "journey", "t.db", "S1", "S2", "--at", "2026-01-01T07:00", "--json"]
    let found = try ToolProcess.run(words: journey, in: place.folder)
    #expect(try found.objects.count == (isJourney ? 1 : 0))
    let help = try place.run("transit", "journey", "--help").output.split(separator: " ")
    #expect(help.joined(separator: " ").contains("a week at most"))
  }

  @Test func timesOfWalksAreInTheZonesOfTheirStops() throws {
    try place.writeFeed(
      "feed",
      [
        "stops.txt": """
        stop_id,stop_name,stop_lat,stop_lon,stop_timezone
        S1,One,1,1,Asia/Tokyo
        S2,Two,1.001,1,Asia/Kolkata

        """
      ])
    #expect(try place.run("transit", "import", "feed", "new.db").status == 0)
    // A day without service, on which riders walk.
    let words = ["transit", "journey", "new.db", "S1", "S2", "--at", "2026-03-01T08:00"]
    let journey = try #require(
      try ToolProcess.run(words: words + ["--json"], in: place.folder).objects.first)
    let walk = try #require((journey["legs"] as? [[String: Any]])?.first)
    let table = try ToolProcess.run(words: words, in: place.folder).output
    for (key, start, offset) in [
      ("departure", "2026-03-01T08:00", "+09:00"), ("arrival", "2026-03-01T04:3", "+05:30"),
    ] {
      let instant = try #require(walk[key] as? String)
      #expect(instant.hasPrefix(start) && instant.hasSuffix(offset))
      #expect(journey[key] as? String == instant)
    }
    #expect(table.hasPrefix("Sunday 2026-03-01, UTC+09:00\n"))
    #expect(table.contains(#/\n +1  08:00 +04:3[0-9](:[0-9]{2})?\+05:30  walk /#))
  }

  @Test func `The latest arrival of a day is the end of the day`() throws {
    for (time, hours) in [("2026-07-24", 22...24), ("2026-07-24T08:00", 7...8)] {
      let found = try place.run(
        "transit", "journey", "harbour.db", "2001", "CQ", "--by", time, "--json")
      let arrival = try #require(try found.objects.first?["arrival"] as? String)
      let hour = try #require(Int(arrival.dropFirst(11).prefix(2)))
      #expect(arrival.hasPrefix("2026-07-24T") && hours.contains(hour), "\(arrival)")
    }
  }

  @Test(
    arguments: [
      (["2001", "nowhere"], ExitCode.noInput, "no stop with the stop_id 'nowhere'"),
      (["95,0", "2001"], ExitCode.badData, "latitude 95"),
      (["2001", "CQ", "--speed", "0"], ExitCode.usage, "a number from 0.1 to 10"),
      (
        ["2001", "CQ", "--at", "2026-07-24T08:00", "--by", "2026-07-24T09:00"], ExitCode.usage,
        "either an earliest departure"
      ),
    ])
  func whatIsNoQuestionIsAnError(words: [String], code: ExitCode, sentence: String) throws {
    let found = try ToolProcess.run(
      words: ["transit", "journey", "harbour.db"] + words, in: place.folder)
    #expect(found.status == code.rawValue)
    #expect(found.errors.contains(sentence))
  }
}
