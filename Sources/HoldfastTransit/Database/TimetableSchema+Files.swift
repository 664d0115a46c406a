package import Holdfast

extension TimetableSchema {
  /// The files of GTFS that are stored as plain tables, and the columns that GTFS gives them.
  ///
  /// Such a table has all of these columns, so that a query does not depend on the feed, and after
  /// them the columns that only the feed has. All values are texts as the feed writes them; blank ones
  /// are NULL.
  ///
  /// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#field-definitions>
  package static let plainFiles: [String: [String]] = [
    "areas.txt": ["area_id", "area_name"],
    "attributions.txt": [
      "attribution_id", "agency_id", "route_id", "trip_id", "organization_name", "is_producer",
      "is_operator", "is_authority", "attribution_url", "attribution_email", "attribution_phone",
    ],
    "booking_rules.txt": [
      "booking_rule_id", "booking_type", "prior_notice_duration_min", "prior_notice_duration_max",
      "prior_notice_last_day", "prior_notice_last_time", "prior_notice_start_day",
      "prior_notice_start_time", "prior_notice_service_id", "message", "pickup_message",
      "drop_off_message", "phone_number", "info_url", "booking_url",
    ],
    "fare_attributes.txt": [
      "fare_id", "price", "currency_type", "payment_method", "transfers", "agency_id",
      "transfer_duration",
    ],
    "fare_leg_join_rules.txt": [
      "from_network_id", "to_network_id", "from_stop_id", "to_stop_id",
    ],
    "fare_leg_rules.txt": [
      "leg_group_id", "network_id", "from_area_id", "to_area_id", "from_timeframe_group_id",
      "to_timeframe_group_id", "fare_product_id", "rule_priority",
    ],
    "fare_media.txt": ["fare_media_id", "fare_media_name", "fare_media_type"],
    "fare_products.txt": [
      "fare_product_id", "fare_product_name", "rider_category_id", "fare_media_id", "amount",
      "currency",
    ],
    "fare_rules.txt": ["fare_id", "route_id", "origin_id", "destination_id", "contains_id"],
    "fare_transfer_rules.txt": [
      "from_leg_group_id", "to_leg_group_id", "transfer_count", "duration_limit",
      "duration_limit_type", "fare_transfer_type", "fare_product_id",
    ],
    "feed_info.txt": [
      "feed_publisher_name", "feed_publisher_url", "feed_lang", "default_lang", "feed_start_date",
      "feed_end_date", "feed_version", "feed_contact_email", "feed_contact_url",
    ],
    "levels.txt": ["level_id", "level_index", "level_name"],
    "location_group_stops.txt": ["location_group_id", "stop_id"],
    "location_groups.txt": ["location_group_id", "location_group_name"],
    "networks.txt": ["network_id", "network_name"],
    "pathways.txt": [
      "pathway_id", "from_stop_id", "to_stop_id", "pathway_mode", "is_bidirectional", "length",
      "traversal_time", "stair_count", "max_slope", "min_width", "signposted_as",
      "reversed_signposted_as",
    ],
    "rider_categories.txt": [
      "rider_category_id", "rider_category_name", "is_default_fare_category", "eligibility_url",
    ],
    "route_networks.txt": ["network_id", "route_id"],
    "stop_areas.txt": ["area_id", "stop_id"],
    "timeframes.txt": ["timeframe_group_id", "start_time", "end_time", "service_id"],
    "transfers.txt": [
      "from_stop_id", "to_stop_id", "from_route_id", "to_route_id", "from_trip_id", "to_trip_id",
      "transfer_type", "min_transfer_time",
    ],
    "translations.txt": [
      "table_name", "field_name", "language", "translation", "record_id", "record_sub_id",
      "field_value",
    ],
  ]

  /// The columns that GTFS gives the files of the compact form, and that have no place of their own there.
  ///
  /// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#field-definitions>
  package static let rareColumns: [String: [String]] = [
    "stop_times.txt": [
      "location_group_id", "location_id", "start_pickup_drop_off_window",
      "end_pickup_drop_off_window", "pickup_booking_rule_id", "drop_off_booking_rule_id",
    ],
    "trips.txt": ["cars_allowed", "safe_duration_factor", "safe_duration_offset"],
  ]

  /// Returns the name of the table with the content of a file.
  ///
  /// - Parameter file: The name of a text file, such as `transfers.txt`.
  /// - Returns: A name that begins with `gtfs_`, so that it is none of SQLite's own.
  package static func table(ofFile file: String) -> String {
    let isText = file.utf8.count > 4 && file.lowercased().hasSuffix(".txt")
    return "gtfs_" + (isText ? String(file.dropLast(4)) : file)
  }

