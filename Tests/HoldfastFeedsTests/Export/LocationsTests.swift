import Foundation
import Holdfast
import HoldfastTestSupport
import HoldfastTransit
import Testing

@testable import HoldfastFeeds

/// The zones of services on demand, from the feed to the database and back.
@Suite struct LocationsTests {
  private let directory: TemporaryDirectory
  private let feeds: Folder

  init() throws {
    directory = try TemporaryDirectory()
    feeds = try Folder()
  }

  /// Members that only this file has, numbers with many digits, holes, and texts with escapes.
  private static let zones = #"""
    {
      "type": "FeatureCollection", "name": "Zonen \u00e4", "bbox": [12.0, 51.0, 14.0, 53.0],
      "features": [
        {"type": "Feature", "id": "z1", "properties": {"stop_name": "Böblingen \"Ost\"", "extra": [1, null]},
          "geometry": {"type": "Polygon", "coordinates": [
            [[13.00000000000000001, 52], [13.1, 52.0], [13.1, 52.1], [13, 52]],
            [[13.01, 52.01], [13.02, 52.01], [13.02, 52.02], [13.01, 52.01]]]}},
        {"type": "Feature", "id": 7, "properties": {"stop_desc": null},
          "geometry": {"type": "MultiPolygon", "coordinates": [[[[-179.9999999, -1e-7], [180, 0], [180, 1], [-179.9999999, -1e-7]]]]}}
      ]
    }

    """#

  private func fixture(_ zones: String = zones) -> FeedFixture {
    var fixture = FeedFixture()
    fixture["locations.geojson"] = zones
    fixture["location_groups.txt"] = "location_group_id,location_group_name\nlg,Village\n"
    fixture["location_group_stops.txt"] = "location_group_id,stop_id\nlg,Q1\n"
    fixture["booking_rules.txt"] = "booking_rule_id,booking_type,message\nb,0,\"Call, please\"\n"
    fixture["trips.txt"] += "F1,W,T2\n"
    fixture["stop_times.txt"] = """
      trip_id,arrival_time,departure_time,stop_id,location_group_id,location_id,stop_sequence,start_pickup_drop_off_window,end_pickup_drop_off_window,pickup_type,drop_off_type,pickup_booking_rule_id
      T1,08:00:00,08:00:00,Q1,,,1,,,,,
      T1,08:10:00,08:11:00,Q1,,,2,,,,,
      T2,,,,lg,,1,08:00:00,12:00:00,2,1,b
      T2,,,,,z1,2,08:00:00,12:00:00,1,2,b

      """
    return fixture
  }

  private func text(_ file: String) throws -> String {
    try String(contentsOf: directory.file(file), encoding: .utf8)
  }

  @Test func `The zones are given back as they are written`() throws {
    let database = directory.file("a.db")
    let made = try FeedImporter(feed: fixture().writeFolder(in: feeds), output: database).run()
    #expect(made.rows["locations.geojson"] == 2)
    #expect(made.report.rows["locations.geojson"] == 2)
    #expect(made.report.problems.filter { $0.file == "locations.geojson" } == [])
    let exported = try FeedExporter(database: database, output: directory.file("out")).run()
    #expect(exported.rows["locations.geojson"] == 2)
    #expect(try text("out/locations.geojson") == Self.zones)
    for name in ["location_groups.txt", "location_group_stops.txt"] {
      #expect(try text("out/\(name)") == fixture()[name])
    }
    #expect(try text("out/booking_rules.txt").contains("\"Call, please\""))
    #expect(try text("out/stop_times.txt").contains("z1"))
    // The database of the export is the one of the feed.
    let again = try FeedImporter(feed: directory.file("out"), output: directory.file("b.db")).run()
    #expect(again.feedIdentity == made.feedIdentity)
    #expect(try Data(contentsOf: database) == Data(contentsOf: directory.file("b.db")))
    // An archive has the file too, and replacing an export knows it as one of a feed.
    try FeedExporter(database: database, output: directory.file("out.zip")).run()
    var exporter = FeedExporter(database: database, output: directory.file("out"))
    exporter.replaces = true
    try exporter.run()
    let third = try FeedImporter(
      feed: directory.file("out.zip"), output: directory.file("c.db")
    ).run()
    #expect(third.feedIdentity == made.feedIdentity)
  }

  /// Where each row of `stop_times.txt` names a zone, GTFS requires neither stops nor columns of stops and times.
  private func zonesAlone(stops: String? = nil) -> FeedFixture {
    var fixture = FeedFixture()
    fixture.files["stops.txt"] = stops.map { Array($0.utf8) }
    fixture["locations.geojson"] = Self.zones
    fixture["stop_times.txt"] = """
      trip_id,location_id,stop_sequence,start_pickup_drop_off_window,end_pickup_drop_off_window,pickup_type,drop_off_type
      T1,z1,1,08:00:00,12:00:00,2,1
      T1,7,2,08:00:00,12:00:00,1,2

