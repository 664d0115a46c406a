import Foundation

/// The part of the earth that a map shows, and where each position lies on it.
///
/// The projection is Mercator's on a sphere, as in web maps: angles are right everywhere, so the
/// network has its shape at any latitude. The map begins after the widest span of longitudes without
/// a position, so a network on both sides of the antimeridian is not torn apart.
struct MapFrame {
  /// A position in degrees.
  struct Place: Hashable {
    var latitude: Double
    var longitude: Double
  }

  /// A position on the map, in tenths of a pixel from the upper left corner.
  struct Point: Hashable, Comparable {
    var x: Int
    var y: Int

    static func < (left: Point, right: Point) -> Bool { (left.x, left.y) < (right.x, right.y) }
  }

  /// The width and the height in pixels.
  let width: Int
  let height: Int

  /// The number of positions that are left out, because they lie far from all others.
  let outlierCount: Int

  /// The length of a pixel in the middle of the map, in meters.
  let metersPerPixel: Double

  private let west: Double
  private let box: (x: ClosedRange<Double>, y: ClosedRange<Double>)
  private let scale: Double

  /// The latitude up to which web maps reach.
  private static let northernmost = 85.05112878

  /// Creates the frame of some positions; `nil` when there are none.
  ///
  /// - Parameters:
  ///   - places: The positions; each counts as often as it occurs.
  ///   - size: The length of the longer side, in pixels.
  init?(_ places: [Place], size: Int) {
    let onEarth = places.filter { abs($0.latitude) <= 90 && abs($0.longitude) <= 180 }
    let kept = Self.withoutNullIsland(onEarth)
    guard !kept.isEmpty else { return nil }
    let west = Self.westernEdge(kept.map(\.longitude))
    let xs = Self.core(kept.map { Self.unwrapped($0.longitude, west) })
    let ys = Self.core(kept.map { Self.mercator($0.latitude) })
    // A single position, or a straight line, still has an area around it.
    let least = 0.004
    let box = (x: Self.widened(xs, to: least), y: Self.widened(ys, to: least))
    let outlierCount =
      places.count
      - kept.count {
        box.x.contains(Self.unwrapped($0.longitude, west))
          && box.y.contains(Self.mercator($0.latitude))
      }
    self.init(west, box, size: size, outlierCount: outlierCount)
  }

  private init(
    _ west: Double, _ box: (x: ClosedRange<Double>, y: ClosedRange<Double>), size: Int,
    outlierCount: Int
  ) {
    (self.west, self.box, self.outlierCount) = (west, box, outlierCount)
    let longest = max(box.x.upperBound - box.x.lowerBound, box.y.upperBound - box.y.lowerBound)
    scale = Double(size) / longest
    width = max(1, Int(((box.x.upperBound - box.x.lowerBound) * scale).rounded()))
    height = max(1, Int(((box.y.upperBound - box.y.lowerBound) * scale).rounded()))
    let middle = (box.y.lowerBound + box.y.upperBound) / 2
    let latitude = atan(sinh(middle * .pi / 180))
    metersPerPixel = 6_371_008.8 * .pi / 180 * cos(latitude) / scale
  }

  /// Returns a frame that also shows what paths have a little outside of this one: a fifth of it on
  /// each side.
  func including(_ paths: some Sequence<[Place]>, size: Int) -> MapFrame {
    let most = (
      x: (box.x.upperBound - box.x.lowerBound) / 5, y: (box.y.upperBound - box.y.lowerBound) / 5
    )
    var (xs, ys) = (box.x, box.y)
    for (x, y) in paths.joined().map(projected) {
      guard x >= box.x.lowerBound - most.x, x <= box.x.upperBound + most.x,
        y >= box.y.lowerBound - most.y, y <= box.y.upperBound + most.y
      else { continue }
      xs = min(xs.lowerBound, x)...max(xs.upperBound, x)
      ys = min(ys.lowerBound, y)...max(ys.upperBound, y)
    }
    return MapFrame(west, (xs, ys), size: size, outlierCount: outlierCount)
  }

