extension JourneyTimetable {
  /// The vehicle of a unit that was caught.
  struct Vehicle {
    /// The index of the trip in its unit, or the start of a repetition's vehicle.
    let trip: Int
    /// What decides which of two vehicles is first, in the direction of the search.
    let order: Int
    /// What the times at exits are added to, which gives their labels.
    let zero: Int
    /// The index of the times.
    let row: Int
  }

  /// Returns the first trip that leaves a call at a label or after it, in the direction of a search.
  ///
  /// - Parameters:
  ///   - times: The times.
  ///   - list: The trips of the units.
  ///   - unit: The unit.
  ///   - call: The index of the call, in the direction of the search.
  ///   - label: The label.
  ///   - zero: The label of the service day's start.
  ///   - limit: The number of trips that matter.
  /// - Returns: The vehicle; `nil` if there is none.
  @inline(__always)
  static func firstTrip<Time: FixedWidthInteger>(
    _ times: Span<Time>, _ list: Span<Int32>, _ unit: Unit, at call: Int, notBefore label: Int,
    zero: Int, before limit: Int
  ) -> Vehicle? {
    let (trips, place) = (Int(unit.trips), Int(unit.entryShift) &+ call)
    var (low, high) = (0, limit)
    while low < high {
      let middle = (low &+ high) &>> 1
      let time = times[Int(list[trips &+ 2 &* middle &+ 1]) &+ place]
      // Either all trips of a unit have a time at a call, or none has.
      guard time != .max else { return nil }
      if zero &+ Int(list[trips &+ 2 &* middle]) &+ Int(time) < label {
        low = middle &+ 1
      } else {
        high = middle
      }
    }
    guard low < limit else { return nil }
    return Vehicle(
      trip: low, order: low, zero: zero + Int(list[trips + 2 * low]),
      row: Int(list[trips + 2 * low + 1]))
  }

  /// Returns where the times of the trip before one are at which riders enter it, and what they are added
  /// to, which gives their labels; for the first trip nothing that means anything.
  @inline(__always)
  static func departures(
    before order: Int, _ list: Span<Int32>, _ unit: Unit, _ zero: Int
  ) -> (row: Int, zero: Int) {
    guard order > 0 else { return (0, 0) }
    let place = Int(unit.trips) &+ 2 &* (order &- 1)
    return (Int(list[place &+ 1]) &+ Int(unit.entryShift), zero &+ Int(list[place]))
  }

  /// Returns the first vehicle of a repetition that leaves a call at a label or after it, in the
  /// direction of a search.
  ///
  /// - Parameters:
  ///   - times: The times.
  ///   - list: The trips of the units.
  ///   - unit: The unit.
  ///   - repetition: Its repetition.
  ///   - call: The index of the call, in the direction of the search.
  ///   - label: The label.
  ///   - zero: The label of the service day's start.
  ///   - isForward: The direction.
  /// - Returns: The vehicle; `nil` if there is none.
  static func firstVehicle<Time: FixedWidthInteger>(
    _ times: Span<Time>, _ list: Span<Int32>, _ unit: Unit, _ repetition: Repetition,
    at call: Int, notBefore label: Int, zero: Int, isForward: Bool
  ) -> Vehicle? {
    let (row, origin) = (Int(list[Int(unit.trips) + 1]), Int(unit.origin))
    let stored = times[row + Int(unit.entryShift) + call]
    guard stored != .max else { return nil }
    let time = Int(stored)
    if isForward {
      return repetition.caughtStart(notBefore: label - zero - origin - time).map {
        Vehicle(trip: $0, order: $0, zero: zero + $0 + origin, row: row)
      }
    }
    return repetition.lastStart(notAfter: zero - label - origin + time).map {
      let ready = repetition.ready(for: $0)
      return Vehicle(
        trip: ready == repetition.start ? ready : $0, order: -$0, zero: zero - ready - origin,
        row: row)
    }
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
