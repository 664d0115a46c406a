import Foundation
import Holdfast

/// A search for the earliest arrivals, or the latest departures, with each number of rides.
///
/// It works in rounds, each of which adds a ride: from all stops that the last round has reached
/// sooner, all patterns are followed with the first trip that can be caught. That is RAPTOR.
/// A search for the latest departure is the same on a timetable in which time runs backwards: a
/// label is the number of seconds from the question's instant to an event, later for a search
/// forward, earlier for one backward. A rider enters a vehicle at its first call in the direction of
/// the search, and leaves it at its last.
///
/// - SeeAlso: Delling, Pajor, Werneck: Round-Based Public Transit Routing, ALENEX 2012,
///   <https://doi.org/10.1137/1.9781611972924.13>
struct JourneySearch {
  /// The calls of a pattern between which riders may enter in a round.
  ///
  /// Indices of calls have the sign of the search's direction, so that they increase along it.
  struct Stretch {
    static let none = Stretch(first: .max, last: .min)

    var first: Int32
    var last: Int32
  }

  let network: JourneyNetwork
  let question: Question
  let tables: TripTables
  var timetable: JourneyTimetable
  let footpaths: Footpaths

  let isForward: Bool
  /// 1 forward, -1 backward.
  let sign: Int
  private let entryCalls: NodeCalls

  var labels: JourneyLabels
  var reached: Reached

  /// The patterns that a round follows.
  private var reachedPatterns: BitSet
  private var stretches: [Stretch]
  /// The first call at which riders stay on each trip in the round.
  ///
  /// Other rides that lead there reach nothing sooner. It also ends circles of some feeds.
  var stayed: [DatedTrip: Int] = [:]
  /// The patterns that call where the search ends, which alone matter in the last round; `nil` if
  /// riders may stay on a vehicle beyond its pattern.
  private let lastPatterns: BitSet?
  var zoneDays: [[ZoneDay]]
  /// The number of days before the question's day that the days of each zone go back.
  var daysBack: [Int]
  /// The label at which the search begins.
  private var origin = 0

  init(
    _ question: Question, _ network: JourneyNetwork, taking timetable: inout JourneyTimetable,
    _ db: Database
  ) {
    (self.question, self.network) = (question, network)
    tables = TripTables(checked: db)
    self.timetable = timetable
    // So that there is one reference to what is appended to.
    timetable = JourneyTimetable(patternCount: 0)
    isForward = question.isForward
    sign = isForward ? 1 : -1
    let (boarding, alighting) = (network.transfers.boardingNodes, network.transfers.alightingNodes)
    let ways = network.footpaths(question.profile)
    footpaths = isForward ? ways : network.reversedFootpaths(question.profile)
    entryCalls = isForward ? network.calls.boardings : network.calls.alightings
    labels = JourneyLabels(
      isForward: isForward, slots: question.window > 0 ? question.rideLimit + 1 : 1,
      entryCount: isForward ? boarding.count : alighting.count,
      exitCount: isForward ? alighting.count : boarding.count,
      patternCount: network.patterns.count)
    reached = Reached(instant: question.instant)
    reachedPatterns = BitSet(upTo: network.patterns.count)
    stretches = [Stretch](repeating: .none, count: network.patterns.count)
    let zoneCount = network.patterns.timeZones.count
    zoneDays = [[ZoneDay]](repeating: [], count: zoneCount)
    daysBack = [Int](repeating: -1, count: zoneCount)
    let exitCalls = isForward ? network.calls.alightings : network.calls.boardings
    let exit = JourneyPatterns.Access.exit(isForward: isForward)
    var lastPatterns = BitSet(upTo: network.patterns.count)
    for end in question.end {
      for node in (isForward ? alighting : boarding).nodes(of: end.stop).map({ Int($0) }) {
        labels.arrivals.end(end.seconds, from: node)
        for index in Int(exitCalls.starts[node])..<Int(exitCalls.starts[node + 1]) {
          let call = exitCalls.calls[index]
          if call.allows(exit) { lastPatterns.insert(Int(call.pattern)) }
        }
      }
    }
    self.lastPatterns = network.transfers.hasStays ? nil : lastPatterns
  }

