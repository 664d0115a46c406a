package import Holdfast
package import HoldfastFiles

/// The digest of a timetable database's content, independent of the numbers of stops, routes and
/// trips.
///
/// Two feeds with the same content have the same identity: the order of rows and columns, blank
/// columns and the quoting of text do not matter.
package enum TimetableIdentity {
  // Each table with its names in the feed, ordered by all columns.
  private static let queries = [
    """
    SELECT 'agency', agency_id, agency_name, agency_url, agency_timezone, agency_lang,
      agency_phone, agency_fare_url, agency_email
    FROM agency ORDER BY 2, 3, 4, 5, 6, 7, 8, 9
    """,
    """
    SELECT 'stops', stop_id, stop_code, stop_name, stop_lat, stop_lon, wheelchair_boarding,
      location_type, (SELECT stop_id FROM dict_stop WHERE sid = parent_sid), platform_code,
      stop_desc, stop_url, zone_id, stop_timezone
    FROM stops JOIN dict_stop USING (sid) ORDER BY stop_id
    """,
    """
    SELECT 'routes', route_id, route_short_name, route_long_name, route_type, route_color,
      route_text_color, (SELECT agency_id FROM agency WHERE aid = routes.aid), route_desc,
      route_url, route_sort_order
    FROM routes JOIN dict_route USING (rid) ORDER BY route_id
    """,
    """
    SELECT 'metadata', key, value FROM metadata
    WHERE key NOT IN ('feed_identity', 'last_trip_number') ORDER BY key
    """,
  ]

  /// Computes the identity.
  ///
  /// - Parameter db: The connection to a timetable database.
  /// - Returns: SHA-256 over the rows, each value with its type and its length.
  /// - Throws: `DatabaseError` when the database cannot be read.
  package static func digest(_ db: Database) throws -> SHA256Digest {
    var hasher = SHA256()
    for query in queries {
      let rows = try Row.fetchCursor(db, sql: query)
      while let row = try rows.next() {
        for value in row.databaseValues {
          hasher.update(Array(frame(value).utf8))
        }
        hasher.update(Array("\n".utf8))
      }
    }
    if try db.headerNumber(.userVersion) >= TimetableSchema.firstVersionWithTrips {
      try TripIdentity(db).update(&hasher)
    }
    return hasher.finalize()
  }

  /// Returns a value with its type and its length, so that different rows have different texts.
  private static func frame(_ value: DatabaseValue) -> String {
    let text =
      switch value.storage {
      case .string(let text): text
      default: value.description
      }
    return "\(value.typeName) \(text.utf8.count) \(text) "
  }
}