  /// Returns where a position lies; `nil` when it is left out.
  func point(_ place: Place) -> Point? {
    guard abs(place.latitude) <= 90, abs(place.longitude) <= 180 else { return nil }
    let (x, y) = (Self.unwrapped(place.longitude, west), Self.mercator(place.latitude))
    guard box.x.contains(x), box.y.contains(y) else { return nil }
    return Point(
      x: Int(((x - box.x.lowerBound) * scale * 10).rounded()),
      y: Int(((box.y.upperBound - y) * scale * 10).rounded()))
  }

  /// Returns where the points of a path lie; `nil` for those whose neighbors are not on the map either.
  func path(_ places: [Place]) -> [Point?] {
    let points = places.map(projected)
    let isInside = points.map { box.x.contains($0.x) && box.y.contains($0.y) }
    return points.indices.map { index in
      let isSeen = isInside[max(0, index - 1)...min(index + 1, points.count - 1)].contains(true)
      guard isSeen else { return nil }
      return Point(
        x: Int(((points[index].x - box.x.lowerBound) * scale * 10).rounded()),
        y: Int(((box.y.upperBound - points[index].y) * scale * 10).rounded()))
    }
  }

  /// Returns a projected position, on the copy of the earth that is nearest to the map.
  private func projected(_ place: Place) -> (x: Double, y: Double) {
    let middle = (box.x.lowerBound + box.x.upperBound) / 2
    let turns = ((place.longitude - middle) / 360).rounded()
    return (place.longitude - turns * 360, Self.mercator(place.latitude))
  }

  // MARK: - The box

  /// The projected latitude, in degrees at the equator.
  private static func mercator(_ latitude: Double) -> Double {
    let radians = min(northernmost, max(-northernmost, latitude)) * .pi / 180
    return asinh(tan(radians)) * 180 / .pi
  }

  private static func unwrapped(_ longitude: Double, _ west: Double) -> Double {
    longitude < west ? longitude + 360 : longitude
  }

  /// Returns the longitude east of the widest span without a position.
  private static func westernEdge(_ longitudes: [Double]) -> Double {
    let sorted = longitudes.sorted()
    guard let first = sorted.first, let last = sorted.last else { return 0 }
    var (edge, widest) = (first, first + 360 - last)
    for (left, right) in zip(sorted, sorted.dropFirst()) where right - left > widest {
      (edge, widest) = (right, right - left)
    }
    return edge
  }

  /// Leaves out 0° north, 0° east, which stands for an unknown position, unless a network is there.
  private static func withoutNullIsland(_ places: [Place]) -> [Place] {
    let others = places.filter { abs($0.latitude) > 0.01 || abs($0.longitude) > 0.01 }
    let isNear = others.contains { abs($0.latitude) < 2 && abs($0.longitude) < 2 }
    return isNear ? places : others
  }

  /// Returns the range of the values without the few that lie farther from the others than these do
  /// from each other.
  private static func core(_ values: [Double]) -> ClosedRange<Double> {
    let sorted = values.sorted()
    var (first, last) = (sorted.startIndex, sorted.endIndex - 1)
    // At most one in fifty: an island far away with more stops belongs to the network.
    let most = sorted.count / 50
    for count in stride(from: most, to: 0, by: -1) {
      if sorted[count] - sorted[count - 1] > sorted[last] - sorted[count] {
        first = count
        break
      }
    }
    for count in stride(from: most, to: 0, by: -1) {
      let index = sorted.endIndex - count
      if index > first + 1, sorted[index] - sorted[index - 1] > sorted[index - 1] - sorted[first] {
        last = index - 1
        break
      }
    }
    return sorted[first]...sorted[last]
  }

  private static func widened(
    _ range: ClosedRange<Double>, to least: Double
  ) -> ClosedRange<Double> {
    let missing = max(0, least - (range.upperBound - range.lowerBound)) / 2
    return (range.lowerBound - missing)...(range.upperBound + missing)
  }
}
