import Foundation
import Testing

@testable import HoldfastTool

@Suite struct TransitListingTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  @Test func aSearchPrintsATable() throws {
    let found = try place.run("transit", "search", "harbour.db", "circ", "--limit", "2")
    #expect(found.status == 0)
    #expect(found.errors == "")
    #expect(
      found.output == """
        stop_id  stop_code  stop_name                stop_lat    stop_lon  location_type  parent_station
        CQ                  Circular Quay             -43.805     172.965              1
        CQ-A     1001       Circular Quay, Wharf A  -43.80446  172.964129              0  CQ

        """)
  }

  @Test func aJSONSearchHasEveryKey() throws {
    let found = try place.run("transit", "search", "harbour.db", "circ", "--limit", "1", "--json")
    #expect(
      found.keys == [
        "sid", "stop_id", "stop_code", "stop_name", "stop_lat", "stop_lon", "location_type",
        "parent_station", "platform_code", "wheelchair_boarding",
      ])
    let stop = try #require(try found.objects.first)
    #expect(stop["stop_name"] as? String == "Circular Quay")
    #expect(stop["stop_lat"] as? Double == -43.805)
    #expect(stop["parent_station"] is NSNull)
  }

  @Test(arguments: ["circ", "quay circ", "CIRCULAR", "circular-q"])
  func aStopIsFoundWhileItsNameIsTyped(text: String) throws {
    let found = try place.run("transit", "search", "harbour.db", text, "--json")
    #expect(try found.objects.first?["stop_name"] as? String == "Circular Quay")
  }

  @Test(arguments: ["\" OR 1=1", "NEAR(*", "'", "-", "%", "name:x", ""])
  func anyTextCanBeSearched(text: String) throws {
    let found = try place.run("transit", "search", "harbour.db", "--json", "--", text)
    #expect(found.status == 0)
    #expect(found.errors == "")
  }

  @Test func anEmptyResultIsANoteAndNotAnError() throws {
    let people = try place.run("transit", "search", "harbour.db", "zzzz")
    #expect((people.status, people.output, people.errors) == (0, "", "No stops found.\n"))
    let programs = try place.run("transit", "search", "harbour.db", "zzzz", "--json")
    #expect((programs.status, programs.output, programs.errors) == (0, "", ""))
  }

  @Test func `The nearest of the stops that match alike come first`() throws {
    let all = try place.run("transit", "search", "harbour.db", "wharf", "--json").objects
    let last = try #require(all.last)
    let position = try
      "\(#require(last["stop_lat"] as? Double)),\(#require(last["stop_lon"] as? Double))"
    let near = try place.run(
      "transit", "search", "harbour.db", "wharf", "--near", position, "--json")
    #expect(try near.objects.first?["stop_id"] as? String == last["stop_id"] as? String)
    #expect(try Set(near.objects.map { $0["sid"] as? Int }) == Set(all.map { $0["sid"] as? Int }))
    for wrong in ["", "1", "1,2,3", "91,0", "x,1", "nan,1"] {
      #expect(
        try place.run("transit", "search", "harbour.db", "wharf", "--near=\(wrong)").status == 64)
    }
  }

  @Test(arguments: [
    ("search harbour.db quay", "fr-CA", "stop_name", "Circular Quay", "Quai circulaire"),
    ("stops harbour.db", "fr", "stop_name", "Circular Quay", "Quai circulaire"),
    ("nearby harbour.db -43.805 172.965", "zh", "stop_name", "Circular Quay", "環形碼頭"),
    ("routes harbour.db", "fr", "route_long_name", "Around the Bay", "Autour de la baie"),
    (
      "departures harbour.db 2004 --at 2026-07-24T08:00", "en", "stop_name", "Rue des Pêcheurs",
      "Fishermen's Lane"
    ),
    (
      "arrivals harbour.db 2004 --at 2026-07-24T08:00", "en", "stop_name", "Rue des Pêcheurs",
      "Fishermen's Lane"
    ),
    ("trip harbour.db T1-WD-0-0600", "en", "stop_name", "Rue des Pêcheurs", "Fishermen's Lane"),
    (
      "trips harbour.db N1 --date 2026-07-26", "fr", "trip_headsign", "Fish Market",
      "Marché aux poissons"
    ),
  ])
  func `Names are printed in a language`(
    words: String, language: String, key: String, own: String, translated: String
  ) throws {
    func values(_ more: [String]) throws -> Set<String> {
      let all = ["transit"] + words.split(separator: " ").map(String.init) + ["--json"] + more
      let answer = try ToolProcess.run(words: all, in: place.folder)
      #expect(answer.status == 0)
      return try Set(answer.objects.compactMap { $0[key] as? String })
    }
    let (plain, found) = (try values([]), try values(["--language", language]))
    #expect(plain.contains(own) && !plain.contains(translated))
    #expect(found.contains(translated) && !found.contains(own))
  }

  @Test func `Journeys are printed in a language`() throws {
    let words = ["transit", "journey", "harbour.db", "2001", "2004", "--at", "2026-07-24T06:00"]
    func run(_ more: [String]) throws -> String {
      let answer = try ToolProcess.run(words: words + more, in: place.folder)
      #expect(answer.status == 0)
      return answer.output
    }
    for format in [[], ["--json"]] {
      let (plain, english) = (try run(format), try run(format + ["--language", "en"]))
      #expect(plain.contains("Rue des Pêcheurs") && !plain.contains("Fishermen's Lane"))
      #expect(english.contains("Fishermen's Lane") && !english.contains("Rue des Pêcheurs"))
    }
  }

  @Test func stopsAreListedByType() throws {
    let stations = try place.run("transit", "stops", "harbour.db", "--type", "1", "--json")
    #expect(try stations.objects.map { $0["stop_id"] as? String } == ["CEN", "CQ", "HH", "WH"])
    #expect(try stations.objects.allSatisfy { $0["location_type"] as? Int == 1 })
    #expect(try place.run("transit", "stops", "harbour.db", "--json").objects.count == 62)
  }

  @Test func `Stops are listed in an area, also across the antimeridian`() throws {
    try place.writeFeed(
      "feed",
      [
        "stops.txt":
          "stop_id,stop_name,stop_lat,stop_lon\nS1,A,-16.5,179.9\nS2,B,-16.6,-179.9\nS3,C,0,0\n"
      ])
    #expect(try place.run("transit", "import", "feed", "feed.db").status == 0)
    func stops(_ words: String...) throws -> [String] {
      let listed = try ToolProcess.run(
        words: ["transit", "stops", "feed.db", "--json"] + words, in: place.folder)
      #expect(listed.status == 0 && listed.errors == "")
      return try listed.objects.compactMap { $0["stop_id"] as? String }
    }
    #expect(try stops("--within", "-17,179,-16,-179").sorted() == ["S1", "S2"])
    #expect(try stops("--within", "-17,179,-16,180") == ["S1"])
    #expect(try stops("--within=-17,-180,-16,-179") == ["S2"])
    #expect(try stops("--within", "-17,-179,-16,179") == [])
    // The one that is nearest to the middle.
    #expect(try stops("--within", "-17,179,-16,-179.8", "--limit", "1") == ["S1"])
    #expect(try stops("--within", "-17,179,-16,-179", "--type", "station") == [])
    #expect(try stops("--limit", "2") == ["S1", "S2"])
  }

  @Test func `An area is printed as all stops are`() throws {
    let all = try listing(["stops", "--type", "station"])
    let area = ["stops", "--type", "station", "--within"]
    let whole = try listing(area + ["-90,-180,90,180"])
    #expect((whole.status, whole.errors) == (0, ""))
    func lines(_ listing: ToolProcess.Result) -> [Substring] {
      listing.output.split(separator: "\n").sorted()
    }
    #expect(lines(whole) == lines(all))
    let nowhere = try listing(area + ["10,10,11,11"])
    #expect((nowhere.status, nowhere.output, nowhere.errors) == (0, "", "No stops found.\n"))
  }

  @Test(arguments: [
    "", "1,2,3", "1,2,3,4,5", "1,2,x,4", "91,0,92,1", "0,181,1,0", "2,0,1,1", "nan,0,1,1",
    "0,0,inf,1",
  ])
  func `An area that is none is refused`(area: String) throws {
    let refused = try listing(["stops", "--within=\(area)"])
    #expect(refused.status == 64)
    #expect(
      refused.complaint.first == "--within is the edges SOUTH,WEST,NORTH,EAST of an area, with "
        + "SOUTH at most NORTH, latitudes from -90 to 90 and longitudes from -180 to 180, such as "
        + "-43.82,172.95,-43.79,172.98, not '\(area)'.")
  }

  @Test func routesAreListedByType() throws {
    let ferries = try place.run("transit", "routes", "harbour.db", "--type", "4")
    #expect(
      ferries.output == """
        route_id  agency_id  route_short_name  route_long_name            route_type
        F1        MHF        F1                Circular Quay - Westhaven           4
        F2        MHF        F2                Inner Harbour                       4
        F3        MHF        F3                Lighthouse Ferry                    4

        """)
    let all = try place.run("transit", "routes", "harbour.db", "--json")
    #expect(try all.objects.count == 12)
    #expect(
      all.keys == [
        "rid", "route_id", "agency_id", "route_short_name", "route_long_name", "route_type",
        "route_color", "route_text_color",
      ])
  }

  @Test(arguments: [
    (["stops", "--type", "station"], ["stops", "--type", "1"]),
    (["routes", "--type", "ferry"], ["routes", "--type", "4"]),
  ])
  func aTypeHasANameAndANumber(name: [String], number: [String]) throws {
    let named = try listing(name)
    #expect(named.status == 0)
    #expect(named.output == (try listing(number)).output)
    #expect(named.output != (try listing([name[0]])).output)
  }

  @Test func aNameCoversTheExtendedTypes() throws {
    let buses = try listing(["routes", "--type", "bus", "--json"]).objects
    #expect(Set(buses.compactMap { $0["route_type"] as? Int }) == [3, 714])
  }

  @Test func anUnknownTypeListsTheValidNames() throws {
    let refused = try listing(["stops", "--type", "pier"])
    #expect(refused.status == 64)
    #expect(
      refused.complaint.first == "--type is stop, station, entrance, node, area, "
        + "or a number from 0 to 4, not 'pier'.")
  }

  private func listing(_ words: [String]) throws -> ToolProcess.Result {
    try ToolProcess.run(
      words: ["transit", words[0], "harbour.db"] + words.dropFirst(), in: place.folder)
  }

  @Test func timesOfTripsAreInTheZonesOfTheirStops() throws {
    try place.writeFeed(
      "feed",
      [
        "stops.txt": """
        stop_id,stop_name,stop_lat,stop_lon,stop_timezone
        S1,One,1,1,Asia/Tokyo
        S2,Two,2,2,Asia/Kolkata

        """
      ])
    #expect(try place.run("transit", "import", "feed", "t.db").status == 0)
    let words = ["transit", "trips", "t.db", "R", "--date", "2026-01-01"]
    let trip = try #require(
      try ToolProcess.run(words: words + ["--json"], in: place.folder).objects.first)
    #expect(trip["departure"] as? String == "2026-01-01T17:00:00+09:00")
    #expect(trip["arrival"] as? String == "2026-01-01T13:40:00+05:30")
    #expect(trip["departure_time"] as? String == "08:00:00")
    // A local time is that of the stop.
    for (time, count) in [("17:00", 1), ("17:01", 0), ("08:00Z", 1), ("08:01Z", 0)] {
      let found = try ToolProcess.run(words: words + ["--at", time, "--json"], in: place.folder)
      #expect(try found.objects.count == count, "\(time)")
    }
  }

  @Test func aReaderThatStopsAfterOneLineEndsTheListing() throws {
    let headed = try ToolProcess.shell(
      #""$HOLDFAST" transit stops harbour.db | head -1"#, in: place.folder)
    #expect(headed.output.hasPrefix("stop_id  "))
    #expect(headed.errors == "")
  }
}
