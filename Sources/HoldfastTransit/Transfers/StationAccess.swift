import Holdfast

/// Which stops riders reach from the street through entrances, and which ones directly.
///
/// A stop is reached through the entrances to which pathways join it, unless its `stop_access` is 1; and
/// if that is 0, otherwise through any entrance of its station, or else by way of the station itself.
/// All other stops are reached directly.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#stopstxt>, "stop_access"
struct StationAccess {
  /// The places through which riders reach a stop.
  struct Doors {
    let places: [Int32]
    /// Whether pathways lead from them to the stop; otherwise riders walk as the crow flies.
    let areByPathways: Bool
  }

  /// The doors of the stops that are not reached directly.
  private(set) var doors: [Int32: Doors] = [:]
  /// The stops behind each door.
  private(set) var stopsBehind: [Int32: [Int32]] = [:]
  /// The entrances of each station that have a position.
  private var entrances: [Int32: [Int32]] = [:]
  /// The platform of each boarding area.
  private(set) var platforms: [Int32: Int32] = [:]
  /// The number of the group of each place that pathways join, directly or not.
  private var groups: [Int32: Int32] = [:]

  /// The `stop_access` of stops that have one.
  private let rules: [Int32: Int]

  /// Whether all stops are reached directly, and nothing is known of stations.
  let isPlain: Bool

  init(
    _ db: Database, _ stops: JourneyStops, _ pathways: StationPathways, isServed: [Bool]
  ) throws {
    rules = try Self.accesses(db, stops)
    isPlain = pathways.isEmpty && !rules.values.contains(0)
    guard !isPlain else { return }
    for (place, kind) in try Self.kinds(db, stops) {
      if kind == 4, stops.parents[Int(place)] >= 0 {
        platforms[place] = stops.parents[Int(place)]
      } else if kind == 2, stops.positions[Int(place)] != nil {
        entrances[Int32(stops.root(of: Int(place))), default: []].append(place)
      }
    }
    group(pathways)
    findDoors(isServed, stops)
  }

  /// Returns the same for other stops where vehicles call.
  func serving(_ isServed: [Bool], _ stops: JourneyStops) -> StationAccess {
    var other = self
    (other.doors, other.stopsBehind) = ([:], [:])
    if !isPlain { other.findDoors(isServed, stops) }
    return other
  }

  private mutating func findDoors(_ isServed: [Bool], _ stops: JourneyStops) {
    for stop in isServed.indices where isServed[stop] {
      let stop = Int32(stop)
      guard groups[stop] != nil || rules[stop] == 0 else { continue }
      guard rules[stop] != 1, let found = doors(of: stop, rules[stop], stops) else { continue }
      doors[stop] = found
      for place in found.places { stopsBehind[place, default: []].append(stop) }
    }
  }

  private func doors(of stop: Int32, _ rule: Int?, _ stops: JourneyStops) -> Doors? {
    let station = Int32(stops.root(of: Int(stop)))
    let all = entrances[station] ?? []
    if let group = groups[stop] {
      let joined = all.filter { groups[$0] == group }
      if !joined.isEmpty { return Doors(places: joined, areByPathways: true) }
    }
    // "It must be accessed from a station entrance if there is one defined for the station, otherwise
    // the station itself."
    guard rule == 0, station != stop else { return nil }
    if !all.isEmpty { return Doors(places: all, areByPathways: false) }
    return stops.positions[Int(station)] == nil
      ? nil : Doors(places: [station], areByPathways: false)
  }

  /// Whether the ways between two places are those that pathways make, and no others.
  ///
  /// "As soon as one platform […] belonging to a station has a pathway linked to it, it is assumed that
  /// the pathways of the station are described exhaustively."
  func areJoined(_ one: Int32, _ other: Int32, areOfOneStation: Bool) -> Bool {
    guard let group = groups[one], let otherGroup = groups[other] else { return false }
    return areOfOneStation || group == otherGroup
  }

  private mutating func group(_ pathways: StationPathways) {
    var neighbors: [Int32: [Int32]] = [:]
    for start in pathways.starts {
      for pathway in pathways.pathways(from: start) {
        neighbors[start, default: []].append(pathway.to)
        neighbors[pathway.to, default: []].append(start)
      }
    }
    for place in neighbors.keys.sorted() where groups[place] == nil {
      var open = [place]
      groups[place] = place
      while let next = open.popLast() {
        for neighbor in neighbors[next] ?? [] where groups[neighbor] == nil {
          groups[neighbor] = place
          open.append(neighbor)
        }
      }
    }
  }

  // MARK: - Reading

  private static func accesses(_ db: Database, _ stops: JourneyStops) throws -> [Int32: Int] {
    guard try db.tableExists("other_stops") else { return [:] }
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT sid, CAST(stop_access AS TEXT) FROM other_stops WHERE stop_access IS NOT NULL
        """)
    var found: [Int32: Int] = [:]
    for row in rows {
      guard let stop = stops.index(of: try row.decode(atIndex: 0)) else { continue }
      found[Int32(stop)] = try row.decode(String.self, atIndex: 1).wholeNumber
    }
    return found
  }

  /// The entrances and boarding areas, of types 2 and 4.
  static func kinds(_ db: Database, _ stops: JourneyStops) throws -> [(Int32, kind: Int)] {
    try Row.fetchAll(
      db, sql: "SELECT sid, location_type FROM stops WHERE location_type IN (2, 4) ORDER BY sid"
    ).compactMap { row in
      guard let stop = stops.index(of: try row.decode(atIndex: 0)) else { return nil }
      return (Int32(stop), try row.decode(atIndex: 1))
    }
  }
}
