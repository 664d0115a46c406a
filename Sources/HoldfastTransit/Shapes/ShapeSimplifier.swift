import Foundation

/// The choice of the points of a path that are enough to draw it.
///
/// The algorithm is Douglas and Peucker's: of the points between two that are kept, the farthest from
/// the line between them is kept too, until all others are within the tolerance. The first and the last
/// point are kept, and so is at least every 4096th, which bounds the time.
///
/// - SeeAlso: D. Douglas, T. Peucker: Algorithms for the reduction of the number of points required to
///   represent a digitized line or its caricature. Cartographica 10 (1973), 112–122.
package enum ShapeSimplifier {
  /// The largest distance in meters between a point that is left out and the simplified path.
  package static let tolerance = 5.0

  private static let mostAtOnce = 4096
  /// The length of a degree of latitude, in meters, of a sphere with WGS 84's mean radius.
  private static let degree = 6_371_008.8 * Double.pi / 180

  /// Chooses the points of a path.
  ///
  /// - Parameters:
  ///   - points: The points of the path.
  ///   - tolerance: The largest distance of the others from the path, in meters.
  /// - Returns: The indices of the points that are kept, in ascending order.
  package static func kept(
    _ points: [StoredShape.Point], tolerance: Double = ShapeSimplifier.tolerance
  ) -> [Int] {
    guard points.count > 2 else { return Array(points.indices) }
    var isKept = [Bool](repeating: false, count: points.count)
    for start in stride(from: 0, to: points.count - 1, by: mostAtOnce) {
      let end = min(start + mostAtOnce, points.count - 1)
      (isKept[start], isKept[end]) = (true, true)
      var pending = [(start, end)]
      while let (first, last) = pending.popLast() {
        guard let farthest = farthest(points, first, last, tolerance) else { continue }
        isKept[farthest] = true
        pending.append((first, farthest))
        pending.append((farthest, last))
      }
    }
    return points.indices.filter { isKept[$0] }
  }

  /// Returns the point between two others that is farthest from the line between them, if that is
  /// farther than the tolerance.
  private static func farthest(
    _ points: [StoredShape.Point], _ first: Int, _ last: Int, _ tolerance: Double
  ) -> Int? {
    guard last - first > 1 else { return nil }
    let origin = points[first]
    // On a plane that touches the earth here: the parts of a path are short.
    let scale = degree * cos(origin.latitude * .pi / 180)
    func position(_ point: StoredShape.Point) -> (x: Double, y: Double) {
      var degrees = point.longitude - origin.longitude
      if degrees > 180 { degrees -= 360 }
      if degrees < -180 { degrees += 360 }
      return (degrees * scale, (point.latitude - origin.latitude) * degree)
    }
    let end = position(points[last])
    let length = end.x * end.x + end.y * end.y
    var greatest = tolerance * tolerance
    var found: Int?
    for index in (first + 1)..<last {
      let point = position(points[index])
      let along =
        length == 0 ? 0 : max(0, min(1, (point.x * end.x + point.y * end.y) / length))
      let (x, y) = (point.x - along * end.x, point.y - along * end.y)
      let distance = x * x + y * y
      if distance > greatest { (greatest, found) = (distance, index) }
    }
    return found
  }
}
