extension JourneySearch {
  /// A call of a trip that transfers name; `nil` for the end at which riders stay.
  private struct TripCall {
    let trip: Int32
    let call: Int?
  }

  /// A trip on a service day.
  struct DatedTrip: Hashable {
    let named: Int32
    let day: ServiceDay
  }

  /// Follows the trips on which the riders of a trip stay at its end, or where a rule says so.
  mutating func stay(after ride: Ride, _ round: Int) throws {
    var pending = [ride]
    while let ride = pending.popLast() {
      let unit = timetable.units[Int(ride.unit)]
      let named = network.transfers.named[Int(unit.named)]
      let continuations = question.isForward ? named.next : named.previous
      guard !continuations.isEmpty, unit.repetition < 0,
        network.cache.headways(of: named.tid).isEmpty
      else { continue }
      let day = timetable.days[Int(unit.day)].day
      for stay in continuations {
        guard let exit = position(of: stay.call, in: Int(unit.pattern), isExit: true),
          exit > ride.entry
        else { continue }
        var left = ride
        left.exit = Int32(exit)
        for day in try days(of: stay, nextTo: unit.named, on: day) {
          let trip = DatedTrip(named: stay.trip, day: day)
          if let next = try follow(stay, on: day, after: left, round, before: stayed[trip]) {
            stayed[trip] = Int(next.entry)
            pending.append(next)
          }
        }
      }
    }
  }

  /// Returns the position of a call in the direction of the search.
  ///
  /// - Parameters:
  ///   - call: The call of the trip in the timetable; `nil` for an end of the trip.
  ///   - pattern: The pattern of the vehicle.
  ///   - isExit: Whether the search leaves the vehicle there.
  /// - Returns: The position; `nil` for a call that the vehicle does not have.
  private func position(of call: Int?, in pattern: Int, isExit: Bool) -> Int? {
    let last = network.patterns.calls(of: pattern).count - 1
    let isEnd = isExit == isForward
    guard let trip = network.live?.trip(ofPattern: pattern) else {
      return isForward ? call ?? (isEnd ? last : 0) : last - (call ?? (isEnd ? last : 0))
    }
    return trip.index(ofStay: call, isEnd: isEnd).map { isForward ? $0 : last - $0 }
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
    of stay: JourneyTransfers.Stay, nextTo ridden: Int32, on day: ServiceDay
  ) throws -> [ServiceDay] {
    let (own, other) = (
      TripCall(trip: ridden, call: stay.call), TripCall(trip: stay.trip, call: stay.otherCall)
    )
    if isForward { return try followingDay(of: other, after: own, on: day).map { [$0] } ?? [] }
    var found: [ServiceDay] = []
    for shift in 0...Self.mostShifts {
      let earlier = ServiceDay(daysSince1970: day.daysSince1970 - shift)
      if try followingDay(of: own, after: other, on: earlier) == day { found.append(earlier) }
    }
    return found
  }

  /// The greatest number of service days between two trips of a vehicle; no trip takes longer.
  private static let mostShifts = 8

  private mutating func followingDay(
    of later: TripCall, after earlier: TripCall, on day: ServiceDay
  ) throws -> ServiceDay? {
    let (one, other) = (earlier.trip, later.trip)
    guard
      let end = try timetable.time(of: .arrival, ofNamed: one, at: earlier.call, network, tables),
      let start = try timetable.time(
        of: .departure, ofNamed: other, at: later.call, network, tables)
    else { return nil }
    return Self.day(
      of: start, in: zone(ofNamed: other), after: zone(ofNamed: one).start(of: day) + end,
      from: day)
  }

