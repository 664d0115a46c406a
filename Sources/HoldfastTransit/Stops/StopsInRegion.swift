public import Holdfast

/// A query for the stops in an area, such as the visible part of a map.
///
/// ```swift
/// let visible = try BoundingBox(center: quay, latitudeDelta: 0.02, longitudeDelta: 0.02)
/// let stops = try StopsInRegion(visible).fetchAll(db)
/// ```
///
/// If there are more than ``limit``, the ones nearest to the center are returned. Of the positions
/// applies what ``NearbyStops`` says.
public struct StopsInRegion: Hashable, Sendable {
  /// The area.
  public var region: BoundingBox

  /// The largest number of stops to return; a negative one counts as 0.
  public var limit: Int

  /// The kinds of the stops, as in ``Stop/locationType``; `nil` for all kinds.
  public var locationTypes: Set<Int>?

  /// Prepares a query.
  ///
  /// - Parameters:
  ///   - region: The area.
  ///   - limit: The largest number of stops to return; more than the default of 200 hardly fit on
  ///     the map of a phone.
  ///   - locationTypes: The kinds of the stops; `nil` for all kinds. The default are the kinds that
  ///     have departures: 0, stops and platforms, and 1, stations.
  public init(_ region: BoundingBox, limit: Int = 200, locationTypes: Set<Int>? = [0, 1]) {
    self.region = region
    self.limit = limit
    self.locationTypes = locationTypes
  }

  /// Returns the stops in the area or on its edge.
  ///
  /// - Parameter db: The connection of the current access, to a timetable database.
  /// - Returns: At most ``limit`` stops, those nearest to the center first; by number where the
  ///   distances are equal.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public func fetchAll(_ db: Database) throws -> [Stop] {
    let start = ContinuousClock.now
    let stops = try db.deferringTemporaryObjects {
      let found = try StopIndex.ofStops(in: db).inside(
        region, limit: limit, locationTypes: locationTypes)
      let stops = try Stop.fetchAll(db, sids: found.map(\.sid))
      return found.compactMap { stops[$0.sid] }
    }
    TransitLog.foundInRegion(in: start.duration(to: .now), stopCount: stops.count)
    return stops
  }
}
