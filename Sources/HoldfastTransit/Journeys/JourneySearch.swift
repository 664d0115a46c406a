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
  struct ZoneDay {
    let start: Int
    let index: Int
  }

  /// The calls of a pattern between which riders may enter in a round, in the direction of the search,
  /// by their indices among those of all patterns; -1 if they may not.
  private struct Stretch {
    var first: Int32
    var last: Int32
  }

  let network: JourneyNetwork
  let question: Question
  let tables: TripTables
  var timetable: JourneyTimetable
  var labels: JourneyLabels
  private let footpaths: Footpaths
  private var followed: FollowedTrips

  let isForward: Bool
  /// 1 forward, -1 backward.
  let sign: Int
  let slots: Int
  let starts: [Int32]
  let access: [UInt8]
  private let entryBit: UInt8
  let exitBit: UInt8
  private let entryNodes: [Int32]
  private let exitNodes: [Int32]
  private let entryCalls: NodeCalls
  private let patternsOfCalls: [Int32]

  /// The patterns that a round follows.
  private var reachedPatterns: MarkedIndices
  private var stretches: [Stretch]
  /// The patterns that call where the search ends, which alone matter in the last round; `nil` if
  /// riders may stay on a vehicle beyond its pattern.
  private let lastPatterns: MarkedIndices?
  private(set) var zoneDays: [[ZoneDay]]
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
    patternsOfCalls = network.patterns.ofCalls
    let bits = (JourneyPatterns.Access.boarding, JourneyPatterns.Access.alighting)
    (entryBit, exitBit) = isForward ? bits : (bits.1, bits.0)
    entryNodes = isForward ? boarding.ofCalls : alighting.ofCalls
    exitNodes = isForward ? alighting.ofCalls : boarding.ofCalls
    entryCalls = isForward ? network.boardings : network.alightings
    let entryCount = isForward ? boarding.count : alighting.count
    let exitCount = isForward ? alighting.count : boarding.count
    var rest = [Int32](repeating: JourneyLabels.infinity, count: exitCount)
    reachedPatterns = MarkedIndices(upTo: network.patterns.count)
    stretches = [Stretch](repeating: Stretch(first: -1, last: -1), count: network.patterns.count)
    let zoneCount = network.patterns.timeZones.count
    zoneDays = [[ZoneDay]](repeating: [], count: zoneCount)
    daysBack = [Int](repeating: -1, count: zoneCount)
    let exitCalls = isForward ? network.alightings : network.boardings
    var lastPatterns = MarkedIndices(upTo: network.patterns.count)
    for end in question.end {
      for node in (isForward ? alighting : boarding).nodes(of: end.stop).map({ Int($0) }) {
        rest[node] = min(rest[node], Int32(end.seconds))
        for index in Int(exitCalls.starts[node])..<Int(exitCalls.starts[node + 1]) {
          lastPatterns.insert(Int(network.patterns.ofCalls[Int(exitCalls.calls[index])]))
        }
      }
    }
    self.lastPatterns = network.transfers.named.isEmpty ? lastPatterns : nil
    labels = JourneyLabels(slots: slots, entryCount: entryCount, rest: rest)
    // In a search of a window each number of rides has labels of its own.
    followed = FollowedTrips(
      callCount: slots == 1 ? access.count : 0, patternCount: network.patterns.count,
      shared: slots == 1 ? network.transfers.named.map(\.pattern) : [])
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
    labels.limit = origin + question.limit
    var found: [Found] = []
    let before = labels.best
    if let seconds = question.directSeconds, seconds < question.limit {
      labels.improve(best: origin + seconds, by: -1, from: 0)
    }
    begin()
    if slots == 1, labels.best[0] < before[0] {
      found.append(Found(ride: -1, label: labels.best[0], origin: origin))
    }
    for round in 1...max(1, question.rideLimit) where question.rideLimit > 0 {
      let best = labels.best[slot(round)]
      guard gather(round) else { break }
      for pattern in reachedPatterns {
        let stretch = stretches[pattern]
        stretches[pattern].first = -1
        try follow(pattern, entering: stretch, round)
      }
      reachedPatterns.removeAll()
      labels.forgetReachedEntries()
      if slots == 1, labels.best[0] < best {
        found.append(Found(ride: labels.bestRides[0], label: labels.best[0], origin: origin))
      }
      if round < question.rideLimit { labels.walk(slot(round), along: footpaths) }
    }
    labels.forgetReachedEntries()
    labels.forgetReachedExits()
    guard slots > 1 else { return found }
    for slot in 1..<slots
    where labels.best[slot] < before[slot] && labels.best[slot] < labels.best[slot - 1] {
      found.append(Found(ride: labels.bestRides[slot], label: labels.best[slot], origin: origin))
    }
    return found
  }

  func slot(_ round: Int) -> Int { slots == 1 ? 0 : round }

  private mutating func begin() {
    let nodes = isForward ? network.transfers.boardingNodes : network.transfers.alightingNodes
    for place in question.start {
      let label = origin + place.seconds
      guard label < labels.bound(0) else { continue }
      for node in nodes.nodes(of: place.stop) { labels.enter(Int(node), 0, Int32(label), -1) }
    }
  }

  /// Collects the patterns of the nodes that were reached, and the calls of each.
  ///
  /// - Returns: Whether there are any.
  private mutating func gather(_ round: Int) -> Bool {
    let those = round == question.rideLimit ? lastPatterns : nil
    let slot = slot(round - 1)
    var hasPatterns = false
    for node in labels.reachedEntries {
      let label = labels.entries[node * slots + slot]
      for index in Int(entryCalls.starts[node])..<Int(entryCalls.starts[node + 1]) {
        let call = entryCalls.calls[index]
        if slots == 1, label > followed.limits[Int(call)] { continue }
        let pattern = Int(patternsOfCalls[Int(call)])
        if let those, !those.contains(pattern) { continue }
        let known = stretches[pattern]
        if known.first < 0 {
          hasPatterns = true
          reachedPatterns.insert(pattern)
          stretches[pattern] = Stretch(first: call, last: call)
        } else if (call < known.first) == isForward {
          stretches[pattern].first = call
        } else if (call > known.last) == isForward {
          stretches[pattern].last = call
        }
      }
    }
    return hasPatterns
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
    var unitCount = 0
    for day in zoneDays[zone] {
      let shift = day.start - question.instant
      let soonest = isForward ? shift + content.earliest : -shift - content.latest
      let last = isForward ? shift + content.latest : -shift - content.earliest
      if last < origin { continue }
      if soonest >= min(labels.bound(slot(round)), covered) { break }
      let units = timetable.units(of: pattern, on: day.index, network)
      unitCount += units.count
      let isOnly =
        unitCount == 1 && content.isRegular && slots == 1 && followed.hasOneUnit(pattern)
      for unit in units {
        let end: Int
        if isOnly, timetable.units[unit].repetition < 0 {
          end = followOnly(unit, of: pattern, day, entering: stretch)
        } else {
          followed.share(pattern, network.patterns.calls(of: pattern))
          end = try follow(pattern, unit: unit, day, entering: stretch, round)
        }
        if content.isRegular { covered = min(covered, end) }
      }
    }
  }

  mutating func prepareDays(_ zone: Int, back: Int) {
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
    let lastEntry = sign * (Int(stretch.last) - base)
    let (entrySlot, exitSlot) = (slot(round - 1), slot(round))
    let zero = sign * (day.start - question.instant)
    var bound = labels.bound(exitSlot)
    var vehicle = JourneyTimetable.Vehicle()
    // The index of the time at the first call, and the label of the start, of the vehicle.
    var (exitRow, exitZero) = (0, 0)
    var (entry, previous, covered, isFirst) = (-1, Int32(-1), Int.max, true)
    var call = Int(stretch.first) - base
    while call != end {
      if vehicle.isThere {
        let time = timetable.times[exitRow + call]
        let label = exitZero + sign * Int(time)
        if label < bound {
          if access[base + call] & exitBit != 0, time != JourneyTimetable.none {
            let node = exitNode(base + call, call, unit)
            if label < Int(labels.exits[node * slots + exitSlot]) {
              labels.reach(
                node, exitSlot, label,
                Ride(
                  previous: previous, pattern: Int32(pattern), unit: Int32(index),
                  day: Int32(day.index), start: Int32(vehicle.rideStart), row: Int32(vehicle.row),
                  run: vehicle.run, entry: Int32(entry), exit: Int32(call), isContinuation: false))
              bound = labels.bound(exitSlot)
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
        let node = entryNode(base + call, call, unit)
        if labels.reachedEntries.contains(node) {
          let place = node * slots + entrySlot
          let label = Int(labels.entries[place])
          if mayCatch(vehicle, unit, entryShift + call, zero, label),
            timetable.catchVehicle(
              &vehicle, unit, at: entryShift + call, zero, label, isForward: isForward)
          {
            (entry, previous) = (call, labels.entryRides[place])
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

  /// Follows the only unit of a pattern that matters, from where riders catch a sooner trip than those
  /// that were followed before, and returns the label as the other form does.
  private mutating func followOnly(
    _ index: Int, of pattern: Int, _ day: ZoneDay, entering stretch: Stretch
  ) -> Int {
    let unit = timetable.units[index]
    let shift = Int(timetable.contents[pattern].departureShift)
    let (entryShift, exitShift) = isForward ? (shift, 0) : (0, shift)
    let base = Int(starts[pattern])
    let last = isForward ? Int(starts[pattern + 1]) - 1 : base
    let lastEntry = sign * Int(stretch.last)
    let zero = sign * (day.start - question.instant)
    let trips = Int(unit.first)..<Int(unit.first + unit.count)
    let times = timetable.times
    var bound = labels.bound(0)
    var ride: Ride?
    // Of the trip that is ridden, and of the one before it, the index of the time at the first call of
    // all patterns, and the label of the start.
    var (row, start, soonerRow, soonerStart) = (0, 0, 0, 0)
    var (order, hasSooner) = (Int32.max, false)
    var covered: Int?
    var call = Int(stretch.first)
    while true {
      if let known = ride {
        let label = start + sign * Int(times[row + exitShift + call])
        if label < bound {
          if access[call] & exitBit != 0 {
            let node = Int(exitNodes[call])
            if label < Int(labels.exits[node]) {
              labels.reach(node, 0, label, known.ending(at: call - base))
              bound = labels.bound(0)
            }
          }
        } else if sign * call > lastEntry {
          // All further labels are greater.
          break
        }
        if order >= followed.orders[call] { ride = nil }
      }
      if sign * call > lastEntry {
        if ride == nil { break }
      } else if access[call] & entryBit != 0 {
        let node = Int(entryNodes[call])
        let label = Int(labels.entries[node])
        // The trip that was followed last, or is ridden.
        let (known, limit) =
          ride == nil
          ? (followed.orders[call], Int(followed.limits[call]))
          : (
            order, hasSooner ? soonerStart + sign * Int(times[soonerRow + entryShift + call]) : .min
          )
        if label <= limit, label < bound {
          let sooner =
            known == .max
            ? trips : isForward ? trips.lowerBound..<Int(known) : 1 - Int(known)..<trips.upperBound
          if let trip = timetable.firstTrip(
            in: sooner, at: entryShift + call - base, zero, label, isForward: isForward)
          {
            order = Int32(sign * trip)
            row = Int(timetable.tripRows[trip]) - base
            start = zero + sign * Int(timetable.tripStarts[trip])
            hasSooner = trips.contains(trip - sign)
            if hasSooner {
              soonerRow = Int(timetable.tripRows[trip - sign]) - base
              soonerStart = zero + sign * Int(timetable.tripStarts[trip - sign])
            }
            ride = Ride(
              previous: labels.entryRides[node], pattern: Int32(pattern), unit: Int32(index),
              day: Int32(day.index), start: timetable.tripStarts[trip],
              row: timetable.tripRows[trip], run: timetable.tripRuns[trip],
              entry: Int32(call - base), exit: -1, isContinuation: false)
            covered = covered ?? start + sign * Int(times[row + exitShift + last])
          } else {
            covered = covered ?? Int.max
            followed.limits[call] = Int32(clamping: label - 1)
          }
        }
      }
      if ride != nil {
        let limit =
          hasSooner ? soonerStart + sign * Int(times[soonerRow + entryShift + call]) : .min
        followed.orders[call] = order
        followed.limits[call] = Int32(clamping: limit)
      }
      if call == last { break }
      call += sign
    }
    return covered ?? Int.max
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

  private func entryNode(
    _ index: Int, _ call: Int, _ unit: JourneyTimetable.Unit
  ) -> Int {
    guard unit.named >= 0 else { return Int(entryNodes[index]) }
    let named = network.transfers.named[Int(unit.named)]
    return Int((isForward ? named.boarding : named.alighting).nodes[call])
  }

  func exitNode(
    _ index: Int, _ call: Int, _ unit: JourneyTimetable.Unit
  ) -> Int {
    guard unit.named >= 0 else { return Int(exitNodes[index]) }
    let named = network.transfers.named[Int(unit.named)]
    return Int((isForward ? named.alighting : named.boarding).nodes[call])
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
}
