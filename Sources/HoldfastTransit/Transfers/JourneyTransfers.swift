import Holdfast

/// What the feed says of changes between vehicles: `transfers.txt` and `pathways.txt`.
///
/// Riders alight to a node and board from a node. Each stop has one of either kind; where a rule
/// names a route or a trip, it has others for these, so that the rules apply to ways between nodes.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#transferstxt>
struct JourneyTransfers {
  /// A route or a trip that a rule names; 0 for any.
  struct Side: Hashable {
    var rid: Int64 = 0
    var tid: Int64 = 0

    /// Whether the rule is for vehicles of this side.
    func includes(_ other: Side) -> Bool {
      tid != 0 ? tid == other.tid : rid == 0 || rid == other.rid
    }
  }

  /// How a change at two stops is possible.
  enum Way: Hashable {
    case walk
    /// The departing vehicle waits.
    case timed
    case seconds(Int)
    case impossible
  }

  struct Rule {
    let from: Side
    let to: Side
    /// How many of the two stops the row names themselves, and not by their stations.
    let stopRank: Int
    let way: Way

    /// The order of the specification: two trips, a trip and a route, a trip, two routes, a route,
    /// only stops.
    var rank: Int {
      let trips = (from.tid == 0 ? 0 : 1) + (to.tid == 0 ? 0 : 1)
      let routes =
        (from.tid == 0 && from.rid != 0 ? 1 : 0) + (to.tid == 0 && to.rid != 0 ? 1 : 0)
      let specificity =
        switch (trips, routes) {
        case (2, _): 5
        case (1, 1): 4
        case (1, _): 3
        case (_, 2): 2
        case (_, 1): 1
        default: 0
        }
      return specificity * 3 + stopRank
    }
  }

  struct Pair: Hashable {
    let from: Int32
    let to: Int32
  }

  /// The nodes of one kind.
  struct Nodes {
    /// The number of nodes; the first ones are those of the stops, by index.
    fileprivate(set) var count: Int
    /// The node of each call; -1 without a stop.
    fileprivate(set) var ofCalls: [Int32]
    /// The stops and sides of the nodes after those of the stops.
    fileprivate(set) var others: [(stop: Int32, side: Side)] = []
    fileprivate(set) var othersOfStops: [Int32: [Int32]] = [:]

    fileprivate init(_ patterns: JourneyPatterns, stopCount: Int) {
      (count, ofCalls) = (stopCount, patterns.stops)
    }

    /// All nodes of a stop.
    func nodes(of stop: Int) -> [Int32] {
      [Int32(stop)] + (othersOfStops[Int32(stop)] ?? [])
    }

    func side(of node: Int32) -> Side {
      let index = Int(node) - (count - others.count)
      return index < 0 ? Side() : others[index].side
    }

    /// The node of a route's vehicles, or of a trip's, at a stop.
    fileprivate func node(_ stop: Int32, _ side: Side) -> Int32 {
      let nodes = othersOfStops[stop] ?? []
      return nodes.first { self.side(of: $0).tid == side.tid && side.tid != 0 }
        ?? nodes.first { self.side(of: $0) == Side(rid: side.rid) } ?? stop
    }

    fileprivate mutating func add(_ sides: [Int32: Set<Side>], _ patterns: JourneyPatterns) {
      for (stop, list) in sides.sorted(by: { $0.key < $1.key }) {
        for side in list.sorted(by: { ($0.rid, $0.tid) < ($1.rid, $1.tid) }) {
          othersOfStops[stop, default: []].append(Int32(count))
          others.append((stop, side))
          count += 1
        }
      }
      guard !others.isEmpty else { return }
      for pattern in 0..<patterns.count {
        for call in patterns.calls(of: pattern) where othersOfStops[patterns.stops[call]] != nil {
          ofCalls[call] = node(patterns.stops[call], Side(rid: patterns.rids[pattern]))
        }
      }
    }
  }

  /// The nodes of the calls of a trip that rules name.
  struct NamedCalls {
    let pattern: Int
    let nodes: [Int32]
  }

  /// A trip that rules name.
  struct Named {
    let tid: Int64
    let pattern: Int
    var boarding: NamedCalls
    var alighting: NamedCalls
    /// The trips on which its riders may stay, without a change; by their index.
    var next: [Int32] = []
    var previous: [Int32] = []
  }

  private(set) var rules: [Pair: [Rule]] = [:]
  /// The stops to which a stop has rules.
  private(set) var targets: [Int32: [Int32]] = [:]
  private(set) var boardingNodes: Nodes
  private(set) var alightingNodes: Nodes
  private(set) var named: [Named] = []
  private var namedIndices: [Int64: Int32] = [:]
  let pathways: StationPathways

  /// Whether no rule names a route or a trip.
  var hasOnlyStops: Bool {
    boardingNodes.others.isEmpty && alightingNodes.others.isEmpty && named.isEmpty
  }

  /// Returns the index of a trip among those that rules name; -1 for others.
  func namedIndex(of tid: Int64) -> Int32 {
    namedIndices.isEmpty ? -1 : namedIndices[tid] ?? -1
  }

  /// Returns the most specific rule for a way between two nodes; the first one among equals.
  func way(from: Int32, to: Int32, at pair: Pair) -> Way? {
    guard let list = rules[pair] else { return nil }
    let (start, end) = (alightingNodes.side(of: from), boardingNodes.side(of: to))
    var best: Rule?
    for rule in list where rule.from.includes(start) && rule.to.includes(end) {
      if best.map({ $0.rank < rule.rank }) ?? true { best = rule }
    }
    return best?.way
  }

