package import Holdfast

/// The positions of a database's stops in memory, arranged so that the nearest ones are found
/// without a look at the others.
///
/// The stops are sorted along a curve through space that keeps neighbors together, and each eight of
/// them lie in a box, each eight boxes in a larger one. Boxes in space have no seam: the poles and
/// the antimeridian are like every other place.
package struct StopIndex: Sendable {
  /// A stop with a position.
  package struct Place: Sendable {
    fileprivate var sid: Int64
    fileprivate var position: Position
    fileprivate var locationType: Int16

    /// Creates a place.
    ///
    /// - Parameters:
    ///   - sid: The stop's number.
    ///   - position: The stop's position.
    ///   - locationType: The kind of the stop.
    package init(sid: Int64, position: Position, locationType: Int) {
      (self.sid, self.position) = (sid, position)
      self.locationType = Int16(clamping: locationType)
    }
  }

  /// A stop that was found.
  package struct Match: Sendable {
    /// The stop's number.
    package var sid: Int64
    /// How far away it is.
    package var distance: Distance
  }

  private var places: [Place] = []

  /// The boxes of eight places, the boxes of eight of these, and so on up to the last eight.
  private var levels: [[Box]] = []

  private static let fanout = 8

  /// Arranges places; the order in which they come does not matter.
  package init(_ places: [Place]) {
    let keyed = places.map { place in
      let direction = place.position.direction
      return (key: Self.key(of: direction), direction: direction, place: place)
    }.sorted { ($0.key, $0.place.sid) < ($1.key, $1.place.sid) }
    self.places = keyed.map(\.place)
    var boxes = Self.groups(of: keyed.count).map { group in
      Box(around: keyed[group].map(\.direction))
    }
    while !boxes.isEmpty {
      levels.append(boxes)
      guard boxes.count > Self.fanout else { break }
      boxes = Self.groups(of: boxes.count).map { group in Box(joining: boxes[group]) }
    }
  }

  private static func groups(of count: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: fanout).map { $0..<min($0 + fanout, count) }
  }

  /// Returns the place's number on the curve: the bits of the three coordinates in turn.
  ///
  /// 21 bits of each fit into one number, which is a grid of six meters.
  private static func key(of direction: SIMD3<Double>) -> UInt64 {
    let cells = ((direction + 1) * Double(1 << 20)).rounded(.down)
      .clamped(lowerBound: .zero, upperBound: SIMD3(repeating: Double(1 << 21 - 1)))
    let (x, y, z) = (UInt64(cells.x), UInt64(cells.y), UInt64(cells.z))
    var key: UInt64 = 0
    for bit in (0..<21 as Range<UInt64>).reversed() {
      key = key << 3 | (x >> bit & 1) << 2 | (y >> bit & 1) << 1 | z >> bit & 1
    }
    return key
  }

  /// The positions of the stops by their numbers.
  var positions: [Int64: Position] {
    Dictionary(places.lazy.map { ($0.sid, $0.position) }) { first, _ in first }
  }

  // MARK: - Finding

  /// Returns the nearest stops.
  ///
  /// - Parameters:
  ///   - position: The position from which distances are measured.
  ///   - radius: The largest distance; `nil` for stops however far.
  ///   - limit: The largest number of stops.
  ///   - locationTypes: The kinds of the stops; `nil` for all kinds.
  /// - Returns: The stops, the nearest first; by number where the distances are equal.
  package func nearest(
    to position: Position, within radius: Distance? = nil, limit: Int,
    locationTypes: Set<Int>? = nil
  ) -> [Match] {
    var nearest = NearestPlaces(to: position, limit: min(limit, places.count), within: radius)
    let types = locationTypes.map { $0.map(Int16.init(clamping:)) }
    let direction = position.direction
    var pending: [PendingBox] = []
    func add(_ boxes: Range<Int>, ofLevel level: Int) {
      let first = pending.count
      for index in boxes {
        let bound = levels[level][index].leastHaversine(from: direction)
        if bound <= nearest.greatestHaversine {
          pending.append(PendingBox(level: level, index: index, bound: bound))
        }
      }
      // The nearest box is taken first, from the end.
      pending[first...].sort { $0.bound > $1.bound }
    }

    if let top = levels.last, nearest.limit > 0 { add(top.indices, ofLevel: levels.count - 1) }
    while let box = pending.popLast() {
      guard box.bound <= nearest.greatestHaversine else { continue }
      let start = box.index * Self.fanout
      if box.level > 0 {
        let below = box.level - 1
        add(start..<min(start + Self.fanout, levels[below].count), ofLevel: below)
        continue
      }
      for place in places[start..<min(start + Self.fanout, places.count)] {
        guard types?.contains(place.locationType) ?? true else { continue }
        nearest.add(place.sid, at: place.position)
      }
    }
    return nearest.matches
  }

  /// Returns the stops in an area.
  ///
  /// - Parameters:
  ///   - region: The area.
  ///   - limit: The largest number of stops.
  ///   - locationTypes: The kinds of the stops; `nil` for all kinds.
  /// - Returns: The stops, those nearest to the center of the area first; by number where the
  ///   distances are equal.
  package func inside(
    _ region: BoundingBox, limit: Int, locationTypes: Set<Int>? = nil
  ) -> [Match] {
    var nearest = NearestPlaces(to: region.center, limit: min(limit, places.count), within: nil)
    guard nearest.limit > 0 else { return [] }
    let types = locationTypes.map { $0.map(Int16.init(clamping:)) }
    for place in places where region.contains(place.position) {
      guard types?.contains(place.locationType) ?? true else { continue }
      nearest.add(place.sid, at: place.position)
    }
    return nearest.matches
  }
}

