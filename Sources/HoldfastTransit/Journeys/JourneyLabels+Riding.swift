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
    let (count, entryShift, first) = (Int(unit.calls), Int(unit.entryShift), slot * nodeCount)
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
    // Whether riders are on a vehicle, their ride, and its times.
    var (isRiding, row, rowZero) = (false, 0, 0)
    var ride = JourneySearch.Ride(
      previous: -1, unit: Int32(truncatingIfNeeded: number), trip: 0, entry: 0, exit: 0,
      isContinuation: false)
    // Whether only vehicles are caught that are sooner than known ones, and the times of the last of these.
    var (isRestricted, sooner, soonerZero) = (false, 0, Int.max / 2)
    var (covered, isFirst) = (Int.max, true)
    // Only trips before this one are caught.
    var limit = isRepeated ? Int.max : Int(unit.count)
    var call = Int(stretch.first) + shift
    if call >= Int(known.call) {
      (covered, isFirst, limit, isRestricted) = (Int(known.end), false, Int(known.order), true)
      (sooner, soonerZero) = JourneyTimetable.departures(before: limit, trips, unit, zero)
      if limit == 0 { lastEntry = call - 1 }
    }
    while call < count {
      if isRiding {
        let (vehicle, earlier) = (
          times.extracting(row..<row + count), times.extracting(sooner..<sooner + count)
        )
        // A vehicle that is as soon was followed from this call on.
        let isKnown = limit >= Int(known.order) && call <= Int(known.call)
        let stop = isKnown ? Int(known.call) : count
        // Here riders leave, and others may enter a sooner vehicle.
        let shared = min(lastEntry + 1, stop)
        while call < shared {
          let (word, time) = (exitCalls[call], vehicle[call])
          let (node, label) = (JourneyTimetable.Call.node(word), rowZero &+ Int(time))
          if label < bound, label < Int(nodes[first &+ node].exit),
            word & JourneyTimetable.Call.exit != 0, time != .max
          {
            ride.exit = Int32(truncatingIfNeeded: call)
            take(ride, to: node, label, slot, &nodes, nodeCount)
            bound = self.bound(slot)
          }
          let (entryWord, soonerTime) = (entryCalls[call], earlier[call])
          let entryLabel = nodes[first &+ JourneyTimetable.Call.node(entryWord)].entry
          if Int(entryLabel) <= soonerZero &+ Int(soonerTime),
            entryLabel != JourneyLabels.infinity, entryWord & JourneyTimetable.Call.entry != 0
          {
            break
          }
          call &+= 1
        }
        if call >= shared {
          // Here they only leave.
          let (end, isOver) = (min(stop + 1, count), call > lastEntry)
          while call < end {
            let (word, time) = (exitCalls[call], vehicle[call])
            let (node, label) = (JourneyTimetable.Call.node(word), rowZero &+ Int(time))
            if label < bound {
              if label < Int(nodes[first &+ node].exit), word & JourneyTimetable.Call.exit != 0,
                time != .max
              {
                ride.exit = Int32(truncatingIfNeeded: call)
                take(ride, to: node, label, slot, &nodes, nodeCount)
                bound = self.bound(slot)
              }
            } else if isOver, unit.isRegular {
              // All further labels are greater.
              break
            }
            call &+= 1
          }
          guard isKnown, call > stop else { break }
          (call, isRiding, isRestricted, limit) = (stop, false, true, Int(known.order))
          (sooner, soonerZero) = JourneyTimetable.departures(before: limit, trips, unit, zero)
          if limit == 0 { break }
        }
      }
      if !isRiding {
        while call <= lastEntry {
          let word = entryCalls[call]
          let label = nodes[first &+ JourneyTimetable.Call.node(word)].entry
          // Times lie elsewhere, and are read only where they decide.
          if label != JourneyLabels.infinity, word & JourneyTimetable.Call.entry != 0 {
            guard isRestricted else { break }
            if Int(label) <= soonerZero &+ Int(times[sooner &+ call]) { break }
          }
          call &+= 1
        }
        guard call <= lastEntry else { break }
      }
      let node = JourneyTimetable.Call.node(entryCalls[call])
      let label = Int(nodes[first &+ node].entry)
      let next =
        isRepeated
        ? JourneyTimetable.firstVehicle(
          times, trips, unit, timetable.repetitions[Int(unit.repetition)], at: call,
          notBefore: label, zero: zero, isForward: isForward)
        : JourneyTimetable.firstTrip(
          times, trips, unit, at: call, notBefore: label, zero: zero, before: limit)
      if let next, next.order < limit {
        (isRiding, limit, row, rowZero) = (true, next.order, next.row, next.zero)
        ride = JourneySearch.Ride(
          previous: entryRides[firstEntry &+ node], unit: Int32(truncatingIfNeeded: number),
          trip: Int32(truncatingIfNeeded: next.trip), entry: Int32(truncatingIfNeeded: call),
          exit: 0, isContinuation: false)
        if isRepeated {
          // Each vehicle of a repetition may be followed by a sooner one.
          sooner = row + entryShift
        } else {
          isRestricted = true
          (sooner, soonerZero) = JourneyTimetable.departures(before: limit, trips, unit, zero)
          if limit == 0 { lastEntry = min(lastEntry, call) }
        }
        if isFirst, unit.named < 0 { covered = rowZero + Int(times[row + count - 1]) }
      }
      isFirst = false
      call += 1
    }
    guard isRiding else { return JourneyLabels.Riding(covered: covered) }
    if isTracked {
      followed[Int(unit.pattern)] = JourneyLabels.Followed(
        unit: ride.unit, order: Int32(limit), call: ride.entry,
        end: Int32(clamping: rowZero + Int(times[row + count - 1])))
    }
    ride.exit = Int32(truncatingIfNeeded: count - 1)
    return JourneyLabels.Riding(last: ride, covered: covered)
  }
}
