extension JourneySearch {
  /// The vehicle of a unit that an earlier round has followed to its end.
  struct Followed {
    static let none = Followed(order: .max, call: .max, end: .max)

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
  ///   - exits: What the exits are appended to.
  /// - Returns: What is known of the vehicles that were caught.
  func findExits(
    _ index: Int, _ zero: Int, entering stretch: Stretch, _ round: Int, to exits: inout [Exit]
  ) -> Riding {
    let unit = timetable.units[index]
    let pattern = Int(unit.pattern)
    let count = network.patterns.calls(of: pattern).count
    let isRegular = timetable.contents[pattern].isRegular
    // A call's index in the pattern has the sign of the search.
    let shift = isForward ? 0 : count - 1
    let lastEntry = Int(stretch.last) + shift
    let (entrySlot, exitSlot, stride) = (slot(round - 1), slot(round), labelStride)
    let bound = bound(exitSlot)
    let (packing, none, entryShift) = (Int(unit.packing), unit.none, Int(unit.entryShift))
    let (exitCalls, entryCalls) = (Int(unit.exits), Int(unit.entries))
    let (words, trips, labels) = (timetable.words.span, timetable.trips.span, labels.span)
    let isRepeated = unit.repetition >= 0
    // Whether riders are on a vehicle, and its trip.
    var (isRiding, trip) = (false, 0)
    // The times of the vehicle, and of the one that would be caught sooner.
    var (row, rowZero, soonerRow, soonerZero) = (0, 0, 0, Int.max / 2)
    var (entry, previous, covered, isFirst) = (0, Int32(-1), Int.max, true)
    let isTracked = slots == 1 && unit.named < 0 && !isRepeated
    let known = isTracked ? followed[index] : .none
    let knownCall = Int(known.call)
    // Only trips before this one are caught.
    var limit = isRepeated ? Int.max : Int(unit.count)
    func sooner(than trip: Int) -> (row: Int, zero: Int) {
      guard trip > 0 else { return (0, Int.min / 2) }
      let sooner = Int(unit.trips) + 2 * (trip - 1)
      return (Int(trips[sooner + 1]), zero + Int(trips[sooner]))
    }
    if Int(stretch.first) + shift >= knownCall {
      guard known.order > 0 else { return Riding(covered: Int(known.end), followed: known) }
      (limit, covered, isFirst) = (Int(known.order), Int(known.end), false)
      (soonerRow, soonerZero) = sooner(than: limit)
    }
    func ride(to call: Int) -> Ride {
      Ride(
        previous: previous, unit: Int32(index), trip: Int32(trip), entry: Int32(entry),
        exit: Int32(call), isContinuation: false)
    }
    for call in Int(stretch.first) + shift..<count {
      if isRiding {
        let time = JourneyTimetable.time(words, row, call, packing, none: none)
        let label = rowZero &+ time
        if label < bound {
          let word = words[exitCalls &+ call]
          let node = Int(word &>> JourneyTimetable.Call.shift)
          if label < Int(labels[node &* stride &+ 1 &+ exitSlot]),
            word & JourneyTimetable.Call.exit != 0, time != none
          {
            exits.append(Exit(node: node, label: label, ride: ride(to: call)))
          }
        } else if isRegular, call > lastEntry {
          // All further labels are greater.
          break
        }
        if call == knownCall, limit >= Int(known.order) {
          // The one that was followed from here on is as soon.
          guard known.order > 0 else { return Riding(covered: covered, followed: known) }
          isRiding = false
          limit = Int(known.order)
          (soonerRow, soonerZero) = sooner(than: limit)
        }
      }
      guard call <= lastEntry else {
        if !isRiding { break }
        continue
      }
      let word = words[entryCalls &+ call]
      let node = Int(word &>> JourneyTimetable.Call.shift)
      let label = Int(labels[node &* stride])
      guard label != Int(Self.infinity), word & JourneyTimetable.Call.entry != 0 else { continue }
      if soonerZero != Int.max / 2 {
        let time = JourneyTimetable.time(
          words, soonerRow &+ entryShift, call, packing, none: none)
        if soonerZero &+ time < label { continue }
      }
      let next =
        isRepeated
        ? timetable.firstVehicle(
          unit, at: call, notBefore: label, zero: zero, isForward: isForward)
        : JourneyTimetable.firstTrip(
          words, trips, unit, at: call, notBefore: label, zero: zero, before: limit)
      if let next, next.order < limit {
        (isRiding, trip, limit) = (true, next.trip, next.order)
        (entry, previous) = (call, entryRides[node * slots + entrySlot])
        (row, rowZero) = (next.row, next.zero)
        // Each vehicle of a repetition may be followed by a sooner one.
        if !isRepeated { (soonerRow, soonerZero) = sooner(than: next.trip) }
        if isFirst, unit.named < 0 {
          covered =
            rowZero + JourneyTimetable.time(words, row, count - 1, packing, none: none)
        }
      }
      isFirst = false
    }
    guard isRiding else { return Riding(covered: covered, followed: known) }
    let end = rowZero + JourneyTimetable.time(words, row, count - 1, packing, none: none)
    return Riding(
      last: ride(to: count - 1), covered: covered,
      followed: isTracked
        ? Followed(order: Int32(limit), call: Int32(entry), end: Int32(clamping: end)) : .none)
  }
}