  // MARK: - Reading

  init(_ db: Database, _ stops: JourneyStops, _ patterns: JourneyPatterns) throws {
    boardingNodes = Nodes(patterns, stopCount: stops.count)
    alightingNodes = boardingNodes
    pathways = try StationPathways(db, stops)
    let rows = try TransferRow.fetchAll(db)
    guard !rows.isEmpty else { return }
    var trips = TripsByName(tables: TripTables(checked: db))
    var parts = ServedParts(stops, patterns)
    var (fromSides, toSides) = ([Int32: Set<Side>](), [Int32: Set<Side>]())
    var (stays, ends) = ([[Int64]](), Set<[Int64]>())
    for row in rows {
      guard let from = try side(row.fromRoute, row.fromTrip, &trips, patterns),
        let to = try side(row.toRoute, row.toTrip, &trips, patterns)
      else { continue }
      if row.type == 4 || row.type == 5 {
        guard from.tid != 0, to.tid != 0 else { continue }
        if row.type == 4 {
          stays.append([from.tid, to.tid])
        } else {
          ends.insert([from.tid, to.tid])
        }
        continue
      }
      guard let way = row.way, let start = row.fromStop.flatMap({ stops.index(of: $0) }),
        let end = row.toStop.flatMap({ stops.index(of: $0) })
      else { continue }
      for one in parts.of(start) {
        for other in parts.of(end) {
          let pair = Pair(from: one, to: other)
          let stopRank = (Int(one) == start ? 1 : 0) + (Int(other) == end ? 1 : 0)
          if rules[pair] == nil { targets[one, default: []].append(other) }
          rules[pair, default: []].append(
            Rule(from: from, to: to, stopRank: stopRank, way: way))
          if from != Side() { fromSides[one, default: []].insert(from) }
          if to != Side() { toSides[other, default: []].insert(to) }
        }
      }
    }
    alightingNodes.add(fromSides, patterns)
    boardingNodes.add(toSides, patterns)
    join(stays.filter { !ends.contains($0) }, patterns)
  }

  /// Returns the side that a row names; `nil` if the feed has no such route or trip.
  private mutating func side(
    _ route: TransferRow.Route, _ trip: String?, _ trips: inout TripsByName,
    _ patterns: JourneyPatterns
  ) throws -> Side? {
    guard let trip, !trip.isEmpty else {
      switch route {
      case .any: return Side()
      case .number(let rid): return Side(rid: rid)
      case .unknown: return nil
      }
    }
    guard let found = try trips.trip(trip), let pattern = patterns.index(ofPattern: found.pid)
    else { return nil }
    if namedIndices[found.tid] == nil {
      namedIndices[found.tid] = Int32(named.count)
      let calls = NamedCalls(pattern: pattern, nodes: [])
      named.append(Named(tid: found.tid, pattern: pattern, boarding: calls, alighting: calls))
    }
    return Side(rid: patterns.rids[pattern], tid: found.tid)
  }

  /// Gives the named trips their nodes, and joins those on which riders stay.
  private mutating func join(_ stays: [[Int64]], _ patterns: JourneyPatterns) {
    for index in named.indices {
      let pattern = named[index].pattern
      let side = Side(rid: patterns.rids[pattern], tid: named[index].tid)
      let stops = patterns.calls(of: pattern).map { patterns.stops[$0] }
      named[index].boarding = NamedCalls(
        pattern: pattern, nodes: stops.map { $0 < 0 ? -1 : boardingNodes.node($0, side) })
      named[index].alighting = NamedCalls(
        pattern: pattern, nodes: stops.map { $0 < 0 ? -1 : alightingNodes.node($0, side) })
    }
    for stay in stays {
      let (from, to) = (namedIndex(of: stay[0]), namedIndex(of: stay[1]))
      guard from != to, !named[Int(from)].next.contains(to) else { continue }
      named[Int(from)].next.append(to)
      named[Int(to)].previous.append(from)
    }
  }

  /// The trips that rules name, which are looked up once.
  private struct TripsByName {
    let tables: TripTables
    private var found: [ExactText: StoredTrips.Trip?] = [:]

    init(tables: TripTables) {
      self.tables = tables
    }

    mutating func trip(_ tripID: String) throws -> StoredTrips.Trip? {
      if let known = found[ExactText(tripID)] { return known }
      let trip = try tables.trip(tripID)
      found[ExactText(tripID)] = .some(trip)
      return trip
    }
  }

  /// The stops where vehicles call, among a stop and its parts.
  private struct ServedParts {
    private let stops: JourneyStops
    private let isServed: [Bool]
    private var known: [Int: [Int32]] = [:]

    init(_ stops: JourneyStops, _ patterns: JourneyPatterns) {
      var isServed = [Bool](repeating: false, count: stops.count)
      for stop in patterns.stops where stop >= 0 { isServed[Int(stop)] = true }
      (self.stops, self.isServed) = (stops, isServed)
    }

    mutating func of(_ stop: Int) -> [Int32] {
      if let parts = known[stop] { return parts }
      let served = stops.parts(of: stop).filter { isServed[$0] }.map { Int32($0) }
      known[stop] = served
      return served
    }
  }
}
