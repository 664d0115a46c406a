import Foundation
import Holdfast
import HoldfastTestSupport
import HoldfastTransit
import Testing

@testable import HoldfastFeeds

/// A timetable as plain tables for other tools.
@Suite struct PlainDatabaseTests {
  private let directory: TemporaryDirectory
  private let database: URL
  private let output: URL

  init() throws {
    directory = try TemporaryDirectory()
    database = directory.file("in.db")
    output = directory.file("out.sqlite")
    let feeds = try Folder()
    var fixture = FeedFixture()
    fixture["trips.txt"] = "route_id,service_id,trip_id,note\nF1,W,T1,\"a, b\"\nF1,W,T2,\n"
    fixture["transfers.txt"] = "from_stop_id,to_stop_id,transfer_type\nQ1,Q,2\nQ1,Q,2\n"
    fixture["levels.txt"] = "level_id,level_index\nL,0\nL,1\n"
    fixture["areas.txt"] = "area_id\nA\n"
    fixture["sqlite_own.txt"] = "x\n1\n"
    fixture["stops_parent.txt"] = "select,X-Y\n1,2\n"
    fixture["calendar_dates.txt"] = "service_id,date,exception_type\nW,20260106,2\n"
    fixture["locations.geojson"] =
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"z","geometry":{"type":"Polygon","coordinates":[]}}]}"#
    try FeedImporter(feed: fixture.writeFolder(in: feeds), output: database).run()
  }

  private func exporter(replaces: Bool = false) -> FeedExporter {
    var exporter = FeedExporter(database: database, output: output)
    exporter.replaces = replaces
    return exporter
  }

  private func read<Value>(_ value: (Database) throws -> Value) throws -> Value {
    let queue = try DatabaseQueue(path: output.path)
    defer { queue.closeIgnoringErrors() }
    return try queue.read(value)
  }

  private func rows(_ sql: String) throws -> [String] {
    try read { db in
      try Row.fetchAll(db, sql: sql).map { row in
        row.databaseValues.map { $0.isNull ? "." : String.fromDatabaseValue($0) ?? "\($0)" }
          .joined(separator: "|")
      }
    }
  }

  @Test func `Each file is a plain table with its rows`() throws {
    let made = try exporter().run()
    #expect(made.rows["stop_times.txt"] == 2 && made.rows["locations.geojson"] == 1)
    #expect(
      try rows("SELECT name FROM sqlite_schema WHERE type <> 'index' ORDER BY name") == [
        "agency", "areas", "calendar", "calendar_dates", "frequencies", "gtfs_sqlite_own", "levels",
        "locations", "routes", "shapes", "stop_times", "stops", "stops_parent", "transfers",
        "trips",
      ])
    let schema = try rows("SELECT upper(sql) FROM sqlite_schema WHERE sql IS NOT NULL")
    #expect(!schema.contains { $0.contains("WITHOUT ROWID") || $0.contains("VIRTUAL") })
    #expect(!schema.contains { $0.contains("GENERATED") || $0.contains(" VIEW ") })
    #expect(
      try rows("SELECT stop_id, stop_name, stop_lat, parent_station FROM stops ORDER BY 1") == [
        "Q|Quay|-33.861|.", "Q1|Quay, Wharf 1|-33.8611|Q",
      ])
    #expect(
      try rows("SELECT * FROM calendar_dates") == ["W|20260106|2"])
    #expect(
      try rows("SELECT typeof(date), typeof(exception_type) FROM calendar_dates") == [
        "text|integer"
      ])
    #expect(
      try rows("SELECT typeof(start_date), typeof(monday) FROM calendar") == ["text|integer"])
    #expect(
      try rows(
        "SELECT trip_id, departure_time, stop_name FROM stop_times JOIN stops USING (stop_id)")
        == ["T1|08:00:00|Quay, Wharf 1", "T1|08:11:00|Quay, Wharf 1"])
    #expect(try rows("SELECT trip_id, note FROM trips") == ["T1|a, b", "T2|."])
    #expect(try rows("SELECT \"select\", \"X-Y\" FROM stops_parent") == ["1|2"])
    #expect(try rows("PRAGMA integrity_check") == ["ok"])
    #expect(try rows("PRAGMA foreign_key_check") == [])
    #expect(try directory.names == ["in.db", "out.sqlite"])
  }

  /// A comparison of texts would find that 60 is more than 100.
  @Test func `Numbers are numbers in every file`() throws {
    var fixture = FeedFixture()
    fixture["transfers.txt"] =
      "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nQ1,Q1,2,60\nQ1,Q,2,soon\n"
    fixture["levels.txt"] = "level_id,level_index\nL,-1\nM,10\nN,2.5\n"
    fixture["fare_attributes.txt"] = "fare_id,price,currency_type\nF,9.50,EUR\n"
    fixture["fare_products.txt"] = "fare_product_id,amount,currency\nF,9.50,EUR\n"
    fixture["own.txt"] = "level_index\n01\n"
    let feeds = try Folder()
    let other = directory.file("other.db")
    try FeedImporter(feed: fixture.writeFolder(in: feeds), output: other).run()
    try FeedExporter(database: other, output: output).run()
    #expect(
      try rows(
        """
        SELECT min_transfer_time, typeof(min_transfer_time), transfer_type + 0
        FROM transfers ORDER BY min_transfer_time
        """) == ["60|integer|2", "soon|text|2"])
    #expect(
      try rows("SELECT count(*) FROM transfers WHERE min_transfer_time BETWEEN 0 AND 100") == ["1"])
    #expect(try rows("SELECT level_id FROM levels ORDER BY level_index") == ["L", "N", "M"])
    #expect(try rows("SELECT price < 10, transfers IS NULL FROM fare_attributes") == ["1|1"])
    #expect(try rows("SELECT amount FROM fare_products") == ["9.50"])
    #expect(try rows("SELECT level_index FROM own") == ["01"])
  }

  @Test func `Tables have keys and indexes`() throws {
    try exporter().run()
    func key(_ table: String) throws -> [String] {
      try rows("SELECT name FROM pragma_table_info('\(table)') WHERE pk > 0 ORDER BY pk")
    }
    #expect(try key("stops") == ["stop_id"])
    #expect(try key("stop_times") == ["trip_id", "stop_sequence"])
    #expect(try key("calendar_dates") == ["service_id", "date"])
    // Its rows repeat the key.
    #expect(try key("levels") == [])
    for (sql, index) in [
      ("SELECT * FROM stop_times WHERE stop_id = 'Q1'", "stop_times_stop_id"),
      ("SELECT * FROM trips WHERE route_id = 'F1'", "trips_route_id"),
      ("SELECT * FROM transfers WHERE from_stop_id = 'Q1'", "transfers_from_stop_id"),
      ("SELECT * FROM stops WHERE parent_station = 'Q'", "stops_parent_station"),
    ] {
      let plan = try rows("EXPLAIN QUERY PLAN \(sql)")
      #expect(plan.contains { $0.contains(index) }, "\(plan)")
    }
  }

  @Test func `An agency without an identifier is no key of routes`() throws {
    var fixture = FeedFixture()
    fixture["agency.txt"] =
      "agency_name,agency_url,agency_timezone\nFerries,https://a.example,Etc/UTC\n"
    let feeds = try Folder()
    let other = directory.file("other.db")
    try FeedImporter(feed: fixture.writeFolder(in: feeds), output: other).run()
    try FeedExporter(database: other, output: output).run()
    #expect(try rows("PRAGMA foreign_key_check") == [])
    #expect(
      try rows("SELECT sql LIKE '%REFERENCES agency%' FROM sqlite_schema WHERE name = 'routes'")
        == ["0"])
  }

  @Test func `Equal timetables give equal bytes`() throws {
    try exporter().run()
    let first = try Data(contentsOf: output)
    try exporter(replaces: true).run()
    #expect(try Data(contentsOf: output) == first)
  }

  @Test func `What is no exported database is not replaced`() throws {
    try exporter().run()
    let error = #expect(throws: FeedError.self) { try exporter().run() }
    #expect(error?.code == .foreignOutput)
    try FileManager.default.removeItem(at: output)
    try FileManager.default.copyItem(at: database, to: output)
    let before = try Data(contentsOf: output)
    for replaces in [false, true] {
      let error = #expect(throws: FeedError.self) { try exporter(replaces: replaces).run() }
      #expect(error?.code == .foreignOutput)
    }
    try Data("notes".utf8).write(to: output)
    let other = #expect(throws: FeedError.self) { try exporter(replaces: true).run() }
    #expect(other?.code == .foreignOutput)
    #expect(try String(contentsOf: output, encoding: .utf8) == "notes" && !before.isEmpty)
  }

  /// Python's own SQLite reads it, in a program that knows nothing of this library.
  @Test(.enabled(if: FeedComparison.isPossible, "python3 is absent"))
  func `Another program reads it`() throws {
    try exporter().run()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      list(db.iterdump())
      print(db.execute("SELECT count(*) FROM stop_times JOIN trips USING (trip_id)"
        " JOIN routes USING (route_id) JOIN stops USING (stop_id)").fetchone()[0])
      """, output.path,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(
      decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text == "2\n")
  }
}
