public import Holdfast

/// A place where vehicles stop, a station, or a part of a station.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#stopstxt>
public struct Stop: Hashable, Sendable, Identifiable {
  /// The stop's number in this database; stable when a newer feed is imported together with the
  /// older database.
  public var sid: Int64
  /// The `stop_id` in the feed.
  public var stopID: String
  /// The number or letters that riders see at the stop.
  public var stopCode: String?
  /// The stop's name for riders.
  public var stopName: String
  /// The latitude in degrees of WGS 84; `nil` if the feed has none.
  public var stopLat: Double?
  /// The longitude in degrees of WGS 84; `nil` if the feed has none.
  public var stopLon: Double?
  /// The kind of stop: 0 platform or stop, 1 station, 2 entrance, 3 generic node, 4 boarding area.
  public var locationType: Int
  /// The `stop_id` of the station it belongs to.
  public var parentStation: String?
  /// The platform's own name, such as `3` or `B`.
  public var platformCode: String?
  /// Whether wheelchair boarding is possible: 0 or `nil` unknown, 1 possible, 2 not possible.
  public var wheelchairBoarding: Int?

  /// The number in this database.
  public var id: Int64 { sid }

  /// Returns all stops by name.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - locationType: The kind of the stops to return; `nil` for all kinds.
  /// - Returns: The stops, by name and then by number.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public static func fetchAll(_ db: Database, locationType: Int? = nil) throws -> [Stop] {
    try db.deferringTemporaryObjects {
      try fetchAll(
        db,
        sql: """
          \(try selection(db)) WHERE ?1 IS NULL OR stops.location_type = ?1
          ORDER BY stops.stop_name, stops.sid
          """,
        arguments: [locationType])
    }
  }

  /// Returns the stop with a number.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - sid: The number in this database.
  /// - Returns: The stop; `nil` when there is none.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public static func fetchOne(_ db: Database, sid: Int64) throws -> Stop? {
    try db.deferringTemporaryObjects {
      try fetchOne(db, sql: "\(try selection(db)) WHERE stops.sid = ?", arguments: [sid])
    }
  }

  /// Returns the stop with a `stop_id` of the feed.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - stopID: The feed's `stop_id`.
  /// - Returns: The stop; `nil` when there is none.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public static func fetchOne(_ db: Database, stopID: String) throws -> Stop? {
    try db.deferringTemporaryObjects {
      let sid = try Int64.fetchOne(
        db, sql: "SELECT sid FROM dict_stop WHERE stop_id = ?", arguments: [stopID])
      return try sid.flatMap { try fetchOne(db, sid: $0) }
    }
  }
}

extension Stop: FetchableRecord {
  /// Returns the query for the columns of a stop and its identifiers in the feed; conditions may
  /// follow.
  static func selection(_ db: Database) throws -> String {
    // Both have the identifiers, and an older database has only the second.
    let identifiers =
      try db.tableExists("packed_stops", in: "main") ? "main.packed_stops" : "main.dict_stop"
    return """
      SELECT stops.sid, own.stop_id, stop_code, stop_name, stop_lat, stop_lon, location_type,
        parent.stop_id AS parent_station, platform_code, wheelchair_boarding
      FROM main.stops JOIN \(identifiers) AS own ON own.sid = stops.sid
        LEFT JOIN \(identifiers) AS parent ON parent.sid = stops.parent_sid
      """
  }

  /// Creates a stop from a row with the columns of `stops`, `stop_id` and `parent_station`.
  ///
  /// - Parameter row: The row.
  /// - Throws: `RowDecodingError` when a column is missing.
  public init(row: Row) throws {
    sid = try row.decode(forColumn: "sid")
    stopID = try row.decode(forColumn: "stop_id")
    stopCode = try row.decode(forColumn: "stop_code")
    stopName = try row.decode(forColumn: "stop_name")
    stopLat = try row.decode(forColumn: "stop_lat")
    stopLon = try row.decode(forColumn: "stop_lon")
    locationType = try row.decode(forColumn: "location_type")
    parentStation = try row.decode(forColumn: "parent_station")
    platformCode = try row.decode(forColumn: "platform_code")
    wheelchairBoarding = try row.decode(forColumn: "wheelchair_boarding")
  }
}
