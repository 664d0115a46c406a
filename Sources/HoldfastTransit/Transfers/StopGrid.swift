import Foundation

/// The stops in the cells of a grid, by which those in a radius are found.
///
/// The cells are cubes in space, so that the poles and the antimeridian are like other places.
struct StopGrid {
  private let radius: Double
  private var keys: [UInt64] = []
  private var stops: [Int32] = []
  private var directions: [SIMD3<Double>] = []
  /// The place of each stop among these; -1 for a stop that is not.
  private var known: [Int32] = []
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
  ///
  /// - Parameters:
  ///   - places: The stops by their indices, with their positions.
  ///   - radius: The largest distance of a neighbor, in meters.
  init(_ places: some Sequence<(stop: Int32, position: Position)>, radius: Double) {
    self.radius = radius
    // The earth's radius is rounded down, so that the chord is too long and not too short.
    let chord = 2 * sin(min(radius / 2 / 6_371_000, .pi / 2))
    greatestChord = chord * chord * (1 + 1e-9) + 1e-18
    cell = max(chord * (1 + 1e-9), 1e-5)
    guard radius > 0 else { return }
    var (found, directions) = ([Int32](), [SIMD3<Double>]())
    // Only keys are sorted, which are small.
    var order: [(key: UInt64, index: Int32)] = []
    for (stop, position) in places {
      let direction = position.direction
      order.append((key(cell(of: direction)), Int32(found.count)))
      found.append(stop)
      directions.append(direction)
    }
    order.sort { $0.key == $1.key ? $0.index < $1.index : $0.key < $1.key }
    known = [Int32](repeating: -1, count: Int(found.max() ?? -1) + 1)
    var hasMany = false
    var first = 0
    while first < order.count {
      var end = first + 1
      while end < order.count, order[end].key == order[first].key { end += 1 }
      append(order[first..<end], of: found, directions)
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
    _ order: ArraySlice<(key: UInt64, index: Int32)>, of stops: [Int32],
    _ directions: [SIMD3<Double>]
  ) {
    var counts: [SIMD3<Double>: Int] = [:]
    for (key, index) in order {
      let (stop, direction) = (stops[Int(index)], directions[Int(index)])
      if order.count > Footpaths.mostNeighbors {
        counts[direction, default: 0] += 1
        guard counts[direction, default: 0] <= Footpaths.mostNeighbors + 1 else { continue }
      }
      known[Int(stop)] = Int32(keys.count)
      keys.append(key)
      self.stops.append(stop)
      self.directions.append(direction)
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

  /// Stops around a position, whose memory is used for those around another one.
  struct Neighborhood {
    /// The stops in the radius with their distances in meters, and others after them.
    fileprivate var stops: [(stop: Int32, meters: Double)] = []
    fileprivate(set) var count = 0
    /// The cell that is looked around, and where the stops of its neighbors lie.
    fileprivate var center: SIMD3<Int>?
    fileprivate var places: [Range<Int>] = []

    /// The stops in the radius, with their distances.
    var neighbors: ArraySlice<(stop: Int32, meters: Double)> { stops[..<count] }
  }

  /// Returns the stops in the radius around a position with their distances in meters, at most
  /// ``Footpaths/mostNeighbors`` of them, the nearest.
  func neighbors(of position: Position, except stop: Int) -> [(stop: Int, meters: Double)] {
    var found = Neighborhood()
    find(around: position, except: stop, &found)
    return found.neighbors.map { (Int($0.stop), $0.meters) }
  }

  /// Finds the stops of ``neighbors(of:except:)``.
  ///
  /// - Parameters:
  ///   - position: The position, which is that of the stop if there is one.
  ///   - stop: The stop that is left out; -1 for none.
  ///   - found: What was found around another position of this grid, in place of which it is put.
  func find(around position: Position, except stop: Int, _ found: inout Neighborhood) {
    found.count = 0
    guard radius > 0 else { return }
    let place = known.indices.contains(stop) ? Int(known[stop]) : -1
    let direction = place < 0 ? position.direction : directions[place]
    let center = cell(of: direction)
    // Stops that follow each other are mostly near each other.
    if found.center != center {
      (found.center, found.places) = (center, places(around: center))
    }
    if let index, found.places.reduce(0, { $0 + $1.count }) > Self.many {
      let nearest = index.nearest(
        to: position, within: Distance(validMeters: radius), limit: Footpaths.mostNeighbors + 1)
      found.stops = nearest.lazy.filter { Int($0.sid) != stop }.prefix(Footpaths.mostNeighbors)
        .map { (Int32($0.sid), $0.distance.meters) }
      found.count = found.stops.count
      return
    }
    for places in found.places {
      if found.stops.count < found.count + places.count {
        found.stops += repeatElement((stop: 0, meters: 0), count: places.count)
      }
      find(places, around: direction, except: stop, &found.stops, &found.count)
    }
    if found.count > Footpaths.mostNeighbors {
      found.stops[..<found.count].sort { ($0.meters, $0.stop) < ($1.meters, $1.stop) }
      found.count = Footpaths.mostNeighbors
    }
  }

  /// Returns where the stops in a cell and its neighbors lie.
  private func places(around center: SIMD3<Int>) -> [Range<Int>] {
    var places: [Range<Int>] = []
    for x in center.x - 1...center.x + 1 {
      var end = first(from: key(SIMD3(x, center.y - 1, center.z - 1)))
      for y in center.y - 1...center.y + 1 {
        // Mostly the next row of cells begins where this one ends.
        let start = first(from: key(SIMD3(x, y, center.z - 1)), after: end)
        end = first(from: key(SIMD3(x, y, center.z + 1)) + 1, after: start)
        if start < end { places.append(start..<end) }
      }
    }
    return places
  }

  /// Finds those of the stops at some places that are in the radius around a direction.
  private func find(
    _ places: Range<Int>, around direction: SIMD3<Double>, except stop: Int,
    _ found: inout [(stop: Int32, meters: Double)], _ count: inout Int
  ) {
    let (stops, directions) = (stops.span, directions.span)
    var found = found.mutableSpan
    for place in places {
      let gap = directions[place] - direction
      let chord = (gap * gap).sum()
      guard chord <= greatestChord, Int(stops[place]) != stop else { continue }
      let meters = Distance(haversine: chord / 4).meters
      guard meters <= radius else { continue }
      found[count] = (stops[place], meters)
      count += 1
    }
  }

  private func first(from key: UInt64) -> Int { first(from: key, in: 0..<keys.count) }

  /// Returns the index of the first key that is not less than one, and that is not far behind an index.
  private func first(from key: UInt64, after start: Int) -> Int {
    let keys = keys.span
    var (low, step) = (start, 1)
    while low + step <= keys.count, keys[low + step - 1] < key {
      low += step
      step *= 2
    }
    return first(from: key, in: low..<min(low + step, keys.count))
  }

  private func first(from key: UInt64, in range: Range<Int>) -> Int {
    let keys = keys.span
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