  /// Returns the names that begin with `gtfs_` and that no further file can have.
  ///
  /// - Parameter db: The connection.
  /// - Returns: The names of stored tables and views, and of those that each connection adds.
  /// - Throws: `DatabaseError` when the database cannot be read.
  package static func reservedTables(_ db: Database) throws -> [String] {
    [
      "gtfs_trips", "gtfs_stop_times", "gtfs_calendar", "gtfs_calendar_dates", "gtfs_frequencies",
      "gtfs_shapes",
    ]
      + (try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE name LIKE 'gtfs%'"))
      // Indexes share the names of tables.
      + [
        "gtfs_transfers_from", "gtfs_pathways_from", "gtfs_pathways_to", "gtfs_translations_record",
        "gtfs_translations_value",
      ]
  }

  /// Returns the stored tables with the rows of a file, in the order of their names.
  ///
  /// - Parameter db: The connection.
  /// - Returns: The names; views and virtual tables are not among them.
  /// - Throws: `DatabaseError` when the database cannot be read.
  package static func plainTables(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name LIKE 'gtfs\\_%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%'
        ORDER BY name
        """)
  }

  /// Creates the indexes of plain tables that answers need, where the feed has the file.
  ///
  /// - Parameter db: The connection, inside a transaction.
  /// - Throws: `DatabaseError` with SQLite's code.
  package static func indexFiles(_ db: Database) throws {
    if try db.tableExists("gtfs_transfers") {
      try db.execute(sql: "CREATE INDEX gtfs_transfers_from ON gtfs_transfers (from_stop_id)")
    }
    if try db.tableExists("gtfs_pathways") {
      try db.execute(
        sql: """
          CREATE INDEX gtfs_pathways_from ON gtfs_pathways (from_stop_id);
          CREATE INDEX gtfs_pathways_to ON gtfs_pathways (to_stop_id);
          """)
    }
    if try db.tableExists("gtfs_translations") {
      try db.execute(
        sql: """
          CREATE INDEX gtfs_translations_record ON gtfs_translations (record_id, table_name, record_sub_id)
            WHERE record_id IS NOT NULL;
          CREATE INDEX gtfs_translations_value ON gtfs_translations (field_value, table_name)
            WHERE field_value IS NOT NULL;
          """)
    }
  }

  // MARK: - Other columns of stops, routes and agencies

  /// A table with the columns of a file that the main table of the file has no place for.
  package struct OtherTable: Sendable {
    /// The name of the file.
    package let file: String
    /// The name of the table.
    package let name: String
    /// The name of the key, the same as in the main table.
    package let key: String
    /// The columns that GTFS has and the main table has not.
    package let known: [String]
  }

  /// The tables of other columns; they have a row for each row of the main table with such a value.
  ///
  /// Columns that only the feed has are named `c1`, `c2` and so on, in the order of `other_columns`,
  /// which has their names: any text can be one.
  package static let otherTables = [
    OtherTable(file: "agency.txt", name: "other_agency", key: "aid", known: ["cemv_support"]),
    OtherTable(
      file: "stops.txt", name: "other_stops", key: "sid",
      known: ["tts_stop_name", "level_id", "stop_access"]),
    OtherTable(
      file: "routes.txt", name: "other_routes", key: "rid",
      known: ["continuous_pickup", "continuous_drop_off", "network_id", "cemv_support"]),
  ]

  /// The values of the column `filled` of `other_stops`: what the feed leaves blank in a stop.
  package enum FilledValue {
    /// The name is taken from the station, the code or the `stop_id`.
    package static let name = 1
    /// The coordinate is taken from the station.
    package static let coordinate = 2
  }

  /// Creates the tables of other columns and the views that have them.
  ///
  /// - Parameters:
  ///   - db: The connection, inside a transaction; existing tables are empty, and are replaced.
  ///   - columns: The names of the columns that only the feed has, by file.
  /// - Throws: `DatabaseError` when the disk is full.
  package static func createOtherTables(_ db: Database, columns: [String: [String]] = [:]) throws {
    for table in otherTables {
      let own = columns[table.file] ?? []
      var definitions = ["\(table.key) INTEGER PRIMARY KEY"]
      if table.name == "other_stops" { definitions.append("filled INTEGER") }
      definitions += table.known.map { "\($0) TEXT" }
      definitions += own.indices.map { "c\($0 + 1) TEXT" }
      try db.execute(
        sql: """
          DROP TABLE IF EXISTS \(table.name);
          CREATE TABLE \(table.name) (\(definitions.joined(separator: ", ")));
          """)
      for (position, name) in own.enumerated() {
        try db.execute(
          sql: "INSERT INTO other_columns (file, position, name) VALUES (?, ?, ?)",
          arguments: [table.file, position + 1, name])
      }
    }
    try db.execute(
      sql: """
        DROP VIEW IF EXISTS gtfs_agency;
        DROP VIEW IF EXISTS gtfs_stops;
        DROP VIEW IF EXISTS gtfs_routes;
        """)
    try createViews(db)
  }

  /// Returns the other columns of a file as the end of a list in SELECT.
  ///
  /// - Parameters:
  ///   - file: The name of the file.
  ///   - db: The connection.
  /// - Returns: SQL that begins with a comma, for a statement with the table of other columns.
  /// - Throws: `DatabaseError` when the database cannot be read.
  package static func selection(ofOthersIn file: String, _ db: Database) throws -> String {
    guard let table = otherTables.first(where: { $0.file == file }) else { return "" }
    let own = try String.fetchAll(
      db, sql: "SELECT name FROM other_columns WHERE file = ? ORDER BY position",
      arguments: [file])
    let known = table.known.map { "\(table.name).\($0) AS \($0)" }
    let named = own.enumerated().map {
      "\(table.name).c\($0 + 1) AS \($1.quotedDatabaseIdentifier)"
    }
    return (known + named).map { ", \($0)" }.joined()
  }
}
