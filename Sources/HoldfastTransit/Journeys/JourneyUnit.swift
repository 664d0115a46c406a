import Holdfast

extension JourneyTimetable {
  /// The trips of a pattern on a day of which none overtakes another one, or a trip that repeats, as
  /// a search needs them.
  ///
  /// In a unit the first trip at one call is the first at all of them. Its calls, trips and times lie
  /// next to each other among the words of all units, in the order of the search: for a search
  /// backward the last call and the last trip come first, and times are counted backwards. So one
  /// loop serves both directions, and reads little memory.
  struct Unit {
    let pattern: Int32
    /// The index of the service day.
    let day: Int32
    /// The index of the repetition; -1 for trips.
    let repetition: Int32
    /// The index of the trip among those that transfers name; -1 for others.
    let named: Int32
    /// The index of the run of the first trip, and the number of trips; 0 for a repetition.
    let first: Int32
    let count: Int32
    /// The index of the first of the words of calls at which riders leave, and enter.
    let exits: Int32
    let entries: Int32
    /// The index of the words of trips: the start of each, and the index of its times.
    let trips: Int32
    /// What is added to the index of a trip's times at exits to get those at entries.
    let entryShift: Int32
    /// What the unit's times are counted from, in seconds after a trip's start.
    let origin: Int32
    /// 1 if two times lie in a word, 0 if a time needs one.
    let packing: Int32
    /// The mark of a missing time, which is the largest one.
    var none: Int { packing == 0 ? 0xffff_ffff : 0xffff }
  }

  /// A call's word: its node, and whether riders may leave and enter there.
  enum Call {
    static let entry: Int32 = 1
    static let exit: Int32 = 2
    static let shift: Int32 = 2
  }

  /// Returns a time of a unit.
  @inline(__always)
  static func time(
    _ words: Span<Int32>, _ row: Int, _ call: Int, _ packing: Int, none: Int
  ) -> Int {
    let word = Int(UInt32(bitPattern: words[row &+ call &>> packing]))
    return word &>> ((call & packing) &<< 4) & none
  }

  /// Returns the time of a trip at a call where riders leave, from the service day's start on in the
  /// direction of the search; `nil` if it is missing.
  func time(ofExit call: Int, _ index: Int, trip: Int) -> Int? {
    time(call, units[index], trip, shift: 0)
  }

  /// Returns the time of a trip at a call where riders enter.
  func time(ofEntry call: Int, _ index: Int, trip: Int) -> Int? {
    time(call, units[index], trip, shift: Int(units[index].entryShift))
  }

  /// Returns the time of a repetition at a call where riders enter, from a vehicle's start on in the
  /// direction of the search.
  func time(ofEntry call: Int, ofRepetition unit: Unit) -> Int? {
    let time = Self.time(
      words.span, Int(words[Int(unit.trips) + 1]) + Int(unit.entryShift), call,
      Int(unit.packing), none: unit.none)
    guard time != unit.none else { return nil }
    return days[Int(unit.day)].isForward ? Int(unit.origin) + time : time - Int(unit.origin)
  }

  private func time(_ call: Int, _ unit: Unit, _ trip: Int, shift: Int) -> Int? {
    let place = Int(unit.trips) + 2 * trip
    let time = Self.time(
      words.span, Int(words[place + 1]) + shift, call, Int(unit.packing), none: unit.none)
    return time == unit.none ? nil : Int(words[place]) + time
  }

  /// Returns the node of a call where riders may leave; `nil` if they may not.
  func node(ofExit call: Int, _ index: Int) -> Int? {
    let word = words[Int(units[index].exits) + call]
    return word & Call.exit == 0 ? nil : Int(word >> Call.shift)
  }

  // MARK: - Days

  /// Returns the index of a service day, whose trips are arranged when they are needed.
  mutating func index(
    of day: ServiceDay, needsAccess: Bool, isForward: Bool, _ network: JourneyNetwork
  ) -> Int {
    let known = days.firstIndex {
      $0.day == day && $0.needsAccess == needsAccess && $0.isForward == isForward
    }
    if let known { return known }
    days.append(
      Day(
        day: day, needsAccess: needsAccess, isForward: isForward,
        runningServices: network.cache.runningServices(on: day),
        firstUnits: [Int32](repeating: -1, count: contents.count),
        unitCounts: [Int32](repeating: 0, count: contents.count)))
    return days.count - 1
  }

