import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTestSupport
import HoldfastTransit
import Testing

/// The tables are as apps with an older offline database know them, and open to every tool.
@Suite struct TimetableSchemaTests {
  let directory: TemporaryDirectory
  let database: URL

  init() throws {
    directory = try TemporaryDirectory()
    database = directory.file("harbour.db")
    try FeedImporter(feed: PortMerrow.folder, output: database).run()
  }

  private func read<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try Timetable(at: database).reader.read(value)
  }

  // MARK: What older apps read

  /// ST-5, ST-B7: a number of a stop in the index is that of the stop.
  @Test func theirQueriesFindStopsByWordsAndByIdentifier() throws {
    let names = try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT stop_name FROM stops_fts INNER JOIN stops USING (sid) WHERE stops_fts MATCH ?
          """,
        arguments: ["circular*"])
    }
    #expect(names.count == 10)
    #expect(names.contains("Circular Quay"))
    let name = try read { db in
      try String.fetchOne(
        db, sql: "SELECT stop_name FROM dict_stop NATURAL JOIN stops WHERE stop_id = 'CQ'")
    }
    #expect(name == "Circular Quay")
  }

  @Test func theMetadataHasTheFeedsVersionAndDates() throws {
    let keys = try read { db in try String.fetchAll(db, sql: "SELECT key FROM metadata") }
    #expect(Set(keys).isSuperset(of: ["feed_version", "feed_start_date", "feed_end_date"]))
  }

  /// ST-6: the tables that the apps of the seed read.
  @Test(arguments: [
    ("stops", "sid,stop_code,stop_name,stop_lat,stop_lon,wheelchair_boarding,"),
    ("routes", "rid,route_short_name,route_long_name,route_type,route_color,route_text_color,"),
    ("dict_stop", "sid,stop_id,"), ("dict_route", "rid,route_id,"), ("metadata", "key,value,"),
    ("stops_fts", "sid,name,"),
  ])
  func theTablesHaveTheColumnsOlderAppsKnow(table: String, columns: String) throws {
    let found = try read { db in
      try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
    }
    #expect((found.joined(separator: ",") + ",").hasPrefix(columns))
  }

  /// ST-B18: nothing said which program a file belongs to, and which version it has.
  @Test func theHeaderSaysWhatItIs() throws {
    let header = try Data(contentsOf: database).prefix(100)
    #expect(header[68..<72].elementsEqual("HFtt".utf8))
    #expect(header[60..<64].elementsEqual([0, 0, 0, 2]))
    #expect(header[18] == 1 && header[19] == 1)
    #expect(try directory.names == ["harbour.db"])
  }

  // MARK: Views

  @Test(arguments: ["agency", "stops", "routes"])
  func eachFileOfTheFeedIsAViewWithItsColumns(file: String) throws {
    let feed = try String(
      contentsOf: PortMerrow.folder.appending(path: "\(file).txt"), encoding: .utf8)
    let lines = feed.split(separator: "\n")
    let columns = try #require(lines.first).split(separator: ",").map(String.init)
    let found = try read { db in
      try String.fetchAll(
        db, sql: "SELECT name FROM pragma_table_info(?)", arguments: ["gtfs_\(file)"])
    }
    // What is only spoken is not kept.
    #expect(Set(columns).subtracting(found).isSubset(of: ["tts_stop_name"]))
    let count = try read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM gtfs_\(file)") }
    #expect(count == lines.count - 1)
  }

  @Test func aStopIsFoundUnderItsNameInTheFeed() throws {
    let wharf = try read { db in
      try Row.fetchOne(db, sql: "SELECT * FROM gtfs_stops WHERE stop_id = 'CQ-A'")
    }
    #expect(wharf?["parent_station"] as String? == "CQ")
    let ferry = try read { db in
      try Row.fetchOne(db, sql: "SELECT * FROM gtfs_routes WHERE route_id = 'F1'")
    }
    #expect(ferry?["agency_id"] as String? == "MHF")
    // By the index of the names, and not stop by stop.
    let plan = try read { db in
      try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN SELECT * FROM gtfs_stops WHERE stop_id = 'CQ'")
        .map { "\($0["detail"] as String)" }
    }
    #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
  }

  // MARK: Speed

  /// The plans are right without statistics, so that none are stored.
  @Test func searchesReadNoWholeTable() throws {
    let plan = { (sql: String) in
      try read { db in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql).map { "\($0["detail"] as String)" }
      }
    }
    let search = try plan(
      """
      SELECT stops.*, dict_stop.stop_id, parent.stop_id
      FROM stops JOIN dict_stop ON dict_stop.sid = stops.sid
        LEFT JOIN dict_stop AS parent ON parent.sid = stops.parent_sid
      WHERE stops.sid IN (SELECT sid FROM stops_fts WHERE stops_fts MATCH 'a')
      """)
    // Index 0 of the virtual table is all of its rows.
    func isScan(_ step: String) -> Bool {
      step.hasPrefix("SCAN")
        && (!step.contains("VIRTUAL")
          || step.hasPrefix("SCAN packed_stops") && step.contains("INDEX 0:"))
    }
    #expect(search.contains { $0.hasPrefix("SCAN packed_stops VIRTUAL TABLE INDEX 1:") })
    #expect(search.count { $0.hasPrefix("SCAN stops_fts_names VIRTUAL TABLE") } == 1)
    #expect(!search.contains(where: isScan), "\(search)")
    let lookup = try plan(
      "SELECT * FROM stops JOIN dict_stop USING (sid) WHERE dict_stop.stop_id = 'CQ'")
    #expect(!lookup.contains(where: isScan), "\(lookup)")
    let parts = try plan("SELECT * FROM stops WHERE parent_sid = 1")
    #expect(!parts.contains(where: isScan), "\(parts)")
    // What is stored is looked up on the right side of a LEFT JOIN without a copy of all.
    let station = try plan(
      """
      SELECT station.stop_name FROM main.stops LEFT JOIN main.stops AS station
        ON station.sid = stops.parent_sid WHERE stops.sid = 1
      """)
    #expect(!station.contains { isScan($0) || $0.contains("AUTOMATIC") }, "\(station)")
    #expect(try read { db in try db.tableExists("sqlite_stat1") } == false)
  }

  // MARK: Other tools

  @Test(.enabled(if: ShellTool.isPresent, "the sqlite3 tool is absent"))
  func otherToolsReadDumpAndReloadTheFile() throws {
    let bytes = try Data(contentsOf: database)
    let names =
      "SELECT stop_name FROM stops_fts JOIN stops USING (sid) WHERE stops_fts MATCH 'lodz'"
    #expect(try ShellTool.run(database, "\(names);") == "Łódź Street\n")
    #expect(try ShellTool.run(database, "PRAGMA integrity_check;") == "ok\n")
    let dump = try ShellTool.run(database, ".dump")
    let copy = directory.file("copy.db")
    _ = try ShellTool.run(copy, dump)
    #expect(try ShellTool.run(copy, "\(names);") == "Łódź Street\n")
    #expect(try ShellTool.run(copy, ".dump") == dump)
    let renamed = try ShellTool.run(
      copy, "ALTER TABLE routes RENAME TO lines; SELECT count(*) FROM lines;")
    #expect(renamed == "12\n")
    #expect(try Data(contentsOf: database) == bytes)
  }
}

/// The command-line tool of SQLite's own makers.
private enum ShellTool {
  static let isPresent = (try? run(nil, "SELECT 1;")) == "1\n"

  static func run(_ file: URL?, _ script: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-batch", "-bail", file?.path ?? ":memory:"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    // The whole script is read before the tool prints more than a pipe holds.
    try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
    try input.fileHandleForWriting.close()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: text, as: UTF8.self)
  }
}
