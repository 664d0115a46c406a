public import Foundation
public import Holdfast

extension Stop {
  /// Returns the time zone in which riders read the times at the stop.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The zone of the stop's `stop_timezone`, or of its station's if the stop is part of one, or
  ///   else the zone of the feed's first agency; `nil` when the system knows none of them.
  /// - Throws: `DatabaseError` when the database cannot be read.
  /// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#stopstxt>, "stop_timezone"
  public func timeZone(_ db: Database) throws -> TimeZone? {
    try db.deferringTemporaryObjects {
      if let own = try Self.ownTimeZone(sid, db) { return own }
      let name = try String.fetchOne(
        db, sql: "SELECT agency_timezone FROM main.agency ORDER BY aid LIMIT 1")
      return name.flatMap(TimeZone.init(identifier:))
    }
  }

  /// Returns a stop's own zone, or its station's if the stop is part of one; `nil` when it has none that
  /// is known.
  static func ownTimeZone(_ sid: Int64, _ db: Database) throws -> TimeZone? {
    // "If the location has a parent station, it inherits the parent station's timezone instead of
    // applying its own."
    try String.fetchOne(
      db,
      sql: """
        SELECT CASE WHEN station.sid IS NOT NULL THEN station.stop_timezone
          WHEN parent.sid IS NOT NULL THEN parent.stop_timezone ELSE stops.stop_timezone END
        FROM main.stops LEFT JOIN main.stops AS parent ON parent.sid = stops.parent_sid
          LEFT JOIN main.stops AS station ON station.sid = parent.parent_sid
        WHERE stops.sid = ?
        """,
      arguments: [sid]
    ).flatMap(TimeZone.init(identifier:))
  }
}
