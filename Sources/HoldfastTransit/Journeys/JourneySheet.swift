import Holdfast

extension JourneyTimetable {
  /// Where the calls of a pattern and its times are, for searches in one direction.
  ///
  /// For a search backward the last call comes first, and times are counted backwards. So one loop serves
  /// both directions.
  struct Sheet {
    /// The index of the first of the words of calls at which riders leave, and enter; -1 before they are
    /// made.
    var exits: Int32 = -1
    var entries: Int32 = -1
    /// The index of the first timing's times; -1 before they are made.
    var rows: Int32 = -1

    fileprivate mutating func removeCalls() {
      (exits, entries) = (-1, -1)
    }
  }

  /// A trip that transfers name, and a direction.
  struct NamedCalls: Hashable {
    let trip: Int32
    let isForward: Bool
  }

  // MARK: - Times

  /// Returns a time after a trip's start; ``none`` if it is missing.
  func time(_ event: CallEvent, _ pattern: Int, _ timing: Int, _ call: Int) -> Int32 {
    let content = contents[pattern]
    let row =
      Int(content.row(timing, content.forward)) + (event == .arrival ? 0 : content.entryShift)
    return time(row + call, isWide: content.isWide).map {
      Int32(Int(content.leastOffset) + $0)
    } ?? Self.none
  }

  /// Returns the time at an index; `nil` if it is missing.
  func time(_ index: Int, isWide: Bool) -> Int? {
    isWide ? Self.time(wideTimes[index]) : Self.time(times[index])
  }

  private static func time(_ stored: some FixedWidthInteger) -> Int? {
    // The largest number marks a missing time.
    stored == .max ? nil : Int(stored)
  }

  /// Appends the times for searches backward, unless they are there.
  private mutating func appendBackwardRows(_ pattern: Int) {
    let content = contents[pattern]
    guard content.backward.rows < 0 else { return }
    contents[pattern].backward.rows =
      content.isWide
      ? Self.appendBackwardRows(of: content, to: &wideTimes)
      : Self.appendBackwardRows(of: content, to: &times)
  }

  /// Appends the times of each timing for searches backward, and returns the index of the first one.
  ///
  /// Riders leave a vehicle where it departs, and enter it where it arrives.
  private static func appendBackwardRows<Time: FixedWidthInteger>(
    of content: Content, to list: inout [Time]
  ) -> Int32 {
    let (calls, first) = (Int(content.callCount), list.count)
    let length = Time(
      truncatingIfNeeded: Int(content.greatestOffset) - Int(content.leastOffset))
    list.reserveCapacity(first + content.rowLength * Int(content.timingCount))
    for timing in 0..<Int(content.timingCount) {
      let row = Int(content.row(timing, content.forward))
      for shift in content.hasDepartures ? [content.entryShift, 0] : [0] {
        for call in (row + shift..<row + shift + calls).reversed() {
          list.append(list[call] == .max ? .max : length - list[call])
        }
      }
    }
    return Int32(first)
  }

  // MARK: - Calls

  /// Arranges a pattern for a direction, unless it is, and returns where its calls and times are.
  ///
  /// - Parameters:
  ///   - pattern: The index of the pattern.
  ///   - named: The index of the trip among those that transfers name; -1 for others.
  ///   - isForward: The direction of the search.
  ///   - network: The network with the calls.
  /// - Returns: The indices.
  mutating func sheet(
    of pattern: Int, _ named: Int32, isForward: Bool, _ network: JourneyNetwork
  ) -> Sheet {
    if !isForward { appendBackwardRows(pattern) }
    let key = NamedCalls(trip: named, isForward: isForward)
    let isLive = network.live?.trip(ofPattern: pattern) != nil
    var sheet = isForward ? contents[pattern].forward : contents[pattern].backward
    if named >= 0, !isLive {
      if let known = namedCalls[key] { return known }
      let trip = network.transfers.named[Int(named)]
      appendCalls(
        of: pattern, trip.boarding.nodes[...], trip.alighting.nodes[...], to: &sheet,
        isForward: isForward, network)
      namedCalls[key] = sheet
    } else if sheet.exits < 0 {
      let (calls, transfers) = (network.patterns.calls(of: pattern), network.transfers)
      appendCalls(
        of: pattern, transfers.boardingNodes.ofCalls[calls],
        transfers.alightingNodes.ofCalls[calls],
        to: &sheet, isForward: isForward, network)
      if isForward { contents[pattern].forward = sheet } else { contents[pattern].backward = sheet }
    }
    return sheet
  }

