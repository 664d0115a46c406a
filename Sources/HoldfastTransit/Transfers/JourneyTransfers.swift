import Holdfast

/// The feed's rules for changes between vehicles, from `transfers.txt` and `pathways.txt`.
///
/// Riders alight to a node and board from a node. Each stop has one of either kind; where a rule
/// names a route or a trip, it has others for these, which only the rules of their stops tell apart.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#transferstxt>
struct JourneyTransfers {
  struct Pair: Hashable {
    let from: Int32
    let to: Int32
  }

  /// The nodes of the calls of a trip that rules name.
  struct NamedCalls {
    let pattern: Int
    let nodes: [Int32]
  }

  /// Another trip as which a vehicle goes on, or as which it came.
  struct Stay: Hashable {
    /// The index of the other trip.
    let trip: Int32
    /// The call at which the trip itself is left or begun; `nil` for its end or its beginning.
    let call: Int?
    /// The same of the other trip.
    let otherCall: Int?
  }

  /// A trip that rules name.
  struct Named {
    let tid: Int64
    let pattern: Int
    var boarding: NamedCalls
    var alighting: NamedCalls
    /// The trips on which its riders may stay, without a change.
    var next: [Stay] = []
    var previous: [Stay] = []
  }

  /// The rules of a pair of stops.
  private struct Rules {
    /// The choice of the rules that name only stops.
    var ofStops = TransferRule.Choice.none
    /// The rules that name a route or a trip.
    var ofVehicles: [TransferRule] = []
  }

  private var pairs: [Pair: Rules] = [:]
  /// The stops to which a stop has rules.
  private(set) var targets: [Int32: [Int32]] = [:]
  private(set) var boardingNodes: JourneyNodes
  private(set) var alightingNodes: JourneyNodes
  private(set) var named: [Named] = []
  private var namedIndices: [Int64: Int32] = [:]
  let pathways: StationPathways
  /// The stops and stations that rules name, and those that rules of routes or trips name.
  private var (ruledStops, stopsOfVehicleRules) = (Set<Int>(), Set<Int>())

  /// Whether a rule of a pair of stops names a route or a trip.
  var hasVehicles: Bool { boardingNodes.hasOthers || alightingNodes.hasOthers }

  /// Whether riders may stay on any vehicle beyond its pattern.
  private(set) var hasStays = false

  /// Whether rules name any trip.
  var hasNamed: Bool { !namedIndices.isEmpty }

  /// Returns the index of a trip among those that rules name; -1 for others.
  func namedIndex(of tid: Int64) -> Int32 {
    namedIndices.isEmpty ? -1 : namedIndices[tid] ?? -1
  }

  /// Returns what the rules of a pair say that name only stops.
  func choice(at pair: Pair) -> TransferRule.Choice { pairs[pair]?.ofStops ?? .none }

  /// Returns the rules of a pair that name a route or a trip.
  func vehicleRules(at pair: Pair) -> [TransferRule] { pairs[pair]?.ofVehicles ?? [] }

  /// Appends the calls of a trip that live data change or add.
  mutating func append(_ trip: LiveTrips.Trip) {
    boardingNodes.append(trip)
    alightingNodes.append(trip)
  }

  /// Whether live data let trips call at stops of which the rules of their stations are not read for them.
  ///
  /// - Parameters:
  ///   - live: The trips.
  ///   - stops: The stops of the network.
  ///   - patterns: The patterns of the timetable.
  ///   - isServed: Whether the timetable's vehicles call at each stop.
  /// - Returns: Whether there is any such call.
  func lacksRules(
    for live: [LiveTrips.Trip], _ stops: JourneyStops, _ patterns: JourneyPatterns,
    isServed: [Bool]
  ) -> Bool {
    guard !ruledStops.isEmpty else { return false }
    /// The calls of added trips, by their routes.
    var others: [Int64: Set<Int32>] = [:]
    for trip in live {
      let pid = trip.tid == nil ? nil : trip.pid
      let calls = pid.flatMap(patterns.index(ofPattern:)).map(patterns.calls)
      for call in trip.calls where call.stop >= 0 && call.access != 0 {
        if let calls, calls.contains(where: { patterns.stops[$0] == call.stop }) { continue }
        // The rules of stops alone are there for all that call at a stop.
        let named = isServed[Int(call.stop)] ? stopsOfVehicleRules : ruledStops
        guard stops.chain(from: Int(call.stop)).contains(where: named.contains) else { continue }
        guard trip.tid == nil else { return true }
        others[trip.rid, default: []].insert(call.stop)
      }
    }
    guard !others.isEmpty else { return false }
    for pattern in 0..<patterns.count where others[patterns.rids[pattern]] != nil {
      let stops = patterns.calls(of: pattern).map { patterns.stops[$0] }
      others[patterns.rids[pattern]]?.subtract(stops)
    }
    return others.values.contains { !$0.isEmpty }
  }

