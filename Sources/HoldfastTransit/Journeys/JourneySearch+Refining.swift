extension JourneySearch {
  // MARK: - Walking less

  /// Enters the first vehicle and leaves the last one where that takes the shortest walks, if the
  /// journey then begins no earlier and ends no later.
  ///
  /// A search enters a vehicle at the first of its calls that can be reached, which may be a walk
  /// towards a vehicle that comes by anyway.
  func shortenWalks(
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
  ///   - value: Returns what must not become less when a call takes the place of the leg's own, and
  ///     of equal walks is the greatest; `nil` for a call that cannot.
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
      let least = value(leg, own, shortest)
    else { return own }
    let event = isBoarding ? CallEvent.departure : .arrival
    var (chosen, best) = (own, least)
    for call in 0..<Int(network.patterns.starts[leg.pattern + 1]) - base
    where network.patterns.access[base + call] & bit != 0
      && timetable.time(event, leg.pattern, leg.timing, call) != JourneyTimetable.none
    {
      guard let walk = seconds(places, stop(leg.pattern, call)), walk <= shortest,
        let value = value(leg, call, walk), value >= least, walk < shortest || value > best
      else { continue }
      (chosen, shortest, best) = (call, walk, value)
    }
    return chosen
  }

  // MARK: - Riding less

  /// Boards vehicles at the last of their calls at one stop, or alights at the first one, if the ride is
  /// part of the same journey.
  ///
  /// A search enters a vehicle where it is reached first, and riders would ride round a loop to the stop
  /// where they are.
  func rideLess(_ plan: inout JourneyPlan) {
    for index in plan.legs.indices {
      let isEnd = index == (question.isForward ? 0 : plan.legs.count - 1)
      // In a window the call decides which of the journeys this is.
      if isEnd, question.window > 0 { continue }
      let leg = plan.legs[index]
      if question.isForward, !leg.isContinuation {
        plan.legs[index].board =
          (leg.board..<leg.alight).last {
            isSame($0, as: leg.board, of: leg, JourneyPatterns.Access.boarding)
          } ?? leg.board
      }
      if !question.isForward,
        index + 1 == plan.legs.count || !plan.legs[index + 1].isContinuation
      {
        plan.legs[index].alight =
          (leg.board + 1..<leg.alight + 1).first {
            isSame($0, as: leg.alight, of: leg, JourneyPatterns.Access.alighting)
          } ?? leg.alight
      }
    }
  }

  /// Whether riders may use a call of a leg in place of another one.
  private func isSame(
    _ call: Int, as other: Int, of leg: JourneyPlan.Leg, _ bit: UInt8
  ) -> Bool {
    let base = Int(network.patterns.starts[leg.pattern])
    return stop(leg.pattern, call) == stop(leg.pattern, other)
      && network.patterns.access[base + call] & bit != 0
      && timetable.time(.arrival, leg.pattern, leg.timing, call) != JourneyTimetable.none
  }

  // MARK: - Waiting less

  /// Takes later vehicles before the last ride, or earlier ones after the first ride, if the journey
  /// remains possible.
  ///
  /// A search takes the first vehicle at each stop, and riders would wait for the next one where they
  /// change.
  func tighten(_ plan: inout JourneyPlan) {
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
      let time = instant - leg.dayStart - time(.arrival, of: leg)
      guard let start = repetition.lastStart(notAfter: time), start > leg.start else { return }
      // Between the first two vehicles none is sure to come.
      if !repetition.isExact, start - repetition.headway < repetition.start { return }
      leg.start = start
      leg.earliness = earliness(leg)
      return
    }
    for run in runs(leg).reversed() {
      var moved = leg
      moved.take(run, timetable)
      guard moved.start >= leg.start else { return }
      if arrival(moved) <= instant {
        leg = moved
        return
      }
    }
  }

  /// Takes the first vehicle of the unit that departs at an instant or after it.
  private func advance(_ leg: inout JourneyPlan.Leg, to instant: Int) {
    if leg.unit.repetition >= 0 {
      let time = instant - leg.dayStart - time(.departure, of: leg)
      let repetition = timetable.repetitions[Int(leg.unit.repetition)]
      guard let start = repetition.caughtStart(notBefore: time), start < leg.start else { return }
      leg.start = start
      leg.earliness = earliness(leg)
      return
    }
    for run in runs(leg).reversed() {
      var moved = leg
      moved.take(run, timetable)
      guard moved.start <= leg.start else { return }
      if departure(moved) >= instant {
        leg = moved
        return
      }
    }
  }

  /// Returns the runs of a leg's unit, in the direction of the search.
  private func runs(_ leg: JourneyPlan.Leg) -> [Int] {
    timetable.tripRuns[Int(leg.unit.first)..<Int(leg.unit.first + leg.unit.count)].map { Int($0) }
  }
}

extension JourneyPlan.Leg {
  /// Takes a trip of the unit.
  fileprivate mutating func take(_ run: Int, _ timetable: JourneyTimetable) {
    let (start, timing) = (timetable.runs[run].start, timetable.runs[run].timing)
    (self.start, self.timing, self.run) = (Int(start), Int(timing), run)
  }
}
