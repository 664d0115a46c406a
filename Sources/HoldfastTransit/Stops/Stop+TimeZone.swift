public import Foundation
public import Holdfast

extension Stop {
  /// Returns the time zone in which riders read the times at the stop.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The zone of `stop_timezone`, or else that of the stop's station, or else that of the
  ///   feed's first agency; `nil` when the system knows none of them.
  /// - Throws: `DatabaseError` when the database cannot be read.
  /// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#stopstxt>, "stop_timezone"
  public func timeZone(_ db: Database) throws -> TimeZone? {
    if let own = try Self.ownTimeZone(sid, db) { return own }
    let name = try String.fetchOne(
      db, sql: "SELECT agency_timezone FROM main.agency ORDER BY aid LIMIT 1")
    return name.flatMap(TimeZone.init(identifier:))
  }

  /// Returns a stop's own zone, or that of its station; `nil` when they have none that is known.
  static func ownTimeZone(_ sid: Int64, _ db: Database) throws -> TimeZone? {
    try String.fetchOne(
      db,
      sql: """
        SELECT coalesce(stops.stop_timezone, parent.stop_timezone, station.stop_timezone)
        FROM main.stops LEFT JOIN main.stops AS parent ON parent.sid = stops.parent_sid
          LEFT JOIN main.stops AS station ON station.sid = parent.parent_sid
        WHERE stops.sid = ?
        """,
      arguments: [sid]
    ).flatMap(TimeZone.init(identifier:))
  }
}
