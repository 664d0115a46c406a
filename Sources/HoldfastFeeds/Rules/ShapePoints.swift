import Foundation
import HoldfastTransit

/// The points of shapes that a report compares with the stops of trips.
///
/// A point takes 32 bytes; of a feed with more than ``most`` points the last shapes are not compared.
struct ShapePoints {
  /// A point of a shape.
  struct Point: Sendable {
    var latitude: Float64
    var longitude: Float64
    var sequence: Int32
    /// `shape_dist_traveled`; not a number if it is blank.
    var distance: Float64
  }

  /// The largest number of points that are kept.
  static let most = 2_000_000

  private var points: [Point] = []
  private var runs: [Int: [Range<Int>]] = [:]
  /// The shapes that are not whole.
  private var isCut: Set<Int> = []

  /// Adds points of a shape that follow each other.
  mutating func add(_ more: ArraySlice<Point>, to shape: Int) {
    guard points.count + more.count <= Self.most, !isCut.contains(shape) else {
      isCut.insert(shape)
      return
    }
    runs[shape, default: []].append(points.count..<points.count + more.count)
    points.append(contentsOf: more)
  }

  /// Returns the first distance of a shape that is less than one before it, and that one, if the points of
  /// the shape are scattered over the file; those in adjacent rows are compared while they are read.
  func firstDecrease(of shape: Int) -> (distance: Double, last: Double)? {
    guard let runs = runs[shape], runs.count > 1 || !isSorted(runs), let line = line(shape) else {
      return nil
    }
    let distances = line.map(\.distance).filter { !$0.isNaN }
    guard let pair = zip(distances, distances.dropFirst()).first(where: { $1 < $0 }) else {
      return nil
    }
    return (pair.1, pair.0)
  }

  /// Returns how many points of a shape have the sequence of the point before.
  func repeatedSequences(of shape: Int) -> Int {
    let line = line(shape) ?? []
    return zip(line, line.dropFirst()).count { $0.sequence == $1.sequence }
  }

  private func isSorted(_ runs: [Range<Int>]) -> Bool {
    runs.allSatisfy { run in
      zip(run, run.dropFirst()).allSatisfy { points[$0].sequence <= points[$1].sequence }
    }
  }

  /// Returns the points of a shape in their order; `nil` if they are not whole or no line.
  func line(_ shape: Int) -> [Point]? {
    guard !isCut.contains(shape), let runs = runs[shape] else { return nil }
    let found = runs.flatMap { points[$0] }
    let line =
      zip(found, found.dropFirst()).allSatisfy { $0.sequence <= $1.sequence }
      ? found : found.sorted { $0.sequence < $1.sequence }
    return line.count > 1 ? line : nil
  }
}

/// A path on the map, near which the stops of a trip lie in their order.
struct ShapeLine {
  /// The distance in meters from which on a stop is far from the path.
  var far = 100.0

  let points: [ShapePoints.Point]
  /// The areas of the parts of the path, each of ``Area/count`` segments.
  private let areas: [Area]

  init(points: [ShapePoints.Point]) {
    self.points = points
    areas = stride(from: 0, to: points.count - 1, by: Area.count).map { first in
      Area(of: points[first...min(first + Area.count, points.count - 1)])
    }
  }

  /// A contradiction between the stops of a trip and its path.
  enum Finding: Equatable {
    /// A stop is far from the path: its index and the meters.
    case far(Int, Double)
    /// A stop is near the path only before the stop before it.
    case outOfOrder(Int)
  }

  /// A place on the path: a part of it, and the meters from its beginning.
  private struct Place {
    var segment = 0
    var meters = 0.0
  }

  /// Compares stops with the path.
  ///
  /// Each stop takes the first place on the path that is near it and not before the place of the stop
  /// before it. If there is none, no choice of places has the stops in order.
  ///
  /// - Parameters:
  ///   - stops: The positions of the stops in the order of the trip; `nil` for those without one.
  ///   - isKnown: Returns whether a stop was found to be far before.
  /// - Returns: The stops that are far, up to the first one that is out of order.
  func findings(_ stops: [Position?], isKnown: (Int) -> Bool) -> [Finding] {
    var findings: [Finding] = []
    var place = Place()
    for (index, stop) in stops.enumerated() {
      guard let stop, !isKnown(index) else { continue }
      let origin = Origin(stop)
      if let next = firstPlace(near: origin, from: place) {
        place = next
      } else if firstPlace(near: origin, from: Place()) == nil {
        findings.append(.far(index, distance(of: origin)))
      } else {
        // The stops after it have no place to begin at.
        findings.append(.outOfOrder(index))
        break
      }
    }
    return findings
  }

