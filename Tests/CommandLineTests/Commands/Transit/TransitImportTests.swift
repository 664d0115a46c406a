import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct TransitImportTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  @Test func theSummaryIsATable() throws {
    let made = try place.run("transit", "import", Workplace.sample, "new.db")
    #expect(made.status == 0)
    #expect(made.errors == "")
    // Each ignored file has its own line.
    let keys = made.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
      .filter { !$0.isEmpty }
    #expect(
      keys == [
        "output", "rows.agency.txt", "rows.attributions.txt", "rows.calendar.txt",
        "rows.calendar_dates.txt", "rows.feed_info.txt", "rows.frequencies.txt", "rows.routes.txt",
        "rows.shapes.txt", "rows.stop_times.txt", "rows.stops.txt", "rows.transfers.txt",
        "rows.translations.txt",
        "rows.trips.txt", "feed_identity", "bytes", "warnings",
        "stops_without_service", "files_not_taken",
      ])
    #expect(made.output.hasPrefix("output                   new.db\nrows.agency.txt          2\n"))
  }

  @Test func theSummaryIsOneJSONObject() throws {
    let made = try place.run("transit", "import", Workplace.sample, "new.db", "--json")
    let summary = try #require(try made.objects.first)
    #expect(try made.objects.count == 1)
    #expect(made.errors == "")
    #expect(summary["output"] as? String == "new.db")
    #expect(
      summary["rows"] as? [String: Int] == [
        "agency.txt": 2, "routes.txt": 12, "stops.txt": 62, "trips.txt": 758,
        "stop_times.txt": 4675, "calendar.txt": 9, "calendar_dates.txt": 64, "frequencies.txt": 13,
        "attributions.txt": 1, "feed_info.txt": 1, "transfers.txt": 27, "translations.txt": 11,
        "shapes.txt": 547,
      ])
    let size = try place.directory.file("new.db").resourceValues(forKeys: [.fileSizeKey]).fileSize
    #expect(summary["bytes"] as? Int == size)
    #expect(try place.directory.names == ["harbour.db", "new.db"])
  }

  @Test func equalFeedsGiveEqualBytes() throws {
    #expect(try place.run("transit", "import", Workplace.sample, "new.db").status == 0)
    #expect(try data("new.db") == data("harbour.db"))
  }

  @Test func previousKeepsTheStopNumbers() throws {
    let before = "stop_id,stop_name,stop_lat,stop_lon\nM,Middle,1,1\nZ,Zoo,2,2\n"
    let after = before + "A,Airport,3,3\n"
    try place.writeFeed("before", ["stops.txt": before, "stop_times.txt": Self.noTimes])
    try place.writeFeed("after", ["stops.txt": after, "stop_times.txt": Self.noTimes])
    #expect(try place.run("transit", "import", "before", "old.db").status == 0)
    #expect(
      try place.run("transit", "import", "after", "new.db", "--previous", "old.db").status == 0)
    #expect(try place.run("transit", "import", "after", "fresh.db").status == 0)
    #expect(try numbers("old.db") == ["M": 1, "Z": 2])
    #expect(try numbers("new.db") == ["M": 1, "Z": 2, "A": 3])
    #expect(try numbers("fresh.db") == ["A": 1, "M": 2, "Z": 3])
  }

  @Test func `several feeds share a database, and shapes are left out on request`() throws {
    let stops = "stop_id,stop_name,stop_lat,stop_lon\nM,Middle,1,1\n"
    for name in ["bus", "rail"] {
      try place.writeFeed(name, ["stops.txt": stops, "stop_times.txt": Self.noTimes])
    }
    let refused = try place.run("transit", "import", "bus", "rail", "new.db")
    #expect(refused.status == 64)
    #expect(refused.errors.contains("Give each feed a prefix of its own"))
    let surplus = try place.run(
      "transit", "import", "bus", "new.db", "--prefix", "a", "--prefix", "b")
    #expect(surplus.status == 64)
    let made = try place.run(
      "transit", "import", "bus", "rail", "new.db", "--prefix", "", "--prefix=r:", "--shapes",
      "none")
    #expect(made.status == 0, "\(made.errors)")
    #expect(try numbers("new.db") == ["M": 1, "r:M": 2])
    let other = try place.run("transit", "import", "bus", "new.db", "--shapes", "some")
    #expect(other.status == 64)
  }

  private static let noTimes = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"

  private func numbers(_ database: String) throws -> [String: Int] {
    var numbers: [String: Int] = [:]
    for stop in try place.run("transit", "stops", database, "--json").objects {
      numbers[try #require(stop["stop_id"] as? String)] = stop["sid"] as? Int
    }
    return numbers
  }

  @Test func fiveWarningsAreShownAndTheOthersCounted() throws {
    let routes = (1...30).map { "R\($0),N,,\($0),3\n" }.joined()
    try place.writeFeed(
      "warned feed",
      [
        "routes.txt": "route_id,agency_id,route_short_name,route_long_name,route_type\n" + routes,
        "trips.txt": "route_id,service_id,trip_id\nR1,D,T\n",
      ])
    let made = try place.run("transit", "import", "warned feed", "new.db")
    #expect(made.status == 0)
    #expect(made.complaint.count == 6)
    #expect(
      made.complaint.first?.hasPrefix(
        "routes.txt, line 2, field agency_id: 'N' is not in agency.txt;") == true)
    #expect(
      made.complaint.last
        == "25 more; to list them: holdfast transit report 'warned feed'")
    #expect(
      try place.run("transit", "import", "warned feed", "new.db", "--replace", "--json").errors
        == "")
  }

  @Test(arguments: ["-wal", "-shm", "-journal", "-signal"])
  func theDatabaseDoesNotReplaceACompanionFile(suffix: String) throws {
    let before = try data("harbour.db")
    let refused = try place.run("transit", "import", Workplace.sample, "harbour.db" + suffix)
    #expect(refused.status == 73)
    #expect(refused.complaint.count == 2)
    #expect(refused.complaint.first?.contains("'harbour.db'") == true)
    #expect(try place.directory.names == ["harbour.db"])
    #expect(try data("harbour.db") == before)
  }

  @Test func aRefusedFeedKeepsTheOldDatabase() throws {
    try place.writeFeed("bad", ["stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nS,One,1,999\n"])
    let before = try data("harbour.db")
    for output in ["harbour.db", "new.db"] {
      let refused = try place.run("transit", "import", "bad", output, "--replace", "--json")
      #expect(refused.status == 65)
      #expect(refused.output == "")
      #expect(refused.complaint.count == 1)
      let error =
        try JSONSerialization.jsonObject(with: Data(refused.errors.utf8)) as? [String: Any]
      #expect(error?["error"] as? String == "bad_data")
      #expect(error?["file"] as? String == "stops.txt")
      #expect(error?["line"] as? Int == 2)
      #expect(error?["field"] as? String == "stop_lon")
    }
    #expect(try data("harbour.db") == before)
    #expect(try place.directory.names == ["bad", "harbour.db"])
  }

  private func data(_ name: String) throws -> Data {
    try Data(contentsOf: place.directory.file(name))
  }
}