  /// Returns the units of a decoded pattern on a day.
  mutating func units(of pattern: Int, on day: Int, _ network: JourneyNetwork) -> Range<Int> {
    let first = Int(days[day].firstUnits[pattern])
    if first >= 0 { return first..<first + Int(days[day].unitCounts[pattern]) }
    let start = units.count
    arrange(pattern, day, network)
    days[day].firstUnits[pattern] = Int32(start)
    days[day].unitCounts[pattern] = Int32(units.count - start)
    return start..<units.count
  }

  private mutating func arrange(_ pattern: Int, _ day: Int, _ network: JourneyNetwork) {
    let content = contents[pattern]
    let calls = network.patterns.calls(of: pattern).count
    /// The runs of each unit, by their starts.
    var lists: [[Int32]] = []
    let repetitionRange =
      Int(content.firstRepetition)..<Int(content.firstRepetition + content.repetitionCount)
    for run in content.firstRun..<content.firstRun + content.runCount
    where runs(run, on: day) && network.cache.headways(of: runTrips[Int(run)]).isEmpty {
      let named = network.transfers.namedIndex(of: runTrips[Int(run)])
      if named >= 0 {
        append([run], named: named, pattern, day, network)
        continue
      }
      // Only so many, so that a feed in which everything overtakes costs no more than time.
      let list = lists.prefix(16).firstIndex {
        isBefore($0[$0.count - 1], run, calls, content.departureShift)
      }
      if let list { lists[list].append(run) } else { lists.append([run]) }
    }
    for list in lists { append(list, named: -1, pattern, day, network) }
    for index in repetitionRange where runs(repetitions[index].run, on: day) {
      let run = repetitions[index].run
      let named = network.transfers.namedIndex(of: runTrips[Int(run)])
      append([run], repetition: Int32(index), named: named, pattern, day, network)
    }
  }

  private func runs(_ run: Int32, on day: Int) -> Bool {
    days[day].runningServices[Int(runServices[Int(run)])]
      && (!days[day].needsAccess || runAccess[Int(run)])
  }

  /// Whether a run is not later at any call than one that does not start before it.
  private func isBefore(
    _ one: Int32, _ other: Int32, _ calls: Int, _ departureShift: Int32
  ) -> Bool {
    let (row, otherRow) = (Int(runRows[Int(one)]), Int(runRows[Int(other)]))
    if row == otherRow { return true }
    let gap = Int(runStarts[Int(other)]) - Int(runStarts[Int(one)])
    for shift in departureShift == 0 ? [0] : [0, Int(departureShift)] {
      for call in 0..<calls {
        let (time, otherTime) = (times[row + shift + call], times[otherRow + shift + call])
        // Trips without some of the times are only with those that lack the same ones.
        guard time != Self.none, otherTime != Self.none, Int(time) <= Int(otherTime) + gap else {
          return false
        }
      }
    }
    return true
  }

  // MARK: - Words

