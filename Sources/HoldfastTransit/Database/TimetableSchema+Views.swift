package import Holdfast

extension TimetableSchema {
  /// Creates the stored views: files of the feed for which plain SQL suffices.
  ///
  /// A blank value is NULL.
  ///
  /// - Parameter db: The connection, inside a transaction, with the tables of the schema.
  /// - Throws: `DatabaseError` when the views exist or the disk is full.
  package static func createViews(_ db: Database) throws {
    let agency = try selection(ofOthersIn: "agency.txt", db)
    let stops = try selection(ofOthersIn: "stops.txt", db)
    let routes = try selection(ofOthersIn: "routes.txt", db)
    try db.execute(
      sql: """
        -- The feed's files under GTFS's names and with GTFS's columns, in plain SQL.
        CREATE VIEW gtfs_agency AS
          SELECT agency_id, agency_name, agency_url, agency_timezone, agency_lang, agency_phone,
            agency_fare_url, agency_email\(agency)
          FROM agency LEFT JOIN other_agency ON other_agency.aid = agency.aid;
        -- What the feed leaves blank, and riders see anyway, is blank here.
        CREATE VIEW gtfs_stops AS
          SELECT dict_stop.stop_id AS stop_id, stop_code,
            CASE WHEN filled & 1 THEN NULL ELSE stop_name END AS stop_name, stop_desc,
            CAST(CASE WHEN filled & 2 THEN NULL ELSE stop_lat END AS REAL) AS stop_lat,
            CAST(CASE WHEN filled & 2 THEN NULL ELSE stop_lon END AS REAL) AS stop_lon,
            zone_id, stop_url, location_type, parent.stop_id AS parent_station, stop_timezone,
            wheelchair_boarding, platform_code\(stops)
          FROM stops JOIN dict_stop ON dict_stop.sid = stops.sid
            LEFT JOIN packed_stops AS parent ON parent.sid = stops.parent_sid
            LEFT JOIN other_stops ON other_stops.sid = stops.sid;
        CREATE VIEW gtfs_routes AS
          SELECT dict_route.route_id AS route_id, agency_id,
            nullif(route_short_name, '') AS route_short_name,
            nullif(route_long_name, '') AS route_long_name, route_desc, route_type, route_url,
            route_color, route_text_color, route_sort_order\(routes)
          FROM routes JOIN dict_route ON dict_route.rid = routes.rid
            LEFT JOIN agency ON agency.aid = routes.aid
            LEFT JOIN other_routes ON other_routes.rid = routes.rid;
        """)
  }

  /// Creates the stored view of `calendar.txt`, for a feed whose file has only GTFS's columns.
  ///
  /// Other columns are in blobs, so that a file with such columns is a virtual table.
  static func createCalendarView(_ db: Database) throws {
    try db.execute(sql: "CREATE VIEW gtfs_calendar AS \(calendar(in: "services"));")
  }

  /// Returns the rows of `calendar.txt` as a query.
  ///
  /// The casts give the columns types, so that a date is equal to the same number, and a flag to the same text.
  ///
  /// - Parameter services: The table of services as SQL names it.
  /// - Returns: The query, without a semicolon.
  static func calendar(in services: String) -> String {
    let days = [
      "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ].enumerated().map { "CAST(weekdays >> \($0) & 1 AS INTEGER) AS \($1)" }
    return """
      SELECT service_id, \(days.joined(separator: ", ")),
        CAST(printf('%08d', start_date) AS TEXT) AS start_date,
        CAST(printf('%08d', end_date) AS TEXT) AS end_date
      FROM \(services) WHERE weekdays IS NOT NULL
      """
  }
}
