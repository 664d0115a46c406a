import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Every file of a feed is a table in SQL, and other tools keep working.
@Suite struct TimetableTablesTests {
  private let feed: FeedInSQL

  private static let files: [String: String] = [
    "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\nA,A,,Etc/UTC\n",
    "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nS1,One,1,1\nS2,Two,2,2\nS3,Three,3,3\n",
    "routes.txt": "route_id,route_short_name,route_long_name,route_type\nR,1,,3\nQ,2,,3\n",
    "trips.txt": #"""
    route_id,service_id,trip_id,trip_headsign,direction_id,block_id,wheelchair_accessible,Note,cars_allowed
    R,D,T1,Town,0,B1,1,"a, ""b""",
    R,E,T2,,,,,,1
    Q,D,t1,Łódź,1,,0,x,2
    """#,
    "stop_times.txt": """
    trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,pickup_type,shape_dist_traveled,timepoint,hint
    T1,8:00:00,8:00:30,S1,1,,,0,1,
    T1,,,S2,2,via,3,1.5,0,h
    T1,25:10:00,,S1,7,,,2,,
    T2,00:00:00,00:00:00,S3,0,,,,,
    T2,,99:59:59,S1,1,,,,,
    t1,100:00:00,100:00:00,S2,4,,,,,
    t1,101:00:00,101:00:00,S3,5,,,,,
    """,
    "calendar.txt": """
    service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
    D,1,0,1,0,0,0,1,20260101,20261231
    """,
    "calendar_dates.txt":
      "service_id,date,exception_type,why\nE,20260105,1,\nD,20260105,2,rest\nD,20260107,2,\n",
    "frequencies.txt":
      "trip_id,start_time,end_time,headway_secs,exact_times\nT2,6:00:00,30:00:00,600,\n",
    "transfers.txt": "from_stop_id,to_stop_id,transfer_type\nS1,S2,2\n",
  ]

  init() throws {
    feed = try FeedInSQL(Self.files)
  }

  // MARK: Content

  @Test(arguments: [
    (
      "trips",
      "route_id,service_id,trip_id,trip_headsign,trip_short_name,direction_id,block_id,shape_id,"
        + "wheelchair_accessible,bikes_allowed,Note,cars_allowed,safe_duration_factor,"
        + "safe_duration_offset",
      [
        "R|D|T1|Town|.|0|B1|.|1|.|a, \"b\"|.|.|.", "R|E|T2|.|.|.|.|.|.|.|.|1|.|.",
        "Q|D|t1|Łódź|.|1|.|.|0|.|x|2|.|.",
      ]
    ),
    (
      "stop_times",
      "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,pickup_type,"
        + "drop_off_type,continuous_pickup,continuous_drop_off,shape_dist_traveled,timepoint,hint,"
        + "location_group_id,location_id,start_pickup_drop_off_window,"
        + "end_pickup_drop_off_window,pickup_booking_rule_id,drop_off_booking_rule_id",
      [
        "T1|08:00:00|08:00:30|S1|1|.|.|.|.|.|0.0|1|.", "T1|.|.|S2|2|via|3|.|.|.|1.5|0|h",
        "T1|25:10:00|.|S1|7|.|.|.|.|.|2.0|.|.", "T2|00:00:00|00:00:00|S3|0|.|.|.|.|.|.|.|.",
        "T2|.|99:59:59|S1|1|.|.|.|.|.|.|.|.", "t1|100:00:00|100:00:00|S2|4|.|.|.|.|.|.|.|.",
        "t1|101:00:00|101:00:00|S3|5|.|.|.|.|.|.|.|.",
      ].map { $0 + "|.|.|.|.|.|." }
    ),
    (
      "calendar",
      "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date",
      ["D|1|0|1|0|0|0|1|20260101|20261231"]
    ),
    (
      "calendar_dates", "service_id,date,exception_type,why",
      ["D|20260105|2|rest", "D|20260107|2|.", "E|20260105|1|."]
    ),
    (
      "frequencies", "trip_id,start_time,end_time,headway_secs,exact_times",
      ["T2|06:00:00|30:00:00|600|."]
    ),
  ])
  func `A file has its columns, its texts and NULL for blank values`(
    file: String, columns: String, expected: [String]
  ) throws {
    try feed.read { db throws in
      for table in [file, "gtfs_\(file)", file.uppercased()] {
        #expect(try db.columns(in: table).map(\.name).joined(separator: ",") == columns)
        #expect(try Set(FeedInSQL.rows(db, "SELECT * FROM \(table)")) == Set(expected))
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") == expected.count)
      }
    }
  }

  @Test func `A calendar with other columns is a virtual table`() throws {
    var files = Self.files
    files["calendar.txt"] = """
      service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date,name
      D,1,0,1,0,0,0,1,20260101,20261231,Werktag
      E,0,0,0,0,0,0,0,20260101,20260101,
      """
    try feed.replace(by: files)
    try feed.read { db throws in
      let found = try FeedInSQL.rows(db, "SELECT * FROM calendar ORDER BY service_id")
      #expect(
        found == [
          "D|1|0|1|0|0|0|1|20260101|20261231|Werktag", "E|0|0|0|0|0|0|0|20260101|20260101|.",
        ])
      #expect(try db.tableExists("gtfs_calendar") == false)
      #expect(
        try FeedInSQL.rows(db, "SELECT name FROM calendar WHERE service_id = 'D'") == ["Werktag"])
    }
  }

  // MARK: Finding rows

  private static let keys = [
    ("trips", "trip_id"), ("trips", "route_id"), ("trips", "service_id"),
    ("stop_times", "trip_id"), ("stop_times", "stop_id"), ("calendar_dates", "service_id"),
    ("frequencies", "trip_id"),
  ]

  @Test(arguments: keys)
  func `Rows are found by their keys as by comparing all`(table: String, key: String) throws {
    try feed.read { db throws in
      let plan = try FeedInSQL.rows(
        db, "EXPLAIN QUERY PLAN SELECT * FROM \(table) WHERE \(key) = 'x'")
      #expect(plan.contains { $0.contains("VIRTUAL TABLE INDEX") && !$0.contains("INDEX 0:") })
      let values = try String.fetchAll(db, sql: "SELECT DISTINCT \(key) FROM \(table)")
      #expect(!values.isEmpty)
      for value in values + ["", "nope", "T1\u{0}", "T"] {
        let found = { (condition: String) in
          try Row.fetchAll(
            db,
            sql: "SELECT rowid, * FROM holdfast_gtfs_\(table) WHERE \(condition) ORDER BY rowid",
            arguments: ["value": value]
          ).map(\.databaseValues)
        }
        #expect(try found("\(key) = :value") == found("+\(key) = :value"), "\(value)")
        #expect(
          try found("\(key) = :value OR \(key) = 'T1'")
            == found("+\(key) = :value OR +\(key) = 'T1'"))
        #expect(
          try found("\(key) IN (:value, 'T2', 'D')") == found("+\(key) IN (:value, 'T2', 'D')"))
      }
      let count = "SELECT count(DISTINCT rowid) = count(*) FROM holdfast_gtfs_\(table)"
      #expect(try Bool.fetchOne(db, sql: count) == true)
    }
  }

  @Test func `Other collations and numbers are compared as SQLite does`() throws {
    var files = Self.files
    files["trips.txt"] = "route_id,service_id,trip_id\nR,D,05\nR,D,5\nR,D,5.0\nR,D,a\nQ,D,A\n"
    files["stop_times.txt"] = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    files["frequencies.txt"] = nil
    try feed.replace(by: files)
    try feed.read { db throws in
      let trips = { (condition: String) in
        try FeedInSQL.rows(db, "SELECT trip_id FROM trips WHERE \(condition) ORDER BY 1")
      }
      #expect(try trips("trip_id = 'A' COLLATE NOCASE") == ["A", "a"])
      #expect(try trips("trip_id = 5") == ["5"])
      #expect(try trips("trip_id = NULL") == [])
      #expect(try trips("trip_id IS NULL") == [])
      #expect(try trips("trip_id = x'35'") == [])
      #expect(try trips("trip_id = CAST(5 AS INTEGER)") == ["05", "5", "5.0"])
    }
  }

  @Test func `Rows of a trip are sorted without a sort`() throws {
    try feed.read { db throws in
      let sql = "SELECT stop_sequence FROM stop_times WHERE trip_id = 'T1' ORDER BY stop_sequence"
      #expect(try FeedInSQL.rows(db, sql) == ["1", "2", "7"])
      #expect(
        try !FeedInSQL.rows(db, "EXPLAIN QUERY PLAN " + sql).contains { $0.contains("B-TREE") })
      #expect(try FeedInSQL.rows(db, sql + " DESC") == ["7", "2", "1"])
      let several = "SELECT trip_id || stop_sequence FROM stop_times WHERE trip_id IN ('t1', 'T2')"
      #expect(
        try FeedInSQL.rows(db, several + " ORDER BY stop_sequence") == ["T20", "T21", "t14", "t15"])
    }
  }

  @Test func `Files are joined`() throws {
    try feed.read { db throws in
      let found = try FeedInSQL.rows(
        db,
        sql(
          "trip_headsign, departure_time, t.trip_id",
          "stops s JOIN dict_stop USING (sid) JOIN stop_times USING (stop_id)"
            + " JOIN trips t USING (trip_id) JOIN calendar USING (service_id)"
            + " WHERE stop_name = 'One' AND monday = 1"))
      #expect(found == ["Town|08:00:30|T1", "Town|.|T1"])
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM stop_times a, stop_times b") == 49)
    }
  }

  private func sql(_ columns: String, _ rest: String) -> String { "SELECT \(columns) FROM \(rest)" }

  // MARK: Names

  @Test func `A temporary view never has a stored name`() {
    let views = TemporaryViews(
      stored: [
        "GTFS_TRIPS", "gtfs_transfers", "Stop_Times", "gtfs_own", "gtfs_sqlite_x", "levels",
      ],
      files: ["trips.txt", "stop_times.txt", "calendar.txt"],
      columns: ["stop_times.txt": ["own", "Location_ID"]],
      texts: ["gtfs_transfers": ["from_stop_id", "transfer_type", "own"], "gtfs_own": ["length"]]
    ).views
    #expect(
      views == [
        .init(
          name: "gtfs_stop_times", source: "holdfast_gtfs_stop_times",
          blank: [
            "location_group_id", "start_pickup_drop_off_window", "end_pickup_drop_off_window",
            "pickup_booking_rule_id", "drop_off_booking_rule_id",
          ]),
        .init(name: "gtfs_calendar", source: "holdfast_gtfs_calendar"),
        .init(name: "calendar", source: "temp.gtfs_calendar"),
        .init(
          name: "transfers", source: "main.gtfs_transfers",
          texts: ["from_stop_id", "transfer_type", "own"], numbers: ["transfer_type": "INTEGER"]),
        .init(name: "trips", source: "main.gtfs_trips"),
      ])
  }

  @Test func `The tables of the file stay what they are`() throws {
    try feed.read { db throws in
      let stored = try String.fetchAll(db, sql: "SELECT name FROM main.sqlite_schema")
      let own = try String.fetchAll(db, sql: "SELECT name FROM sqlite_temp_schema")
      #expect(!own.isEmpty)
      let names = Set(stored.map { DatabaseIdentifier($0) })
      // These have all columns and rows of what they hide.
      #expect(
        names.intersection(own.map { DatabaseIdentifier($0) })
          == ["stops", "routes", "agency", "stops_delete"].map { DatabaseIdentifier($0) }.reduce(
            into: []) { $0.insert($1) })
      // What an app with an older offline database reads.
      #expect(try FeedInSQL.rows(db, "SELECT stop_name FROM stops WHERE sid = 1") == ["One"])
      #expect(try FeedInSQL.rows(db, "SELECT * FROM transfers").count == 1)
    }
  }

  @Test(arguments: [
    ("service_id FROM calendar WHERE start_date <= 20260610 AND end_date >= 20260610", ["D"]),
    ("service_id FROM calendar WHERE monday = '1' AND tuesday = '0'", ["D"]),
    ("typeof(start_date) || typeof(monday) FROM calendar", ["textinteger"]),
    ("date FROM calendar_dates WHERE date > 20260106", ["20260107"]),
    ("stop_id FROM stops WHERE stop_lat > '1.5' AND stop_lon < '2.5'", ["S2"]),
    ("stop_id FROM gtfs_stops WHERE stop_lat > '1.5' AND stop_lon < '2.5'", ["S2"]),
    ("to_stop_id FROM transfers WHERE min_transfer_time > 100", ["S2"]),
    (
      "to_stop_id FROM transfers WHERE transfer_type = '2' ORDER BY min_transfer_time",
      ["S1", "S3", "S2"]
    ),
    ("min_transfer_time FROM transfers WHERE to_stop_id = 'S1'", ["."]),
    ("min_transfer_time FROM gtfs_transfers WHERE to_stop_id = 'S1'", ["soon"]),
    ("own FROM transfers WHERE own IS NOT NULL", ["07"]),
    ("fare_id FROM fare_attributes WHERE price < 5", ["F"]),
    ("sum(price) FROM fare_attributes", ["12.5"]),
    ("price / 4 FROM fare_attributes WHERE fare_id = 'G'", ["2.5"]),
    ("from_stop_id FROM transfers WHERE from_stop_id = 'S2'", ["S2"]),
  ])
  func `Numbers and dates are compared as such`(query: String, expected: [String]) throws {
    var files = Self.files
    files["transfers.txt"] = """
      from_stop_id,to_stop_id,transfer_type,min_transfer_time,own
      S1,S2,2,180,07
      S1,S3,2,90,
      S2,S1,2,soon,
      """
    files["fare_attributes.txt"] =
      "fare_id,price,currency_type,payment_method,transfers\nF,2.50,EUR,0,\nG,10.00,EUR,0,\n"
    try FeedInSQL(files).read { db throws in
      #expect(try FeedInSQL.rows(db, "SELECT \(query)") == expected)
    }
  }

  @Test func `Dates of a database that an older version imported are compared as such`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("museum.db")
    try FileManager.default.copyItem(
      at: PackageFolder.root.appending(path: "Tests/Museum/timetable-2.db"), to: file)
    let found = try Timetable(at: file).reader.read { db in
      try FeedInSQL.rows(
        db,
        "SELECT DISTINCT typeof(start_date) FROM calendar WHERE start_date <= 20991231 AND sunday = '1'"
      )
    }
    #expect(found == ["text"])
  }

  @Test func `Another database has nothing more`() throws {
    var configuration = Configuration()
    Timetable.prepare(&configuration)
    let queue = try DatabaseQueue(configuration: configuration)
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE trips (x)")
      #expect(try FeedInSQL.rows(db, "SELECT name FROM sqlite_temp_schema") == [])
    }
  }

  // MARK: When they are made

  private static let monday = Date(timeIntervalSince1970: 1_767_600_000)

  private func answers(_ db: Database) throws -> [String] {
    let stops = try ["S1", "S2"].map { try #require(try Stop.fetchOne(db, stopID: $0)) }
    let sids = stops.map(\.sid)
    let week = Duration.seconds(7 * 86400)
    return [
      "\(try Departures(at: sids, from: Self.monday, for: week).fetchAll(db).map(\.tripID))",
      "\(try Arrivals(at: sids, from: Self.monday, for: week).fetchAll(db).map(\.tripID))",
      "\(try Journeys(from: .stop(sids[0]), to: .stop(sids[1]), .departing(Self.monday)).fetchAll(db))",
      "\(try StopSearch("one").fetchAll(db))", "\(try Stop.fetchAll(db).count)",
      "\(try NearbyStops(to: #require(stops[0].position)).fetchAll(db))",
      "\(try Route.fetchAll(db, callingAt: sids)) \(try Route.fetchAll(db).count)",
      "\(try Trip.fetchOne(db, tripID: "T1").map(\.calls.count) ?? 0)",
      "\(try ServiceDays(ofTrip: "T1").fetchAll(db) ?? [])",
      "\(try Shape.fetchOne(db, shapeID: "none") == nil)",
      "\(try FeedValidity(db, at: Self.monday).status)",
    ]
  }

  /// To make them takes longer than most answers.
  @Test func `Questions that need none do not make them`() throws {
    try feed.read { db throws in
      func count() throws -> Int? {
        try db.deferringTemporaryObjects {
          try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_temp_schema")
        }
      }
      let before = try answers(db)
      #expect(!before.contains("[]"), "\(before)")
      #expect(try count() == 0)
      #expect(try FeedInSQL.rows(db, "SELECT count(*) FROM trips") == ["3"])
      #expect(try count() ?? 0 > 10)
      #expect(try answers(db) == before)
    }
  }

  private static let statements = [
    "SELECT * FROM stops", "SELECT * FROM routes", "SELECT * FROM agency", "SELECT * FROM trips",
    "SELECT * FROM main.stops", "SELECT * FROM stop_times", "SELECT * FROM holdfast_gtfs_trips",
    "SELECT type, name, sql FROM sqlite_temp_schema", "SELECT name FROM sqlite_schema",
    "SELECT name, ncol FROM pragma_table_list WHERE schema = 'temp'", "DELETE FROM routes",
    "SELECT name FROM pragma_table_info('stops')", "SELECT count(*) FROM temp.transfers",
    "PRAGMA temp.schema_version", "SELECT changes(), total_changes()",
  ]

  /// What the statements answer, each in an access of its own.
  private func rows(_ reader: some DatabaseReader, isAsked: Bool) throws -> [String] {
    try Self.statements.map { sql in
      try reader.read { db throws in
        if isAsked { _ = try answers(db) }
        do {
          return try FeedInSQL.rows(db, sql).joined(separator: "\n")
        } catch let error as DatabaseError {
          return "\(error.extendedResultCode) \(error.message ?? "")"
        }
      }
    }
  }

  @Test func `A statement cannot tell when they were made`() throws {
    var configuration = Configuration()
    configuration.readonly = true
    Timetable.prepare(&configuration)
    let queue = try DatabaseQueue(path: feed.database.path, configuration: configuration)
    let expected = try rows(queue, isAsked: false)
    try queue.close()
    for isAsked in [false, true] {
      let timetable = try Timetable(at: feed.database)
      #expect(try rows(timetable.reader, isAsked: isAsked) == expected)
      let pool = try #require(timetable.reader as? DatabasePool)
      #expect(try rows(try pool.makeSnapshot(), isAsked: isAsked) == expected)
      try pool.close()
      let other = try DatabaseQueue(
        readOnlyFileAt: feed.database, isNeverModified: true, configuration: configuration)
      #expect(try rows(other, isAsked: isAsked) == expected)
      try other.close()
    }
  }

  // MARK: Connections

  @Test func `The tables survive a suspension and precede query_only`() async throws {
    var configuration = Configuration()
    configuration.allowsSuspension = true
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA query_only = 1") }
    Timetable.prepare(&configuration)
    let queue = try DatabaseQueue(path: feed.database.path, configuration: configuration)
    for _ in 1...2 {
      #expect(
        try await queue.read { db in try FeedInSQL.rows(db, "SELECT * FROM trips").count } == 3)
      await queue.suspend()
      queue.resume()
    }
    try queue.close()
  }

  @Test func `A query is interrupted`() throws {
    let timetable = try Timetable(at: feed.database)
    let begun = DispatchSemaphore(value: 0)
    let interruption = Thread {
      begun.wait()
      timetable.reader.interrupt()
    }
    interruption.start()
    let error = #expect(throws: DatabaseError.self) {
      try timetable.reader.read { db in
        db.add(
          function: DatabaseFunction("begin", argumentCount: 0) { _ in
            begun.signal()
            return 0
          })
        let many = Array(repeating: "stop_times", count: 20).enumerated()
          .map { "\($1) AS s\($0)" }.joined(separator: ", ")
        _ = try Int.fetchOne(db, sql: "SELECT sum(begin()) FROM \(many)")
      }
    }
    #expect(error?.resultCode == .SQLITE_INTERRUPT)
  }

  // MARK: Damage

  @Test(arguments: [
    ("UPDATE patterns SET runs = x'05'", "stop_times", "row 1 of the table 'patterns'"),
    ("UPDATE patterns SET runs = x'05'", "trips", "row 1 of the table 'patterns'"),
    ("UPDATE dict_trip SET trips = x'01'", "trips", "row 1 of the table 'dict_trip'"),
    ("DELETE FROM dict_trip", "stop_times", "'dict_trip' has no row 1"),
    ("DELETE FROM texts", "trips", "'texts' has no row"),
    ("DELETE FROM packed_stops", "stop_times", "'packed_stops' has no row"),
    ("UPDATE services SET exceptions = x'ff'", "calendar_dates", "of the table 'services'"),
    ("UPDATE headways SET headway_secs = 0", "frequencies", "row 1 of the table 'headways'"),
  ])
  func `Damage ends in a clear error`(change: String, table: String, message: String) throws {
    let queue = try DatabaseQueue(path: feed.database.path)
    try queue.write { db in try db.execute(sql: change) }
    try queue.close()
    let error = #expect(throws: DatabaseError.self) {
      try feed.read { db in try FeedInSQL.rows(db, "SELECT * FROM \(table)") }
    }
    #expect(error?.resultCode == .SQLITE_CORRUPT)
    #expect(error?.message?.contains(message) == true, "\(error?.message ?? "")")
  }

  // MARK: Other tools

  @Test func `A database whose tables cannot be made is refused when it is opened`() throws {
    let queue = try DatabaseQueue(path: feed.database.path(percentEncoded: false))
    try queue.write { db in
      try db.execute(
        sql: "INSERT INTO other_columns VALUES ('trips.txt', 100, 'x'), ('trips.txt', 101, 'X')")
    }
    try queue.close()
    let error = #expect(throws: DatabaseError.self) { try Timetable(at: feed.database) }
    #expect(error?.message?.contains("holdfast_gtfs_trips") == true)
  }

  /// The connection's own tables are not in the file, so that other tools do not meet them.
  @Test(arguments: [
    ["sqlite3", "-batch", "-bail"],
    [
      "python3", "-c",
      "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); list(db.iterdump());"
        + " db.executescript(sys.stdin.read().split('.dump')[0]);"
        + " print(db.execute('SELECT count(*) FROM gtfs_calendar').fetchone()[0])",
    ],
  ])
  func `Other tools open, dump and rename in the file`(command: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command + [feed.database.path]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    try input.fileHandleForWriting.write(
      contentsOf: Data(
        """
        ALTER TABLE services RENAME TO operations;
        ALTER TABLE operations RENAME COLUMN end_date TO last_date;
        ALTER TABLE operations RENAME TO services;
        ALTER TABLE services RENAME COLUMN last_date TO end_date;
        .dump
        SELECT count(*) FROM gtfs_calendar;
        """.utf8))
    try input.fileHandleForWriting.close()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    // 127: the tool is absent.
    guard process.terminationStatus != 127 else { return }
    #expect(process.terminationStatus == 0)
    #expect(text.hasSuffix("1\n"))
    #expect(!text.contains("holdfast_"))
    let count = try feed.read { db in try FeedInSQL.rows(db, "SELECT * FROM trips").count }
    #expect(count == 3)
  }
}
