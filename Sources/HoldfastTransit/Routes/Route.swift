public import Holdfast

/// A line as riders know it.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#routestxt>
public struct Route: Hashable, Sendable, Identifiable {
  /// The route's number in this database; stable when a newer feed is imported together with the
  /// older database.
  public var rid: Int64
  /// The `route_id` in the feed.
  public var routeID: String
  /// The `agency_id` of the route's operator; `nil` if the feed's only agency has none.
  public var agencyID: String?
  /// The short name, such as `32`; empty if there is none.
  public var routeShortName: String
  /// The long name; empty if there is none.
  public var routeLongName: String
  /// The kind of vehicles.
  public var routeType: RouteType
  /// The line's color, six hexadecimal digits.
  public var routeColor: String?
  /// The color of text on it, six hexadecimal digits.
  public var routeTextColor: String?

  /// The number in this database.
  public var id: Int64 { rid }

  /// Returns all routes in the display order that the feed specifies.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - routeType: The exact type of the routes to return; `nil` for all types.
  /// - Returns: The routes by sort order, then by short and long name.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public static func fetchAll(_ db: Database, routeType: RouteType? = nil) throws -> [Route] {
    try db.deferringTemporaryObjects {
      try fetchAll(
        db, sql: "\(selection) WHERE ?1 IS NULL OR route_type = ?1 \(displayOrder)",
        arguments: [routeType])
    }
  }

  /// Returns the route with a number.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - rid: The number in this database.
  /// - Returns: The route; `nil` when there is none.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public static func fetchOne(_ db: Database, rid: Int64) throws -> Route? {
    try db.deferringTemporaryObjects {
      try fetchOne(db, sql: "\(selection) WHERE routes.rid = ?", arguments: [rid])
    }
  }

  /// Returns the route with a `route_id` of the feed.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - routeID: The feed's `route_id`.
  /// - Returns: The route; `nil` when there is none.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public static func fetchOne(_ db: Database, routeID: String) throws -> Route? {
    try db.deferringTemporaryObjects {
      try fetchOne(db, sql: "\(selection) WHERE dict_route.route_id = ?", arguments: [routeID])
    }
  }

  /// Returns the routes whose trips call at a stop, at a station with all its platforms, or at one of
  /// several stops.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - sids: The numbers of the stops; a station's number includes everything that belongs to it.
  /// - Returns: The routes of all days, in the display order that the feed specifies.
  /// - Throws: ``TransitError`` with `.schemaOlder` when the database was imported without trips and
  ///   times, `.damaged`; `DatabaseError` when the database cannot be read.
  public static func fetchAll(_ db: Database, callingAt sids: [Int64]) throws -> [Route] {
    try db.deferringTemporaryObjects {
      let tables = try TripTables(db)
      var rids: Set<Int64> = []
      for sid in try Stop.withParts(sids, db) {
        for pid in try tables.pids(ofStop: sid) { rids.insert(try tables.rid(ofPattern: pid)) }
      }
      return try fetchAll(
        db,
        sql: "\(selection) WHERE routes.rid IN (SELECT value FROM json_each(?)) \(displayOrder)",
        arguments: [rids.jsonArray])
    }
  }
}

extension Route: FetchableRecord {
  /// The query for the columns of a route and its identifiers in the feed; conditions may follow.
  private static let selection = """
    SELECT routes.*, dict_route.route_id, agency.agency_id
    FROM main.routes JOIN dict_route ON dict_route.rid = routes.rid
      LEFT JOIN main.agency ON agency.aid = routes.aid
    """

  private static let displayOrder = """
    ORDER BY route_sort_order IS NULL, route_sort_order, route_short_name, route_long_name, routes.rid
    """

  /// Creates a route from a row with the columns of `routes`, `route_id` and `agency_id`.
  ///
  /// - Parameter row: The row.
  /// - Throws: `RowDecodingError` when a column is missing.
  public init(row: Row) throws {
    rid = try row.decode(forColumn: "rid")
    routeID = try row.decode(forColumn: "route_id")
    agencyID = try row.decode(forColumn: "agency_id")
    routeShortName = try row.decode(forColumn: "route_short_name")
    routeLongName = try row.decode(forColumn: "route_long_name")
    routeType = try row.decode(forColumn: "route_type")
    routeColor = try row.decode(forColumn: "route_color")
    routeTextColor = try row.decode(forColumn: "route_text_color")
  }
}