  // MARK: - Reading

  /// Reads the rules.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - stops: The stops of the network.
  ///   - patterns: The patterns of the timetable.
  ///   - live: The trips of live data at other stops, to which the rules of stations apply too.
  /// - Throws: ``TransitError`` with `.damaged`; `DatabaseError` when the database cannot be read.
  init(
    _ db: Database, _ stops: JourneyStops, _ patterns: JourneyPatterns,
    _ live: [LiveTrips.Trip] = []
  ) throws {
    boardingNodes = JourneyNodes(patterns, stopCount: stops.count)
    alightingNodes = boardingNodes
    pathways = try StationPathways(db, stops)
    let rows = try TransferRow.fetchAll(db)
    guard !rows.isEmpty else { return }
    let tripIDs = rows.flatMap { [$0.fromTrip, $0.toTrip] }.compactMap { $0 }.filter { !$0.isEmpty }
    let trips = try TransferTrips(Set(tripIDs.map(ExactText.init)), TripTables(checked: db))
    var places = TransferPlaces(stops, patterns, live)
    var (fromSides, toSides) = (
      [Int32: Set<TransferRule.Side>](), [Int32: Set<TransferRule.Side>]()
    )
    var (stays, ends) = ([(pair: [Int64], row: TransferRow)](), Set<[Int64]>())
    for (index, row) in rows.enumerated() {
      guard let from = side(row.fromRoute, row.fromTrip, trips, patterns),
        let to = side(row.toRoute, row.toTrip, trips, patterns)
      else { continue }
      if row.type == 4 || row.type == 5 {
        guard from.tid != 0, to.tid != 0 else { continue }
        if row.type == 4 {
          stays.append(([from.tid, to.tid], row))
        } else {
          ends.insert([from.tid, to.tid])
        }
        continue
      }
      guard let way = row.way, let start = row.fromStop.flatMap({ stops.index(of: $0) }),
        let end = row.toStop.flatMap({ stops.index(of: $0) })
      else { continue }
      ruledStops.formUnion([start, end])
      if from != TransferRule.Side() || to != TransferRule.Side() {
        stopsOfVehicleRules.formUnion([start, end])
      }
      let starts = places.stops(of: start, from, pattern: pattern(of: from))
      let finishes = places.stops(of: end, to, pattern: pattern(of: to))
      for one in starts {
        for other in finishes {
          let stopRank = (Int(one) == start ? 1 : 0) + (Int(other) == end ? 1 : 0)
          add(
            TransferRule(from: from, to: to, way: way, stopRank: stopRank, row: index),
            at: Pair(from: one, to: other))
        }
      }
      if from != TransferRule.Side(), !finishes.isEmpty {
        for one in starts { fromSides[one, default: []].insert(from) }
      }
      if to != TransferRule.Side(), !starts.isEmpty {
        for other in finishes { toSides[other, default: []].insert(to) }
      }
    }
    alightingNodes = JourneyNodes(patterns, stopCount: stops.count, fromSides)
    boardingNodes = JourneyNodes(patterns, stopCount: stops.count, toSides)
    join(stays.filter { !ends.contains($0.pair) }, stops, patterns)
  }

  private mutating func add(_ rule: TransferRule, at pair: Pair) {
    if pairs[pair] == nil { targets[pair.from, default: []].append(pair.to) }
    if rule.from == TransferRule.Side(), rule.to == TransferRule.Side() {
      pairs[pair, default: Rules()].ofStops = pairs[pair, default: Rules()].ofStops.or(rule.choice)
    } else {
      pairs[pair, default: Rules()].ofVehicles.append(rule)
    }
  }

