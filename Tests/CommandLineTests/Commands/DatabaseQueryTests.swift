import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct DatabaseQueryTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  @Test func rowsArePrintedUnderTheirColumns() throws {
    let rows = try place.run(
      "db", "query", "harbour.db", "SELECT 1 AS a, 'x' AS a, NULL AS n, x'00ff' AS b, 1.5 AS r")
    #expect(rows.status == 0)
    #expect(
      rows.output == """
        a  a_2  n     b          r
        1  x    NULL  x'00ff'  1.5

        """)
  }

  /// Most builds of SQLite take a name in double quotes that is no column for a text, and apps have views of it.
  @Test func aViewMayHaveTextsInDoubleQuotes() throws {
    var configuration = Configuration()
    configuration.acceptsDoubleQuotedStringLiterals = true
    let path = place.directory.file("app.db").path(percentEncoded: false)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE task (name TEXT, state TEXT);
          INSERT INTO task VALUES ('a', 'open'), ('b', 'done');
          CREATE VIEW todo AS SELECT name FROM task WHERE state = "open";
          """)
    }
    try queue.close()
    let rows = try place.run("db", "query", "app.db", "SELECT * FROM todo", "--json")
    #expect(rows.output == #"{"name":"a"}"# + "\n", "\(rows.errors)")
    // A mistyped name is no text.
    let mistyped = try place.run("db", "query", "app.db", #"SELECT "nmae" FROM task"#)
    #expect(mistyped.status == 64 && mistyped.errors.contains("nmae"))
  }

  @Test func jsonRowsKeepTypesAndOrder() throws {
    let rows = try place.run(
      "db", "query", "harbour.db", "SELECT 1 AS z, 'x' AS z, NULL AS n, x'00ff' AS b, 1.5 AS r",
      "--json")
    #expect(rows.output == #"{"z":1,"z_2":"x","n":null,"b":{"blob":"AP8="},"r":1.5}"# + "\n")
  }

  @Test func rowsArePrintedAsCSV() throws {
    let rows = try place.run(
      "db", "query", "harbour.db", "--csv",
      """
      SELECT NULL AS n, '' AS "empty, text", 'say "Quay"' AS q, 'a' || char(10) || 'b' AS lines,
        x'00ff' AS b, 1.5 AS r, ' x ' AS spaces
      """)
    #expect(rows.status == 0)
    #expect(
      rows.output == """
        n,"empty, text",q,lines,b,r,spaces
        ,"","say ""Quay""\","a
        b",x'00ff',1.5," x "

        """)
    // A quote and a mark are one character, and still a quote.
    let marked = try place.run(
      "db", "query", "harbour.db", "SELECT 'a\"' || char(769) || ',b' AS x, 2 AS y", "--csv")
    #expect(marked.output == "x,y\n\"a\"\"\u{301},b\",2\n")
    let none = try place.run("db", "query", "harbour.db", "SELECT 1 AS a, 2 AS b WHERE 0", "--csv")
    #expect((none.status, none.output, none.errors) == (0, "a,b\n", ""))
    let both = try place.run("db", "query", "harbour.db", "SELECT 1", "--csv", "--json")
    #expect(both.status == 64)
  }

  /// A view of what is not there is no reason to restore the database.
  @Test func aMistypedNameBesideADeadViewIsNamed() throws {
    let queue = try DatabaseQueue(path: place.directory.file("any.db").path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT);
          CREATE VIEW shelf AS SELECT * FROM gone;
          """)
    }
    try queue.close()
    let answer = try place.run("db", "query", "any.db", "SELECT * FROM bookss")
    #expect(answer.errors.contains("Read it from books."), "\(answer.errors)")
    let view = try place.run("db", "query", "any.db", "SELECT * FROM shelf")
    #expect(view.errors.contains("no such table: main.gone"))
    #expect(!view.errors.contains("restore"), "\(view.errors)")
  }

  @Test func `Damage of a timetable is damage, and not a fault of the SQL`() throws {
    let queue = try DatabaseQueue(path: place.directory.file("harbour.db").path)
    try queue.write { db in try db.execute(sql: "UPDATE patterns SET calls = x'ff' WHERE pid = 1") }
    try queue.close()
    let answer = try place.run("db", "query", "harbour.db", "SELECT * FROM stop_times")
    #expect(answer.status == 65)
    #expect(
      answer.complaint.first
        == "'harbour.db' is damaged: row 1 of the table 'patterns' cannot be decoded.")
  }

  @Test(arguments: ["", "-"])
  func sqlIsReadFromStandardInput(word: String) throws {
    try Data("SELECT stop_name\nFROM stops WHERE stop_name LIKE 'Circular Quay'".utf8)
      .write(to: place.directory.file("query.sql"))
    let rows = try ToolProcess.shell(
      #""$HOLDFAST" db query harbour.db \#(word) --csv < query.sql"#, in: place.folder)
    #expect((rows.status, rows.errors) == (0, ""))
    #expect(rows.output == "stop_name\n\"Circular Quay\"\n")
  }

  @Test func standardInputThatIsNotTextIsRefused() throws {
    try Data([0x53, 0xFF]).write(to: place.directory.file("query.sql"))
    let rows = try ToolProcess.shell(
      #""$HOLDFAST" db query harbour.db < query.sql"#, in: place.folder)
    #expect(rows.status == 65)
    #expect(rows.complaint.first == "The SQL on standard input is not UTF-8.")
  }

  @Test(arguments: [
    ("stop_name FROM stop_times", "no such column: stop_name", "Read it from stops, gtfs_stops."),
    (
      "t.STOP_NAME FROM stop_times t", "no such column: t.STOP_NAME",
      "Read it from stops, gtfs_stops."
    ),
    (
      "trip_headsign FROM stop_times", "no such column: trip_headsign",
      "Read it from trips, gtfs_trips."
    ),
    (
      "route_color FROM trips", "no such column: route_color", "Read it from routes, gtfs_routes."
    ),
    (
      "stop_id FROM trips", "no such column: stop_id",
      "Read it from stops, stop_times, gtfs_stop_times, gtfs_stops."
    ),
    (
      "name FROM stops", "no such column: name",
      "Name columns as GTFS does: 'SELECT stop_id, stop_name FROM stops'."
    ),
    (
      "r.id FROM routes AS r", "no such column: r.id",
      "Name columns as GTFS does: 'SELECT route_id FROM routes'."
    ),
    (
      "arrival FROM stop_times", "no such column: arrival",
      "Name columns as GTFS does: 'SELECT arrival_time FROM stop_times'."
    ),
    (
      "route_name FROM routes", "no such column: route_name",
      "Name columns as GTFS does: 'SELECT route_id, route_short_name, route_long_name FROM routes'."
    ),
    ("* FROM agencies", "no such table: agencies", "Read it from agency."),
    (
      "* FROM fare_products", "no such table: fare_products",
      "Leave the table out: the feed of this timetable has no fare_products.txt."
    ),
    ("* FROM stop", "no such table: stop", "Read it from stops."),
    ("* FROM stop_time", "no such table: stop_time", "Read it from stop_times."),
    ("* FROM stops.txt", "no such table: stops.txt", "Read it from stops."),
    ("stopid FROM stops", "no such column: stopid", "Did you mean 'stop_id'?"),
    (
      "stop_id FROM stops JOIN dict_stop USING (sid)", "ambiguous column name: stop_id",
      "Name its table too, as in stops.stop_id."
    ),
  ])
  func aNameThatIsNotFoundSuggestsTheRightTableFirst(
    select: String, reason: String, advice: String
  ) throws {
    let refused = try place.run("db", "query", "harbour.db", "SELECT \(select)")
    #expect(refused.complaint == ["SQLite refuses the SQL: \(reason).", advice])
  }

  @Test func aFileOfTheFeedsOwnIsNamedWithItsTable() throws {
    try place.writeFeed("feed", ["notes.txt": "note_id,note_text\n1,Closed\n"])
    #expect(try place.run("transit", "import", "feed", "t.db").status == 0)
    let refused = try place.run("db", "query", "t.db", "SELECT * FROM notes")
    #expect(refused.complaint.last == "Read it from gtfs_notes.", "\(refused.errors)")
  }

  @Test(arguments: [
    "SELECT stop_id, stop_name, parent_station FROM stops ORDER BY stop_id LIMIT 1",
    "SELECT route_id, route_short_name, agency_id FROM routes ORDER BY route_id LIMIT 1",
    "SELECT agency_id, agency_name FROM agency ORDER BY agency_id LIMIT 1",
    "SELECT stop_id, stop_name, departure_time FROM stop_times JOIN stops USING (stop_id) LIMIT 1",
    "SELECT trip_id, route_short_name FROM trips JOIN routes USING (route_id) LIMIT 1",
    // What apps of older databases read.
    "SELECT s.* FROM stops s JOIN dict_stop d ON s.sid = d.sid WHERE d.stop_id = 'CQ'",
    "SELECT s.* FROM stops s JOIN stops_fts fts ON s.sid = fts.sid WHERE stops_fts MATCH 'quay' LIMIT 1",
  ])
  func theFilesOfTheFeedAreReadUnderTheirNames(sql: String) throws {
    let rows = try place.run("db", "query", "harbour.db", sql, "--csv")
    #expect((rows.status, rows.errors) == (0, ""))
    #expect(rows.output.split(separator: "\n").count == 2)
  }

  @Test func aTrailingSemicolonIsAllowed() throws {
    #expect(try place.run("db", "query", "harbour.db", "SELECT 1; -- one").status == 0)
  }

  @Test func anEmptyResultIsNotAnError() throws {
    let rows = try place.run("db", "query", "harbour.db", "SELECT 1 WHERE 0")
    #expect((rows.status, rows.output, rows.errors) == (0, "", "No rows found.\n"))
  }

  @Test(arguments: [
    ("SELEC 1", #"SQLite refuses the SQL: near "SELEC": syntax error."#),
    ("SELECT nope FROM stops", "SQLite refuses the SQL: no such column: nope."),
    ("SELECT json('x')", "SQLite refuses the SQL: malformed JSON."),
    ("", "SQLite refuses the SQL: No SQL statement found."),
    ("SELECT 1; SELECT 2", "The SQL holds more than one statement."),
    ("SELECT ?", "The SQL has 1 parameter and nothing to fill in."),
    ("BEGIN", "The SQL has no rows to print."),
    ("COMMIT", "The SQL has no rows to print."),
    ("ATTACH 'other.db' AS other", "The SQL has no rows to print."),
    ("DELETE FROM stops", "The SQL may change the database, and this command only reads."),
    (
      "DELETE FROM stops RETURNING sid",
      "The SQL may change the database, and this command only reads."
    ),
    (
      "PRAGMA user_version = 7",
      "The SQL may change the database, and this command only reads."
    ),
    (
      "VACUUM INTO 'copy.db'",
      "The SQL may change the database, and this command only reads."
    ),
  ])
  func sqlThatDoesNotOnlyReadIsRefused(sql: String, message: String) throws {
    let before = try Data(contentsOf: place.directory.file("harbour.db"))
    let refused = try place.run("db", "query", "harbour.db", sql)
    #expect(refused.status == 64)
    #expect(refused.output == "")
    #expect(refused.complaint.count == 2)
    #expect(refused.complaint.first == message)
    #expect(try Data(contentsOf: place.directory.file("harbour.db")) == before)
    #expect(try place.directory.names == ["harbour.db"])
  }
}
