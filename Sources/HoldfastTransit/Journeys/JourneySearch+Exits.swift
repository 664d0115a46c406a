extension JourneySearch {
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
    /// The ride to the last call; `nil` if no vehicle was caught.
    var last: Ride?
    /// The label at the last call of the vehicle that was caught first.
    let covered: Int
    let followed: Followed
    /// The number of exits that were found.
    let exits: Int
  }

  /// Finds where riders leave a unit's vehicles sooner than all known ones.
  ///
  /// Riders enter only at nodes that this round has reached: where an earlier one has reached a node,
  /// the vehicles that can be caught there were followed then. From the call on where an earlier round
  /// has entered a vehicle, only sooner ones matter.
  ///
  /// - Parameters:
  ///   - index: The index of the unit.
  ///   - zero: The label of the service day's start.
  ///   - stretch: The calls between which riders enter.
  ///   - round: The round.
  ///   - exits: Where the exits are put, with a place for each call.
  /// - Returns: What is known of the vehicles that were caught.
  func findExits(
    _ index: Int, _ zero: Int, entering stretch: Stretch, _ round: Int, to exits: inout [Exit]
  ) -> Riding {
    timetable.units[index].isWide
      ? findExits(index, timetable.wideTimes.span, zero, entering: stretch, round, to: &exits)
      : findExits(index, timetable.times.span, zero, entering: stretch, round, to: &exits)
  }

  /// Finds exits by the times of all units that are as wide.
  private func findExits<Time: FixedWidthInteger>(
    _ index: Int, _ times: Span<Time>, _ zero: Int, entering stretch: Stretch, _ round: Int,
    to list: inout [Exit]
  ) -> Riding {
    let unit = timetable.units[index]
    let (count, entryShift) = (Int(unit.calls), Int(unit.entryShift))
    // A call's index in the pattern has the sign of the search.
    let shift = isForward ? 0 : count - 1
    var lastEntry = Int(stretch.last) + shift
    let slot = slot(round)
    let bound = bound(slot)
    var exits = list.mutableSpan
    let (calls, trips) = (timetable.calls.span, timetable.trips.span)
    let labels = labels.span.extracting(slot * labelCount..<(slot + 1) * labelCount)
    let exitCalls = calls.extracting(Int(unit.exits)..<Int(unit.exits) + count)
    let entryCalls = calls.extracting(Int(unit.entries)..<Int(unit.entries) + count)
    let isRepeated = unit.repetition >= 0
    let isTracked = slots == 1 && unit.named < 0 && !isRepeated
    let last = followed[Int(unit.pattern)]
    let known = isTracked && last.unit == index ? last : .none
    // Whether riders are on a vehicle, its trip, and its times.
    var (isRiding, trip, row, rowZero) = (false, 0, 0, 0)
    // Whether only vehicles are caught that are sooner than known ones, and the times of the last of these.
    var (isRestricted, sooner, soonerZero) = (false, 0, Int.max / 2)
    var (entry, previous, covered, isFirst) = (0, Int32(-1), Int.max, true)
    // Only trips before this one are caught.
    var limit = isRepeated ? Int.max : Int(unit.count)
    var found = 0
    @inline(__always)
    func riding(to end: Int? = nil) -> Riding {
      guard let end else { return Riding(covered: covered, followed: known, exits: found) }
      return Riding(
        last: ride(to: count - 1), covered: covered,
        followed: isTracked
          ? Followed(
            unit: Int32(truncatingIfNeeded: index), order: Int32(limit), call: Int32(entry),
            end: Int32(clamping: end)) : .none,
        exits: found)
    }
    @inline(__always)
    func ride(to call: Int) -> Ride {
      Ride(
        previous: previous, unit: Int32(truncatingIfNeeded: index),
        trip: Int32(truncatingIfNeeded: trip), entry: Int32(truncatingIfNeeded: entry),
        exit: Int32(truncatingIfNeeded: call), isContinuation: false)
    }
    // Lets riders enter only vehicles that are sooner than those before the limit.
    @inline(__always)
    func restrict(from call: Int) {
      guard !isRepeated else { return sooner = row + entryShift }
      isRestricted = true
      guard limit > 0 else { return lastEntry = min(lastEntry, call) }
      let place = Int(unit.trips) + 2 * (limit - 1)
      (sooner, soonerZero) = (Int(trips[place + 1]) + entryShift, zero + Int(trips[place]))
    }
    @inline(__always)
    func follow(knownFrom call: Int) {
      (isRiding, limit) = (false, Int(known.order))
      restrict(from: call)
    }
    var call = Int(stretch.first) + shift
    if call >= Int(known.call) {
      (covered, isFirst) = (Int(known.end), false)
      follow(knownFrom: call - 1)
    }
    while call < count {
      // The vehicle is as soon as the one that was followed from this call on.
      let isKnown = isRiding && limit >= Int(known.order) && call <= Int(known.call)
      let stop = isKnown ? Int(known.call) : Int.max
      if isRiding {
        let (vehicle, earlier) = (
          times.extracting(row..<row + count), times.extracting(sooner..<sooner + count)
        )
        // Here riders leave, and others may enter a sooner vehicle.
        while call < min(lastEntry + 1, stop) {
          let (word, time) = (exitCalls[call], vehicle[call])
          let label = rowZero &+ Int(time)
          if label < bound, label < Int(labels[JourneyTimetable.Call.exit(word)]),
            word & JourneyTimetable.Call.exit != 0, time != .max
          {
            exits[found] = Exit(
              node: Int(word &>> JourneyTimetable.Call.shift), label: label, ride: ride(to: call))
            found &+= 1
          }
          let (entryWord, soonerTime) = (entryCalls[call], earlier[call])
          let entryLabel = labels[JourneyTimetable.Call.entry(entryWord)]
          if Int(entryLabel) <= soonerZero &+ Int(soonerTime), entryLabel != Self.infinity,
            entryWord & JourneyTimetable.Call.entry != 0
          {
            break
          }
          call &+= 1
        }
        if call > lastEntry || call == stop {
          // Here they only leave.
          let isOver = call > lastEntry
          while call < min(count, stop < count ? stop + 1 : count) {
            let (word, time) = (exitCalls[call], vehicle[call])
            let label = rowZero &+ Int(time)
            if label < bound {
              if label < Int(labels[JourneyTimetable.Call.exit(word)]),
                word & JourneyTimetable.Call.exit != 0, time != .max
              {
                exits[found] = Exit(
                  node: Int(word &>> JourneyTimetable.Call.shift), label: label,
                  ride: ride(to: call))
                found &+= 1
              }
            } else if unit.isRegular, isOver {
              // All further labels are greater.
              call = .max
              break
            }
            call &+= 1
          }
          guard call - 1 == stop else { break }
          call = stop
          follow(knownFrom: call - 1)
        }
      }
      if !isRiding {
        while call <= lastEntry {
          let word = entryCalls[call]
          let label = labels[JourneyTimetable.Call.entry(word)]
          // Times lie elsewhere, and are read only where they decide.
          if label != Self.infinity, word & JourneyTimetable.Call.entry != 0 {
            guard isRestricted else { break }
            if Int(label) <= soonerZero &+ Int(times[sooner &+ call]) { break }
          }
          call &+= 1
        }
        guard call <= lastEntry else { break }
      }
      let label = Int(labels[JourneyTimetable.Call.entry(entryCalls[call])])
      let next: JourneyTimetable.Vehicle?
      if isRepeated {
        next = timetable.firstVehicle(
          unit, at: call, notBefore: label, zero: zero, isForward: isForward)
      } else {
        next = JourneyTimetable.firstTrip(
          times, trips, unit, at: call, notBefore: label, zero: zero, before: limit)
      }
      if let next, next.order < limit {
        (isRiding, trip, limit) = (true, next.trip, next.order)
        let node = Int(entryCalls[call] &>> JourneyTimetable.Call.shift)
        (entry, previous) = (call, entryRides[self.slot(round - 1) * entryCount + node])
        (row, rowZero) = (next.row, next.zero)
        // Each vehicle of a repetition may be followed by a sooner one.
        restrict(from: call)
        if isFirst, unit.named < 0 { covered = rowZero + Int(times[row + count - 1]) }
      }
      isFirst = false
      call += 1
    }
    return riding(to: isRiding ? rowZero + Int(times[row + count - 1]) : nil)
  }
}
