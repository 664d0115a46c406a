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
    /// The index of the timing in its pattern.
    var timing: Int
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
      chain.append(labels.arrivals.rides[Int(index)])
      index = labels.arrivals.rides[Int(index)].previous
    }
    if question.isForward { chain.reverse() }
    var continues = chain.map(\.isContinuation)
    // A search backward marks the earlier of two trips of one vehicle.
    if !question.isForward { continues = [false] + continues.dropLast() }
    plan.legs = zip(chain, continues).map { leg($0, isContinuation: $1) }
    rideLess(&plan)
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
      start: unit.repetition < 0 ? Int(timetable.runs[Int(run)].start) : Int(ride.trip),
      timing: Int(timetable.runs[Int(run)].timing), run: Int(run), board: Int(board),
      alight: Int(alight), isContinuation: isContinuation)
    leg.earliness = earliness(leg)
    return leg
  }

  /// Returns the seconds that riders may have to wait for a vehicle of which only the headway is
  /// known.
  func earliness(_ leg: JourneyPlan.Leg) -> Int {
    leg.unit.repetition < 0
      ? 0 : leg.start - timetable.repetitions[Int(leg.unit.repetition)].ready(for: leg.start)
  }

  func departure(_ leg: JourneyPlan.Leg) -> Int {
    leg.dayStart + leg.start + time(.departure, of: leg)
  }

  func arrival(_ leg: JourneyPlan.Leg) -> Int {
    leg.dayStart + leg.start + time(.arrival, of: leg)
  }

  /// Returns the time after its start at which a leg's vehicle leaves the first call, or reaches the last.
  func time(_ event: CallEvent, of leg: JourneyPlan.Leg) -> Int {
    Int(
      timetable.time(
        event, leg.pattern, leg.timing, event == .departure ? leg.board : leg.alight))
  }

  func stop(_ pattern: Int, _ call: Int) -> Int {
    Int(network.patterns.stops[Int(network.patterns.starts[pattern]) + call])
  }

  /// Returns the number of the entrance on the way between a place of the question and a call.
  ///
  /// - Parameters:
  ///   - pattern: The pattern of the call.
  ///   - call: The index of the call in the pattern.
  ///   - isBefore: Whether the way is the one to the first vehicle, or the one from the last.
  /// - Returns: The number; `nil` if there is no entrance on the way.
  func entrance(at pattern: Int, _ call: Int, isBefore: Bool) -> Int64? {
    let list = question.isForward == isBefore ? question.start : question.end
    guard let access = access(list, stop(pattern, call)), access.door >= 0 else { return nil }
    return network.stops.sids[Int(access.door)]
  }

  /// Returns the number of the entrance on the way between two rides; `nil` if there is none, or if the feed says how
  /// long the change takes, and not which way it is.
  func entrance(from leg: JourneyPlan.Leg, to next: JourneyPlan.Leg) -> Int64? {
    let (from, to) = (stop(leg.pattern, leg.alight), stop(next.pattern, next.board))
    let choice = network.change(
      from: Int(network.alightingNode(of: leg.unit, leg.alight)),
      to: Int(network.boardingNode(of: next.unit, next.board)), question.profile
    ).choice
    guard case .walk = choice.way, let walks = network.footpaths(question.profile).walks,
      let walk = walks.walks(from: from, isForward: true)[Int32(to)], walk.door >= 0
    else { return nil }
    return network.stops.sids[Int(walk.door)]
  }

  /// Returns the seconds on foot between a place of the question and a stop; `nil` if it is too far.
  func seconds(_ list: [Access], _ stop: Int) -> Int? { access(list, stop)?.seconds }

  private func access(_ list: [Access], _ stop: Int) -> Access? {
    // Each stop once, by their indices.
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle].stop < stop { low = middle + 1 } else { high = middle }
    }
    return low < list.count && list[low].stop == stop ? list[low] : nil
  }

  /// Returns the seconds that a change between two rides takes, and how many of them are the walk.
  func change(
    from leg: JourneyPlan.Leg, to next: JourneyPlan.Leg
  ) -> (total: Int, walk: Int) {
    guard !next.isContinuation else { return (0, 0) }
    let from = network.alightingNode(of: leg.unit, leg.alight)
    let to = network.boardingNode(of: next.unit, next.board)
    let (total, choice) = network.change(from: Int(from), to: Int(to), question.profile)
    switch choice.way {
    case .timed, .seconds: return (total, total)
    default: return (total, total - question.profile.changeSeconds)
    }
  }
}
