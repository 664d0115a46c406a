/// The rides of a journey that was found, in the order of travel.
struct JourneyPlan {
  struct Leg {
    let pattern: Int
    let unit: JourneyTimetable.Unit
    let day: ServiceDay
    /// The instant from which the service day's times are counted, in seconds since 1970.
    let dayStart: Int
    /// The start of the vehicle in seconds of the service day.
    var start: Int
    var row: Int
    var run: Int
    var board: Int
    var alight: Int
    /// Whether riders stay on the vehicle of the leg before.
    var isContinuation: Bool
    /// The seconds that riders must be at the stop before the vehicle leaves it.
    var earliness = 0
  }

  /// The seconds since 1970 at which the journey begins and ends.
  var departure = 0
  var arrival = 0
  /// The rides; empty for walking all the way.
  var legs: [Leg] = []
  /// The seconds on foot before the first ride, between rides, and after the last one.
  var walks: [Int] = []
}

extension JourneySearch {
  /// Returns the plan of a journey that was found.
  func plan(_ found: Found) -> JourneyPlan {
    var plan = JourneyPlan()
    guard found.ride >= 0 else {
      let ends = [found.origin, found.label].map { question.instant + sign * $0 }.sorted()
      (plan.departure, plan.arrival) = (ends[0], ends[1])
      plan.walks = [ends[1] - ends[0]]
      return plan
    }
    var chain: [Ride] = []
    var index = found.ride
    while index >= 0 {
      chain.append(rides[Int(index)])
      index = rides[Int(index)].previous
    }
    if question.isForward { chain.reverse() }
    var continues = chain.map(\.isContinuation)
    // A search backward marks the earlier of two trips of one vehicle.
    if !question.isForward { continues = [false] + continues.dropLast() }
    plan.legs = zip(chain, continues).map { leg($0, isContinuation: $1) }
    tighten(&plan)
    let (origins, ends) =
      question.isForward ? (question.start, question.end) : (question.end, question.start)
    // In a window the departure is one of the things that journeys are compared by.
    if question.window == 0 { shortenWalks(&plan, from: origins, to: ends) }
    let (first, last) = (plan.legs[0], plan.legs[plan.legs.count - 1])
    let before = seconds(origins, stop(first.pattern, first.board)) ?? 0
    let after = seconds(ends, stop(last.pattern, last.alight)) ?? 0
    plan.departure = departure(first) - first.earliness - before
    plan.arrival = arrival(last) + after
    plan.walks =
      [before] + zip(plan.legs, plan.legs.dropFirst()).map { change(from: $0, to: $1).walk }
      + [after]
    return plan
  }

  private func leg(_ ride: Ride, isContinuation: Bool) -> JourneyPlan.Leg {
    let unit = timetable.units[Int(ride.unit)]
    let pattern = Int(unit.pattern)
    let zone = network.patterns.timeZones[Int(network.patterns.zones[pattern])]
    let day = timetable.days[Int(unit.day)].day
    let run = timetable.tripRuns[Int(unit.first) + (unit.repetition < 0 ? Int(ride.trip) : 0)]
    let last = Int32(network.patterns.calls(of: pattern).count - 1)
    let (board, alight) =
      question.isForward ? (ride.entry, ride.exit) : (last - ride.exit, last - ride.entry)
    var leg = JourneyPlan.Leg(
      pattern: pattern, unit: unit, day: day, dayStart: zone.start(of: day),
      start: unit.repetition < 0 ? Int(timetable.runStarts[Int(run)]) : Int(ride.trip),
      row: Int(timetable.runRows[Int(run)]), run: Int(run), board: Int(board),
      alight: Int(alight), isContinuation: isContinuation)
    leg.earliness = earliness(leg)
    return leg
  }

  /// Returns the seconds that riders may have to wait for a vehicle of which only the headway is
  /// known.
  private func earliness(_ leg: JourneyPlan.Leg) -> Int {
    leg.unit.repetition < 0
      ? 0 : leg.start - timetable.repetitions[Int(leg.unit.repetition)].ready(for: leg.start)
  }

