import Holdfast

/// The stops and patterns of a database in memory, arranged for searches of journeys.
///
/// It belongs to one connection, and is dropped when the database changes.
// Sendable because only the thread that holds the connection uses the network that is kept with it.
final class JourneyNetwork: @unchecked Sendable {
  let cache: TripCache
  let serviceCount: Int
  let stops: JourneyStops
  let patterns: JourneyPatterns
  let transfers: JourneyTransfers
  /// The calls at which riders board from each node, and those at which they alight to each node.
  let boardings: NodeCalls
  let alightings: NodeCalls
  /// The indices of the stops where vehicles call.
  let servedStops: [Int]
  let isServed: [Bool]
  /// What searches have decoded; a search takes it, and puts it back.
  var timetable: JourneyTimetable
  private var footpaths = RecentValues<Footpaths.Profile, Footpaths>(limit: 1)
  private var reversedFootpaths = RecentValues<Footpaths.Profile, Footpaths>(limit: 1)

  private var vehicleTransfers: [SearchedPair: VehicleTransfers] = [:]

  private struct SearchedPair: Hashable {
    let pair: JourneyTransfers.Pair
    let isForward: Bool
  }

  /// Returns the network of a connection: the one of its last access if nothing has changed since.
  ///
  /// - Throws: ``TransitError`` with `.schemaOlder` when the database has no trips, `.damaged`,
  ///   `.unknownTimeZone`; `DatabaseError` when the database cannot be read.
  static func of(_ db: Database) throws -> JourneyNetwork {
    // An observation depends on what is kept too, which no statement reads.
    try db.registerAccess(to: DatabaseRegion.fullDatabase)
    return try db.cached { try JourneyNetwork($0) }
  }

  private init(_ db: Database) throws {
    cache = try TripCache.of(db)
    try cache.readAllServices(db)
    serviceCount = try Int.fetchOne(db, sql: "SELECT count(*) FROM services") ?? 0
    stops = try JourneyStops(db)
    patterns = try JourneyPatterns(db, stops)
    transfers = try JourneyTransfers(db, stops, patterns)
    var isServed = [Bool](repeating: false, count: stops.count)
    for stop in patterns.stops where stop >= 0 { isServed[Int(stop)] = true }
    self.isServed = isServed
    servedStops = isServed.indices.filter { isServed[$0] }
    boardings = NodeCalls(
      patterns, with: JourneyPatterns.Access.boarding, transfers.boardingNodes,
      of: transfers.named.map(\.boarding))
    alightings = NodeCalls(
      patterns, with: JourneyPatterns.Access.alighting, transfers.alightingNodes,
      of: transfers.named.map(\.alighting))
    timetable = JourneyTimetable(patternCount: patterns.count)
  }

  /// Returns the rules of a pair of stops that name routes or trips, arranged for a search.
  ///
  /// - Parameters:
  ///   - pair: The stops, in the order of travel.
  ///   - isForward: Whether the search goes from the first to the second.
  /// - Returns: The rules.
  func vehicleTransfers(
    at pair: JourneyTransfers.Pair, isForward: Bool
  ) -> VehicleTransfers {
    let key = SearchedPair(pair: pair, isForward: isForward)
    if let known = vehicleTransfers[key] { return known }
    let (from, to) = (
      (stop: Int(pair.from), nodes: transfers.alightingNodes),
      (stop: Int(pair.to), nodes: transfers.boardingNodes)
    )
    let (rules, choice) = (transfers.vehicleRules(at: pair), transfers.choice(at: pair))
    let made =
      isForward
      ? VehicleTransfers(rules, choice, from: from, to: to)
      : VehicleTransfers(rules.map(\.reversed), choice, from: to, to: from)
    vehicleTransfers[key] = made
    return made
  }

  /// Returns the seconds of a change between two nodes, and what the rules say of it.
  func change(
    from: Int, to: Int, _ profile: Footpaths.Profile
  ) -> (seconds: Int, choice: TransferRule.Choice) {
    let pair = JourneyTransfers.Pair(
      from: transfers.alightingNodes.stop(of: from), to: transfers.boardingNodes.stop(of: to))
    let ways = footpaths(profile)
    ways.find(from: Int(pair.from), self)
    if let way = ways.ruledWays.of(Int(pair.from)).first(where: { $0.target == pair.to }) {
      let choice = vehicleTransfers(at: pair, isForward: true).choice(
        transfers.alightingNodes.side(of: from), transfers.boardingNodes.side(of: to))
      return (way.seconds(choice) ?? 0, choice)
    }
    let way = ways.ways.of(Int(pair.from)).first { $0.target == pair.to }
    return (way.map { Int($0.seconds) } ?? 0, transfers.choice(at: pair))
  }

  /// Returns the ways between stops for a pace.
  func footpaths(_ profile: Footpaths.Profile) -> Footpaths {
    if let known = footpaths.value(profile) { return known }
    let made = Footpaths(profile, self)
    footpaths.insert(made, for: profile)
    return made
  }

  /// Returns the same ways from their ends.
  func reversedFootpaths(_ profile: Footpaths.Profile) -> Footpaths {
    if let known = reversedFootpaths.value(profile) { return known }
    let made = Footpaths(reversing: footpaths(profile), self)
    reversedFootpaths.insert(made, for: profile)
    return made
  }
}
