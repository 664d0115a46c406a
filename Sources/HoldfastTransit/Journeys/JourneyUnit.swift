import Holdfast

extension JourneyTimetable {
  /// The trips of a pattern on a day of which none overtakes another one, or a trip that repeats, as
  /// a search needs them.
  ///
  /// In a unit the first trip at one call is the first at all of them. Its trips lie next to each other
  /// in the order of the search: for a search backward the last trip comes first.
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
    /// The number of calls.
    let calls: Int32
    /// The index of the first of the words of calls at which riders leave, and enter.
    let exits: Int32
    let entries: Int32
    /// The index of the first trip: the start of each, and the index of its times.
    let trips: Int32
    /// What is added to the index of a trip's times at exits to get those at entries.
    let entryShift: Int32
    /// What the unit's times are counted from, in seconds after a trip's start.
    let origin: Int32
    /// Whether the times are wide.
    let isWide: Bool
    /// Whether all trips of the pattern have all times, and they never decrease.
    let isRegular: Bool
  }

  /// A call's word: its node, and whether riders may leave and enter there.
  enum Call {
    static let entry: Int32 = 1
    static let exit: Int32 = 2
    static let shift: Int32 = 2

    @inline(__always)
    static func node(_ word: Int32) -> Int { Int(UInt32(bitPattern: word) &>> 2) }
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
    let row = Int(trips[Int(unit.trips) + 1]) + Int(unit.entryShift)
    let origin = days[Int(unit.day)].isForward ? Int(unit.origin) : -Int(unit.origin)
    return time(row + call, isWide: unit.isWide).map { origin + $0 }
  }

  private func time(_ call: Int, _ unit: Unit, _ trip: Int, shift: Int) -> Int? {
    let place = Int(unit.trips) + 2 * trip
    return time(Int(trips[place + 1]) + shift + call, isWide: unit.isWide).map {
      Int(trips[place]) + $0
    }
  }

  /// Returns the node of a call where riders may leave; `nil` if they may not.
  func node(ofExit call: Int, _ index: Int) -> Int? {
    let word = calls[Int(units[index].exits) + call]
    return word & Call.exit == 0 ? nil : Call.node(word)
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
        units: [Units?](repeating: nil, count: contents.count)))
    return days.count - 1
  }

  /// Returns the units of a decoded pattern on a day.
  mutating func units(of pattern: Int, on day: Int, _ network: JourneyNetwork) -> Range<Int> {
    if let known = days[day].units[pattern] {
      return Int(known.first)..<Int(known.first) + Int(known.count)
    }
    let start = units.count
    arrange(pattern, day, network)
    days[day].units[pattern] = Units(first: Int32(start), count: Int32(units.count - start))
    return start..<units.count
  }

  private mutating func arrange(_ pattern: Int, _ day: Int, _ network: JourneyNetwork) {
    if let trip = network.live?.trip(ofPattern: pattern) {
      return arrange(trip, pattern, day, network)
    }
    let content = contents[pattern]
    /// The runs that are no units of their own, by their starts.
    var usual: [Int32] = []
    usual.reserveCapacity(Int(content.runCount))
    var named: [Int32] = []
    let hasNamed = network.transfers.hasNamed
    for run in content.firstRun..<content.firstRun + content.runCount
    where isRunning(run, on: day) && !isReplaced(run, on: day, network) {
      if network.cache.hasHeadways, !network.cache.headways(of: runs[Int(run)].tid).isEmpty {
        continue
      }
      if hasNamed, network.transfers.namedIndex(of: runs[Int(run)].tid) >= 0 {
        named.append(run)
      } else {
        usual.append(run)
      }
    }
    var lists = lists(of: usual, pattern)
    var repetitions =
      (content.firstRepetition..<content.firstRepetition + content.repetitionCount).filter {
        isRunning(self.repetitions[Int($0)].run, on: day)
      }
    if let live = network.live {
      var rest: [Int32] = []
      for index in repetitions {
        let tid = runs[Int(self.repetitions[Int(index)].run)].tid
        let parts = parts(of: index, without: live.starts(of: tid, replacedOn: days[day].day))
        // A unit of a trip that transfers name has one vehicle.
        let isNamed = network.transfers.namedIndex(of: tid) >= 0
        if isNamed {
          lists += parts.runs.map { [$0] }
        } else if !parts.runs.isEmpty {
          lists.append(parts.runs)
        }
        rest += parts.repetitions
      }
      repetitions = rest
    }
    guard !(named.isEmpty && lists.isEmpty && repetitions.isEmpty) else { return }
    for run in named {
      days[day].namedUnits[network.transfers.namedIndex(of: runs[Int(run)].tid)] = Int32(
        units.count)
      append(CollectionOfOne(run), of: pattern, on: day, network)
    }
    for list in lists { append(list, of: pattern, on: day, network) }
    for index in repetitions {
      append(
        CollectionOfOne(self.repetitions[Int(index)].run), repetition: index, of: pattern, on: day,
        network)
    }
  }

  /// Returns the runs of each unit, by their starts.
  private func lists(of runs: [Int32], _ pattern: Int) -> [[Int32]] {
    guard var last = runs.first else { return [] }
    // Mostly none overtakes another one.
    let first = runs.dropFirst().firstIndex { run in
      guard isBefore(last, run, pattern) else { return true }
      last = run
      return false
    }
    guard let first else { return [runs] }
    var lists = [Array(runs[..<first])]
    for run in runs[first...] {
      // Only so many, so that a feed in which everything overtakes costs no more than time.
      let list = lists.prefix(16).firstIndex { isBefore($0[$0.count - 1], run, pattern) }
      if let list { lists[list].append(run) } else { lists.append([run]) }
    }
    return lists
  }

  private func isReplaced(_ run: Int32, on day: Int, _ network: JourneyNetwork) -> Bool {
    guard let live = network.live else { return false }
    return live.starts(of: runs[Int(run)].tid, replacedOn: days[day].day)
      .contains(Int(runs[Int(run)].start))
  }

  private func isRunning(_ run: Int32, on day: Int) -> Bool {
    days[day].runningServices[Int(runs[Int(run)].service)]
      && (!days[day].needsAccess || runs[Int(run)].isAccessible)
  }

  /// Whether a run of a pattern is not later at any call than one that does not start before it.
  private func isBefore(_ one: Int32, _ other: Int32, _ pattern: Int) -> Bool {
    let (run, otherRun) = (runs[Int(one)], runs[Int(other)])
    if run.timing == otherRun.timing { return true }
    let content = contents[pattern]
    let row = Int(content.row(Int(run.timing), content.forward))
    let otherRow = Int(content.row(Int(otherRun.timing), content.forward))
    let gap = Int(otherRun.start) - Int(run.start)
    return content.isWide
      ? Self.isBefore(wideTimes.span, row, otherRow, count: content.rowLength, gap)
      : Self.isBefore(times.span, row, otherRow, count: content.rowLength, gap)
  }

  /// Whether no time of a row is later than that of another row, which begins some seconds later, and
  /// none of either is missing.
  ///
  /// Trips without some of the times are only with those that lack the same ones.
  private static func isBefore<Time: FixedWidthInteger>(
    _ times: Span<Time>, _ row: Int, _ otherRow: Int, count: Int, _ gap: Int
  ) -> Bool {
    let (own, others) = (
      times.extracting(row..<row + count), times.extracting(otherRow..<otherRow + count)
    )
    var isBefore = true
    // Without branches, so that many are compared at once.
    for index in 0..<count {
      let (time, other) = (own[index], others[index])
      let isKnown = time != .max && other != .max
      isBefore = isBefore && isKnown && Int(time) <= Int(other) &+ gap
    }
    return isBefore
  }
}