  /// The pattern of a side that is a trip.
  private func pattern(of side: TransferRule.Side) -> Int? {
    let index = side.tid == 0 ? -1 : namedIndex(of: side.tid)
    return index < 0 ? nil : named[Int(index)].pattern
  }

  /// Returns the side that a row names; `nil` if the feed has no such route or trip.
  private mutating func side(
    _ route: TransferRow.Route, _ trip: String?, _ trips: TransferTrips, _ patterns: JourneyPatterns
  ) -> TransferRule.Side? {
    guard let trip, !trip.isEmpty else {
      switch route {
      case .any: return TransferRule.Side()
      case .number(let rid): return TransferRule.Side(rid: rid)
      case .unknown: return nil
      }
    }
    guard let found = trips[trip], let pattern = patterns.index(ofPattern: found.pid)
    else { return nil }
    if namedIndices[found.tid] == nil {
      namedIndices[found.tid] = Int32(named.count)
      let calls = NamedCalls(pattern: pattern, nodes: [])
      named.append(Named(tid: found.tid, pattern: pattern, boarding: calls, alighting: calls))
    }
    return TransferRule.Side(rid: patterns.rids[pattern], tid: found.tid)
  }

  /// Gives the named trips their nodes, and joins those on which riders stay.
  private mutating func join(
    _ stays: [(pair: [Int64], row: TransferRow)], _ stops: JourneyStops,
    _ patterns: JourneyPatterns
  ) {
    for index in named.indices {
      let pattern = named[index].pattern
      let side = TransferRule.Side(rid: patterns.rids[pattern], tid: named[index].tid)
      let calls = patterns.calls(of: pattern).map { patterns.stops[$0] }
      named[index].boarding = NamedCalls(
        pattern: pattern, nodes: calls.map { $0 < 0 ? -1 : boardingNodes.node($0, side) })
      named[index].alighting = NamedCalls(
        pattern: pattern, nodes: calls.map { $0 < 0 ? -1 : alightingNodes.node($0, side) })
    }
    var known: [Int32: Set<Stay>] = [:]
    for (pair, row) in stays where pair[0] != pair[1] {
      let (from, to) = (namedIndex(of: pair[0]), namedIndex(of: pair[1]))
      let (end, start) = (
        call(of: from, at: row.fromStop, stops, patterns, isEnd: true),
        call(of: to, at: row.toStop, stops, patterns, isEnd: false)
      )
      let stay = Stay(trip: to, call: end, otherCall: start)
      guard known[from, default: []].insert(stay).inserted else { continue }
      named[Int(from)].next.append(stay)
      named[Int(to)].previous.append(Stay(trip: from, call: start, otherCall: end))
      hasStays = true
    }
    // Of several rules for the same two trips, the one by which riders are on the second one longest
    // comes first, so that searches follow it once.
    for index in named.indices where !named[index].next.isEmpty || !named[index].previous.isEmpty {
      named[index].next.sort { ($0.otherCall ?? 0) < ($1.otherCall ?? 0) }
      named[index].previous.sort { ($0.otherCall ?? .max) > ($1.otherCall ?? .max) }
    }
  }

  /// Returns the call at which a rule says that riders stay, on their way or before it begins; `nil`
  /// for the trip's own end or beginning, which is also meant where the trip does not call at the stop.
  private func call(
    of trip: Int32, at sid: Int64?, _ stops: JourneyStops, _ patterns: JourneyPatterns, isEnd: Bool
  ) -> Int? {
    guard let stop = sid.flatMap({ stops.index(of: $0) }) else { return nil }
    let calls = patterns.calls(of: named[Int(trip)].pattern).map { Int(patterns.stops[$0]) }
    let found = isEnd ? calls.lastIndex(of: stop) : calls.firstIndex(of: stop)
    guard let found, found != (isEnd ? calls.count - 1 : 0),
      found != (isEnd ? 0 : calls.count - 1)
    else { return nil }
    return found
  }
}
