extension JourneySearch {
  /// A trip on a service day.
  private struct DatedTrip: Hashable {
    let named: Int32
    let day: ServiceDay
  }

  /// Follows the trips on which the riders of a trip stay at its end.
  mutating func stay(after ride: Ride, _ round: Int) throws {
    var pending = [ride]
    // Some feeds have circles.
    var known: Set<DatedTrip> = []
    while let ride = pending.popLast() {
      let unit = timetable.units[Int(ride.unit)]
      let named = network.transfers.named[Int(unit.named)]
      let continuations = question.isForward ? named.next : named.previous
      guard !continuations.isEmpty, unit.repetition < 0,
        network.cache.headways(of: named.tid).isEmpty
      else { continue }
      let day = timetable.days[Int(unit.day)].day
      let before = append(ride)
      for index in continuations {
        for day in try days(of: index, nextTo: unit.named, on: day)
        where known.insert(DatedTrip(named: index, day: day)).inserted {
          if let next = try follow(index, on: day, after: before, round) { pending.append(next) }
        }
      }
    }
  }

  /// Returns the service days of the trip that a vehicle serves after another one, or before it in a
  /// search backward.
  ///
  /// It is the first day on which the later trip begins no earlier than the other one ends: the same day
  /// or the next one, and after a trip of several days a later one if the vehicle goes on within half
  /// a day.
  ///
  /// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#linked-trips>
  private mutating func days(
    of next: Int32, nextTo ridden: Int32, on day: ServiceDay
  ) throws -> [ServiceDay] {
    if isForward { return try followingDay(of: next, after: ridden, on: day).map { [$0] } ?? [] }
    var found: [ServiceDay] = []
    for shift in 0...Self.mostShifts {
      let earlier = ServiceDay(daysSince1970: day.daysSince1970 - shift)
      if try followingDay(of: ridden, after: next, on: earlier) == day { found.append(earlier) }
    }
    return found
  }

  /// The greatest number of service days between two trips of a vehicle; no trip takes longer.
  private static let mostShifts = 8

  private mutating func followingDay(
    of later: Int32, after earlier: Int32, on day: ServiceDay
  ) throws -> ServiceDay? {
    guard let end = try timetable.ends(ofNamed: earlier, network, tables)?.last,
      let start = try timetable.ends(ofNamed: later, network, tables)?.first
    else { return nil }
    let instant = zone(ofNamed: earlier).start(of: day) + end
    for shift in 0...Self.mostShifts {
      let following = ServiceDay(daysSince1970: day.daysSince1970 + shift)
      let pause = zone(ofNamed: later).start(of: following) + start - instant
      if pause >= 0 { return shift < 2 || pause <= 43_200 ? following : nil }
    }
    return nil
  }

  private func zone(ofNamed index: Int32) -> TimetableZone {
    let pattern = network.transfers.named[Int(index)].pattern
    return network.patterns.timeZones[Int(network.patterns.zones[pattern])]
  }

  /// Follows a trip from its beginning, and returns the ride over all of it; `nil` if the riders of
  /// the trip before cannot stay.
  private mutating func follow(
    _ named: Int32, on day: ServiceDay, after before: Int32, _ round: Int
  ) throws -> Ride? {
    let ride = rides[Int(before)]
    let unit = timetable.units[Int(ride.unit)]
    guard let left = timetable.time(ofExit: Int(ride.exit), Int(ride.unit), trip: Int(ride.trip)),
      let zeroBefore = label(ofDay: timetable.days[Int(unit.day)].day, Int(unit.pattern)),
      let index = try self.unit(ofNamed: named, on: day)
    else { return nil }
    let pattern = Int(timetable.units[index].pattern)
    let count = network.patterns.calls(of: pattern).count
    guard count > 0, let zero = label(ofDay: day, pattern),
      let begin = timetable.time(ofEntry: 0, index, trip: 0), zero + begin >= zeroBefore + left,
      zero + begin < bound(slot(round))
    else { return nil }
    func continuation(to exit: Int) -> Ride {
      Ride(
        previous: before, unit: Int32(index), trip: 0, entry: 0, exit: Int32(exit),
        isContinuation: true)
    }
    for call in 0..<count {
      guard let node = timetable.node(ofExit: call, index),
        let time = timetable.time(ofExit: call, index, trip: 0)
      else { continue }
      reach(Exit(node: node, label: zero + time, ride: continuation(to: call)), round)
    }
    return continuation(to: count - 1)
  }

  /// Returns the label of the start of a service day for a pattern.
  private mutating func label(ofDay day: ServiceDay, _ pattern: Int) -> Int? {
    self.day(day, for: pattern).map { sign * ($0.start - question.instant) }
  }

  /// Returns the unit of a trip that transfers name; `nil` if it does not run on a day, or repeats.
  private mutating func unit(ofNamed trip: Int32, on day: ServiceDay) throws -> Int? {
    let named = network.transfers.named[Int(trip)]
    let pattern = network.live?.pattern(of: named.tid, on: day) ?? named.pattern
    try decode(pattern)
    guard let index = self.day(day, for: pattern)?.index else { return nil }
    _ = timetable.units(of: pattern, on: index, network)
    return timetable.days[index].namedUnits[trip].map { Int($0) }
  }
}