  func departure(_ leg: JourneyPlan.Leg) -> Int {
    let shift = Int(timetable.contents[leg.pattern].departureShift)
    return leg.dayStart + leg.start + Int(timetable.times[leg.row + shift + leg.board])
  }

  func arrival(_ leg: JourneyPlan.Leg) -> Int {
    leg.dayStart + leg.start + Int(timetable.times[leg.row + leg.alight])
  }

  private func stop(_ pattern: Int, _ call: Int) -> Int {
    Int(network.patterns.stops[Int(network.patterns.starts[pattern]) + call])
  }

  /// Returns the seconds on foot between a place of the question and a stop; `nil` if it is too far.
  private func seconds(_ list: [Access], _ stop: Int) -> Int? {
    // Each stop once, by their indices.
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle].stop < stop { low = middle + 1 } else { high = middle }
    }
    return low < list.count && list[low].stop == stop ? list[low].seconds : nil
  }

  /// Returns the seconds that a change between two rides takes, and how many of them are the walk.
  private func change(
    from leg: JourneyPlan.Leg, to next: JourneyPlan.Leg
  ) -> (total: Int, walk: Int) {
    guard !next.isContinuation else { return (0, 0) }
    let start = Int(network.patterns.starts[leg.pattern]) + leg.alight
    let end = Int(network.patterns.starts[next.pattern]) + next.board
    let from =
      leg.unit.named < 0
      ? network.transfers.alightingNodes.ofCalls[start]
      : network.transfers.named[Int(leg.unit.named)].alighting.nodes[leg.alight]
    let to =
      next.unit.named < 0
      ? network.transfers.boardingNodes.ofCalls[end]
      : network.transfers.named[Int(next.unit.named)].boarding.nodes[next.board]
    let (total, choice) = network.change(from: Int(from), to: Int(to), question.profile)
    switch choice.way {
    case .timed, .seconds: return (total, total)
    default: return (total, total - question.profile.changeSeconds)
    }
  }

  // MARK: - Walking less

  /// Enters the first vehicle and leaves the last one where that takes the shortest walks, if the
  /// journey then begins no earlier and ends no later.
  ///
  /// A search enters a vehicle at the first of its calls that can be reached, which may be a walk
  /// towards a vehicle that comes by anyway.
  private func shortenWalks(
    _ plan: inout JourneyPlan, from origins: [Access], to ends: [Access]
  ) {
    let last = plan.legs.count - 1
    plan.legs[0].board = shortestWalk(plan.legs[0], origins, JourneyPatterns.Access.boarding) {
      leg, call, seconds in
      var moved = leg
      moved.board = call
      return call < leg.alight ? departure(moved) - seconds : nil
    }
    plan.legs[last].alight = shortestWalk(plan.legs[last], ends, JourneyPatterns.Access.alighting) {
      leg, call, seconds in
      var moved = leg
      moved.alight = call
      return call > leg.board ? -arrival(moved) - seconds : nil
    }
  }

  /// Returns the call of a leg from which, or to which, the walk is shortest.
  ///
  /// - Parameters:
  ///   - leg: The leg.
  ///   - places: The ways on foot that there are.
  ///   - bit: What must be allowed at the call.
  ///   - value: Returns what must not become less when a call takes the place of the leg's own; `nil`
  ///     for a call that cannot.
  /// - Returns: The index of the call in its pattern.
  private func shortestWalk(
    _ leg: JourneyPlan.Leg, _ places: [Access], _ bit: UInt8,
    _ value: (JourneyPlan.Leg, Int, Int) -> Int?
  ) -> Int {
    let (isBoarding, base) = (
      bit == JourneyPatterns.Access.boarding, Int(network.patterns.starts[leg.pattern])
    )
    let own = isBoarding ? leg.board : leg.alight
    guard var shortest = seconds(places, stop(leg.pattern, own)),
      var best = value(leg, own, shortest)
    else { return own }
    let shift = isBoarding ? Int(timetable.contents[leg.pattern].departureShift) : 0
    var chosen = own
    for call in 0..<Int(network.patterns.starts[leg.pattern + 1]) - base
    where network.patterns.access[base + call] & bit != 0
      && timetable.times[leg.row + shift + call] != JourneyTimetable.none
    {
      guard let walk = seconds(places, stop(leg.pattern, call)), walk < shortest,
        let value = value(leg, call, walk), value >= best
      else { continue }
      (chosen, shortest, best) = (call, walk, value)
    }
    return chosen
  }

  // MARK: - Waiting less

  /// Takes later vehicles before the last ride, or earlier ones after the first ride, if the journey
  /// remains possible.
  ///
  /// A search takes the first vehicle at each stop, and riders would wait for the next one where they
  /// change.
  private func tighten(_ plan: inout JourneyPlan) {
    let legs = plan.legs.indices
    let moved = question.isForward ? Array(legs.dropLast().reversed()) : Array(legs.dropFirst())
    for index in moved {
      let isEnd = index == (question.isForward ? 0 : legs.count - 1)
      if isEnd, question.window > 0 { continue }
      let isBound =
        plan.legs[index].isContinuation
        || index + 1 < legs.count && plan.legs[index + 1].isContinuation
      if isBound { return }
      if question.isForward {
        let next = plan.legs[index + 1]
        let change = change(from: plan.legs[index], to: next).total
        delay(&plan.legs[index], until: departure(next) - next.earliness - change)
      } else {
        let last = plan.legs[index - 1]
        let change = change(from: last, to: plan.legs[index]).total
        advance(&plan.legs[index], to: arrival(last) + change)
      }
    }
  }

  /// Takes the last vehicle of the unit that arrives at an instant or before it.
  private func delay(_ leg: inout JourneyPlan.Leg, until instant: Int) {
    if leg.unit.repetition >= 0 {
      let repetition = timetable.repetitions[Int(leg.unit.repetition)]
      let time = instant - leg.dayStart - Int(timetable.times[leg.row + leg.alight])
      guard let start = repetition.lastStart(notAfter: time), start > leg.start else { return }
      // Between the first two vehicles none is sure to come.
      if !repetition.isExact, start - repetition.headway < repetition.start { return }
      leg.start = start
      leg.earliness = earliness(leg)
      return
    }
    for run in runs(leg).reversed() {
      let (start, row) = (Int(timetable.runStarts[run]), Int(timetable.runRows[run]))
      guard start >= leg.start else { return }
      if leg.dayStart + start + Int(timetable.times[row + leg.alight]) <= instant {
        (leg.start, leg.row, leg.run) = (start, row, run)
        return
      }
    }
  }

  /// Takes the first vehicle of the unit that departs at an instant or after it.
  private func advance(_ leg: inout JourneyPlan.Leg, to instant: Int) {
    let shift = Int(timetable.contents[leg.pattern].departureShift)
    if leg.unit.repetition >= 0 {
      let time = instant - leg.dayStart - Int(timetable.times[leg.row + shift + leg.board])
      let repetition = timetable.repetitions[Int(leg.unit.repetition)]
      guard let start = repetition.caughtStart(notBefore: time), start < leg.start else { return }
      leg.start = start
      leg.earliness = earliness(leg)
      return
    }
    for run in runs(leg).reversed() {
      let (start, row) = (Int(timetable.runStarts[run]), Int(timetable.runRows[run]))
      guard start <= leg.start else { return }
      if leg.dayStart + start + Int(timetable.times[row + shift + leg.board]) >= instant {
        (leg.start, leg.row, leg.run) = (start, row, run)
        return
      }
    }
  }

  /// Returns the runs of a leg's unit, in the direction of the search.
  private func runs(_ leg: JourneyPlan.Leg) -> [Int] {
    timetable.tripRuns[Int(leg.unit.first)..<Int(leg.unit.first + leg.unit.count)].map { Int($0) }
  }
}