  /// Appends a unit of runs that are in the order of their starts, or of a repetition's run.
  private mutating func append(
    _ runs: [Int32], repetition: Int32 = -1, named: Int32, _ pattern: Int, _ day: Int,
    _ network: JourneyNetwork
  ) {
    let isForward = days[day].isForward
    let runs = isForward ? runs : runs.reversed()
    let calls = network.patterns.calls(of: pattern)
    let (exits, entries) = appendCalls(calls, isForward: isForward, named, network)
    let content = contents[pattern]
    let (origin, packing) = measure(runs, content, calls.count, isForward: isForward)
    let trips = words.count
    words.reserveCapacity(trips + 2 * runs.count)
    for run in runs {
      let start = Int(runStarts[Int(run)]) + Int(origin)
      words.append(Int32(clamping: isForward ? start : -start))
      words.append(-1)
    }
    /// The index of the times of each timing.
    var rows = [Int32](repeating: -1, count: Int(content.timingCount))
    let width = packing == 0 ? calls.count : (calls.count + 1) / 2
    let hasTwo = content.departureShift != 0
    for (index, run) in runs.enumerated() {
      let row = Int(runRows[Int(run)])
      let timing = (row - Int(content.firstRow)) / max(1, calls.count)
      if rows[timing] < 0 {
        rows[timing] = Int32(words.count)
        // What is an exit for a search backward is a boarding.
        let departures = row + Int(content.departureShift)
        append(
          isForward ? row : departures, calls.count, origin, packing, isForward: isForward)
        if hasTwo {
          append(
            isForward ? departures : row, calls.count, origin, packing, isForward: isForward)
        }
      }
      words[trips + 2 * index + 1] = rows[timing]
    }
    units.append(
      Unit(
        pattern: Int32(pattern), day: Int32(day), repetition: repetition, named: named,
        first: Int32(tripRuns.count), count: repetition < 0 ? Int32(runs.count) : 0,
        exits: Int32(exits), entries: Int32(entries), trips: Int32(trips),
        entryShift: hasTwo ? Int32(width) : 0, origin: origin, packing: Int32(packing)))
    tripRuns += runs
  }

  /// Appends the words of a unit's calls, and returns the indices of the first for exits and entries.
  private mutating func appendCalls(
    _ calls: Range<Int>, isForward: Bool, _ named: Int32, _ network: JourneyNetwork
  ) -> (exits: Int, entries: Int) {
    let transfers = network.transfers
    let trip = named < 0 ? nil : transfers.named[Int(named)]
    let boarding = trip?.boarding.nodes[...] ?? transfers.boardingNodes.ofCalls[calls]
    let alighting = trip?.alighting.nodes[...] ?? transfers.alightingNodes.ofCalls[calls]
    let access = network.patterns.access[calls]
    func append(_ nodes: ArraySlice<Int32>, to words: inout [Int32]) {
      let list = zip(nodes, access).map { node, access -> Int32 in
        let (canBoard, canAlight) = (
          access & JourneyPatterns.Access.boarding != 0,
          access & JourneyPatterns.Access.alighting != 0
        )
        return max(0, node) << Call.shift
          | ((isForward ? canBoard : canAlight) ? Call.entry : 0)
          | ((isForward ? canAlight : canBoard) ? Call.exit : 0)
      }
      if isForward { words += list } else { words += list.reversed() }
    }
    let exits = words.count
    append(isForward ? alighting : boarding, to: &words)
    guard !boarding.elementsEqual(alighting) else { return (exits, exits) }
    let entries = words.count
    append(isForward ? boarding : alighting, to: &words)
    return (exits, entries)
  }

  /// Returns what the times of runs are counted from, and how they are packed.
  private func measure(
    _ runs: [Int32], _ content: Content, _ calls: Int, isForward: Bool
  ) -> (origin: Int32, packing: Int) {
    var (least, greatest) = (Int32.max, Int32.min)
    var last: Int32 = -1
    for run in runs where runRows[Int(run)] != last {
      last = runRows[Int(run)]
      for shift in content.departureShift == 0 ? [0] : [0, content.departureShift] {
        let first = Int(last + shift)
        for time in times[first..<first + calls] where time != Self.none {
          (least, greatest) = (min(least, time), max(greatest, time))
        }
      }
    }
    guard least <= greatest else { return (0, 1) }
    return (
      isForward ? least : greatest, Int(greatest) - Int(least) < 0xffff ? 1 : 0
    )
  }

  /// Appends times that lie next to each other.
  private mutating func append(
    _ first: Int, _ count: Int, _ origin: Int32, _ packing: Int, isForward: Bool
  ) {
    let none: UInt32 = packing == 0 ? 0xffff_ffff : 0xffff
    for call in 0..<count {
      let time = times[isForward ? first + call : first + count - 1 - call]
      let seconds = isForward ? Int(time) - Int(origin) : Int(origin) - Int(time)
      let value = time == Self.none ? none : UInt32(clamping: min(seconds, Int(none) - 1))
      if call & packing == 0 {
        words.append(Int32(bitPattern: value))
      } else {
        words[words.count - 1] |= Int32(bitPattern: value << 16)
      }
    }
  }
}
