import Foundation

/// A position on the earth, in degrees of WGS 84.
public struct Position: Hashable, Sendable {
  /// The latitude in degrees, from -90 in the south to 90 in the north.
  public let latitude: Double

  /// The longitude in degrees, from -180 in the west to 180 in the east; both are the same meridian.
  public let longitude: Double

  /// Creates a position.
  ///
  /// - Parameters:
  ///   - latitude: The latitude in degrees, from -90 to 90.
  ///   - longitude: The longitude in degrees, from -180 to 180.
  /// - Throws: ``TransitError`` with `.outOfRange` when one of them is out of its range, infinite or
  ///   not a number.
  public init(latitude: Double, longitude: Double) throws(TransitError) {
    guard (-90...90).contains(latitude) else {
      throw .coordinateOutOfRange("latitude", latitude, -90...90)
    }
    guard (-180...180).contains(longitude) else {
      throw .coordinateOutOfRange("longitude", longitude, -180...180)
    }
    self.init(validLatitude: latitude, validLongitude: longitude)
  }

  /// Creates a position from coordinates that are in range.
  init(validLatitude latitude: Double, validLongitude longitude: Double) {
    (self.latitude, self.longitude) = (latitude, longitude)
  }

  /// Whether it is 0° N 0° E, on open sea, which feeds write for places that they do not know.
  package var isUnknownPlace: Bool { latitude == 0 && longitude == 0 }

  /// Returns the length of the shortest way along the surface.
  ///
  /// The great circle is measured on a sphere with the mean radius of the earth, and differs from the
  /// length on the ellipsoid by at most 0.6 %.
  ///
  /// - Parameter other: The position at the other end.
  /// - Returns: The distance; 0 for the same position, about 20,015 kilometers for the opposite one.
  public func distance(to other: Position) -> Distance {
    Distance(haversine: haversine(to: other))
  }

  /// Returns the haversine of the angle between two positions, seen from the center of the earth.
  ///
  /// It grows with the distance, from 0 to 1, and costs less.
  func haversine(to other: Position) -> Double {
    let northward = sin((other.latitude - latitude) * .pi / 360)
    // The remainder makes 180° and -180° the same meridian exactly.
    let eastward = sin((other.longitude - longitude).remainder(dividingBy: 360) * .pi / 360)
    return northward * northward
      + cos(latitude * .pi / 180) * cos(other.latitude * .pi / 180) * eastward * eastward
  }

  /// The direction from the center of the earth, of length 1: to 0° N 0° E, to 90° E, and north.
  var direction: SIMD3<Double> {
    let (latitude, longitude) = (latitude * .pi / 180, longitude * .pi / 180)
    return SIMD3(
      cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }
}

extension Distance {
  /// The mean radius of the earth in meters: R1 of the International Union of Geodesy and
  /// Geophysics.
  private static let earthRadius = 6_371_008.8

  init(haversine: Double) {
    // Rounding may yield a little more than 1 for opposite positions.
    meters = 2 * Self.earthRadius * asin(min(1, haversine.squareRoot()))
  }

  /// The haversine of positions that are this far apart; 1 from half the circumference on.
  var haversine: Double {
    let half = sin(min(.pi / 2, meters / (2 * Self.earthRadius)))
    return half * half
  }
}

extension Stop {
  /// The stop's position; `nil` if the feed has none.
  public var position: Position? {
    guard let stopLat, let stopLon, (-90...90).contains(stopLat), (-180...180).contains(stopLon)
    else { return nil }
    return Position(validLatitude: stopLat, validLongitude: stopLon)
  }
}
