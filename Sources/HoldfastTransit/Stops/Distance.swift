/// A length along the surface of the earth.
public struct Distance: Hashable, Sendable, Comparable {
  /// The length in meters: finite and not negative.
  public let meters: Double

  /// Creates a distance.
  ///
  /// - Parameter meters: The length in meters.
  /// - Throws: ``TransitError`` with `.outOfRange` when it is negative, infinite or not a number.
  public init(meters: Double) throws(TransitError) {
    guard meters >= 0, meters.isFinite else { throw .distanceOutOfRange(meters) }
    self.meters = meters
  }

  /// Returns whether a distance is shorter than another one.
  ///
  /// - Parameters:
  ///   - lhs: The distance that may be shorter.
  ///   - rhs: The distance that may be longer.
  /// - Returns: Whether `lhs` is the shorter one.
  public static func < (lhs: Distance, rhs: Distance) -> Bool { lhs.meters < rhs.meters }
}
