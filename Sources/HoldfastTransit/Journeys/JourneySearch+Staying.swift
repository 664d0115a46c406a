extension JourneySearch {
  /// Follows the trips on which the riders of a trip stay at its end.
  mutating func stay(after ride: Ride, _ round: Int) throws {
    var pending = [(ride: ride, depth: 0)]
    while let (ride, depth) = pending.popLast() {
      let unit = timetable.units[Int(ride.unit)]
      let named = network.transfers.named[Int(unit.named)]
      // A vehicle has few trips on a day; more are a circle.
      let continuations = question.isForward ? named.next : named.previous
      guard !continuations.isEmpty, unit.repetition < 0, depth < 32 else { continue }
      let before = append(ride)
      for index in continuations {
        if let next = try follow(index, after: before, round) {
          pending.append((next, depth + 1))
        }
      }
    }
  }

  /// Follows a trip from its beginning, and returns the ride over all of it; `nil` if the riders of
  /// the trip before cannot stay.
  private mutating func follow(_ named: Int32, after before: Int32, _ round: Int) throws -> Ride? {
    let ride = rides[Int(before)]
    let unit = timetable.units[Int(ride.unit)]
    let pattern = network.transfers.named[Int(named)].pattern
    let count = network.patterns.calls(of: pattern).count
    guard count > 0 else { return nil }
    try decode(pattern)
    // Both trips are of one service day, which begins for each in the zone of its agency.
    guard let zero = label(ofDay: Int(unit.day), pattern),
      let dayBefore = label(ofDay: Int(unit.day), Int(unit.pattern)),
      let index = self.unit(ofNamed: named, pattern, on: Int(unit.day)),
      let left = timetable.time(ofExit: Int(ride.exit), Int(ride.unit), trip: Int(ride.trip)),
      let begin = timetable.time(ofEntry: 0, index, trip: 0), zero + begin >= dayBefore + left
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
  private mutating func label(ofDay day: Int, _ pattern: Int) -> Int? {
    days(of: pattern).first { $0.index == day }.map { sign * ($0.start - question.instant) }
  }
}
