extension JourneySearch {
  /// Follows the trips on which the riders of a trip stay at its end.
  mutating func stay(after ride: Ride, _ day: ZoneDay, _ round: Int) throws {
    var pending = [(ride: ride, depth: 0)]
    while let (ride, depth) = pending.popLast() {
      let named = network.transfers.named[Int(timetable.units[Int(ride.unit)].named)]
      // A vehicle has few trips on a day; more are a circle.
      guard timetable.units[Int(ride.unit)].repetition < 0, depth < 32 else { continue }
      let before = labels.append(ride)
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
    let before = labels.rides[Int(index)]
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
      let node = exitNode(base + call, call, timetable.units[unit])
      if label < Int(labels.exits[node * labels.slots + slot]), label < labels.bound(slot) {
        labels.reach(node, slot, label, ride(to: call))
      }
    }
    return ride(to: end)
  }
}
