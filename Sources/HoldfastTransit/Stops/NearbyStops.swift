public import Holdfast

/// A query for the stops that are nearest to a position.
///
/// ```swift
/// let quay = try Position(latitude: -33.8611, longitude: 151.2126)
/// let stops = try NearbyStops(to: quay, within: Distance(meters: 800)).fetchAll(db)
/// ```
///
/// Without a radius the nearest stops are found however far they are, on every place of the earth.
/// Stops for which the feed has no coordinates, not even of their station, are never found.
///
/// The first query on a connection reads the positions of all stops, and the connection keeps them
/// until the database changes: about 40 bytes for each stop.
public struct NearbyStops: Hashable, Sendable {
  /// The position from which distances are measured.
  public var position: Position

  /// The largest distance; `nil` for stops however far.
  public var radius: Distance?

  /// The largest number of stops to return; a negative one counts as 0.
  public var limit: Int

  /// The kinds of the stops, as in ``Stop/locationType``; `nil` for all kinds.
  public var locationTypes: Set<Int>?

  /// Prepares a query.
  ///
  /// - Parameters:
  ///   - position: The position from which distances are measured.
  ///   - radius: The largest distance; `nil` for stops however far.
  ///   - limit: The largest number of stops to return.
  ///   - locationTypes: The kinds of the stops; `nil` for all kinds. The default are the kinds that
  ///     have departures: 0, stops and platforms, and 1, stations.
  public init(
    to position: Position, within radius: Distance? = nil, limit: Int = 20,
    locationTypes: Set<Int>? = [0, 1]
  ) {
    self.position = position
    self.radius = radius
    self.limit = limit
    self.locationTypes = locationTypes
  }

  /// Returns the nearest stops.
  ///
  /// - Parameter db: The connection of the current access, to a timetable database.
  /// - Returns: At most ``limit`` stops, the nearest first; by number where the distances are equal.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public func fetchAll(_ db: Database) throws -> [NearbyStop] {
    try db.deferringTemporaryObjects {
      let found = try StopIndex.ofStops(in: db).nearest(
        to: position, within: radius, limit: limit, locationTypes: locationTypes)
      let stops = try Stop.fetchAll(db, sids: found.map(\.sid))
      return found.compactMap { match in
        stops[match.sid].map { NearbyStop(stop: $0, distance: match.distance) }
      }
    }
  }
}

extension Stop {
  /// Returns the stops with these numbers.
  static func fetchAll(_ db: Database, sids: [Int64]) throws -> [Int64: Stop] {
    // Also without numbers, so that an observation sees on which tables the answer depends.
    let stops = try Stop.fetchAll(
      db, sql: "\(try selection(db)) WHERE stops.sid IN (SELECT value FROM json_each(?))",
      arguments: [sids.jsonArray])
    return Dictionary(stops.map { ($0.sid, $0) }) { first, _ in first }
  }
}
