import Foundation

/// The stops in the cells of a grid, by which those in a radius are found.
///
/// The cells are cubes in space, so that the poles and the antimeridian are like other places.
struct StopGrid {
  private let radius: Double
  private var keys: [UInt64] = []
  private var stops: [Int32] = []
  private var directions: [SIMD3<Double>] = []
  private let cell: Double
  /// The square of the chord that no stop in the radius is beyond.
  private let greatestChord: Double
  /// The same stops for places where cells have many; `nil` if none has.
  private var index: StopIndex?

  /// The number of stops in a cell or around it that are more than are quickly looked at.
  private static let many = 512

  init(_ served: [Int], _ list: JourneyStops, radius: Double) {
    self.init(
      served.lazy.compactMap { stop in list.positions[stop].map { (Int32(stop), $0) } },
      radius: radius)
  }

  /// Creates a grid of stops with their positions.
  init(_ places: some Sequence<(stop: Int32, position: Position)>, radius: Double) {
    self.radius = radius
    // The earth's radius is rounded down, so that the chord is too long and not too short.
    let chord = 2 * sin(min(radius / 2 / 6_371_000, .pi / 2))
    greatestChord = chord * chord * (1 + 1e-9) + 1e-18
    cell = max(chord * (1 + 1e-9), 1e-5)
    guard radius > 0 else { return }
    var found: [(key: UInt64, stop: Int32, direction: SIMD3<Double>)] = []
    for (stop, position) in places {
      let direction = position.direction
      found.append((key(cell(of: direction)), stop, direction))
    }
    found.sort { ($0.key, $0.stop) < ($1.key, $1.stop) }
    var hasMany = false
    var first = 0
    while first < found.count {
      var end = first + 1
      while end < found.count, found[end].key == found[first].key { end += 1 }
      append(found[first..<end])
      hasMany = hasMany || end - first > Self.many
      first = end
    }
    guard hasMany else { return }
    let kept = Set(stops)
    index = StopIndex(
      places.filter { kept.contains($0.stop) }
        .map { StopIndex.Place(sid: Int64($0.stop), position: $0.position, locationType: 0) })
  }

  /// Appends the stops of a cell.
  ///
  /// Of stops at one place the first ones are the nearest of all; others are never among those.
  private mutating func append(
    _ found: ArraySlice<(key: UInt64, stop: Int32, direction: SIMD3<Double>)>
  ) {
    var counts: [SIMD3<Double>: Int] = [:]
    for place in found {
      if found.count > Footpaths.mostNeighbors {
        counts[place.direction, default: 0] += 1
        guard counts[place.direction, default: 0] <= Footpaths.mostNeighbors + 1 else { continue }
      }
      keys.append(place.key)
      stops.append(place.stop)
      directions.append(place.direction)
    }
  }

  private func cell(of direction: SIMD3<Double>) -> SIMD3<Int> {
    let scaled = ((direction + 1) / cell).rounded(.down)
    // One more, so that a neighbor's number is not negative.
    return SIMD3(Int(scaled.x) + 1, Int(scaled.y) + 1, Int(scaled.z) + 1)
  }

  private func key(_ cell: SIMD3<Int>) -> UInt64 {
    UInt64(cell.x) << 42 | UInt64(cell.y) << 21 | UInt64(cell.z)
  }

  /// Returns the other stops in the radius with their distances in meters, at most
  /// ``Footpaths/mostNeighbors`` of them, the nearest.
  func neighbors(of stop: Int, _ list: JourneyStops) -> [(stop: Int, meters: Double)] {
    list.positions[stop].map { neighbors(of: $0, except: stop) } ?? []
  }

  /// Returns the stops in the radius around a position.
  func neighbors(of position: Position, except stop: Int) -> [(stop: Int, meters: Double)] {
    guard radius > 0 else { return [] }
    let direction = position.direction
    let center = cell(of: direction)
    if let index, count(around: center) > Self.many {
      let nearest = index.nearest(
        to: position, within: Distance(validMeters: radius), limit: Footpaths.mostNeighbors + 1)
      return nearest.lazy.filter { Int($0.sid) != stop }.prefix(Footpaths.mostNeighbors)
        .map { (Int($0.sid), $0.distance.meters) }
    }
    var found: [(stop: Int, meters: Double)] = []
    for x in center.x - 1...center.x + 1 {
      for y in center.y - 1...center.y + 1 {
        let last = key(SIMD3(x, y, center.z + 1))
        var index = first(from: key(SIMD3(x, y, center.z - 1)))
        while index < keys.count, keys[index] <= last {
          let gap = directions[index] - direction
          let chord = (gap * gap).sum()
          if chord <= greatestChord, Int(stops[index]) != stop {
            let meters = Distance(haversine: chord / 4).meters
            if meters <= radius { found.append((Int(stops[index]), meters)) }
          }
          index += 1
        }
      }
    }
    if found.count > Footpaths.mostNeighbors {
      found.sort { ($0.meters, $0.stop) < ($1.meters, $1.stop) }
      found.removeLast(found.count - Footpaths.mostNeighbors)
    }
    return found
  }

  /// Returns the number of stops in a cell and its neighbors.
  private func count(around center: SIMD3<Int>) -> Int {
    var count = 0
    for x in center.x - 1...center.x + 1 {
      for y in center.y - 1...center.y + 1 {
        count +=
          first(from: key(SIMD3(x, y, center.z + 1)) + 1)
          - first(from: key(SIMD3(x, y, center.z - 1)))
      }
    }
    return count
  }

  private func first(from key: UInt64) -> Int {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
