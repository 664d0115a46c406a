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
  /// A service day in a time zone.
  private struct ZoneDay {
    let start: Int
    let index: Int
  }

  /// The calls of a pattern between which riders may enter in a round.
  ///
  /// Indices of calls have the sign of the search's direction, so that they increase along it.
  private struct Stretch {
    static let none = Stretch(first: .max, last: .min)

    var first: Int32
    var last: Int32
  }

  static let infinity = Int32.max
  private static let leastLabel = -(1 << 30)

  let network: JourneyNetwork
  let question: Question
  private let tables: TripTables
  private(set) var timetable: JourneyTimetable
  private(set) var rides: [Ride] = []
  private let footpaths: Footpaths

  private let isForward: Bool
  /// 1 forward, -1 backward.
  let sign: Int
  private let slots: Int
  private let starts: [Int32]
  private let access: [UInt8]
  private let entryBit: UInt8
  private let exitBit: UInt8
  private let entryNodes: [Int32]
  private let exitNodes: [Int32]
  private let entryCalls: NodeCalls

  /// The labels of nodes: one for each node, or in a search of a window one for each number of rides.
  private var entryLabels: [Int32]
  private var entryRides: [Int32]
  private var exitLabels: [Int32]
  private var exitRides: [Int32]
  /// The seconds from each node to the end.
  private var rest: [Int32]
  private var bestLabels: [Int]
  private var bestRides: [Int32]

  /// The nodes that a round has reached, and the patterns that it follows.
  private var reachedExits: MarkedIndices
  private var reachedEntries: MarkedIndices
  private var reachedPatterns: MarkedIndices
  private var stretches: [Stretch]
  /// The patterns that call where the search ends, which alone matter in the last round; `nil` if
  /// riders may stay on a vehicle beyond its pattern.
  private let lastPatterns: MarkedIndices?
  private var zoneDays: [[ZoneDay]]
  /// The number of days before the question's day that the days of each zone go back.
  private var daysBack: [Int]
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
    (starts, access) = (network.patterns.starts, network.patterns.access)
    let bits = (JourneyPatterns.Access.boarding, JourneyPatterns.Access.alighting)
    (entryBit, exitBit) = isForward ? bits : (bits.1, bits.0)
    entryNodes = isForward ? boarding.ofCalls : alighting.ofCalls
    exitNodes = isForward ? alighting.ofCalls : boarding.ofCalls
    entryCalls = isForward ? network.boardings : network.alightings
    let entryCount = isForward ? boarding.count : alighting.count
    let exitCount = isForward ? alighting.count : boarding.count
    entryLabels = [Int32](repeating: Self.infinity, count: entryCount * slots)
    entryRides = [Int32](repeating: -1, count: entryCount * slots)
    exitLabels = [Int32](repeating: Self.infinity, count: exitCount * slots)
    exitRides = [Int32](repeating: -1, count: exitCount * slots)
    rest = [Int32](repeating: Self.infinity, count: exitCount)
    bestLabels = [Int](repeating: Int.max, count: slots)
    bestRides = [Int32](repeating: -1, count: slots)
    reachedExits = MarkedIndices(upTo: exitCount)
    reachedEntries = MarkedIndices(upTo: entryCount)
    reachedPatterns = MarkedIndices(upTo: network.patterns.count)
    stretches = [Stretch](repeating: .none, count: network.patterns.count)
    let zoneCount = network.patterns.timeZones.count
    zoneDays = [[ZoneDay]](repeating: [], count: zoneCount)
    daysBack = [Int](repeating: -1, count: zoneCount)
    let exitCalls = isForward ? network.alightings : network.boardings
    var lastPatterns = MarkedIndices(upTo: network.patterns.count)
    for end in question.end {
      for node in (isForward ? alighting : boarding).nodes(of: end.stop).map({ Int($0) }) {
        rest[node] = min(rest[node], Int32(end.seconds))
        for index in Int(exitCalls.starts[node])..<Int(exitCalls.starts[node + 1]) {
          lastPatterns.insert(Int(exitCalls.calls[index].pattern))
        }
      }
    }
    self.lastPatterns = network.transfers.named.isEmpty ? lastPatterns : nil
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
      for pattern in reachedPatterns {
        let stretch = stretches[pattern]
        stretches[pattern] = .none
        try follow(pattern, entering: stretch, round)
      }
      reachedPatterns.removeAll()
      reachedEntries.removeAll()
      if slots == 1, bestLabels[0] < best {
        found.append(Found(ride: bestRides[0], label: bestLabels[0], origin: origin))
      }
      if round < question.rideLimit { walk(round) }
    }
    reachedEntries.removeAll()
    reachedExits.removeAll()
    guard slots > 1 else { return found }
    for slot in 1..<slots
    where bestLabels[slot] < before[slot] && bestLabels[slot] < bestLabels[slot - 1] {
      found.append(Found(ride: bestRides[slot], label: bestLabels[slot], origin: origin))
    }
    return found
  }

  private func slot(_ round: Int) -> Int { slots == 1 ? 0 : round }

  /// The label that one must be less than to matter in a round.
  private func bound(_ slot: Int) -> Int { min(bestLabels[slot], origin + question.limit) }

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

  private mutating func enter(_ node: Int, _ slot: Int, _ label: Int32, _ ride: Int32) {
    guard label < entryLabels[node * slots + slot] else { return }
    for index in node * slots + slot..<(node + 1) * slots {
      guard label < entryLabels[index] else { break }
      entryLabels[index] = label
      entryRides[index] = ride
    }
    reachedEntries.insert(node)
  }

  /// Collects the patterns of the nodes that were reached, and the calls of each.
  ///
  /// - Parameter those: The patterns that matter; `nil` if all do.
  private mutating func gather(_ those: MarkedIndices?) {
    let (entries, entryCalls, sign) = (reachedEntries, entryCalls, Int32(sign))
    let (starts, calls) = (entryCalls.starts.span, entryCalls.calls.span)
    var patterns = MarkedIndices(upTo: stretches.count)
    var stretches = stretches.mutableSpan
    for node in entries {
      for index in Int(starts[node])..<Int(starts[node + 1]) {
        let pattern = Int(calls[index].pattern)
        if let those, !those.contains(pattern) { continue }
        // Without branches, which nothing could predict.
        let place = sign * calls[index].index
        let known = stretches[pattern]
        stretches[pattern] = Stretch(
          first: min(known.first, place), last: max(known.last, place))
        patterns.insert(pattern)
      }
    }
    reachedPatterns = patterns
  }

  /// Walks from the nodes that were reached to those where the next rides begin.
  private mutating func walk(_ round: Int) {
    let slot = slot(round)
    let bound = bound(slot)
    for node in reachedExits {
      let index = node * slots + slot
      let (label, ride) = (Int(exitLabels[index]), exitRides[index])
      guard label < bound else { continue }
      for index in Int(footpaths.starts[node])..<Int(footpaths.starts[node + 1]) {
        let way = footpaths.ways[index]
        let (target, total) = (Int(way.target), label + Int(way.seconds))
        if total < bound, total < Int(entryLabels[target * slots + slot]) {
          enter(target, slot, Int32(total), ride)
        }
      }
    }
    reachedExits.removeAll()
  }

  // MARK: - Patterns

  /// Follows a pattern on all days that matter.
  private mutating func follow(_ pattern: Int, entering stretch: Stretch, _ round: Int) throws {
    try timetable.decode(pattern, network, tables)
    let content = timetable.contents[pattern]
    guard content.earliest <= content.latest else { return }
    let zone = Int(network.patterns.zones[pattern])
    prepareDays(zone, back: max(0, content.latest) / 86400 + 2)
    var covered = Int.max
    for day in zoneDays[zone] {
      let shift = day.start - question.instant
      let soonest = isForward ? shift + content.earliest : -shift - content.latest
      let last = isForward ? shift + content.latest : -shift - content.earliest
      if last < origin { continue }
      if soonest >= min(bound(slot(round)), covered) { break }
      for unit in timetable.units(of: pattern, on: day.index, network) {
        let end = try follow(pattern, unit: unit, day, entering: stretch, round)
        if content.isRegular { covered = min(covered, end) }
      }
    }
  }

  private mutating func prepareDays(_ zone: Int, back: Int) {
    guard daysBack[zone] < back else { return }
    daysBack[zone] = max(2, back)
    let timeZone = network.patterns.timeZones[zone]
    let length = question.limit + question.window
    let earliest = isForward ? question.instant : question.instant - length
    let latest = isForward ? question.instant + length : question.instant
    let first = timeZone.day(at: earliest).daysSince1970 - daysBack[zone]
    let last = timeZone.day(at: latest).daysSince1970 + 1
    var days: [ZoneDay] = []
    for day in network.cache.serviceDays(from: first, to: last)
    where network.cache.runningServices(on: day).contains(true) {
      days.append(
        ZoneDay(
          start: timeZone.start(of: day),
          index: timetable.index(of: day, needsAccess: question.profile.needsAccess, network)))
    }
    zoneDays[zone] = isForward ? days : days.reversed()
  }

  /// Follows a unit with the first trip that can be caught, and returns the label at the end of the
  /// one that was caught first; the largest number if none was.
  ///
  /// Riders enter only at nodes that this round has reached: where an earlier one has reached a node,
  /// the trips that can be caught there were followed then.
  private mutating func follow(
    _ pattern: Int, unit index: Int, _ day: ZoneDay, entering stretch: Stretch, _ round: Int
  ) throws -> Int {
    let unit = timetable.units[index]
    let content = timetable.contents[pattern]
    let shift = Int(content.departureShift)
    let (entryShift, exitShift) = isForward ? (shift, 0) : (0, shift)
    let base = Int(starts[pattern])
    let count = Int(starts[pattern + 1]) - base
    let end = isForward ? count : -1
    let lastEntry = Int(stretch.last)
    let (entrySlot, exitSlot) = (slot(round - 1), slot(round))
    let zero = sign * (day.start - question.instant)
    let access = access
    let named = unit.named < 0 ? nil : network.transfers.named[Int(unit.named)]
    var bound = bound(exitSlot)
    var vehicle = JourneyTimetable.Vehicle()
    // The index of the time at the first call, and the label of the start, of the vehicle.
    var (exitRow, exitZero) = (0, 0)
    var (entry, previous, covered, isFirst) = (-1, Int32(-1), Int.max, true)
    var call = sign * Int(stretch.first)
    while call != end {
      if vehicle.isThere {
        let time = timetable.times[exitRow + call]
        let label = exitZero + sign * Int(time)
        if label < bound {
          if access[base + call] & exitBit != 0, time != JourneyTimetable.none {
            let node = exitNode(base + call, call, named)
            if label < Int(exitLabels[node * slots + exitSlot]) {
              reach(
                node, exitSlot, label,
                Ride(
                  previous: previous, pattern: Int32(pattern), unit: Int32(index),
                  day: Int32(day.index), start: Int32(vehicle.rideStart), row: Int32(vehicle.row),
                  run: vehicle.run, entry: Int32(entry), exit: Int32(call), isContinuation: false))
              bound = self.bound(exitSlot)
            }
          }
        } else if content.isRegular, sign * call > lastEntry {
          // All further labels are greater.
          break
        }
      } else if sign * call > lastEntry {
        break
      }
      if sign * call <= lastEntry, access[base + call] & entryBit != 0 {
        let node = entryNode(base + call, call, named)
        if reachedEntries.contains(node) {
          let place = node * slots + entrySlot
          let label = Int(entryLabels[place])
          if mayCatch(vehicle, unit, entryShift + call, zero, label),
            timetable.catchVehicle(
              &vehicle, unit, at: entryShift + call, zero, label, isForward: isForward)
          {
            (entry, previous) = (call, entryRides[place])
            (exitRow, exitZero) = (vehicle.row + exitShift, zero + sign * vehicle.exitStart)
            if isFirst, unit.named < 0 {
              covered =
                exitZero + sign * Int(timetable.times[exitRow + (isForward ? count - 1 : 0)])
            }
          }
          isFirst = false
        }
      }
      call += sign
    }
    if vehicle.isThere, unit.named >= 0 {
      try stay(
        after: Ride(
          previous: previous, pattern: Int32(pattern), unit: Int32(index), day: Int32(day.index),
          start: Int32(vehicle.rideStart), row: Int32(vehicle.row), run: vehicle.run,
          entry: Int32(entry), exit: Int32(isForward ? count - 1 : 0), isContinuation: false),
        day, round)
    }
    return covered
  }

  /// Whether there may be a vehicle that is caught sooner than the one that was caught; of a trip it
  /// is the next one.
  @inline(__always)
  private func mayCatch(
    _ vehicle: JourneyTimetable.Vehicle, _ unit: JourneyTimetable.Unit, _ offset: Int,
    _ zero: Int, _ label: Int
  ) -> Bool {
    guard vehicle.isThere, unit.repetition < 0 else { return true }
    guard vehicle.soonerRow >= 0 else { return false }
    let time = Int(timetable.times[vehicle.soonerRow + offset])
    return zero + sign * (vehicle.soonerStart + time) >= label
  }

  private func entryNode(_ index: Int, _ call: Int, _ named: JourneyTransfers.Named?) -> Int {
    guard let named else { return Int(entryNodes[index]) }
    return Int((isForward ? named.boarding : named.alighting).nodes[call])
  }

  private func exitNode(_ index: Int, _ call: Int, _ named: JourneyTransfers.Named?) -> Int {
    guard let named else { return Int(exitNodes[index]) }
    return Int((isForward ? named.alighting : named.boarding).nodes[call])
  }

  private mutating func reach(_ node: Int, _ slot: Int, _ label: Int, _ ride: Ride) {
    let index = Int32(rides.count)
    rides.append(ride)
    let label = max(label, Self.leastLabel)
    for place in node * slots + slot..<(node + 1) * slots {
      guard label < Int(exitLabels[place]) else { break }
      exitLabels[place] = Int32(label)
      exitRides[place] = index
    }
    if rest[node] != Self.infinity, label + Int(rest[node]) < origin + question.limit {
      improve(best: label + Int(rest[node]), by: index, from: slot)
    }
    reachedExits.insert(node)
  }

  // MARK: - Reading

  mutating func decode(_ pattern: Int) throws {
    try timetable.decode(pattern, network, tables)
  }

  /// Returns the starts of the days that matter for a pattern, and their indices.
  mutating func days(of pattern: Int) -> [(start: Int, index: Int)] {
    let zone = Int(network.patterns.zones[pattern])
    prepareDays(zone, back: max(0, timetable.contents[pattern].latest) / 86400 + 2)
    return zoneDays[zone].map { ($0.start, $0.index) }
  }

  mutating func units(of pattern: Int, on day: Int) -> Range<Int> {
    timetable.units(of: pattern, on: day, network)
  }

  // MARK: - Staying on a vehicle

  /// Follows the trips on which the riders of a trip stay at its end.
  private mutating func stay(after ride: Ride, _ day: ZoneDay, _ round: Int) throws {
    var pending = [(ride: ride, depth: 0)]
    while let (ride, depth) = pending.popLast() {
      let named = network.transfers.named[Int(timetable.units[Int(ride.unit)].named)]
      // A vehicle has few trips on a day; more are a circle.
      guard timetable.units[Int(ride.unit)].repetition < 0, depth < 32 else { continue }
      let before = Int32(rides.count)
      rides.append(ride)
      for index in isForward ? named.next : named.previous {
        if let next = try follow(index, after: before, day, round) {
          pending.append((next, depth + 1))
        }
      }
    }
  }

  /// Follows a trip from its beginning, and returns the ride over all of it.
  private mutating func follow(
    _ named: Int32, after index: Int32, _ day: ZoneDay, _ round: Int
  ) throws -> Ride? {
    let trip = network.transfers.named[Int(named)]
    let pattern = trip.pattern
    try timetable.decode(pattern, network, tables)
    // Both trips are of one service day, which begins for each in the zone of its agency.
    let zone = Int(network.patterns.zones[pattern])
    prepareDays(zone, back: 2)
    guard let ownDay = zoneDays[zone].first(where: { $0.index == day.index }) else { return nil }
    let units = timetable.units(of: pattern, on: day.index, network)
    guard
      let unit = units.first(where: {
        timetable.units[$0].named == named && timetable.units[$0].repetition < 0
      })
    else { return nil }
    let before = rides[Int(index)]
    let shift = Int(timetable.contents[pattern].departureShift)
    let first = Int(timetable.units[unit].first)
    let (start, row) = (Int(timetable.tripStarts[first]), Int(timetable.tripRows[first]))
    let base = Int(starts[pattern])
    let count = Int(starts[pattern + 1]) - base
    let (begin, end) = isForward ? (0, count - 1) : (count - 1, 0)
    let beginShift = isForward ? shift : 0
    let exitShift = isForward ? 0 : shift
    let zero = sign * (ownDay.start - question.instant)
    let beforeShift = isForward ? 0 : Int(timetable.contents[Int(before.pattern)].departureShift)
    let left = timetable.times[Int(before.row) + beforeShift + Int(before.exit)]
    guard count > 0, timetable.times[row + beginShift + begin] != JourneyTimetable.none,
      left != JourneyTimetable.none,
      zero + sign * (start + Int(timetable.times[row + beginShift + begin]))
        >= sign * (day.start - question.instant) + sign * (Int(before.start) + Int(left))
    else { return nil }
    func ride(to exit: Int) -> Ride {
      Ride(
        previous: index, pattern: Int32(pattern), unit: Int32(unit), day: Int32(day.index),
        start: Int32(start), row: Int32(row), run: timetable.tripRuns[first],
        entry: Int32(begin), exit: Int32(exit), isContinuation: true)
    }
    let slot = slot(round)
    for call in isForward ? Array(0..<count) : (0..<count).reversed()
    where access[base + call] & exitBit != 0 {
      let time = timetable.times[row + exitShift + call]
      guard time != JourneyTimetable.none else { continue }
      let label = zero + sign * (start + Int(time))
      let node = exitNode(base + call, call, trip)
      if label < Int(exitLabels[node * slots + slot]), label < bound(slot) {
        reach(node, slot, label, ride(to: call))
      }
    }
    return ride(to: end)
  }
}
