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

  static let infinity = Int32.max
  private static let leastLabel = -(1 << 30)

  let network: JourneyNetwork
  let question: Question
  let tables: TripTables
  var timetable: JourneyTimetable
  private(set) var rides: [Ride] = []
  let footpaths: Footpaths

  let isForward: Bool
  /// 1 forward, -1 backward.
  let sign: Int
  private let entryCalls: NodeCalls

  /// The number of labels of a node: one, or in a search of a window one for each number of rides.
  let slots: Int
  /// The numbers of the nodes where riders enter, and leave.
  let entryCount: Int
  let exitCount: Int
  /// The label at which riders are at each node, and the ride that brings them there, slot by slot.
  var entryLabels: [Int32]
  private(set) var entryRides: [Int32]
  private(set) var exitRides: [Int32]
  /// What is read at each call, slot by slot: for each node its label where the round enters, and then
  /// the one at which riders leave there.
  var labels: [Int32]
  /// The number of these of a slot.
  let labelCount: Int
  /// The seconds from each node to the end.
  private var rest: [Int32]
  private var best: BestJourneys
  var reached: Reached

  /// The nodes that a round has reached, and the patterns that it follows.
  private(set) var reachedExits: BitSet
  private var reachedEntries: BitSet
  private var reachedPatterns: BitSet
  /// Places for the exits of a unit's vehicles that are sooner than all known ones.
  private var exits: [Exit] = []
  private var stretches: [Stretch]
  /// The vehicle of each pattern that was followed last; of no trips that transfers name, and none in a
  /// search of a window, whose labels differ by the number of rides.
  private(set) var followed: [Followed]
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
    slots = question.window > 0 ? question.rideLimit + 1 : 1
    let (boarding, alighting) = (network.transfers.boardingNodes, network.transfers.alightingNodes)
    let ways = network.footpaths(question.profile)
    footpaths = isForward ? ways : network.reversedFootpaths(question.profile)
    entryCalls = isForward ? network.calls.boardings : network.calls.alightings
    entryCount = isForward ? boarding.count : alighting.count
    exitCount = isForward ? alighting.count : boarding.count
    entryLabels = [Int32](repeating: Self.infinity, count: entryCount * slots)
    entryRides = [Int32](repeating: -1, count: entryCount * slots)
    labelCount = 2 * max(entryCount, exitCount)
    labels = [Int32](repeating: Self.infinity, count: slots * labelCount)
    exitRides = [Int32](repeating: -1, count: exitCount * slots)
    reached = Reached(instant: question.instant)
    rest = [Int32](repeating: Self.infinity, count: exitCount)
    best = BestJourneys(slots: slots)
    reachedExits = BitSet(upTo: exitCount)
    reachedEntries = BitSet(upTo: entryCount)
    reachedPatterns = BitSet(upTo: network.patterns.count)
    stretches = [Stretch](repeating: .none, count: network.patterns.count)
    followed = [Followed](repeating: .none, count: network.patterns.count)
    let zoneCount = network.patterns.timeZones.count
    zoneDays = [[ZoneDay]](repeating: [], count: zoneCount)
    daysBack = [Int](repeating: -1, count: zoneCount)
    let exitCalls = isForward ? network.calls.alightings : network.calls.boardings
    let exit = JourneyPatterns.Access.exit(isForward: isForward)
    var lastPatterns = BitSet(upTo: network.patterns.count)
    for end in question.end {
      for node in (isForward ? alighting : boarding).nodes(of: end.stop).map({ Int($0) }) {
        rest[node] = min(rest[node], Int32(end.seconds))
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
    var found: [Found] = []
    let before = best.labels
    if let seconds = question.directSeconds, seconds < question.limit {
      best.improve(origin + seconds, by: -1, from: 0)
    }
    begin()
    if slots == 1, best.labels[0] < before[0] {
      found.append(Found(ride: -1, label: best.labels[0], origin: origin))
    }
    noteReached(after: 0)
    for round in 1...max(1, question.rideLimit) where question.rideLimit > 0 {
      let known = best.labels[slot(round)]
      gather(round == question.rideLimit ? lastPatterns : nil)
      guard !reachedPatterns.isEmpty else {
        removeEntries(before: round)
        break
      }
      try timetable.decode(reachedPatterns, network, tables)
      limitExits(round)
      for pattern in reachedPatterns {
        let stretch = stretches[pattern]
        stretches[pattern] = .none
        try follow(pattern, entering: stretch, round)
      }
      reachedPatterns.removeAll()
      removeEntries(before: round)
      if slots == 1, best.labels[0] < known {
        found.append(Found(ride: best.rides[0], label: best.labels[0], origin: origin))
      }
      if round < question.rideLimit {
        limitEntries(round + 1)
        walk(round)
        noteReached(after: round)
      }
    }
    removeEntries(before: 1)
    reachedExits.removeAll()
    guard slots > 1 else { return found }
    for slot in 1..<slots
    where best.labels[slot] < before[slot] && best.labels[slot] < best.labels[slot - 1] {
      found.append(Found(ride: best.rides[slot], label: best.labels[slot], origin: origin))
    }
    return found
  }

  func slot(_ round: Int) -> Int { slots == 1 ? 0 : round }

  /// The label that one must be less than to matter in a round.
  func bound(_ slot: Int) -> Int { min(best.labels[slot], origin + question.limit) }

  private mutating func begin() {
    let nodes = isForward ? network.transfers.boardingNodes : network.transfers.alightingNodes
    for place in question.start {
      let label = origin + place.seconds
      guard label < bound(0) else { continue }
      for node in nodes.nodes(of: place.stop) { enter(Int(node), 0, Int32(label), -1) }
    }
  }

  mutating func enter(_ node: Int, _ slot: Int, _ label: Int32, _ ride: Int32) {
    guard label < entryLabels[slot * entryCount + node] else { return }
    for place in stride(from: slot * entryCount + node, to: entryLabels.count, by: entryCount) {
      guard label < entryLabels[place] else { break }
      entryLabels[place] = label
      entryRides[place] = ride
    }
    labels[firstLabel(after: slot) + 2 * node] = label
    reachedEntries.insert(node)
  }

  /// Returns the index of the first label of the round after those of a slot.
  private func firstLabel(after slot: Int) -> Int { slots == 1 ? 0 : (slot + 1) * labelCount }

  /// Ends a round's entries.
  private mutating func removeEntries(before round: Int) {
    let first = slot(round) * labelCount
    for node in reachedEntries { labels[first + 2 * node] = Self.infinity }
    reachedEntries.removeAll()
  }

  /// Collects the patterns of the nodes that were reached, and the calls of each.
  ///
  /// - Parameter those: The patterns that matter; `nil` if all do.
  private mutating func gather(_ those: BitSet?) {
    let (entries, entryCalls, sign) = (reachedEntries, entryCalls, Int32(sign))
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
    defer { reachedExits.removeAll() }
    guard !network.transfers.hasVehicles else { return walkByVehicle(round) }
    footpaths.find(from: reachedExits, network)
    let slot = slot(round)
    let (first, next) = (slot * labelCount, firstLabel(after: slot))
    Self.walk(
      footpaths.ways, from: reachedExits, exitRides[(slot * exitCount)...], slot * entryCount,
      below: Int32(clamping: bound(slot)), first, next, &entryLabels, &entryRides, &labels,
      count: entryCount)
    reachedEntries = BitSet(upTo: entryCount) { [labels] in
      labels[next + 2 * $0] != Self.infinity
    }
  }

  /// Walks the ways from nodes.
  ///
  /// - Parameters:
  ///   - lists: The ways of all nodes.
  ///   - exits: The nodes.
  ///   - rides: The rides that reach all nodes.
  ///   - firstEntry: The index of the first node's label in the slot of the round.
  ///   - bound: The label that one must be less than to matter.
  ///   - first: The index of the round's first label.
  ///   - next: The index of the next round's first label.
  ///   - entryLabels: The labels at which riders are at each node, slot by slot.
  ///   - entryRides: The rides that bring them there.
  ///   - labels: The labels of all rounds.
  ///   - count: The number of nodes where riders enter.
  private static func walk(
    _ lists: StopLists<Footpaths.Way>, from exits: BitSet, _ rides: ArraySlice<Int32>,
    _ firstEntry: Int, below bound: Int32, _ first: Int, _ next: Int,
    _ entryLabels: inout [Int32], _ entryRides: inout [Int32], _ labels: inout [Int32], count: Int
  ) {
    let (starts, ends, ways) = (lists.starts.span, lists.ends.span, lists.elements.span)
    let rides = rides.span
    var entryLabels = entryLabels.mutableSpan
    var entryRides = entryRides.mutableSpan
    var labels = labels.mutableSpan
    for node in exits {
      let label = labels[first &+ 2 &* node &+ 1]
      guard label < bound else { continue }
      let ride = rides[node]
      for index in Int(starts[node])..<Int(ends[node]) {
        let way = ways[index]
        // Both are far from the largest number.
        let total = label &+ way.seconds
        var entry = firstEntry &+ Int(way.target)
        guard total < bound, total < entryLabels[entry] else { continue }
        labels[next &+ 2 &* Int(way.target)] = total
        repeat {
          entryLabels[entry] = total
          entryRides[entry] = ride
          entry += count
        } while entry < entryLabels.count && total < entryLabels[entry]
      }
    }
  }

  // MARK: - Patterns

  /// Follows a pattern on all days that matter.
  private mutating func follow(_ pattern: Int, entering stretch: Stretch, _ round: Int) throws {
    let content = timetable.contents[pattern]
    guard content.earliest <= content.latest else { return }
    let (zone, slot) = (Int(network.patterns.zones[pattern]), slot(round))
    prepareDays(zone, back: max(0, content.latest) / 86400 + 2)
    // Labels from the start of a service day on.
    let first = isForward ? content.earliest : -content.latest
    let last = isForward ? content.latest : -content.earliest
    let only = network.live?.trip(ofPattern: pattern)?.day
    var covered = Int.max
    for number in zoneDays[zone].indices {
      let day = zoneDays[zone][number]
      if day.zero + last < origin { continue }
      // A vehicle that was caught is sooner than those of later days, but for the trips that transfers
      // name: riders board these from nodes of their own, or stay on them.
      let isCovered = day.zero + first >= covered
      if day.zero + first >= bound(slot) || isCovered && !content.hasNamed { break }
      if let only, only != day.day { continue }
      let index = day.index ?? index(ofDay: number, zone)
      guard index >= 0 else { continue }
      for unit in timetable.units(of: pattern, on: index, network) {
        if isCovered, timetable.units[unit].named < 0 { continue }
        guard matters(timetable.units[unit], content, day.zero, below: bound(slot)) else {
          continue
        }
        let end = try follow(unit, zero: day.zero, entering: stretch, round)
        if content.isRegular { covered = min(covered, end) }
      }
    }
  }

  /// Whether any vehicle of a unit runs at labels that matter.
  ///
  /// Trips that transfers name are units of their own, of which a pattern may have thousands.
  private func matters(
    _ unit: JourneyTimetable.Unit, _ content: JourneyTimetable.Content, _ zero: Int,
    below bound: Int
  ) -> Bool {
    guard unit.named >= 0, unit.repetition < 0 else { return true }
    let first = zero + Int(timetable.trips[Int(unit.trips)])
    return first < bound && first + Int(content.greatestOffset - content.leastOffset) >= origin
  }

  /// Follows a unit, and returns the label at the end of the vehicle that was caught first; the
  /// largest number if none was.
  private mutating func follow(
    _ index: Int, zero: Int, entering stretch: Stretch, _ round: Int
  ) throws -> Int {
    // Taken, so that there is one reference to what is written to.
    var exits: [Exit] = []
    swap(&exits, &self.exits)
    let calls = Int(timetable.units[index].calls)
    if exits.count < calls { exits += repeatElement(.none, count: calls - exits.count) }
    let riding = findExits(index, zero, entering: stretch, round, to: &exits)
    followed[Int(timetable.units[index].pattern)] = riding.followed
    reach(exits, count: riding.exits, round)
    swap(&exits, &self.exits)
    if let last = riding.last, timetable.units[index].named >= 0 {
      try stay(after: last, round)
    }
    return riding.covered
  }

  /// Takes exits that are sooner than all known ones.
  mutating func reach(_ exits: [Exit], count: Int, _ round: Int) {
    guard count > 0 else { return }
    let slot = slot(round)
    Self.reach(
      exits.span, count: count, slot, limit: origin + question.limit, rest, &rides, &labels,
      &exitRides, &reachedExits, &best, exitCount, labelCount)
  }

  /// Takes exits.
  ///
  /// - Parameters:
  ///   - exits: Places with the exits.
  ///   - count: The number of exits.
  ///   - slot: The slot of the round.
  ///   - limit: The label that one must be less than to matter.
  ///   - rest: The seconds from each node to the end.
  ///   - rides: The rides.
  ///   - labels: The labels of all rounds.
  ///   - exitRides: The rides that reach the nodes, slot by slot.
  ///   - reached: The nodes that the round has reached.
  ///   - best: The journeys to the end.
  ///   - exitCount: The number of nodes where riders leave.
  ///   - labelCount: The number of labels of a slot.
  private static func reach(
    _ exits: Span<Exit>, count: Int, _ slot: Int, limit: Int, _ rest: [Int32],
    _ rides: inout [Ride], _ labels: inout [Int32], _ exitRides: inout [Int32],
    _ reached: inout BitSet, _ best: inout BestJourneys, _ exitCount: Int, _ labelCount: Int
  ) {
    let rest = rest.span
    var labels = labels.mutableSpan
    var exitRides = exitRides.mutableSpan
    for index in 0..<count {
      let exit = exits[index]
      let (node, ride, label) = (exit.node, Int32(rides.count), max(exit.label, leastLabel))
      var (place, ridePlace) = (slot &* labelCount &+ 2 &* node &+ 1, slot &* exitCount &+ node)
      guard label < Int(labels[place]), label < min(best.labels[slot], limit) else { continue }
      rides.append(exit.ride)
      repeat {
        labels[place] = Int32(label)
        exitRides[ridePlace] = ride
        place += labelCount
        ridePlace += exitCount
      } while place < labels.count && label < Int(labels[place])
      reached.insert(node)
      if rest[node] != infinity, label + Int(rest[node]) < limit {
        best.improve(label + Int(rest[node]), by: ride, from: slot)
      }
    }
  }

  // MARK: - Reading

  mutating func decode(_ pattern: Int) throws {
    try timetable.decode(pattern, network, tables)
  }

  // MARK: - Rides

  /// Appends a ride, and returns its index.
  mutating func append(_ ride: Ride) -> Int32 {
    rides.append(ride)
    return Int32(rides.count - 1)
  }
}

/// The journeys to the end of a search that are known: for each slot the least label, and the last ride.
private struct BestJourneys {
  private(set) var labels: [Int]
  /// -1 for walking all the way.
  private(set) var rides: [Int32]

  init(slots: Int) {
    labels = [Int](repeating: Int.max, count: slots)
    rides = [Int32](repeating: -1, count: slots)
  }

  /// Takes a journey for a slot, and for those after it where it is better.
  mutating func improve(_ label: Int, by ride: Int32, from slot: Int) {
    for slot in slot..<labels.count {
      guard label < labels[slot] else { return }
      labels[slot] = label
      rides[slot] = ride
    }
  }
}