  /// Returns what was decoded, for the next search.
  mutating func releaseTimetable() -> JourneyTimetable {
    var timetable = JourneyTimetable(patternCount: 0)
    swap(&self.timetable, &timetable)
    return timetable
  }

  // MARK: - Rounds

  /// A journey that was found: its last ride in the direction of the search, and its label there.
  struct Found {
    /// -1 for walking all the way.
    let ride: Int32
    let label: Int
    /// The label at which the journey begins.
    let origin: Int
  }

  /// Searches from one label, and returns the journeys that are better than all known ones.
  mutating func run(from origin: Int) throws -> [Found] {
    self.origin = origin
    labels.arrivals.limit = origin + question.limit
    var found: [Found] = []
    let before = labels.arrivals.best
    if let seconds = question.directSeconds, seconds < question.limit {
      labels.arrivals.end(at: origin + seconds, by: -1, from: 0)
    }
    begin()
    let direct = labels.arrivals.best[0].label
    if labels.slots == 1, direct < before[0].label {
      found.append(Found(ride: -1, label: direct, origin: origin))
    }
    noteReached(after: 0)
    for round in 1...max(1, question.rideLimit) where question.rideLimit > 0 {
      let known = labels.arrivals.best[0].label
      gather(round == question.rideLimit ? lastPatterns : nil)
      guard !reachedPatterns.isEmpty else {
        labels.removeEntries(before: round)
        break
      }
      try timetable.decode(reachedPatterns, network, tables)
      limitExits(round)
      stayed.removeAll(keepingCapacity: true)
      for pattern in reachedPatterns {
        let stretch = stretches[pattern]
        stretches[pattern] = .none
        try follow(pattern, entering: stretch, round)
      }
      reachedPatterns.removeAll()
      labels.removeEntries(before: round)
      let best = labels.arrivals.best[0]
      if labels.slots == 1, best.label < known {
        found.append(Found(ride: best.ride, label: best.label, origin: origin))
      }
      if round < question.rideLimit {
        limitEntries(round + 1)
        walk(round)
        noteReached(after: round)
      }
    }
    labels.removeEntries(before: 1)
    labels.arrivals.reached.removeAll()
    guard labels.slots > 1 else { return found }
    let best = labels.arrivals.best
    for slot in 1..<labels.slots
    where best[slot].label < min(before[slot].label, best[slot - 1].label) {
      found.append(Found(ride: best[slot].ride, label: best[slot].label, origin: origin))
    }
    return found
  }

  private mutating func begin() {
    let nodes = isForward ? network.transfers.boardingNodes : network.transfers.alightingNodes
    for place in question.start {
      let label = origin + place.seconds
      guard label < labels.arrivals.bound(0) else { continue }
      for node in nodes.nodes(of: place.stop) { labels.enter(Int(node), 0, Int32(label), -1) }
    }
  }

  /// Collects the patterns of the nodes that were reached, and the calls of each.
  ///
  /// - Parameter those: The patterns that matter; `nil` if all do.
  private mutating func gather(_ those: BitSet?) {
    let (entries, entryCalls, sign) = (labels.reachedEntries, entryCalls, Int32(sign))
    let entry = JourneyPatterns.Access.entry(isForward: isForward)
    let (starts, calls) = (entryCalls.starts.span, entryCalls.calls.span)
    var stretches = stretches.mutableSpan
    for node in entries {
      for index in Int(starts[node])..<Int(starts[node + 1]) {
        let call = calls[index]
        let pattern = Int(call.pattern)
        // Without branches, which nothing could predict.
        let isEntry = call.allows(entry)
        let place = sign &* call.index
        let known = stretches[pattern]
        stretches[pattern] = Stretch(
          first: min(known.first, isEntry ? place : .max),
          last: max(known.last, isEntry ? place : .min))
      }
    }
    // Once for each pattern, not for each call.
    var patterns = BitSet(upTo: stretches.count)
    for pattern in stretches.indices where stretches[pattern].last >= stretches[pattern].first {
      if those?.contains(pattern) ?? true {
        patterns.insert(pattern)
      } else {
        stretches[pattern] = .none
      }
    }
    reachedPatterns = patterns
  }