  /// Drops the words of calls, whose nodes are no longer those of the network.
  mutating func removeCalls() {
    namedCalls = [:]
    for pattern in contents.indices {
      contents[pattern].forward.removeCalls()
      contents[pattern].backward.removeCalls()
    }
  }

  private mutating func appendCalls(
    of pattern: Int, _ boarding: ArraySlice<Int32>, _ alighting: ArraySlice<Int32>,
    to sheet: inout Sheet, isForward: Bool, _ network: JourneyNetwork
  ) {
    let access = network.patterns.access[network.patterns.calls(of: pattern)]
    sheet.exits = appendCalls(isForward ? alighting : boarding, access, isForward: isForward)
    // Mostly both are the same nodes.
    sheet.entries =
      !network.transfers.hasVehicles || boarding.elementsEqual(alighting)
      ? sheet.exits
      : appendCalls(isForward ? boarding : alighting, access, isForward: isForward)
  }

  /// Appends the words of calls with their nodes, and returns the index of the first one.
  private mutating func appendCalls(
    _ nodes: ArraySlice<Int32>, _ access: ArraySlice<UInt8>, isForward: Bool
  ) -> Int32 {
    let entry = JourneyPatterns.Access.entry(isForward: isForward)
    let exit = JourneyPatterns.Access.exit(isForward: isForward)
    let (first, count) = (calls.count, nodes.count)
    calls.append(contentsOf: repeatElement(0, count: count))
    let (nodes, access) = (nodes.span, access.span)
    var calls = calls.mutableSpan
    for index in 0..<count {
      let call = isForward ? index : count - 1 - index
      calls[first + index] =
        max(0, nodes[call]) << Call.shift
        | (access[call] & entry == 0 ? 0 : Call.entry) | (access[call] & exit == 0 ? 0 : Call.exit)
    }
    return Int32(first)
  }

  // MARK: - Units

  /// Appends a unit of runs that are in the order of their starts, or of a repetition's run.
  mutating func append(
    _ runs: some BidirectionalCollection<Int32>, repetition: Int32 = -1, of pattern: Int,
    on day: Int,
    _ network: JourneyNetwork
  ) {
    guard let one = runs.first else { return }
    let isForward = days[day].isForward
    let named = network.transfers.namedIndex(of: self.runs[Int(one)].tid)
    let sheet = sheet(of: pattern, named, isForward: isForward, network)
    let content = contents[pattern]
    units.append(
      Unit(
        pattern: Int32(pattern), day: Int32(day), repetition: repetition, named: named,
        first: Int32(tripRuns.count), count: repetition < 0 ? Int32(runs.count) : 0,
        calls: content.callCount, exits: sheet.exits, entries: sheet.entries,
        trips: Int32(trips.count), entryShift: Int32(content.entryShift),
        origin: isForward ? content.leastOffset : content.greatestOffset,
        isWide: content.isWide, isRegular: content.extent.isRegular))
    let first = tripRuns.count
    if isForward { tripRuns += runs } else { tripRuns += runs.reversed() }
    Self.append(
      tripRuns[first...], of: self.runs, content, sheet, isForward: isForward, to: &trips)
  }

  /// Appends the start of each run, and the index of its times.
  private static func append(
    _ list: ArraySlice<Int32>, of runs: [Run], _ content: Content, _ sheet: Sheet,
    isForward: Bool, to trips: inout [Int32]
  ) {
    let shift = Int(isForward ? content.leastOffset : content.greatestOffset)
    let (first, rowLength) = (trips.count, content.rowLength)
    trips.append(contentsOf: repeatElement(0, count: 2 * list.count))
    let (list, runs) = (list.span, runs.span)
    var trips = trips.mutableSpan
    for index in list.indices {
      let run = runs[Int(list[index])]
      let start = Int(run.start) + shift
      trips[first + 2 * index] = Int32(clamping: isForward ? start : -start)
      trips[first + 2 * index + 1] = sheet.rows + Int32(Int(run.timing) * rowLength)
    }
  }
}

extension JourneyTimetable.Content {
  /// Whether its times need more than 16 bits.
  var isWide: Bool { Int(greatestOffset) - Int(leastOffset) >= Int(UInt16.max) }

  /// What is added to the index of a trip's times at exits to get those at entries.
  var entryShift: Int { hasDepartures ? Int(callCount) : 0 }

  /// The number of times of a timing.
  var rowLength: Int { Int(callCount) + entryShift }

  /// Returns the index of the times of a timing.
  func row(_ timing: Int, _ sheet: JourneyTimetable.Sheet) -> Int32 {
    sheet.rows + Int32(timing * rowLength)
  }
}
