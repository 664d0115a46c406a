/// An area between two parallels and two meridians, such as the visible part of a map.
///
/// As in GeoJSON, an area whose western edge has the greater longitude contains the antimeridian:
/// from 177° E to 178° W are `west: 177, east: -178`.
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc7946#section-5>
public struct BoundingBox: Hashable, Sendable {
  /// The latitude of the southern edge, in degrees.
  public let south: Double
  /// The longitude of the western edge, in degrees.
  public let west: Double
  /// The latitude of the northern edge, in degrees.
  public let north: Double
  /// The longitude of the eastern edge, in degrees.
  public let east: Double

  /// Creates an area from its edges.
  ///
  /// - Parameters:
  ///   - south: The latitude of the southern edge, from -90 to 90 degrees.
  ///   - west: The longitude of the western edge, from -180 to 180 degrees.
  ///   - north: The latitude of the northern edge, at least `south`.
  ///   - east: The longitude of the eastern edge; less than `west` if the area contains the
  ///     antimeridian.
  /// - Throws: ``TransitError`` with `.outOfRange` when an edge is out of its range, infinite or not
  ///   a number, or the northern edge is south of the southern one.
  public init(south: Double, west: Double, north: Double, east: Double) throws(TransitError) {
    for edge in [south, north] where !(-90...90).contains(edge) {
      throw .coordinateOutOfRange("latitude", edge, -90...90)
    }
    for edge in [west, east] where !(-180...180).contains(edge) {
      throw .coordinateOutOfRange("longitude", edge, -180...180)
    }
    guard south <= north else { throw .edgesReversed(south: south, north: north) }
    (self.south, self.west, self.north, self.east) = (south, west, north, east)
  }

  /// Creates an area around a position, as a map on the screen has one.
  ///
  /// - Parameters:
  ///   - center: The position in the middle.
  ///   - latitudeDelta: The height in degrees; at a pole the area ends.
  ///   - longitudeDelta: The width in degrees; from 360 on it is the whole way around the earth.
  /// - Throws: ``TransitError`` with `.outOfRange` when one of them is negative, infinite or not a
  ///   number.
  public init(
    center: Position, latitudeDelta: Double, longitudeDelta: Double
  ) throws(TransitError) {
    for delta in [latitudeDelta, longitudeDelta] where !(delta >= 0 && delta.isFinite) {
      throw .spanOutOfRange(delta)
    }
    south = max(-90, center.latitude - latitudeDelta / 2)
    north = min(90, center.latitude + latitudeDelta / 2)
    let isWhole = longitudeDelta >= 360
    west = isWhole ? -180 : Self.normalized(center.longitude - longitudeDelta / 2)
    east = isWhole ? 180 : Self.normalized(center.longitude + longitudeDelta / 2)
  }

  /// Returns whether a position is in the area or on its edge.
  ///
  /// - Parameter position: The position.
  /// - Returns: Whether it is in the area. A pole is on every meridian.
  public func contains(_ position: Position) -> Bool {
    guard south <= position.latitude, position.latitude <= north else { return false }
    if contains(longitude: position.longitude) { return true }
    // The outermost meridian has two longitudes, and a pole has all.
    return abs(position.longitude) == 180 && contains(longitude: -position.longitude)
      || abs(position.latitude) == 90
  }

  private func contains(longitude: Double) -> Bool {
    west <= east
      ? west <= longitude && longitude <= east
      : west <= longitude || longitude <= east
  }

  /// The position in the middle.
  package var center: Position {
    let width = west <= east ? east - west : east - west + 360
    return Position(
      validLatitude: south + (north - south) / 2,
      validLongitude: Self.normalized(west + width / 2))
  }

  /// Returns the same meridian with a longitude from -180 to 180.
  private static func normalized(_ longitude: Double) -> Double {
    longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
  }
}
