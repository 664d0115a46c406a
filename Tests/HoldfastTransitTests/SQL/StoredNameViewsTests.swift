import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// `stops`, `routes` and `agency` with GTFS's columns, on a connection to a timetable.
@Suite struct StoredNameViewsTests {
  private let feed: FeedInSQL

  private static let files: [String: String] = [
    "agency.txt":
      "agency_id,agency_name,agency_url,agency_timezone,agency_note,AID\nA,A,,Etc/UTC,n,x\n",
    "stops.txt": """
    stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,level_id,own,sid
    S1,One,1,1,1,,,,
    S2,Two,2,2,0,S1,L,o,s
    S3,,3,3,0,S1,,,
    007,Seven,,,3,S1,,,
    """,
    "routes.txt":
      "route_id,route_short_name,route_long_name,route_type,network_id,lights\nR,1,,3,N,\nQ,2,,3,,yes\n",
    "trips.txt": "route_id,service_id,trip_id\nR,D,T1\nQ,D,T2\n",
    "stop_times.txt": """
    trip_id,arrival_time,departure_time,stop_id,stop_sequence
    T1,8:00:00,8:00:30,S2,1
    T1,8:10:00,8:10:00,S3,2
    T2,9:00:00,9:00:00,S3,1
    T2,9:10:00,9:10:00,S2,2
    """,
    "calendar.txt": """
    service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
    D,1,1,1,1,1,1,1,20260101,20261231
    """,
    "levels.txt": "level_id,level_index\nL,0\n",
  ]

  init() throws {
    feed = try FeedInSQL(Self.files)
  }

  @Test(arguments: [
    (
      "stops", "stop_id, stop_name, parent_station, level_id, own",
      [
        "007|Seven|S1|.|.", "S1|One|.|.|.", "S2|Two|S1|L|o", "S3|One|S1|.|.",
      ]
    ),
    (
      "routes", "route_id, route_short_name, agency_id, network_id, lights",
      [
        "Q|2|A|.|yes", "R|1|A|N|.",
      ]
    ),
    ("agency", "agency_id, agency_name, agency_note", ["A|A|n"]),
  ])
  func `A file of the feed is read under its name`(
    table: String, columns: String, expected: [String]
  ) throws {
    try feed.read { db throws in
      #expect(try FeedInSQL.rows(db, "SELECT \(columns) FROM \(table) ORDER BY 1") == expected)
    }
  }

