/// Walks between places and the stops where vehicles call: by streets, through entrances, and within
/// stations.
final class StationWalks {
  /// A walk to a stop, or from it.
  struct Walk {
    let stop: Int32
    let seconds: Int
    /// The entrance on the way; -1 if there is none.
    let door: Int32
  }

  private struct Side: Hashable {
    let door: Int32
    let isEntering: Bool
  }

  private let profile: Footpaths.Profile
  private let stops: JourneyStops
  private let access: StationAccess
  private let isServed: [Bool]
  /// The stops that are reached directly, and the doors of the others.
  private let streets: StopGrid
  private var pathways: PathwaySearch
  private var reversedPathways: PathwaySearch
  private var behind: [Side: [Walk]] = [:]

  init(_ profile: Footpaths.Profile, _ network: JourneyNetwork) {
    (self.profile, stops, access) = (profile, network.stops, network.access)
    isServed = network.isServed
    let direct = network.servedStops.filter { network.access.doors[Int32($0)] == nil }
    let places = Set(direct.map { Int32($0) }).union(network.access.stopsBehind.keys)
    streets = StopGrid(
      places.sorted().compactMap { place in
        network.stops.positions[Int(place)].map { (place, $0) }
      }, radius: profile.radius)
    pathways = PathwaySearch(network.transfers.pathways, profile, network)
    reversedPathways = PathwaySearch(network.transfers.pathways.reversed, profile, network)
  }

  /// Returns the walks from a position to stops, the shortest to each.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - isForward: Whether riders walk to the stops; otherwise from them.
  ///   - before: The seconds to the position.
  /// - Returns: The walks, by the stops to which they lead, or from which.
  func walks(
    around position: Position, isForward: Bool, after before: Int = 0
  ) -> [Int32: Walk] {
    var found: [Int32: Walk] = [:]
    for (point, meters) in streets.neighbors(of: position, except: -1) {
      let seconds = before + profile.seconds(meters: meters)
      if isServed[point], access.doors[Int32(point)] == nil {
        Self.add(Walk(stop: Int32(point), seconds: seconds, door: -1), to: &found)
      }
      for walk in walks(behind: Int32(point), isEntering: isForward) {
        Self.add(
          Walk(stop: walk.stop, seconds: seconds + walk.seconds, door: walk.door), to: &found)
      }
    }
    return found
  }

  /// Returns the walks from a stop or a part of a station to the other stops, the shortest to each.
  ///
  /// A walk through two entrances, out of a station and into another one, has the one of the other stop.
  func walks(from place: Int, isForward: Bool) -> [Int32: Walk] {
    var found: [Int32: Walk] = [:]
    for (end, seconds) in within(Int32(place), isForward: isForward) {
      Self.add(Walk(stop: end, seconds: Self.rounded(seconds), door: -1), to: &found)
    }
    let isDirect = access.doors[Int32(place)] == nil
    let parts = Set(stops.parts(of: stops.root(of: place)).map { Int32($0) })
    for part in parts
    where isServed[Int(part)] && Int(part) != place
      && !access.areJoined(Int32(place), part, areOfOneStation: true)
      && !(isDirect && access.doors[part] == nil)
    {
      guard let meters = stops.meters(from: place, to: Int(part)), meters <= profile.radius else {
        continue
      }
      Self.add(Walk(stop: part, seconds: profile.seconds(meters: meters), door: -1), to: &found)
    }
    for (point, seconds) in points(of: place, isForward: isForward) {
      guard let position = stops.positions[point] else { continue }
      for (stop, walk) in walks(around: position, isForward: isForward, after: seconds)
      where Int(stop) != place
        && !(walk.door < 0 && point == place
          && access.areJoined(Int32(place), stop, areOfOneStation: parts.contains(stop)))
      {
        let isOnlyLeft = walk.door < 0 && point != place
        Self.add(
          Walk(stop: stop, seconds: walk.seconds, door: isOnlyLeft ? Int32(point) : walk.door),
          to: &found)
      }
    }
    return found
  }

  /// Returns the places on the street to which a place leads, and the seconds to them; or from which
  /// one comes to it.
  func points(of place: Int, isForward: Bool) -> [(place: Int, seconds: Int)] {
    guard let doors = access.doors[Int32(place)] else { return [(place, 0)] }
    return doors.places.compactMap { door in
      walks(behind: door, isEntering: !isForward).first { Int($0.stop) == place }
        .map { (Int(door), $0.seconds) }
    }
  }

  /// Returns the walk from the doors of a stop to it, or back, the shortest; `nil` if there is none.
  func shortestWalk(toDoorsOf stop: Int, isEntering: Bool) -> Walk? {
    points(of: stop, isForward: !isEntering).min { ($0.seconds, $0.place) < ($1.seconds, $1.place) }
      .map { Walk(stop: Int32(stop), seconds: $0.seconds, door: Int32($0.place)) }
  }

  /// Returns the walks between a door and the stops behind it.
  private func walks(behind door: Int32, isEntering: Bool) -> [Walk] {
    guard let stopsBehind = access.stopsBehind[door] else { return [] }
    let side = Side(door: door, isEntering: isEntering)
    if let known = behind[side] { return known }
    var found: [Walk] = []
    if !profile.needsAccess || stops.isAccessible[Int(door)] {
      for stop in stopsBehind where access.doors[stop]?.areByPathways == false {
        let meters = stops.meters(from: Int(door), to: Int(stop)) ?? 0
        found.append(Walk(stop: stop, seconds: profile.seconds(meters: meters), door: door))
      }
      for (stop, seconds) in within(door, isForward: isEntering)
      where access.doors[stop]?.areByPathways == true && stopsBehind.contains(stop) {
        found.append(Walk(stop: stop, seconds: Self.rounded(seconds), door: door))
      }
    }
    behind[side] = found
    return found
  }

  /// Returns where pathways lead from a place, or from where they lead to it.
  private func within(
    _ place: Int32, isForward: Bool
  ) -> [(place: Int32, seconds: Double)] {
    isForward ? pathways.run(from: place) : reversedPathways.run(from: place)
  }

  private static func rounded(_ seconds: Double) -> Int {
    Int(min(seconds.rounded(.up), Double(Footpaths.mostSeconds)))
  }

  private static func add(_ walk: Walk, to found: inout [Int32: Walk]) {
    if let known = found[walk.stop],
      (known.seconds, known.door) <= (walk.seconds, walk.door)
    {
      return
    }
    found[walk.stop] = walk
  }
}
