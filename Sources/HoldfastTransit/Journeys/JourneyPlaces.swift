/// How riders get from the places of a question to stops where vehicles call, and back.
struct JourneyPlaces {
  private let network: JourneyNetwork
  private let profile: Footpaths.Profile
  private let grid: StopGrid
  /// `nil` if all stops are reached directly.
  private let walks: StationWalks?

  init(_ ways: Footpaths, _ network: JourneyNetwork) {
    (self.network, profile, grid, walks) = (network, ways.profile, ways.grid, ways.walks)
  }

  /// Returns the stops that a place is or that riders walk to from it, or from which they walk to it.
  func accesses(_ place: Journeys.Place, isOrigin: Bool) -> [JourneySearch.Access] {
    var found: [Int: JourneySearch.Access] = [:]
    func add(_ stop: Int, _ seconds: Int, _ door: Int32 = -1) {
      guard seconds < found[stop]?.seconds ?? .max else { return }
      found[stop] = JourneySearch.Access(stop: stop, seconds: seconds, door: door)
    }
    func add(_ walks: [Int32: StationWalks.Walk]) {
      for walk in walks.values { add(Int(walk.stop), walk.seconds, walk.door) }
    }
    switch place {
    case .position(let position):
      if let walks {
        add(walks.walks(around: position, isForward: isOrigin))
      } else {
        for (stop, meters) in grid.neighbors(of: position, except: -1) {
          add(stop, profile.seconds(meters: meters))
        }
      }
    case .stop(let sid):
      guard let stop = network.stops.index(of: sid) else { return [] }
      if let walks {
        addParts(of: stop, isOrigin: isOrigin, walks, add, add)
      } else {
        addParts(of: stop) { add($0, $1) }
      }
    }
    return found.values.filter { !profile.needsAccess || network.stops.isAccessible[$0.stop] }
      .sorted { $0.stop < $1.stop }
  }

  /// Adds the parts of a stop, and the stops near them.
  private func addParts(of stop: Int, _ add: (_ stop: Int, _ seconds: Int) -> Void) {
    let parts = network.stops.parts(of: stop)
    var counts: [Position: Int] = [:]
    for part in parts {
      guard let position = network.stops.positions[part] else { continue }
      counts[position, default: 0] += 1
      // Two parts at one place, each of which leaves itself out, have the neighbors of all there.
      guard counts[position, default: 0] <= 2 else { continue }
      for (other, meters) in grid.neighbors(of: position, except: part) {
        add(other, profile.seconds(meters: meters))
      }
    }
    for part in parts where network.isServed[part] { add(part, 0) }
  }

  /// Adds the parts of a stop and the stops near them, where entrances or pathways decide.
  private func addParts(
    of stop: Int, isOrigin: Bool, _ walks: StationWalks,
    _ add: (_ stop: Int, _ seconds: Int, _ door: Int32) -> Void,
    _ addAll: ([Int32: StationWalks.Walk]) -> Void
  ) {
    guard network.stops.isStation(stop), !network.isServed[stop] else {
      let place = network.access.platforms[Int32(stop)].map { Int($0) } ?? stop
      if network.isServed[place] { add(place, 0, -1) }
      addAll(walks.walks(from: place, isForward: isOrigin))
      return
    }
    for part in network.stops.parts(of: stop) where network.isServed[part] {
      // Riders are somewhere in a station, and at an entrance where pathways begin.
      if network.access.doors[Int32(part)]?.areByPathways ?? false {
        if let walk = walks.shortestWalk(toDoorsOf: part, isEntering: isOrigin) {
          add(part, walk.seconds, walk.door)
        }
      } else {
        add(part, 0, -1)
      }
    }
    for point in streetPoints(of: stop) {
      guard let position = network.stops.positions[point] else { continue }
      addAll(walks.walks(around: position, isForward: isOrigin))
    }
  }

  /// The station itself, its entrances, and its stops that are reached directly.
  private func streetPoints(of station: Int) -> [Int] {
    network.stops.parts(of: station).filter { part in
      part == station || network.access.stopsBehind[Int32(part)] != nil
        || network.isServed[part] && network.access.doors[Int32(part)] == nil
    }
  }

  /// Whether two places are parts of one, between which there is nothing to be asked.
  ///
  /// - Parameters:
  ///   - origin: The one place, with the stops around it.
  ///   - destination: The other one.
  /// - Returns: Whether they have a stop in common.
  func areSame(
    _ origin: (place: Journeys.Place, accesses: [JourneySearch.Access]),
    _ destination: (place: Journeys.Place, accesses: [JourneySearch.Access])
  ) -> Bool {
    let ends = Set(stops(at: destination.place, destination.accesses))
    return stops(at: origin.place, origin.accesses).contains { ends.contains($0) }
  }

  /// The stops at a place, to which nobody walks.
  private func stops(at place: Journeys.Place, _ accesses: [JourneySearch.Access]) -> [Int] {
    let near = accesses.filter { $0.seconds == 0 }.map(\.stop)
    guard walks != nil, case .stop(let sid) = place, let stop = network.stops.index(of: sid) else {
      return near
    }
    return near + network.stops.parts(of: stop).filter { network.isServed[$0] }
  }

  // MARK: - Walking all the way

  /// Returns the seconds from the origin to the destination on foot; `nil` if that is too far.
  func directSeconds(_ origin: Journeys.Place, _ destination: Journeys.Place) -> Int? {
    guard let walks else {
      let nearest = Position.leastDistance(
        between: Set(positions(origin)), and: Set(positions(destination)))
      return nearest <= profile.radius ? profile.seconds(meters: nearest) : nil
    }
    var best: Int?
    let (starts, ends) = (
      points(origin, isOrigin: true, walks), points(destination, isOrigin: false, walks)
    )
    for start in starts {
      for end in ends {
        let meters = start.position.distance(to: end.position).meters
        guard meters <= profile.radius else { continue }
        let seconds = start.seconds + profile.seconds(meters: meters) + end.seconds
        best = min(best ?? .max, seconds)
      }
    }
    let near = Dictionary(
      accesses(origin, isOrigin: true).map { ($0.stop, $0.seconds) }, uniquingKeysWith: min)
    for end in accesses(destination, isOrigin: false) where end.seconds == 0 {
      if let seconds = near[end.stop] { best = min(best ?? .max, seconds) }
    }
    return best
  }

  private func positions(_ place: Journeys.Place) -> [Position] {
    switch place {
    case .position(let position): return [position]
    case .stop(let sid):
      guard let stop = network.stops.index(of: sid) else { return [] }
      let parts = network.stops.parts(of: stop).filter { network.isServed[$0] }
      return (parts.isEmpty ? [stop] : parts).compactMap { network.stops.positions[$0] }
    }
  }

  /// The positions on the street where a place begins or ends, and the seconds within it.
  private func points(
    _ place: Journeys.Place, isOrigin: Bool, _ walks: StationWalks
  ) -> [(position: Position, seconds: Int)] {
    switch place {
    case .position(let position): return [(position, 0)]
    case .stop(let sid):
      guard let stop = network.stops.index(of: sid) else { return [] }
      var points: [(place: Int, seconds: Int)]
      if network.stops.isStation(stop), !network.isServed[stop] {
        let places = streetPoints(of: stop).filter { $0 != stop }
        points = (places.isEmpty ? [stop] : places).map { ($0, 0) }
      } else {
        points = walks.points(
          of: network.access.platforms[Int32(stop)].map { Int($0) } ?? stop, isForward: isOrigin)
      }
      return points.compactMap { point in
        network.stops.positions[point.place].map { ($0, point.seconds) }
      }
    }
  }
}