  /// Walks from the nodes that were reached to those where the next rides begin.
  private mutating func walk(_ round: Int) {
    defer { labels.arrivals.reached.removeAll() }
    guard !network.transfers.hasVehicles else { return walkByVehicle(round) }
    footpaths.find(from: labels.arrivals.reached, network)
    labels.walk(footpaths.ways, round)
  }

  // MARK: - Patterns

  /// Follows a pattern on all days that matter.
  private mutating func follow(_ pattern: Int, entering stretch: Stretch, _ round: Int) throws {
    let extent = timetable.extents[pattern]
    guard !extent.isEmpty else { return }
    let (zone, slot) = (Int(network.patterns.zones[pattern]), labels.slot(round))
    prepareDays(zone, back: extent.daysBack)
    // Labels from the start of a service day on.
    let first = isForward ? Int(extent.earliest) : -Int(extent.latest)
    let last = isForward ? Int(extent.latest) : -Int(extent.earliest)
    var covered = Int.max
    let count = zoneDays[zone].count
    for place in 0..<count {
      // A trip as which riders stay may add earlier days, which come first in a search forward.
      let number = isForward ? zoneDays[zone].count - count + place : place
      let zero = zoneDays[zone][number].zero
      if zero + last < origin { continue }
      // A vehicle that was caught is sooner than those of later days, but for the trips that transfers
      // name: riders board these from nodes of their own, or stay on them.
      let isCovered = zero + first >= covered
      if zero + first >= labels.arrivals.bound(slot) || isCovered && !extent.hasNamed { break }
      let index = zoneDays[zone][number].index ?? index(ofDay: number, zone)
      guard index >= 0 else { continue }
      for unit in timetable.units(of: pattern, on: index, network) {
        let isNamed = timetable.units[unit].named >= 0
        guard isNamed ? matters(unit, zero, below: labels.arrivals.bound(slot)) : !isCovered else {
          continue
        }
        let end = try follow(unit, zero: zero, entering: stretch, round)
        if extent.isRegular { covered = min(covered, end) }
      }
    }
  }

  /// Whether the trip of a unit that transfers name runs at labels that matter.
  ///
  /// Such trips are units of their own, of which a pattern may have thousands.
  private func matters(_ unit: Int, _ zero: Int, below bound: Int) -> Bool {
    let unit = timetable.units[unit]
    guard unit.repetition < 0 else { return true }
    let content = timetable.contents[Int(unit.pattern)]
    let first = zero + Int(timetable.trips[Int(unit.trips)])
    return first < bound && first + Int(content.greatestOffset - content.leastOffset) >= origin
  }

  /// Follows a unit, and returns the label at the end of the vehicle that was caught first; the
  /// largest number if none was.
  private mutating func follow(
    _ index: Int, zero: Int, entering stretch: Stretch, _ round: Int
  ) throws -> Int {
    let unit = timetable.units[index]
    let riding =
      unit.isWide
      ? labels.follow(
        unit, index, timetable, timetable.wideTimes, zero: zero, entering: stretch, round)
      : labels.follow(
        unit, index, timetable, timetable.times, zero: zero, entering: stretch, round)
    if unit.named >= 0, let last = riding.last { try stay(after: last, round) }
    return riding.covered
  }

  // MARK: - Reading

  mutating func decode(_ pattern: Int) throws {
    try timetable.decode(pattern, network, tables)
  }
}