  @Test(arguments: ["stops", "routes", "agency"])
  func `It has all columns and rows of what the file stores`(table: String) throws {
    try feed.read { db throws in
      let stored = try String.fetchAll(
        db, sql: "SELECT name FROM pragma_table_info('\(table)', 'main')")
      let found = try String.fetchAll(
        db, sql: "SELECT name FROM pragma_table_info('\(table)', 'temp')")
      #expect(found.starts(with: stored) && found.count > stored.count)
      // A column of the feed with the name of a stored one is in gtfs_stops only.
      #expect(Set(found.map { DatabaseIdentifier($0) }).count == found.count)
      let columns = stored.joined(separator: ", ")
      #expect(
        try FeedInSQL.rows(db, "SELECT \(columns) FROM \(table) ORDER BY 1")
          == FeedInSQL.rows(db, "SELECT \(columns) FROM main.\(table) ORDER BY 1"))
    }
  }

  @Test(arguments: [
    (
      "stop_name, departure_time FROM stop_times JOIN stops USING (stop_id) WHERE trip_id = 'T1'",
      ["Two|08:00:30", "One|08:10:00"]
    ),
    (
      "stop_name, departure_time FROM stops JOIN stop_times USING (stop_id) WHERE stop_id = 'S2'",
      ["Two|08:00:30", "Two|09:10:00"]
    ),
    (
      "stop_name, trip_id FROM stops NATURAL LEFT JOIN stop_times WHERE stop_id = 'S1'", ["One|."]
    ),
    ("trip_id, route_short_name FROM trips JOIN routes USING (route_id)", ["T1|1", "T2|2"]),
    (
      "s.stop_id, p.stop_name FROM stops s LEFT JOIN stops p ON p.stop_id = s.parent_station",
      ["S1|.", "S2|One", "S3|One", "007|One"]
    ),
    // What apps with an older database ask.
    ("s.* FROM stops s JOIN dict_stop d ON s.sid = d.sid WHERE d.stop_id = 'nope'", []),
    (
      "s.stop_name FROM stops s JOIN stops_fts fts ON s.sid = fts.sid WHERE stops_fts MATCH 'two'",
      ["Two"]
    ),
    ("stop_name FROM dict_stop NATURAL JOIN stops WHERE stop_id = 'S2'", ["Two"]),
    ("count(*) FROM stops", ["4"]),
  ])
  func `Files are joined`(sql: String, expected: [String]) throws {
    try feed.read { db throws in
      #expect(try Set(FeedInSQL.rows(db, "SELECT \(sql)")) == Set(expected), "\(sql)")
    }
  }

  @Test(arguments: [
    "SELECT * FROM stops WHERE stop_id = 'S2'", "SELECT * FROM stops WHERE sid = 2",
    "SELECT * FROM routes WHERE route_id = 'R'", "SELECT * FROM routes WHERE rid = 1",
    "SELECT * FROM routes WHERE route_type = 3", "SELECT * FROM agency WHERE aid = 1",
    "SELECT * FROM trips CROSS JOIN routes USING (route_id) WHERE trip_id = 'T1'",
    "SELECT * FROM stop_times JOIN stops USING (stop_id) WHERE trip_id = 'T1'",
  ])
  func `Rows are found without a scan`(sql: String) throws {
    try feed.read { db throws in
      let plan = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)")
        .map { "\($0["detail"] as String)" }
      #expect(
        !plan.contains {
          $0.hasPrefix("SCAN") && (!$0.contains("VIRTUAL") || $0.contains("INDEX 0:"))
        }, "\(plan)")
    }
  }

  private struct Line: TableRecord, FetchableRecord, Decodable {
    static let databaseTableName = "routes"
    var rid: Int64
    var routeShortName: String?
    var routeID: String?

    enum CodingKeys: String, CodingKey {
      case rid
      case routeShortName = "route_short_name"
      case routeID = "route_id"
    }
  }

  @Test func `Records are found by their keys as before`() throws {
    try feed.read { db throws in
      let lines = try Line.order(Column("rid")).fetchAll(db)
      #expect(lines.count == 2)
      for line in lines {
        let found = try Line.find(db, key: line.rid)
        #expect(found.routeShortName == line.routeShortName && found.routeID == line.routeID)
      }
      #expect(try db.primaryKey("stops").columns == ["sid"])
      #expect(try db.primaryKey("agency").columns == ["aid"])
      #expect(try db.primaryKey("routes", in: "main").columns == ["rid"])
    }
  }

  @Test(arguments: ["stops", "routes", "agency"])
  func `A write to a read-only database says that it is read-only`(table: String) throws {
    let queue = try DatabaseQueue(
      path: feed.database.path,
      configuration: {
        var configuration = Configuration()
        configuration.readonly = true
        Timetable.prepare(&configuration)
        return configuration
      }())
    defer { queue.closeIgnoringErrors() }
    let error = #expect(throws: DatabaseError.self) {
      try queue.read { db in try db.execute(sql: "DELETE FROM \(table)") }
    }
    #expect(error?.resultCode == .SQLITE_READONLY)
  }

  @Test func `A connection that writes deletes stops, and is told where routes are`() throws {
    var configuration = Configuration()
    Timetable.prepare(&configuration)
    let queue = try DatabaseQueue(path: feed.database.path, configuration: configuration)
    defer { queue.closeIgnoringErrors() }
    try queue.write { db in
      try db.execute(sql: "DELETE FROM stops WHERE stop_id = '007'")
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM main.stops") == 3)
      let error = #expect(throws: DatabaseError.self) {
        try db.execute(sql: "DELETE FROM routes")
      }
      #expect(error?.message?.contains("main.routes") == true)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM main.routes") == 2)
    }
  }

  @Test func `A table with other columns is not hidden`() {
    let stored = ["agency": ["aid", "agency_id"], "routes": [], "dict_stop": ["sid", "stop_id"]]
    #expect(StoredNameViews(stored: stored, others: [:]).views == [])
  }
}
