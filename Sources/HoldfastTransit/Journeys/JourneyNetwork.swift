import Holdfast

/// The stops and patterns of a database in memory, arranged for searches of journeys.
///
/// It belongs to one connection, and is dropped when the database changes.
// Sendable because only the thread that holds the connection uses the network that is kept with it.
final class JourneyNetwork: @unchecked Sendable {
  let cache: TripCache
  /// The trips that live data change or add; `nil` for the timetable alone.
  let live: LiveTrips?
  let serviceCount: Int
  let stops: JourneyStops
  let patterns: JourneyPatterns
  let transfers: JourneyTransfers
  /// How stops are reached from the street.
  let access: StationAccess
  /// The calls at which riders board from each node, and those at which they alight to each node.
  private(set) lazy var calls = groupedCalls.all()[0]
  /// The same while they are grouped on another thread.
  private let groupedCalls: ConcurrentMap<(boardings: NodeCalls, alightings: NodeCalls)>
  /// The indices of the stops where vehicles call.
  let servedStops: [Int]
  let isServed: [Bool]
  /// What searches have decoded; a search takes it, and puts it back.
  var timetable: JourneyTimetable
  private var footpaths = RecentValues<Footpaths.Profile, Footpaths>(limit: 1)
  private var reversedFootpaths = RecentValues<Footpaths.Profile, Footpaths>(limit: 1)

  /// The network with the live data of the last question that had some.
  private var withLive: (key: LiveKey, network: JourneyNetwork)?

  private var vehicleTransfers: [SearchedPair: VehicleTransfers] = [:]
  /// Whether the rules of stations were read again for live data, which gives the stops other nodes.
  private let hasOwnNodes: Bool

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
    (live, hasOwnNodes) = (nil, false)
    cache = try TripCache.of(db)
    try cache.readAllServices(db)
    serviceCount = try Int.fetchOne(db, sql: "SELECT count(*) FROM services") ?? 0
    let rows = try PatternRows(db)
    stops = try JourneyStops(db)
    patterns = try JourneyPatterns(rows, stops, db)
    transfers = try JourneyTransfers(db, stops, patterns)
    var isServed = [Bool](repeating: false, count: stops.count)
    for stop in patterns.stops where stop >= 0 { isServed[Int(stop)] = true }
    self.isServed = isServed
    servedStops = isServed.indices.filter { isServed[$0] }
    groupedCalls = Self.grouped(patterns, transfers)
    access = try StationAccess(db, stops, transfers.pathways, isServed: isServed)
    timetable = JourneyTimetable(patternCount: patterns.count)
  }

  private static func grouped(
    _ patterns: JourneyPatterns, _ transfers: JourneyTransfers
  ) -> ConcurrentMap<(boardings: NodeCalls, alightings: NodeCalls)> {
    ConcurrentMap(1) { [list = (patterns.starts, patterns.access)] _ in
      NodeCalls.of(list, transfers)
    }
  }

  /// Returns the network with live data, whose trips take the place of those that they change.
  ///
  /// - Parameters:
  ///   - updates: The live data.
  ///   - instant: The instant of the question, in seconds since 1970.
  ///   - db: The connection of the current access.
  /// - Returns: The network, which is kept for the next question with the same live data.
  /// - Throws: The errors of ``Journeys/fetchAll(_:)``.
  func applying(
    _ updates: TripUpdates, at instant: Int, _ db: Database
  ) throws -> JourneyNetwork {
    let key = LiveKey(updates, at: instant)
    if let withLive, withLive.key == key, !withLive.network.timetable.isLarge {
      return withLive.network
    }
    let live = try LiveTrips(updates, at: instant, self, db)
    let last = withLive?.network ?? self
    withLive = nil
    let network = try JourneyNetwork(adding: live, to: self, after: last, db)
    withLive = (key, network)
    return network
  }

  /// Adds live data to a network.
  ///
  /// - Parameters:
  ///   - live: The live data.
  ///   - other: The network of the timetable.
  ///   - last: The network of the last question, which has decoded the most.
  ///   - db: The connection of the current access.
  /// - Throws: The errors of reading `transfers.txt` again.
  private init(
    adding live: LiveTrips, to other: JourneyNetwork, after last: JourneyNetwork, _ db: Database
  ) throws {
    var (patterns, isServed) = (other.patterns, other.isServed)
    hasOwnNodes = other.transfers.lacksRules(
      for: live.trips, other.stops, patterns, isServed: isServed)
    var transfers =
      hasOwnNodes
      ? try JourneyTransfers(db, other.stops, other.patterns, live.trips) : other.transfers
    for trip in live.trips {
      patterns.append(trip)
      transfers.append(trip)
      for call in trip.calls where call.stop >= 0 && call.access != 0 {
        isServed[Int(call.stop)] = true
      }
    }
    (self.live, self.patterns, self.transfers, self.isServed) = (
      live, patterns, transfers, isServed
    )
    (cache, serviceCount, stops) = (other.cache, other.serviceCount, other.stops)
    groupedCalls = Self.grouped(patterns, transfers)
    timetable = JourneyTimetable(last.timetable, with: live)
    if hasOwnNodes || last.hasOwnNodes { timetable.removeCalls() }
    if !hasOwnNodes { vehicleTransfers = other.vehicleTransfers }
    if isServed == other.isServed {
      (servedStops, access) = (other.servedStops, other.access)
      if !hasOwnNodes {
        (footpaths, reversedFootpaths) = (other.footpaths, other.reversedFootpaths)
      }
    } else {
      servedStops = isServed.indices.filter { isServed[$0] }
      access = other.access.serving(isServed, stops)
    }
  }

  /// Returns the rules of a pair of stops that name routes or trips, arranged for a search.
  ///
  /// - Parameters:
  ///   - pair: The stops, in the order of travel.
  ///   - isForward: Whether the search goes from the first to the second.
  /// - Returns: The rules, which are arranged once for each direction.
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
    ways.find(from: CollectionOfOne(Int(pair.from)), self)
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
