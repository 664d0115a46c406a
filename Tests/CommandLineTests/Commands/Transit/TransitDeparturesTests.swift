import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// `transit departures|arrivals|trip|trips|days`, against the sample feed.
@Suite struct TransitDeparturesTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  @Test func departuresAreATableInTheOrderOfTime() throws {
    let found = try place.run(
      "transit", "departures", "harbour.db", "2001", "--at", "2026-07-24T06:00", "--limit", "2")
    #expect(found.errors == "")
    #expect(found.status == 0)
    let lines = found.output.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines[0] == "Land's End" && lines[1] == "Friday 2026-07-24, UTC+12:00")
    #expect(lines[2] == "departure  line  to           trip_id")
    #expect(lines[3] == "06:00      T1    Pūkeko Road  T1-WD-0-0600")
  }

  @Test func stopsOfAStationHaveTheRestOfItsName() throws {
    func table(_ stops: String) throws -> [Substring] {
      try place.run(
        "transit", "departures", "harbour.db", stops, "--at", "2026-07-24T08:00", "--limit", "2"
      ).output.split(separator: "\n")
    }
    let station = try table("CQ")
    #expect(station[0] == "Circular Quay")
    #expect(station[3].contains("  Westhaven              Wharf A     A "))
    let several = try table("CQ,2001")
    #expect(several[0].hasPrefix("Friday"))
    #expect(several[2].contains("  Westhaven    Circular Quay, Wharf A  A "))
  }

  @Test func aDepartureInJSONHasTheFeedsNames() throws {
    let found = try place.run(
      "transit", "departures", "harbour.db", "2001", "--at", "2026-07-23T18:00:00Z", "--limit", "1",
      "--json")
    let departure = try #require(try found.objects.first)
    #expect(departure["trip_id"] as? String == "T1-WD-0-0600")
    #expect(departure["stop_id"] as? String == "2001")
    #expect(departure["route_id"] as? String == "T1")
    #expect(departure["service_date"] as? String == "2026-07-24")
    #expect(departure["departure"] as? String == "2026-07-24T06:00:00+12:00")
    #expect(departure["departure_time"] as? String == "06:00:00")
    #expect(departure["trip_headsign"] as? String == "Pūkeko Road")
    #expect(departure["headway_secs"] is NSNull)
  }

  @Test func aTripIsListedWithItsTimes() throws {
    let usual = try place.run("transit", "trip", "harbour.db", "T1-WD-0-0600", "--json")
    let first = try #require(try usual.objects.first)
    #expect(first["departure_time"] as? String == "06:00:00")
    #expect(first["stop_id"] as? String == "2001")
    #expect(first["departure"] is NSNull)
    let dated = try place.run(
      "transit", "trip", "harbour.db", "T1-WD-0-0600", "--date", "2026-07-24", "--json")
    #expect(try dated.objects.count == usual.objects.count)
    #expect(try dated.objects.first?["departure"] as? String == "2026-07-24T06:00:00+12:00")
  }

  @Test func arrivalsSayWhereTheyComeFrom() throws {
    let found = try place.run(
      "transit", "arrivals", "harbour.db", "2003", "--at", "2026-07-24T06:00", "--limit", "1",
      "--json")
    let arrival = try #require(try found.objects.first)
    #expect(arrival["trip_id"] as? String == "T1-WD-0-0600")
    #expect(arrival["arrival"] as? String == "2026-07-24T06:04:00+12:00")
    #expect(arrival["status"] as? String == "scheduled" && arrival["delay"] is NSNull)
    #expect(arrival["origin"] as? String != nil)
    // No rider arrives where the trip begins.
    let start = try place.run(
      "transit", "arrivals", "harbour.db", "2001", "--at", "2026-07-24T05:30", "--json")
    #expect(try start.objects.allSatisfy { $0["trip_id"] as? String != "T1-WD-0-0600" })
  }

  @Test func severalStopsAreNamedWithCommas() throws {
    let found = try place.run(
      "transit", "departures", "harbour.db", "2001,CQ", "--at", "2026-07-24T06:00", "--limit",
      "100",
      "--json")
    let stops = Set(try found.objects.compactMap { $0["stop_id"] as? String })
    #expect(stops.contains("2001") && stops.contains { $0.hasPrefix("CQ-") })
    let wrong = try place.run("transit", "departures", "harbour.db", "2001,")
    #expect(wrong.status == ExitCode.noInput.rawValue)
  }

  /// The message is of 06:06:30 on 5 January 2026.
  @Test func anOldMessageIsNamed() throws {
    let live = PackageFolder.root.appending(path: "Samples/port-merrow-live/trip-updates.pb")
    func run(_ words: String...) throws -> ToolProcess.Result {
      try ToolProcess.run(words: ["transit"] + words + ["--live", live.path], in: place.folder)
    }
    for time in ["2026-01-05T05:00", "2026-01-05T07:06"] {
      let board = try run("departures", "harbour.db", "CQ", "--at", time)
      #expect(!board.errors.contains("was made"), "\(board.errors)")
    }
    for (time, age) in [("05T07:07", "1 hour"), ("06T08:00", "25 hours"), ("07T08:00", "2 days")] {
      let board = try run("departures", "harbour.db", "CQ", "--at", "2026-01-\(time)")
      #expect(
        board.errors.contains(
          "trip-updates.pb' was made at 2026-01-05T06:06:30+13:00, \(age) before the time of the "
            + "question: vehicles may run otherwise by then."), "\(board.errors)")
    }
    for words in [["arrivals", "harbour.db", "CQ"], ["journey", "harbour.db", "CQ", "2001"]] {
      let answer = try ToolProcess.run(
        words: ["transit"] + words + [
          "--at", "2026-01-05T08:06", "--live", live.path, "--json",
        ], in: place.folder)
      let line = try #require(answer.complaint.first { $0.contains("\"age\"") })
      let record = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(record["age"] as? Int == 7170)
      #expect(record["timestamp"] as? String == "2026-01-05T06:06:30+13:00")
      #expect((record["live"] as? String)?.hasSuffix("trip-updates.pb") == true)
    }
  }

  /// A question about tomorrow has no newer message.
  @Test func aNewMessageIsNotNamedForTomorrow() throws {
    let sample = PackageFolder.root.appending(path: "Samples/port-merrow-live/trip-updates.pb")
    let now = Date.now.timeIntervalSince1970
    let tomorrow = Date(timeIntervalSince1970: now + 86_400).formatted(.iso8601)
    for (name, age) in [("new.pb", 60), ("old.pb", 7200)] {
      // What is written last of a header counts.
      var header = Data([0x0A, 6, 0x18])
      var rest = Int(now) - age
      while rest > 0x7F {
        header.append(UInt8(rest & 0x7F | 0x80))
        rest >>= 7
      }
      header.append(UInt8(rest))
      let live = place.folder.appending(path: name)
      try (try Data(contentsOf: sample) + header).write(to: live)
      let board = try ToolProcess.run(
        words: ["transit", "departures", "harbour.db", "CQ", "--at", tomorrow, "--live", name],
        in: place.folder)
      #expect(board.errors.contains("26 hours before") == (name == "old.pb"), "\(board.errors)")
      #expect(board.errors.contains("was made") == (name == "old.pb"), "\(board.errors)")
    }
  }

  /// The message is of the morning of 5 January 2026.
  @Test func liveDataChangeTheList() throws {
    let live = PackageFolder.root.appending(path: "Samples/port-merrow-live/trip-updates.pb")
    func run(_ words: String...) throws -> ToolProcess.Result {
      try ToolProcess.run(
        words: ["transit"] + words + ["--at", "2026-01-05T06:00", "--live", live.path],
        in: place.folder)
    }
    let tram = try run("departures", "harbour.db", "2003", "--limit", "1", "--json")
    let departure = try #require(try tram.objects.first)
    #expect(departure["departure"] as? String == "2026-01-05T06:06:00+13:00")
    #expect(departure["scheduled_departure"] as? String == "2026-01-05T06:04:00+13:00")
    #expect(departure["status"] as? String == "live" && departure["delay"] as? Int == 120)
    let station = try run("departures", "harbour.db", "CQ", "--limit", "50", "--json")
    let trips = Dictionary(
      try station.objects.map { ($0["trip_id"] as? String ?? "", $0) },
      uniquingKeysWith: { one, _ in one })
    #expect(trips["T1-WD-0-0600"]?["status"] as? String == "skipped")
    #expect(trips["T1-WD-1-0615"]?["status"] as? String == "canceled")
    #expect(trips["F1-WD-0-0630"]?["stop_id"] as? String == "CQ-B")
    #expect(trips["F1-EXTRA-0620"]?["departure"] as? String == "2026-01-05T06:20:00+13:00")
    #expect(trips["F1-EXTRA-0620"]?["trip_headsign"] as? String == "Westhaven")
    #expect(trips["F1-EXTRA-0620"]?["tid"] is NSNull)
    let table = try run("departures", "harbour.db", "CQ", "--limit", "5")
    #expect(table.output.split(separator: "\n").dropFirst(2).first?.contains("status") == true)
  }

  @Test func theTripsOfARouteAndTheirDaysAreListed() throws {
    let trips = try place.run(
      "transit", "trips", "harbour.db", "T1", "--date", "2026-07-24", "--json")
    let first = try #require(try trips.objects.first)
    #expect(first["trip_id"] as? String == "T1-WD-0-0520" && first["service_id"] as? String == "WD")
    #expect(first["departure"] as? String == "2026-07-24T05:20:00+12:00")
    #expect(first["origin_stop_id"] as? String == "CQ-1" && first["headway_secs"] is NSNull)
    let sunday = try place.run("transit", "trips", "harbour.db", "T1", "--date", "2028-07-24")
    #expect(sunday.status == 0 && sunday.errors.contains("No trips found."))
    for subject in [["--trip", "T1-WD-0-0600"], ["--service", "WD"]] {
      let days = try ToolProcess.run(
        words: ["transit", "days", "harbour.db", "--through", "2026-01-06", "--json"] + subject,
        in: place.folder)
      // 1 January is a holiday.
      #expect(
        try days.objects.map { $0["date"] as? String } == [
          "2026-01-02", "2026-01-05", "2026-01-06",
        ])
      #expect(try days.objects.first?["weekday"] as? String == "friday")
    }
    let all = try place.run("transit", "days", "harbour.db", "--from", "2027-12-30", "--json")
    #expect(try all.objects.map { $0["date"] as? String } == ["2027-12-30", "2027-12-31"])
    let routes = try place.run("transit", "routes", "harbour.db", "--stop", "2001", "--json")
    #expect(try routes.objects.contains { $0["route_id"] as? String == "T1" })
    #expect(try routes.objects.allSatisfy { $0["route_id"] as? String != "F1" })
  }

  @Test(arguments: [
    (["departures", "harbour.db", "CQ", "--at", "2028-07-24T08:00"], "departures"),
    (["arrivals", "harbour.db", "CQ", "--at", "2028-07-24T08:00"], "arrivals"),
    (["trips", "harbour.db", "T1", "--date", "2028-01-01"], "trips"),
    (["journey", "harbour.db", "2001", "CQ", "--by", "2028-07-24T08:00"], "journeys"),
  ])
  func anEmptyListOfAnOutdatedTimetableSaysSo(words: [String], things: String) throws {
    let sentence = "The timetable ended on 2027-12-31; import a newer feed."
    let found = try ToolProcess.run(words: ["transit"] + words, in: place.folder)
    #expect(found.status == 0)
    #expect(found.errors == "\(sentence)\nNo \(things) found.\n")
    let json = try ToolProcess.run(words: ["transit"] + words + ["--json"], in: place.folder)
    #expect((json.status, json.output) == (0, ""))
    #expect(json.errors == #"{"status":"expired","message":"\#(sentence)"}"# + "\n")
  }

  @Test(
    arguments: [
      (["departures", "harbour.db", "nowhere"], "has no stop with the stop_id 'nowhere'"),
      (["arrivals", "harbour.db", "nowhere"], "has no stop with the stop_id 'nowhere'"),
      (["routes", "harbour.db", "--stop", "nowhere"], "has no stop with the stop_id 'nowhere'"),
      (["trips", "harbour.db", "X9"], "has no route with the route_id 'X9'"),
      (["days", "harbour.db", "--route", "X9"], "has no route with the route_id 'X9'"),
      (["days", "harbour.db", "--trip", "T0"], "has no trip with the trip_id 'T0'"),
      (["days", "harbour.db", "--service", "X"], "has no service with the service_id 'X'"),
      (["trip", "harbour.db", "T0"], "has no trip with the trip_id 'T0'"),
      (
        ["trip", "harbour.db", "T1-WD-0-0600", "--date", "2026-07-25"], "does not run on 2026-07-25"
      ),
    ])
  func whatTheFeedDoesNotHaveIsAnError(words: [String], sentence: String) throws {
    let found = try ToolProcess.run(words: ["transit"] + words, in: place.folder)
    #expect(found.status == ExitCode.noInput.rawValue)
    #expect(found.output == "")
    #expect(found.errors.contains(sentence))
  }

  @Test(arguments: [
    "2026-07-24T", "2026-07-24T24:00", "2026-02-30T08:00", "24:00", "8:00", "now",
    "2026-07-24T08:00+1",
    "20260724", "",
  ])
  func aTimeThatIsNotOneIsRefused(time: String) throws {
    let found = try place.run("transit", "departures", "harbour.db", "2001", "--at", time)
    #expect(found.status == ExitCode.usage.rawValue)
    #expect(found.errors.contains("2026-07-24T08:00"))
  }

  @Test(
    arguments: [
      ("2026-07-24T08:00", "2026-07-23T20:00:00Z"), ("2026-07-24 08:00:30", "2026-07-23T20:00:30Z"),
      ("2026-07-24T08:00Z", "2026-07-24T08:00:00Z"),
      ("2026-07-24T08:00:00-03:30", "2026-07-24T11:30:00Z"),
      ("2026-07-24T08:00+0200", "2026-07-24T06:00:00Z"),
      ("2026-01-24T08:00", "2026-01-23T19:00:00Z"),
    ])
  func anInstantIsReadWithOrWithoutItsOffset(text: String, instant: String) throws {
    let zone = try #require(TimeZone(identifier: "Pacific/Auckland"))
    let expected = try Date(instant, strategy: .iso8601)
    #expect(try #require(InstantText(text)).date(in: zone) == expected)
  }

  @Test(
    arguments: [
      ("08:00", "2026-07-24T20:00:00Z"), ("2026-07-26", "2026-07-25T12:00:00Z"),
      // Tomorrow has begun at the stop, but not where the offset is.
      ("08:00Z", "2026-07-24T08:00:00Z"), ("08:00-10:00", "2026-07-24T18:00:00Z"),
    ])
  func aTimeOfDayIsOneOfToday(text: String, instant: String) throws {
    let zone = try #require(TimeZone(identifier: "Pacific/Auckland"))
    let now = try Date("2026-07-24T12:30:00Z", strategy: .iso8601)
    let expected = try Date(instant, strategy: .iso8601)
    #expect(try #require(InstantText(text)).date(in: zone, now: now) == expected)
  }

  @Test func theDayOfATimeIsAnOptionToo() throws {
    let words = ["transit", "departures", "harbour.db", "2001", "--limit", "3", "--json"]
    func run(_ more: String...) throws -> ToolProcess.Result {
      try ToolProcess.run(words: words + more, in: place.folder)
    }
    let whole = try run("--at", "2026-07-24T08:00")
    #expect(try whole.objects.count == 3)
    #expect(try run("--at", "08:00", "--date", "2026-07-24").output == whole.output)
    #expect(try run("--date", "2026-07-24").output == run("--at", "2026-07-24T00:00").output)
    #expect(try run("--at", "2026-07-24").output == run("--at", "2026-07-24T00:00").output)
    let both = try run("--at", "2026-07-24T08:00", "--date", "2026-07-24")
    #expect(both.status == ExitCode.usage.rawValue && both.errors.contains("both name a day"))
  }

  @Test func theTripsOfARouteBeginAtATime() throws {
    func trips(_ words: String...) throws -> [String] {
      try ToolProcess.run(
        words: ["transit", "trips", "harbour.db", "T1", "--json"] + words, in: place.folder
      ).objects.compactMap { $0["departure"] as? String }
    }
    let all = try trips("--date", "2026-07-24")
    let late = try trips("--at", "2026-07-24T08:00")
    #expect(late.count > 1 && late == all.filter { $0 >= "2026-07-24T08:00" })
    #expect(try trips("--at", "08:00", "--date", "2026-07-24") == late)
    #expect(try trips("--at", "2026-07-24") == all)
  }

  /// A timetable that is out of date has no departures, and today no trips.
  @Test func whatAnErrorPromisesToListIsThereOnAnyDay() throws {
    for words in [["trip", "harbour.db", "T0"], ["days", "harbour.db", "--service", "X"]] {
      let refused = try ToolProcess.run(words: ["transit"] + words, in: place.folder)
      let advice = try #require(refused.complaint.last)
      let command = try #require(advice.firstMatch(of: #/holdfast (.+)\.$/#)).1
      let listed = try ToolProcess.shell("\"$HOLDFAST\" \(command)", in: place.folder)
      #expect(listed.status == 0 && listed.output.split(separator: "\n").count > 2)
    }
  }

  @Test(
    arguments: [
      ("America/New_York", "2026-03-08T02:30", "2026-03-08T03:30:00-04:00"),
      ("America/New_York", "2026-03-08T03:30", "2026-03-08T03:30:00-04:00"),
      ("America/New_York", "2026-11-01T01:30", "2026-11-01T01:30:00-04:00"),
      ("America/New_York", "2026-11-01T02:30", "2026-11-01T02:30:00-05:00"),
      ("Europe/Berlin", "2026-03-29T02:30", "2026-03-29T03:30:00+02:00"),
      ("Europe/Berlin", "2026-10-25T02:30", "2026-10-25T02:30:00+02:00"),
      ("Europe/Berlin", "2026-10-25T03:30", "2026-10-25T03:30:00+01:00"),
      ("Australia/Sydney", "2026-10-04T02:30", "2026-10-04T03:30:00+11:00"),
      ("Australia/Sydney", "2026-04-05T02:30", "2026-04-05T02:30:00+11:00"),
      ("Australia/Sydney", "2026-04-05T01:30", "2026-04-05T01:30:00+11:00"),
    ])
  func aRepeatedTimeIsTheFirstAndASkippedOneIsLater(
    zone: String, text: String, instant: String
  ) throws {
    let zone = try #require(TimeZone(identifier: zone))
    let expected = try Date(instant, strategy: .iso8601)
    #expect(try #require(InstantText(text)).date(in: zone) == expected)
  }
}