      """
    return fixture
  }

  @Test(arguments: [nil, "stop_id,stop_name,stop_lat,stop_lon\n"])
  func `A feed whose trips serve zones alone needs no stops`(stops: String?) throws {
    let database = directory.file("a.db")
    let feed = try zonesAlone(stops: stops).writeFolder(in: feeds)
    let made = try FeedImporter(feed: feed, output: database).run()
    #expect(made.report.warningCount == 0, "\(made.report.problems)")
    #expect(made.stopsWithoutService == 0 && !made.isWithoutService)
    #expect(try FeedReport.examine(feed).errorCount == 0)
    try ImportedDatabase(url: database).expectSound("zones alone")
    let timetable = try Timetable(at: database)
    defer { timetable.reader.closeIgnoringErrors() }
    try timetable.reader.read { db in
      let trip = try #require(try Trip.fetchOne(db, tripID: "T1"))
      #expect(trip.calls.map(\.locationID) == ["z1", "7"])
      #expect(trip.calls.map(\.areaName) == [#"Böblingen "Ost""#, nil])
      #expect(trip.calls.map(\.window?.start) == ["08:00:00", "08:00:00"])
      let monday = try Date("2026-01-05T02:00:00Z", strategy: .iso8601)
      #expect(try FeedValidity(db, at: monday).hasService == true)
      #expect(try StopSearch("quay").fetchAll(db).isEmpty)
      let place = try Position(latitude: 52, longitude: 13)
      #expect(try NearbyStops(to: place, limit: 1).fetchAll(db).isEmpty)
      let other = try Position(latitude: 52.5, longitude: 13)
      let journeys = Journeys(from: .position(place), to: .position(other), .departing(monday))
      #expect(try journeys.fetchAll(db).isEmpty)
    }
    let exported = directory.file("out")
    try FeedExporter(database: database, output: exported).run()
    let again = try FeedImporter(feed: exported, output: directory.file("b.db")).run()
    #expect(again.feedIdentity == made.feedIdentity)
    try FeedExporter(database: database, output: directory.file("out.sqlite")).run()
  }

  @Test func `A trip has the names of the groups and zones that it serves`() throws {
    let database = directory.file("a.db")
    try FeedImporter(feed: fixture().writeFolder(in: feeds), output: database).run()
    let timetable = try Timetable(at: database)
    defer { timetable.reader.closeIgnoringErrors() }
    let trips = try timetable.reader.read { db in
      try ["T1", "T2"].map { try #require(try Trip.fetchOne(db, tripID: $0)) }
    }
    #expect(trips[0].calls.map(\.areaName) == [nil, nil])
    #expect(trips[1].calls.map(\.areaName) == ["Village", #"Böblingen "Ost""#])
  }

  @Test func `A feed of zones alone shares a database with one of stops`() throws {
    var importer = FeedImporter(
      feed: try fixture().writeFolder(in: feeds, under: "1"), output: directory.file("a.db"))
    importer.furtherFeeds = [
      PrefixedFeed(try zonesAlone().writeFolder(in: feeds, under: "2"), prefix: "s_")
    ]
    #expect(try importer.run().rows["stop_times.txt"] == 6)
  }

  @Test func `Zones are rows in SQL`() throws {
    let database = directory.file("a.db")
    try FeedImporter(feed: fixture().writeFolder(in: feeds), output: database).run()
    let timetable = try Timetable(at: database)
    defer { timetable.reader.closeIgnoringErrors() }
    try timetable.reader.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT location_id, stop_name, geometry_type, json_extract(geometry, '$.coordinates') LIKE '[[[%'
          FROM locations ORDER BY location_id
          """)
      #expect(
        rows.map { $0.databaseValues.map { "\($0)" }.joined(separator: "|") } == [
          "'7'|NULL|'MultiPolygon'|1", "'z1'|'Böblingen \"Ost\"'|'Polygon'|1",
        ])
    }
  }

  @Test func `The identity of a feed does not depend on spaces in the file`() throws {
    let one = try FeedImporter(
      feed: fixture(#"{"type": "FeatureCollection", "features": []}"#).writeFolder(
        in: feeds, under: "1"),
      output: directory.file("1.db")
    ).run()
    let other = try FeedImporter(
      feed: fixture("\u{FEFF}{\"type\":\"FeatureCollection\",\n\"features\":[]}").writeFolder(
        in: feeds, under: "2"), output: directory.file("2.db")
    ).run()
    let third = try FeedImporter(
      feed: fixture(#"{"type": "FeatureCollection", "features": [], "name": "x"}"#).writeFolder(
        in: feeds, under: "3"), output: directory.file("3.db")
    ).run()
    #expect(one.feedIdentity == other.feedIdentity)
    #expect(one.feedIdentity != third.feedIdentity)
  }

  @Test func `The zones of several feeds have the prefixes of their references`() throws {
    var importer = FeedImporter(
      feed: try fixture().writeFolder(in: feeds, under: "1"), output: directory.file("a.db"))
    importer.prefix = "n_"
    importer.furtherFeeds = [
      PrefixedFeed(try fixture().writeFolder(in: feeds, under: "2"), prefix: "s_")
    ]
    let made = try importer.run()
    #expect(made.rows["locations.geojson"] == 4)
    try FeedExporter(database: directory.file("a.db"), output: directory.file("out")).run()
    let zones = try text("out/locations.geojson")
    for id in ["n_z1", "n_7", "s_z1", "s_7"] { #expect(zones.contains("\"id\":\"\(id)\"")) }
    // Numbers keep their digits.
    #expect(zones.contains("13.00000000000000001") && zones.contains("-1e-7"))
    #expect(try text("out/stop_times.txt").contains("n_z1"))
  }

  @Test(arguments: [
    ("", "malformed_json"), ("[1,", "malformed_json"), ("{'a':1}", "malformed_json"),
    ("{\"a\":1} x", "malformed_json"), ("\u{0}", "malformed_json"),
    ("[]", "unsupported_geo_json_type"), ("5", "unsupported_geo_json_type"),
    (#"{"type":"Feature"}"#, "unsupported_geo_json_type"),
    (#"{"type":"FeatureCollection","features":[5]}"#, "unsupported_feature_type"),
    (#"{"type":"FeatureCollection","features":["x"]}"#, "unsupported_feature_type"),
    (
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"a","geometry":{"type":"Point","coordinates":[1,2]}}]}"#,
      "unsupported_geometry_type"
    ),
    (
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"a"}]}"#,
      "missing_required_element"
    ),
    (
      #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Polygon","coordinates":[]}}]}"#,
      "missing_required_element"
    ),
    (
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"a","geometry":{"type":"Polygon","coordinates":[]}},{"type":"Feature","id":"a","geometry":{"type":"Polygon","coordinates":[]}}]}"#,
      "duplicate_geo_json_key"
    ),
  ])
  func `A file that is not as GTFS requires is named, and harms nothing`(
    zones: String, code: String
  ) throws {
    let feed = try fixture(zones).writeFolder(in: feeds)
    let made = try FeedImporter(feed: feed, output: directory.file("a.db")).run()
    let found = made.report.problems.filter { $0.file == "locations.geojson" }
    #expect(found.map(\.code) == [code])
    #expect((made.rows["locations.geojson"] == nil) == (code == "malformed_json"))
    #expect(
      try FeedReport.examine(feed, at: .now).problems.filter { $0.file == "locations.geojson" }
        == found)
    try FeedExporter(database: directory.file("a.db"), output: directory.file("out")).run()
    let out = directory.file("out/locations.geojson").path
    #expect(FileManager.default.fileExists(atPath: out) == (code != "malformed_json"))
  }

  // MARK: Drafts

  @Test func `Columns of drafts of GTFS-Flex are named where they have a value`() throws {
    var fixture = FeedFixture()
    fixture["stop_times.txt"] = """
      trip_id,arrival_time,departure_time,stop_id,stop_sequence,start_pickup_dropoff_window,end_pickup_dropoff_window,start_service_area_id,mean_duration_factor
      T1,08:00:00,08:00:00,Q1,1,08:00:00,,,1
      T1,08:10:00,08:11:00,Q1,2,,,,1

      """
    fixture["trips.txt"] = "route_id,service_id,trip_id,drt_advance_book_min\nF1,W,T1,60\n"
    fixture["location_groups.txt"] = "location_group_id,location_id\nlg,z1\n"
    let feed = try fixture.writeFolder(in: feeds)
    let made = try FeedImporter(feed: feed, output: directory.file("a.db")).run()
    let drafts = made.report.problems.filter { $0.code == "draft_of_flex" }
    #expect(
      drafts.map { "\($0.file) \($0.field ?? "")" } == [
        "trips.txt drt_advance_book_min", "stop_times.txt mean_duration_factor",
        "stop_times.txt start_pickup_dropoff_window",
        "location_groups.txt location_id",
      ])
    #expect(drafts[2].advice == "Ask the publisher for start_pickup_drop_off_window instead.")
    #expect(drafts.allSatisfy { $0.severity == .warning })
  }

  @Test func `Zones that are named as stops are named as a draft's`() throws {
    var fixture = fixture()
    fixture["stop_times.txt"] = """
      trip_id,arrival_time,departure_time,stop_id,stop_sequence
      T1,08:00:00,08:00:00,Q1,1
      T1,08:10:00,08:11:00,Q1,2
      T2,,,z1,1
      T2,,,lg,2
      T2,,,nope,3

      """
    let made = try FeedImporter(
      feed: fixture.writeFolder(in: feeds), output: directory.file("a.db")
    ).run()
    let found = made.report.problems.filter { $0.file == "stop_times.txt" && $0.field == "stop_id" }
    #expect(
      found.map { "\($0.line ?? 0) \($0.code)" } == [
        "4 draft_of_flex", "5 draft_of_flex", "6 foreign_key_violation",
      ])
    #expect(made.rows["stop_times.txt"] == 2)
  }

  // MARK: Shared cases

  @Test(.enabled(if: SharedCases.arePresent, SharedCases.absence))
  func `The zones of the shared case are exported`() throws {
    let feed = SharedCases.feed("flex-locations-lost")
    try FeedImporter(feed: feed, output: directory.file("t.db")).run()
    try FeedExporter(database: directory.file("t.db"), output: directory.file("out")).run()
    #expect(
      try Data(contentsOf: directory.file("out/locations.geojson"))
        == Data(contentsOf: feed.appending(path: "locations.geojson")))
  }

  @Test(.enabled(if: SharedCases.arePresent, SharedCases.absence))
  func `The quotes of the shared case are kept`() throws {
    let made = try FeedImporter(
      feed: SharedCases.feed("unescaped-quotes"), output: directory.file("t.db")
    ).run()
    #expect(made.report.counts["stray_quote"] == 2)
    let timetable = try Timetable(at: directory.file("t.db"))
    defer { timetable.reader.closeIgnoringErrors() }
    let names = try timetable.reader.read { db in
      try String.fetchAll(db, sql: "SELECT stop_name FROM stops ORDER BY stop_id")
    }
    #expect(names == ["Osnabrück, \"emma\"", "Rathaus \"Vis-à-Vis Bus\"", "Four"])
  }
}