  private func firstPlace(near stop: Origin, from place: Place) -> Place? {
    var next = place.segment
    while next < points.count - 1 {
      let segment = next
      guard !areas[segment / Area.count].isBeyond(far, from: stop) else {
        next = (segment / Area.count + 1) * Area.count
        continue
      }
      next += 1
      let way = way(stop, segment)
      guard way.least <= far else { continue }
      // The part of the segment that is near the stop.
      let half = max(0, far * far - way.across * way.across).squareRoot()
      let start = max(0, way.along - half, segment == place.segment ? place.meters : 0)
      if start <= min(way.length, way.along + half) {
        return Place(segment: segment, meters: start)
      }
    }
    return nil
  }

  /// Returns the distance in meters of a stop from the path.
  private func distance(of stop: Origin) -> Double {
    var least = Double.infinity
    for (number, area) in areas.enumerated() where !area.isBeyond(least, from: stop) {
      let first = number * Area.count
      for segment in first..<min(first + Area.count, points.count - 1) {
        least = min(least, way(stop, segment).least)
      }
    }
    return least.isFinite ? least : 0
  }

  /// The area in which some segments of the path lie, most of which are far from a stop.
  private struct Area {
    /// The number of segments.
    static let count = 64

    private let south, north, west, east: Double

    init(of points: ArraySlice<ShapePoints.Point>) {
      let (latitudes, longitudes) = (points.map(\.latitude), points.map(\.longitude))
      (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
      (west, east) = (longitudes.min() ?? 0, longitudes.max() ?? 0)
    }

    /// Returns whether everything in the area is farther from a stop than some meters.
    func isBeyond(_ meters: Double, from stop: Origin) -> Bool {
      let degrees = max(south - stop.latitude, stop.latitude - north)
      if degrees * Origin.metersPerDegree > meters { return true }
      // Otherwise it may be on both sides of the antimeridian.
      guard east - west < 180 else { return false }
      let first = (west - stop.longitude).remainder(dividingBy: 360)
      let last = (east - stop.longitude).remainder(dividingBy: 360)
      guard first > 0 || last < 0 else { return false }
      return min(first.magnitude, last.magnitude) * stop.scale * Origin.metersPerDegree > meters
    }
  }

  /// The middle of a map without distortion near it.
  private struct Origin {
    static let metersPerDegree = 111_195.08
    let latitude, longitude, scale: Double

    init(_ position: Position) {
      (latitude, longitude) = (position.latitude, position.longitude)
      scale = cos(latitude * .pi / 180)
    }

    /// The place of a point, in meters to the east and the north.
    func place(of point: ShapePoints.Point) -> (x: Double, y: Double) {
      // The short way around the earth.
      let east = (point.longitude - longitude).remainder(dividingBy: 360)
      let meters = Self.metersPerDegree
      return (east * scale * meters, (point.latitude - latitude) * meters)
    }
  }

  /// Where a position is from a part of the path, in meters.
  private struct Way {
    /// The length of the part.
    var length: Double
    /// How far the position is along the line through the part, and across it.
    var along, across: Double
    /// The distance to the nearest place on the part.
    var least: Double
  }

  private func way(_ stop: Origin, _ segment: Int) -> Way {
    let (from, to) = (stop.place(of: points[segment]), stop.place(of: points[segment + 1]))
    let (x, y) = (to.x - from.x, to.y - from.y)
    let length = hypot(x, y)
    guard length > 0 else {
      let distance = hypot(from.x, from.y)
      return Way(length: 0, along: 0, across: distance, least: distance)
    }
    let along = -(from.x * x + from.y * y) / length
    let across = (from.x * y - from.y * x) / length
    let beyond = max(-along, along - length, 0)
    return Way(length: length, along: along, across: across, least: hypot(across, beyond))
  }
}