extension StopIndex {
  /// Returns the index of a database, which its connection keeps.
  ///
  /// - Parameter db: The connection to a timetable database.
  /// - Returns: The index of the stops that the current access sees.
  /// - Throws: `DatabaseError` when the database cannot be read.
  package static func ofStops(in db: Database) throws -> StopIndex {
    try db.cached { db in try StopIndex(readingFrom: db) }
  }

  /// Reads the positions of a database's stops.
  package init(readingFrom db: Database) throws {
    var places: [Place] = []
    // The ranges also leave out what is not a number, which SQLite sorts below or above all numbers.
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT sid, stop_lat, stop_lon, location_type FROM main.stops
        WHERE stop_lat BETWEEN -90 AND 90 AND stop_lon BETWEEN -180 AND 180
        """)
    while let row = try rows.next() {
      places.append(
        Place(
          sid: try row.decode(atIndex: 0),
          position: Position(
            validLatitude: try row.decode(atIndex: 1), validLongitude: try row.decode(atIndex: 2)),
          locationType: try row.decode(atIndex: 3)))
    }
    self.init(places)
  }
}

/// A box that is still to be opened.
private struct PendingBox {
  var level: Int
  var index: Int
  /// No place in it is nearer.
  var bound: Double
}

/// A box in space with points of the unit sphere.
private struct Box {
  private var least: SIMD3<Double>
  private var greatest: SIMD3<Double>

  /// More than the coordinates of a point are rounded by.
  private static let rounding = 1e-14

  init(around points: [SIMD3<Double>]) {
    least = points.reduce(SIMD3<Double>(repeating: 2)) { pointwiseMin($0, $1) } - Self.rounding
    greatest = points.reduce(SIMD3<Double>(repeating: -2)) { pointwiseMax($0, $1) } + Self.rounding
  }

  init(joining boxes: ArraySlice<Box>) {
    least = boxes.reduce(SIMD3<Double>(repeating: 2)) { pointwiseMin($0, $1.least) }
    greatest = boxes.reduce(SIMD3<Double>(repeating: -2)) { pointwiseMax($0, $1.greatest) }
  }

  /// Returns a haversine that no point in the box is below.
  func leastHaversine(from point: SIMD3<Double>) -> Double {
    let gap = pointwiseMax(pointwiseMax(least - point, point - greatest), .zero)
    // The square of a chord of the unit sphere is four times the haversine; the factor is for what
    // the sum is rounded by.
    return (gap * gap).sum() / 4 * (1 - 1e-12)
  }
}

/// The nearest places among those seen so far.
private struct NearestPlaces {
  let limit: Int
  private let position: Position
  private let radius: Distance?
  private var found: [StopIndex.Match] = []

  /// No place whose haversine is greater is one of the nearest.
  private(set) var greatestHaversine: Double

  init(to position: Position, limit: Int, within radius: Distance?) {
    (self.position, self.limit, self.radius) = (position, max(0, limit), radius)
    greatestHaversine = radius.map(Self.haversine(upTo:)) ?? .infinity
  }

  /// Returns a haversine a little greater than the rounded one of a distance.
  private static func haversine(upTo distance: Distance) -> Double {
    distance.haversine * (1 + 1e-12)
  }

  mutating func add(_ sid: Int64, at place: Position) {
    let haversine = position.haversine(to: place)
    guard haversine <= greatestHaversine else { return }
    let distance = Distance(haversine: haversine)
    if let radius, distance > radius { return }
    found.append(StopIndex.Match(sid: sid, distance: distance))
    // Not after each place, so that a large limit costs no more than sorting all of them.
    if found.count >= 2 * limit { keepNearest() }
  }

  private mutating func keepNearest() {
    found.sort { ($0.distance, $0.sid) < ($1.distance, $1.sid) }
    found.removeLast(max(0, found.count - limit))
    if found.count == limit, let last = found.last {
      greatestHaversine = min(greatestHaversine, Self.haversine(upTo: last.distance))
    }
  }

  /// The nearest places in order.
  var matches: [StopIndex.Match] {
    var nearest = self
    nearest.keepNearest()
    return nearest.found
  }
}
