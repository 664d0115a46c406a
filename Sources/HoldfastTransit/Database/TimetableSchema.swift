public import Holdfast

/// The tables of a timetable database, and the numbers in the file's header that identify it.
///
/// `stops`, `routes`, `dict_stop`, `dict_route`, `stops_fts` and `metadata` have the names and
/// columns that apps with an older offline database expect. `gtfs_stops`, `gtfs_routes` and
/// `gtfs_agency` are the files of the feed with GTFS's own columns, including `stop_id` and
/// `route_id`; they are views, and databases created before these were added lack them. A file that
/// answers need nothing of, or little, is a table of texts named after it, such as `gtfs_transfers`.
///
/// The schema does not depend on this library: any SQLite tool can open, query and dump the file.
public enum TimetableSchema {
  /// The `application_id` of a timetable database: the letters `HFtt`.
  public static let applicationID: Int32 = 0x4846_7474

  /// The `user_version` of these tables.
  ///
  /// Version 1 has no trips, times and services; its stops and routes are the same.
  public static let version: Int32 = 2

  /// The first version with trips, times and services.
  static let firstVersionWithTrips: Int32 = 2

  /// Creates the tables in an empty database.
  ///
  /// - Parameters:
  ///   - db: The connection, inside a transaction.
  ///   - stopIDs: The form of most of the feed's `stop_id`s.
  /// - Throws: `DatabaseError` when the tables exist or the disk is full.
  package static func create(_ db: Database, stopIDs: StopIDForm = StopIDForm()) throws {
    try db.setHeaderNumber(.applicationID, to: applicationID)
    try db.setHeaderNumber(.userVersion, to: version)
    try db.execute(
      sql: """
        CREATE TABLE metadata (key TEXT NOT NULL PRIMARY KEY, value TEXT) WITHOUT ROWID;

        CREATE TABLE agency (
          aid INTEGER PRIMARY KEY,
          agency_id TEXT,
          agency_name TEXT,
          agency_url TEXT,
          agency_timezone TEXT NOT NULL,
          agency_lang TEXT,
          agency_phone TEXT,
          agency_fare_url TEXT,
          agency_email TEXT);

        -- A feed names routes by texts; everything else names them by the small number here.
        CREATE TABLE dict_route (rid INTEGER NOT NULL PRIMARY KEY, route_id TEXT NOT NULL UNIQUE)
          WITHOUT ROWID;
        CREATE TABLE routes (
          rid INTEGER PRIMARY KEY,
          route_short_name TEXT NOT NULL,
          route_long_name TEXT NOT NULL,
          route_type INTEGER NOT NULL,
          route_color TEXT,
          route_text_color TEXT,
          aid INTEGER REFERENCES agency,
          route_desc TEXT,
          route_url TEXT,
          route_sort_order INTEGER);
        CREATE INDEX routes_type ON routes (route_type);
        """)
    try createStopTables(db, stopIDs)
    try createTripTables(db)
    try createOtherTables(db)
  }

  /// Creates the tables of the compact format, which `docs/transit-format.md` describes.
  private static func createTripTables(_ db: Database) throws {
    try db.execute(
      sql: """
        -- A pattern is a route's sequence of stops; it has the times and trips of all that call so.
        CREATE TABLE patterns (
          pid INTEGER PRIMARY KEY,
          rid INTEGER NOT NULL REFERENCES routes,
          direction_id INTEGER,
          calls BLOB NOT NULL,
          timings BLOB NOT NULL,
          runs BLOB NOT NULL);
        CREATE INDEX patterns_route ON patterns (rid);
        -- Which patterns call where, for many stops in one row: those from the number first on.
        CREATE TABLE stop_patterns (first INTEGER PRIMARY KEY, patterns BLOB NOT NULL);

        -- The trip_ids, many in one row: those of the trips from the number first on.
        CREATE TABLE dict_trip (
          first INTEGER PRIMARY KEY,
          least_id TEXT NOT NULL,
          greatest_id TEXT NOT NULL,
          trips BLOB NOT NULL);
        CREATE INDEX dict_trip_ids ON dict_trip (least_id, greatest_id);
        CREATE TABLE headways (
          hid INTEGER PRIMARY KEY,
          tid INTEGER NOT NULL,
          start_time INTEGER NOT NULL,
          end_time INTEGER NOT NULL,
          headway_secs INTEGER NOT NULL,
          exact_times INTEGER,
          others INTEGER NOT NULL);
        CREATE TABLE services (
          service INTEGER PRIMARY KEY,
          service_id TEXT NOT NULL UNIQUE,
          weekdays INTEGER,
          start_date INTEGER,
          end_date INTEGER,
          others INTEGER NOT NULL,
          exceptions BLOB);

        -- Texts that rows share, many in one row: those from the number first on.
        CREATE TABLE texts (first INTEGER PRIMARY KEY, texts BLOB NOT NULL);
        CREATE TABLE other_columns (
          file TEXT NOT NULL,
          position INTEGER NOT NULL,
          name TEXT NOT NULL,
          PRIMARY KEY (file, position)) WITHOUT ROWID;

        -- The paths of trips on the map.
        CREATE TABLE polylines (shape_id TEXT NOT NULL PRIMARY KEY, points BLOB NOT NULL)
          WITHOUT ROWID;
        """)
  }

  /// Checks that the file is a timetable database that this library can read.
  ///
  /// Databases of version 1 are accepted, and are searched as before; what needs trips or services
  /// throws `.schemaOlder` for them.
  ///
  /// - Parameter db: The connection.
  /// - Throws: ``TransitError`` with `.notATimetable`, `.schemaOlder` or `.schemaNewer`;
  ///   `DatabaseError` when the file cannot be read.
  public static func check(_ db: Database) throws {
    let id = try db.headerNumber(.applicationID)
    guard id == applicationID else {
      throw TransitError.notATimetable(path: db.path, applicationID: id)
    }
    let found = try db.headerNumber(.userVersion)
    guard (1...version).contains(found) else {
      throw TransitError.otherVersion(path: db.path, found: found, expected: version)
    }
  }

  /// Checks that the database also has trips, times and services.
  package static func checkForTrips(_ db: Database) throws {
    try check(db)
    let found = try db.headerNumber(.userVersion)
    guard found >= firstVersionWithTrips else {
      throw TransitError.withoutTrips(path: db.path, found: found, first: firstVersionWithTrips)
    }
  }
}
