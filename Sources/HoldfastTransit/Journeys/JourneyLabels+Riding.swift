extension JourneyLabels {
  /// The vehicle of a pattern that an earlier round has followed to its end.
  struct Followed {
    static let none = Followed(unit: -1, order: .max, call: .max, end: .max)

    let unit: Int32
    let order: Int32
    /// The call where riders enter it, and the label at its end.
    let call: Int32
    let end: Int32
  }

  /// What is known of a unit's vehicles that were caught in a round.
  struct Riding {
    /// The ride to the last call; `nil` if riders are on no vehicle there.
    var last: JourneySearch.Ride?
    /// The label at the last call of the vehicle that was caught first; the largest number if none was.
    let covered: Int
  }
}

extension JourneyLabels.Arrivals {
  /// Follows the vehicles of a unit, and leaves them where riders are sooner than before.
  ///
  /// Riders enter only at nodes that this round has reached: where an earlier one has reached a node,
  /// the vehicles that can be caught there were followed then. From the call on where an earlier round
  /// has entered a vehicle, only sooner ones matter.
  ///
  /// - Parameters:
  ///   - unit: The unit.
  ///   - number: Its index.
  ///   - timetable: The timetable.
  ///   - times: Its times of all units that are as wide.
  ///   - zero: The label of the service day's start.
  ///   - stretch: The calls between which riders enter.
  ///   - entryRides: The rides that bring riders to the nodes where they enter, slot by slot.
  ///   - firstEntry: The index of the first of these in the slot of the round before.
  ///   - slot: The slot of the round.
  ///   - list: The labels of all nodes, slot by slot.
  ///   - nodeCount: The number of nodes of a slot.
  /// - Returns: What is known of the vehicles that were caught.
  mutating func follow<Time: FixedWidthInteger>(
    _ unit: JourneyTimetable.Unit, _ number: Int, _ timetable: JourneyTimetable,
    _ times: Span<Time>, zero: Int, entering stretch: JourneySearch.Stretch,
    _ entryRides: [Int32], _ firstEntry: Int, _ slot: Int, _ list: inout [JourneyLabels.Node],
    _ nodeCount: Int
  ) -> JourneyLabels.Riding {
    let (count, first) = (Int(unit.calls), slot * nodeCount)
    let (calls, trips) = (timetable.calls.span, timetable.trips.span)
    // A call's index in the pattern has the sign of the search.
    let shift = isForward ? 0 : count - 1
    var (bound, lastEntry) = (self.bound(slot), Int(stretch.last) + shift)
    let exitCalls = calls.extracting(Int(unit.exits)..<Int(unit.exits) + count)
    let entryCalls = calls.extracting(Int(unit.entries)..<Int(unit.entries) + count)
    let isRepeated = unit.repetition >= 0
    let isTracked = best.count == 1 && unit.named < 0 && !isRepeated
    let last = followed[Int(unit.pattern)]
    let known = isTracked && last.unit == number ? last : JourneyLabels.Followed.none
    var nodes = list.mutableSpan
    // Whether riders are on a vehicle, its trip, and its times.
    var (isRiding, trip, row, rowZero) = (false, 0, 0, 0)
    // Whether only vehicles are caught that are sooner than known ones, and the times of the last of these.
    var (isRestricted, sooner, soonerZero) = (false, 0, 0)
    var (entry, previous, covered, isFirst) = (0, Int32(-1), Int.max, true)
    // Only trips before this one are caught.
    var limit = isRepeated ? Int.max : Int(unit.count)
    let start = Int(stretch.first) + shift
    if start >= Int(known.call) {
      (covered, isFirst, limit) = (Int(known.end), false, Int(known.order))
      isRestricted = true
      (sooner, soonerZero) = JourneyTimetable.departures(before: limit, trips, unit, zero)
      if limit == 0 { lastEntry = start - 1 }
    }
    for call in start..<max(start, count) {
      if isRiding {
        let (word, time) = (exitCalls[call], times[row &+ call])
        let label = rowZero &+ Int(time)
        if label < bound {
          let node = JourneyTimetable.Call.node(word)
          if label < Int(nodes[first &+ node].exit), word & JourneyTimetable.Call.exit != 0,
            time != .max
          {
            let ride = JourneySearch.Ride(
              previous: previous, unit: Int32(truncatingIfNeeded: number),
              trip: Int32(truncatingIfNeeded: trip), entry: Int32(truncatingIfNeeded: entry),
              exit: Int32(truncatingIfNeeded: call), isContinuation: false)
            take(ride, to: node, label, slot, &nodes, nodeCount)
            bound = self.bound(slot)
          }
        } else if call > lastEntry, unit.isRegular {
          // All further labels are greater.
          break
        }
        if call == Int(known.call), limit >= Int(known.order) {
          // The vehicle is as soon as the one that was followed from here on.
          (isRiding, isRestricted, limit) = (false, true, Int(known.order))
          (sooner, soonerZero) = JourneyTimetable.departures(before: limit, trips, unit, zero)
          if limit == 0 { lastEntry = call - 1 }
        }
      }
      guard call <= lastEntry else {
        if isRiding { continue }
        break
      }
      let word = entryCalls[call]
      let node = JourneyTimetable.Call.node(word)
      let label = nodes[first &+ node].entry
      guard label != JourneyLabels.infinity, word & JourneyTimetable.Call.entry != 0 else {
        continue
      }
      // Times lie elsewhere, and are read only where they decide.
      if isRestricted, Int(label) > soonerZero &+ Int(times[sooner &+ call]) { continue }
      let next =
        isRepeated
        ? JourneyTimetable.firstVehicle(
          times, trips, unit, timetable.repetitions[Int(unit.repetition)], at: call,
          notBefore: Int(label), zero: zero, isForward: isForward)
        : JourneyTimetable.firstTrip(
          times, trips, unit, at: call, notBefore: Int(label), zero: zero, before: limit)
      if let next, next.order < limit {
        (isRiding, trip, limit) = (true, next.trip, next.order)
        (entry, previous) = (call, entryRides[firstEntry &+ node])
        (row, rowZero) = (next.row, next.zero)
        if !isRepeated {
          // Each vehicle of a repetition may be followed by a sooner one.
          isRestricted = true
          (sooner, soonerZero) = JourneyTimetable.departures(before: limit, trips, unit, zero)
          if limit == 0 { lastEntry = call }
        }
        if isFirst, unit.named < 0 { covered = rowZero + Int(times[row + count - 1]) }
      }
      isFirst = false
    }
    guard isRiding else { return JourneyLabels.Riding(covered: covered) }
    if isTracked {
      followed[Int(unit.pattern)] = JourneyLabels.Followed(
        unit: Int32(truncatingIfNeeded: number), order: Int32(limit), call: Int32(entry),
        end: Int32(clamping: rowZero + Int(times[row + count - 1])))
    }
    return JourneyLabels.Riding(
      last: JourneySearch.Ride(
        previous: previous, unit: Int32(truncatingIfNeeded: number),
        trip: Int32(truncatingIfNeeded: trip), entry: Int32(truncatingIfNeeded: entry),
        exit: Int32(truncatingIfNeeded: count - 1), isContinuation: false), covered: covered)
  }
}
