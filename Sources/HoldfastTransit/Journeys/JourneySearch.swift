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
  private var entryLabels: [Int32]
  private(set) var entryRides: [Int32]
  private(set) var exitRides: [Int32]
  /// What is read at each call: for each node its label where this round enters, and then those at
  /// which riders leave there.
  private(set) var labels: [Int32]
  let labelStride: Int
  /// The seconds from each node to the end.
  private var rest: [Int32]
  private var bestLabels: [Int]
  private var bestRides: [Int32]

  /// The nodes that a round has reached, and the patterns that it follows.
  private(set) var reachedExits: BitSet
  private var reachedEntries: BitSet
  private var reachedPatterns: BitSet
  /// The exits of a vehicle that are sooner than all known ones.
  private var exits: [Exit] = []
  private var stretches: [Stretch]
  /// The vehicle of each unit that was followed last; of no trips that transfers name, and none in a
  /// search of a window, whose labels differ by the number of rides.
  private(set) var followed: [Followed] = []
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
    let entryCount = isForward ? boarding.count : alighting.count
    let exitCount = isForward ? alighting.count : boarding.count
    entryLabels = [Int32](repeating: Self.infinity, count: entryCount * slots)
    entryRides = [Int32](repeating: -1, count: entryCount * slots)
    labelStride = slots + 1
    labels = [Int32](repeating: Self.infinity, count: max(entryCount, exitCount) * labelStride)
    exitRides = [Int32](repeating: -1, count: exitCount * slots)
    rest = [Int32](repeating: Self.infinity, count: exitCount)
    bestLabels = [Int](repeating: Int.max, count: slots)
    bestRides = [Int32](repeating: -1, count: slots)
    reachedExits = BitSet(upTo: exitCount)
    reachedEntries = BitSet(upTo: entryCount)
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
    let before = bestLabels
    if let seconds = question.directSeconds, seconds < question.limit {
      improve(best: origin + seconds, by: -1, from: 0)
    }
    begin()
    if slots == 1, bestLabels[0] < before[0] {
      found.append(Found(ride: -1, label: bestLabels[0], origin: origin))
    }
    for round in 1...max(1, question.rideLimit) where question.rideLimit > 0 {
      let best = bestLabels[slot(round)]
      gather(round == question.rideLimit ? lastPatterns : nil)
      guard !reachedPatterns.isEmpty else { break }
      try timetable.decode(reachedPatterns, network, tables)
      for pattern in reachedPatterns {
        let stretch = stretches[pattern]
        stretches[pattern] = .none
        try follow(pattern, entering: stretch, round)
      }
      reachedPatterns.removeAll()
      removeEntries()
      if slots == 1, bestLabels[0] < best {
        found.append(Found(ride: bestRides[0], label: bestLabels[0], origin: origin))
      }
      if round < question.rideLimit { walk(round) }
    }
    removeEntries()
    reachedExits.removeAll()
    guard slots > 1 else { return found }
    for slot in 1..<slots
    where bestLabels[slot] < before[slot] && bestLabels[slot] < bestLabels[slot - 1] {
      found.append(Found(ride: bestRides[slot], label: bestLabels[slot], origin: origin))
    }
    return found
  }

  func slot(_ round: Int) -> Int { slots == 1 ? 0 : round }

  /// The label that one must be less than to matter in a round.
  func bound(_ slot: Int) -> Int { min(bestLabels[slot], origin + question.limit) }

  private mutating func improve(best label: Int, by ride: Int32, from slot: Int) {
    for slot in slot..<slots {
      guard label < bestLabels[slot] else { return }
      bestLabels[slot] = label
      bestRides[slot] = ride
    }
  }

  private mutating func begin() {
    let nodes = isForward ? network.transfers.boardingNodes : network.transfers.alightingNodes
    for place in question.start {
      let label = origin + place.seconds
      guard label < bound(0) else { continue }
      for node in nodes.nodes(of: place.stop) { enter(Int(node), 0, Int32(label), -1) }
    }
  }

  mutating func enter(_ node: Int, _ slot: Int, _ label: Int32, _ ride: Int32) {
    guard label < entryLabels[node * slots + slot] else { return }
    for index in node * slots + slot..<(node + 1) * slots {
      guard label < entryLabels[index] else { break }
      entryLabels[index] = label
      entryRides[index] = ride
    }
    labels[node * labelStride] = label
    reachedEntries.insert(node)
  }

  /// Ends a round's entries.
  private mutating func removeEntries() {
    for node in reachedEntries { labels[node * labelStride] = Self.infinity }
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
        guard call.allows(entry), those?.contains(pattern) ?? true else { continue }
        // Without branches, which nothing could predict.
        let place = sign * call.index
        let known = stretches[pattern]
        stretches[pattern] = Stretch(
          first: min(known.first, place), last: max(known.last, place))
      }
    }
    // Once for each pattern, not for each call.
    var patterns = BitSet(upTo: stretches.count)
    for pattern in stretches.indices where stretches[pattern].last >= stretches[pattern].first {
      patterns.insert(pattern)
    }
    reachedPatterns = patterns
  }

  /// Walks from the nodes that were reached to those where the next rides begin.
  private mutating func walk(_ round: Int) {
    defer { reachedExits.removeAll() }
    guard !network.transfers.hasVehicles else { return walkByVehicle(round) }
    let (slot, slots, stride) = (slot(round), slots, labelStride)
    let bound = Int32(clamping: bound(slot))
    let footpaths = footpaths
    footpaths.find(from: reachedExits, network)
    let lists = footpaths.ways
    let (starts, ends, ways) = (lists.starts.span, lists.ends.span, lists.elements.span)
    let (exits, exitRides) = (reachedExits, exitRides)
    var entries = BitSet(upTo: entryLabels.count / slots)
    // Taken, so that all can be written to at once.
    var (takenLabels, takenRides, takenRoundLabels) = ([Int32](), [Int32](), [Int32]())
    swap(&takenLabels, &entryLabels)
    swap(&takenRides, &entryRides)
    swap(&takenRoundLabels, &labels)
    do {
      var entryLabels = takenLabels.mutableSpan
      var entryRides = takenRides.mutableSpan
      var labels = takenRoundLabels.mutableSpan
      for node in exits {
        let label = labels[node &* stride &+ 1 &+ slot]
        guard label < bound else { continue }
        let ride = exitRides[node * slots + slot]
        for index in Int(starts[node])..<Int(ends[node]) {
          let way = ways[index]
          // Both are far from the largest number.
          let (target, total) = (Int(way.target), label &+ way.seconds)
          var entry = target &* slots &+ slot
          guard total < bound, total < entryLabels[entry] else { continue }
          repeat {
            entryLabels[entry] = total
            entryRides[entry] = ride
            entry += 1
          } while entry < (target + 1) * slots && total < entryLabels[entry]
          labels[target &* stride] = total
          entries.insert(target)
        }
      }
    }
    swap(&takenLabels, &entryLabels)
    swap(&takenRides, &entryRides)
    swap(&takenRoundLabels, &labels)
    reachedEntries = entries
  }

  // MARK: - Patterns

  /// Follows a pattern on all days that matter.
  private mutating func follow(_ pattern: Int, entering stretch: Stretch, _ round: Int) throws {
    let content = timetable.contents[pattern]
    guard content.earliest <= content.latest else { return }
    let zone = Int(network.patterns.zones[pattern])
    prepareDays(zone, back: max(0, content.latest) / 86400 + 2)
    var covered = Int.max
    let only = network.live?.trip(ofPattern: pattern)?.day
    for number in zoneDays[zone].indices {
      let day = zoneDays[zone][number]
      if let only, only != day.day { continue }
      let shift = day.start - question.instant
      let soonest = isForward ? shift + content.earliest : -shift - content.latest
      let last = isForward ? shift + content.latest : -shift - content.earliest
      if last < origin { continue }
      // A vehicle that was caught is sooner than those of later days, but for the trips that transfers
      // name: riders board these from nodes of their own, or stay on them.
      let isCovered = soonest >= covered
      if soonest >= bound(slot(round)) || isCovered && !content.hasNamed { break }
      let index = index(ofDay: number, zone)
      guard index >= 0 else { continue }
      for unit in timetable.units(of: pattern, on: index, network)
      where !(isCovered && timetable.units[unit].named < 0)
        && matters(timetable.units[unit], content, sign * shift, below: bound(slot(round)))
      {
        let end = try follow(unit, day, entering: stretch, round)
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
    _ index: Int, _ day: ZoneDay, entering stretch: Stretch, _ round: Int
  ) throws -> Int {
    // Taken, so that there is one reference to what is appended to.
    var exits: [Exit] = []
    swap(&exits, &self.exits)
    let zero = sign * (day.start - question.instant)
    if followed.count <= index {
      followed += repeatElement(.none, count: timetable.units.count - followed.count)
    }
    let riding = findExits(index, zero, entering: stretch, round, to: &exits)
    followed[index] = riding.followed
    for exit in exits { reach(exit, round) }
    exits.removeAll(keepingCapacity: true)
    swap(&exits, &self.exits)
    if let last = riding.last, timetable.units[index].named >= 0 {
      try stay(after: last, round)
    }
    return riding.covered
  }

  /// Takes an exit if it is sooner than all known ones.
  mutating func reach(_ exit: Exit, _ round: Int) {
    let (node, ride, slot) = (exit.node, Int32(rides.count), slot(round))
    let label = max(exit.label, Self.leastLabel)
    guard label < Int(labels[node * labelStride + 1 + slot]), label < bound(slot) else { return }
    rides.append(exit.ride)
    for slot in slot..<slots {
      guard label < Int(labels[node * labelStride + 1 + slot]) else { break }
      labels[node * labelStride + 1 + slot] = Int32(label)
      exitRides[node * slots + slot] = ride
    }
    if rest[node] != Self.infinity, label + Int(rest[node]) < origin + question.limit {
      improve(best: label + Int(rest[node]), by: ride, from: slot)
    }
    reachedExits.insert(node)
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
