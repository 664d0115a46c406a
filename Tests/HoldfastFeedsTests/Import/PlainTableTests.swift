import Foundation
import Holdfast
import HoldfastTestSupport
import HoldfastTransit
import Testing

@testable import HoldfastFeeds

/// The files of a feed that become tables of texts, and the columns that only the feed has.
@Suite struct PlainTableTests {
  private let feeds: Folder
  private let directory: TemporaryDirectory

  init() throws {
    feeds = try Folder()
    directory = try TemporaryDirectory()
  }

  private func run(_ fixture: FeedFixture) throws -> (made: FeedImport, output: URL) {
    let output = directory.file("\(UUID().uuidString).db")
    let feed = try fixture.writeFolder(in: feeds, under: UUID().uuidString)
    return (try FeedImporter(feed: feed, output: output).run(), output)
  }

  private func rows(_ sql: String, in output: URL) throws -> [[String?]] {
    try Timetable(at: output).reader.read { db in
      try Row.fetchAll(db, sql: sql).map { row in
        row.databaseValues.map { $0.isNull ? nil : $0.description }
      }
    }
  }

  private func columns(of table: String, in output: URL) throws -> [String] {
    try Timetable(at: output).reader.read { db in try db.columns(in: table).map(\.name) }
  }

  @Test func `a file of GTFS has all of GTFS's columns and the feed's own after them`() throws {
    var fixture = FeedFixture()
    fixture["transfers.txt"] = """
      b_note,to_stop_id,empty,from_stop_id,a_note,transfer_type

      ,Q,,Q1,"x, y",
      007,Q1,,Q,,2

      """
    fixture["levels.txt"] = "level_id,level_index\n"
    let (made, output) = try run(fixture)
    #expect(made.rows["transfers.txt"] == 2)
    #expect(made.rows["levels.txt"] == 0)
    #expect(
      try columns(of: "gtfs_transfers", in: output) == [
        "from_stop_id", "to_stop_id", "from_route_id", "to_route_id", "from_trip_id", "to_trip_id",
        "transfer_type", "min_transfer_time", "a_note", "b_note",
      ])
    #expect(
      try rows("SELECT * FROM gtfs_transfers", in: output) == [
        ["'Q'", "'Q1'", nil, nil, nil, nil, "'2'", nil, nil, "'007'"],
        ["'Q1'", "'Q'", nil, nil, nil, nil, nil, nil, "'x, y'", nil],
      ])
    #expect(
      try columns(of: "gtfs_levels", in: output) == ["level_id", "level_index", "level_name"])
    #expect(made.report.counts["unknown_column"] == 3)
  }

  @Test func `a file that GTFS does not define keeps the order of its rows and columns`() throws {
    var fixture = FeedFixture()
    fixture["stop_features.txt"] = "z,a,\n2,b,\n1,c,\n1,c,\n3\n"
    fixture["README.md"] = "not read"
    let (made, output) = try run(fixture)
    #expect(made.rows["stop_features.txt"] == 4)
    #expect(try columns(of: "gtfs_stop_features", in: output) == ["z", "a"])
    #expect(
      try rows("SELECT * FROM gtfs_stop_features", in: output) == [
        ["'2'", "'b'"], ["'1'", "'c'"], ["'1'", "'c'"], ["'3'", nil],
      ])
    #expect(made.report.counts["unknown_file"] == 2)
    #expect(made.rows["README.md"] == nil)
  }

  @Test func `hostile names of files and columns are only names`() throws {
    var fixture = FeedFixture()
    fixture["a\"b; DROP TABLE stops; --.txt"] =
      "rowid,oid,_rowid_,select,\"x\"\"y\",é,e\u{301}\n1,2,3,4,5,6,7\n"
    fixture["sqlite_sequence.txt"] = "a\n1\n"
    fixture["transfers_from.txt"] = "a\n1\n"
    fixture["shapes_.txt"] = "A,a,,A\n1,2,3,4\n"
    fixture["Notes.txt"] = "a\n1\n"
    fixture["notes.txt"] = "a\n2\n"
    fixture["transfers.txt"] = "from_stop_id,from_stop_id,From_Stop_ID\nQ,Q1,Q2\n"
    let (made, output) = try run(fixture)
    try ImportedDatabase(url: output).expectSound("hostile names")
    let table = "\"gtfs_a\"\"b; DROP TABLE stops; --\""
    #expect(
      try rows("SELECT * FROM \(table)", in: output)
        == [(1...7).map { "'\($0)'" }])
    #expect(try rows("SELECT \"x\"\"y\", \"é\" FROM \(table)", in: output) == [["'5'", "'6'"]])
    #expect(try rows("SELECT a FROM gtfs_sqlite_sequence", in: output) == [["'1'"]])
    // One of two names that SQLite does not tell apart.
    #expect(try rows("SELECT * FROM gtfs_shapes_", in: output) == [["'1'"]])
    #expect(try rows("SELECT a FROM gtfs_notes", in: output) == [["'1'"]])
    #expect(try rows("SELECT from_stop_id FROM gtfs_transfers", in: output) == [["'Q'"]])
    #expect(
      made.report.problems.filter { $0.severity == .warning }.map { "\($0.file) \($0.code)" } == [
        "shapes_.txt unknown_file", "transfers.txt missing_required_field",
        "notes.txt file_name_twice", "shapes_.txt empty_column_name",
        "transfers_from.txt file_name_twice",
      ])
    #expect(made.rows["notes.txt"] == nil && made.rows["Notes.txt"] == 1)
    #expect(made.report.counts["duplicated_column"] == 4)
  }

  @Test func `columns beyond what a table can have are left out`() throws {
    var fixture = FeedFixture()
    let names = (0..<2100).map { "x\(10_000 + $0)" }
    fixture["wide.txt"] = names.joined(separator: ",") + "\n" + names.joined(separator: ",") + "\n"
    fixture["stops.txt"] =
      "stop_id,stop_name,stop_lat,stop_lon," + names.joined(separator: ",") + "\n"
      + "Q1,Quay,1,1," + names.joined(separator: ",") + "\n"
    let (made, output) = try run(fixture)
    #expect(made.report.counts["too_many_columns"] == 2)
    for table in ["gtfs_wide", "gtfs_stops"] {
      let row = try #require(try rows("SELECT * FROM \(table)", in: output).first)
      #expect(row.last == "'x11899'")
      #expect(row.suffix(1900).first == "'x10000'")
    }
  }

  /// Departures need none of these files, so that no flaw in them refuses the feed.
  @Test(arguments: [
    (
      "translations.txt", "table_name,language\nstops,en\nstops,\"fr\nroutes,de\n", 2,
      "csv_parsing_failed"
    ),
    ("translations.txt", "table_name,language\nstops,en,x\nstops,de\n", 1, "invalid_row_length"),
    ("translations.txt", "table_name,language\nstops\nstops,de\n", 2, "invalid_row_length"),
    ("license.txt", "Free\n\nto use, as you \"like\" it.\n", 0, "invalid_row_length"),
  ])
  func `a flaw in a file that departures do not need costs its rows only`(
    file: String, text: String, count: Int, code: String
  ) throws {
    var fixture = FeedFixture()
    fixture[file] = text
    let (made, _) = try run(fixture)
    #expect(made.rows[file] == count)
    #expect(made.report.counts[code] == 1)
    #expect(made.report.problems.contains { $0.code == code && $0.severity == .warning })
  }

  @Test func `bytes of another encoding become U+FFFD in a file that departures do not need`()
    throws
  {
    var fixture = FeedFixture()
    fixture.files["levels.txt"] = Array("level_id,level_name\nL,".utf8) + [0xC9, 0x74, 0] + [10]
    fixture.files["areas.txt"] = [0xFF, 0xFE] + "area_id\nA\n".utf8.flatMap { [$0, 0] }
    let (made, output) = try run(fixture)
    #expect(
      try rows("SELECT level_id, level_name FROM gtfs_levels", in: output)
        == [["'L'", "'\u{FFFD}t\u{FFFD}'"]])
    #expect(made.rows["areas.txt"] == nil)
    #expect(made.report.counts["invalid_character"] == 1)
    #expect(made.report.counts["utf16"] == 1)
  }

  /// As after a clone without Git LFS, or a download that brought pages.
  @Test func `a file in whose place something else lies is named as what it is`() throws {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"
    var fixture = FeedFixture()
    fixture["areas.txt"] = "<!DOCTYPE html>\n<html>404</html>\n"
    fixture["levels.txt"] = pointer
    let (made, _) = try run(fixture)
    #expect(made.report.counts == ["substituted_file": 2])
    fixture["trips.txt"] = pointer
    let error = #expect(throws: FeedError.self) { try run(fixture) }
    #expect(error?.file == "trips.txt")
    #expect(error?.message.contains("a pointer of Git LFS in place of the file") ?? false)
    #expect(error?.message.contains("more error") == false)
    #expect(error?.advice == "Fetch the file itself: git lfs pull")
  }

  // MARK: Stops, routes, agencies

  @Test func `columns without a place of their own are in the views`() throws {
    var fixture = FeedFixture()
    fixture["stops.txt"] = """
      stop_id,sid,stop_name,stop_lat,stop_lon,level_id,parent_station,location_type,stop_access,Zone
      Q,7,Quay,-33.86112345,151.2,,,1,,z
      Q1,,,,,L1,Q,,1,

      """
    fixture["routes.txt"] = """
      route_id,agency_id,route_short_name,route_type,network_id,continuous_pickup,c1
      F1,HF,F1,4,N,2,é

      """
    fixture["agency.txt"] = """
      agency_id,agency_name,agency_url,agency_timezone,cemv_support,aid
      HF,Harbour Ferries,https://example.org,Australia/Sydney,1,9

      """
    let (_, output) = try run(fixture)
    #expect(
      try rows(
        """
        SELECT stop_id, stop_name, stop_lat, level_id, stop_access, sid, "Zone" FROM gtfs_stops
        ORDER BY stop_id
        """, in: output) == [
          ["'Q'", "'Quay'", "-33.86112345", nil, nil, "'7'", "'z'"],
          ["'Q1'", nil, nil, "'L1'", "'1'", nil, nil],
        ])
    // Riders see the station's name and place.
    #expect(
      try rows("SELECT stop_name, stop_lat FROM stops WHERE parent_sid IS NOT NULL", in: output)
        == [["'Quay'", "-33.86112345"]])
    #expect(
      try rows("SELECT network_id, continuous_pickup, c1 FROM gtfs_routes", in: output)
        == [["'N'", "'2'", "'é'"]])
    #expect(try rows("SELECT cemv_support, aid FROM gtfs_agency", in: output) == [["'1'", "'9'"]])
  }

  @Test func `the first row of the feed's description stays the first one`() throws {
    var fixture = FeedFixture()
    fixture["feed_info.txt"] = """
      feed_publisher_name,feed_publisher_url,feed_lang,feed_id
      P,https://example.org,en,
      A,https://example.org,en,7

      """
    let (made, output) = try run(fixture)
    #expect(
      try rows("SELECT feed_publisher_name, feed_id FROM gtfs_feed_info", in: output)
        == [["'P'", nil], ["'A'", "'7'"]])
    #expect(made.report.counts["more_than_one_entity"] == 1)
    #expect(made.report.counts["unknown_column"] == 1)
    #expect(made.report.problems.allSatisfy { !$0.message.contains("not read") })
  }

  @Test func `a column of the feed's description without a value is left out`() throws {
    var fixture = FeedFixture()
    fixture["feed_info.txt"] =
      "feed_publisher_name,feed_publisher_url,feed_lang,own\nP,https://example.org,en,\n"
    let blank = try run(fixture)
    fixture["feed_info.txt"] =
      "feed_publisher_name,feed_publisher_url,feed_lang\nP,https://example.org,en\n"
    #expect(try run(fixture).made.feedIdentity == blank.made.feedIdentity)
    #expect(try !columns(of: "gtfs_feed_info", in: blank.output).contains("own"))
  }

  @Test func `a latitude without a longitude is given back, and is no place`() throws {
    var fixture = FeedFixture()
    fixture["stops.txt"] =
      "stop_id,stop_name,stop_lat,stop_lon\nQ,Quay,-33.5,\nQ1,Wharf,,151.25\n"
    let (made, output) = try run(fixture)
    #expect(
      try rows("SELECT stop_id, stop_lat, stop_lon FROM gtfs_stops ORDER BY 1", in: output)
        == [["'Q'", "-33.5", nil], ["'Q1'", nil, "151.25"]])
    #expect(made.report.counts["no_coordinate"] == 2)
    let stops = try Timetable(at: output).reader.read { db in try Stop.fetchAll(db) }
    #expect(stops.count == 2 && stops.allSatisfy { $0.position == nil })
  }

  @Test(arguments: [
    ("transfers.txt", "Q,Q1,1", "Q,Q1,2"), ("stops.txt", "Q,Quay,1,1,a", "Q,Quay,1,1,b"),
    ("notes.txt", "x\ny", "y\nx"), ("stops.txt", "Q,Quay,1,1,a", "Q,Quay,1,1,"),
    ("shapes.txt", "S,1,1,1", "S,1,2,1"),
  ])
  func `a change of what is kept as text changes the identity`(
    file: String, old: String, new: String
  ) throws {
    var fixture = FeedFixture()
    fixture["stops.txt"] = "stop_id,stop_name,stop_lat,stop_lon,own\nQ,Quay,1,1,a\nQ1,Wharf,1,1,\n"
    fixture["transfers.txt"] = "from_stop_id,to_stop_id,transfer_type\nQ,Q1,1\nQ1,Q,1\n"
    fixture["notes.txt"] = "note\nx\ny\n"
    fixture["shapes.txt"] = "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nS,1,1,1\n"
    let before = try run(fixture).made.feedIdentity
    #expect(try run(fixture).made.feedIdentity == before)
    #expect(fixture[file].contains(old))
    fixture[file] = fixture[file].replacing(old, with: new)
    #expect(try run(fixture).made.feedIdentity != before)
  }

  @Test func `a file without rows is not taken for a column`() throws {
    var fixture = FeedFixture()
    fixture["t.txt"] = "a,gtfs_u\nc,x\n"
    let one = try run(fixture).made
    fixture["t.txt"] = "a\n"
    fixture["u.txt"] = "c\nx\n"
    let two = try run(fixture).made
    #expect((one.rows["t.txt"], two.rows["t.txt"], two.rows["u.txt"]) == (1, 0, 1))
    #expect(one.feedIdentity != two.feedIdentity)
  }
}
