extension JourneyTimetable {
  /// The trip of a unit that was caught.
  struct Vehicle {
    var isThere = false
    /// The index of the trip; of a repetition it is the start, in the direction of the search.
    var order = 0
    var row = 0
    var run: Int32 = -1
    /// The start by which the labels at exits are computed.
    var exitStart = 0
    /// The start of the ride.
    var rideStart = 0
    /// The index of the first arrival of the trip that would be caught sooner, and its start; -1 if
    /// there is none.
    var soonerRow = -1
    var soonerStart = 0
  }

  /// Takes the first trip of a unit that leaves a call at a label or after it, if it is before the one
  /// that was caught already.
  ///
  /// - Parameters:
  ///   - vehicle: The trip that was caught before.
  ///   - unit: The unit.
  ///   - offset: What is added to the index of the first arrival to get the time at the call.
  ///   - zero: The label of the service day's start.
  ///   - label: The label.
  ///   - isForward: Whether time runs forward.
  /// - Returns: Whether there is such a trip.
  func catchVehicle(
    _ vehicle: inout Vehicle, _ unit: Unit, at offset: Int, _ zero: Int,
    _ label: Int, isForward: Bool
  ) -> Bool {
    unit.repetition < 0
      ? catchTrip(&vehicle, unit, at: offset, zero, label, isForward)
      : catchRepetition(
        &vehicle, repetitions[Int(unit.repetition)], at: offset, zero, label, isForward)
  }

  private func catchTrip(
    _ vehicle: inout Vehicle, _ unit: Unit, at offset: Int, _ zero: Int, _ label: Int,
    _ isForward: Bool
  ) -> Bool {
    let first = Int(unit.first)
    let end = first + Int(unit.count)
    let found: Int
    if isForward {
      var (low, high) = (first, vehicle.isThere ? vehicle.order : end)
      let limit = high
      guard low < high, isTimed(high - 1, offset), zero + time(high - 1, offset) >= label else {
        return false
      }
      while low < high {
        let middle = (low + high) / 2
        if zero + time(middle, offset) < label { low = middle + 1 } else { high = middle }
      }
      guard low < limit else { return false }
      found = low
    } else {
      var (low, high) = (vehicle.isThere ? vehicle.order + 1 : first, end)
      let limit = low
      guard low < high, isTimed(low, offset), zero - time(low, offset) >= label else {
        return false
      }
      while low < high {
        let middle = (low + high) / 2
        if zero - time(middle, offset) < label { high = middle } else { low = middle + 1 }
      }
      guard low > limit else { return false }
      found = low - 1
    }
    let start = Int(tripStarts[found])
    vehicle = Vehicle(
      isThere: true, order: found, row: Int(tripRows[found]),
      run: tripRuns[found], exitStart: start, rideStart: start)
    let sooner = isForward ? found - 1 : found + 1
    if sooner >= first, sooner < end {
      (vehicle.soonerRow, vehicle.soonerStart) = (Int(tripRows[sooner]), Int(tripStarts[sooner]))
    }
    return true
  }

  /// Whether a trip has a time at a call: either all trips of a unit have one, or none has.
  private func isTimed(_ trip: Int, _ offset: Int) -> Bool {
    times[Int(tripRows[trip]) + offset] != Self.none
  }

  private func time(_ trip: Int, _ offset: Int) -> Int {
    Int(tripStarts[trip]) + Int(times[Int(tripRows[trip]) + offset])
  }

  private func catchRepetition(
    _ vehicle: inout Vehicle, _ repetition: Repetition, at offset: Int, _ zero: Int,
    _ label: Int, _ isForward: Bool
  ) -> Bool {
    let time = times[Int(repetition.row) + offset]
    guard time != Self.none else { return false }
    let order: Int
    var next = Vehicle(isThere: true, row: Int(repetition.row), run: repetition.run)
    if isForward {
      guard let start = repetition.caughtStart(notBefore: label - zero - Int(time)) else {
        return false
      }
      order = start
      (next.exitStart, next.rideStart) = (start, start)
    } else {
      guard let start = repetition.lastStart(notAfter: zero - label - Int(time)) else {
        return false
      }
      order = -start
      next.exitStart = repetition.ready(for: start)
      next.rideStart = next.exitStart == repetition.start ? repetition.start : start
    }
    guard !vehicle.isThere || order < vehicle.order else { return false }
    next.order = order
    vehicle = next
    return true
  }
}

extension JourneyTimetable.Repetition {
  /// Returns the start of the vehicle that a rider catches who is at a stop when one that starts at
  /// this time would leave it; `nil` when there is none.
  ///
  /// If only the headway is in the feed, the rider waits for at most one, except for the first
  /// vehicle.
  func caughtStart(notBefore time: Int) -> Int? {
    guard time > start else { return start }
    guard time < end else { return nil }
    let next = isExact ? start + (time - start + headway - 1) / headway * headway : time + headway
    return next < end ? next : nil
  }

  /// Returns the start of the last vehicle that is somewhere not later than one that starts at this
  /// time; `nil` when there is none.
  func lastStart(notAfter time: Int) -> Int? {
    let time = min(time, end - 1)
    guard time >= start else { return nil }
    return isExact ? start + (time - start) / headway * headway : time
  }

  /// Returns the latest time at which a rider must be at a stop to be sure to catch the vehicle with
  /// this start, or an earlier one.
  func ready(for time: Int) -> Int {
    isExact ? time : max(start, time - headway)
  }
}