  /// Returns the service day of the trip that a vehicle serves after another one.
  ///
  /// - Parameters:
  ///   - start: When the later trip begins, in seconds of its service day.
  ///   - zone: The time zone of the later trip.
  ///   - instant: When the other trip ends, in seconds since 1970.
  ///   - day: The service day of the other trip.
  /// - Returns: The service day; `nil` if the vehicle does not go on.
  static func day(
    of start: Int, in zone: TimetableZone, after instant: Int, from day: ServiceDay
  ) -> ServiceDay? {
    for shift in 0...mostShifts {
      let following = ServiceDay(daysSince1970: day.daysSince1970 + shift)
      let pause = zone.start(of: following) + start - instant
      if pause >= 0 { return shift < 2 || pause <= 43_200 ? following : nil }
    }
    return nil
  }

  private func zone(ofNamed index: Int32) -> TimetableZone {
    let pattern = network.transfers.named[Int(index)].pattern
    return network.patterns.timeZones[Int(network.patterns.zones[pattern])]
  }

  /// Follows a trip from the call at which the riders of another one are on it.
  ///
  /// - Parameters:
  ///   - stay: The trip.
  ///   - day: Its service day.
  ///   - left: The ride to the call at which the other trip is left.
  ///   - round: The number of rides.
  ///   - known: The call from which on the trip was followed; `nil` if it was not.
  /// - Returns: The ride to the end of the trip; `nil` if the riders cannot stay, or if it was followed
  ///   from there on.
  /// - Throws: The errors of decoding.
  private mutating func follow(
    _ stay: JourneyTransfers.Stay, on day: ServiceDay, after left: Ride, _ round: Int,
    before known: Int?
  ) throws -> Ride? {
    let unit = timetable.units[Int(left.unit)]
    guard let end = timetable.time(ofExit: Int(left.exit), Int(left.unit), trip: Int(left.trip)),
      let zeroBefore = label(ofDay: timetable.days[Int(unit.day)].day, Int(unit.pattern)),
      let index = try self.unit(ofNamed: stay.trip, on: day)
    else { return nil }
    let pattern = Int(timetable.units[index].pattern)
    let count = network.patterns.calls(of: pattern).count
    guard let zero = label(ofDay: day, pattern),
      let entry = position(of: stay.otherCall, in: pattern, isExit: false),
      entry < min(count, known ?? count),
      network.canStay(
        from: stop(ofNamed: unit.named, stay.call, isEnd: isForward, Int(unit.pattern), left.exit),
        to: stop(ofNamed: stay.trip, stay.otherCall, isEnd: !isForward, pattern, Int32(entry))),
      let begin = timetable.time(ofEntry: entry, index, trip: 0), zero + begin >= zeroBefore + end,
      zero + begin < labels.arrivals.bound(labels.slot(round))
    else { return nil }
    labels.arrivals.rides.append(left)
    let before = Int32(labels.arrivals.rides.count - 1)
    func continuation(to exit: Int) -> Ride {
      Ride(
        previous: before, unit: Int32(index), trip: 0, entry: Int32(entry), exit: Int32(exit),
        isContinuation: true)
    }
    // Nobody boards or alights where riders stay; and behind a call that was known, all were reached as early.
    for call in entry + 1..<min(count, (known ?? count) + 1) {
      guard let node = timetable.node(ofExit: call, index),
        let time = timetable.time(ofExit: call, index, trip: 0)
      else { continue }
      labels.leave(at: node, zero + time, by: continuation(to: call), round)
    }
    return continuation(to: count - 1)
  }

  /// Returns the stop where riders stay on a vehicle.
  ///
  /// - Parameters:
  ///   - named: The trip that transfers name.
  ///   - call: Its call in the timetable; `nil` for its end or its beginning.
  ///   - isEnd: Whether it is left there.
  ///   - pattern: The pattern of the vehicle, which may be one of live data.
  ///   - position: The position of the call in it, in the direction of the search.
  /// - Returns: The stop.
  private func stop(
    ofNamed named: Int32, _ call: Int?, isEnd: Bool, _ pattern: Int, _ position: Int32
  ) -> StayingStop {
    let last = network.patterns.calls(of: pattern).count - 1
    return StayingStop(
      planned: network.stop(ofNamed: named, call, isEnd: isEnd),
      now: stop(pattern, isForward ? Int(position) : last - Int(position)))
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
