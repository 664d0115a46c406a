import Holdfast

extension JourneyTimetable {
  /// What the units of a pattern on a day share: the words of their calls, and of each timing once.
  struct Sheet {
    let pattern: Int
    let day: Int
    let isForward: Bool
    let content: Content
    /// What times are counted from, in seconds after a trip's start.
    let origin: Int32
    /// 1 if two times lie in a word, 0 if a time needs one.
    let packing: Int
    /// The indices of the first of the words of calls, at exits and at entries.
    fileprivate var calls: (exits: Int32, entries: Int32)?
    /// The index of the words of each timing; -1 before they are appended.
    fileprivate var rows: [Int32]

    init(_ content: Content, _ pattern: Int, _ day: Int, isForward: Bool) {
      (self.content, self.pattern, self.day, self.isForward) = (content, pattern, day, isForward)
      let (least, greatest) = (content.leastOffset, content.greatestOffset)
      origin = isForward ? least : greatest
      // The largest number marks a missing time.
      packing = Int(greatest) - Int(least) < 0xffff ? 1 : 0
      rows = [Int32](repeating: -1, count: Int(content.timingCount))
    }
  }

  /// Appends a unit of runs that are in the order of their starts, or of a repetition's run.
  mutating func append(
    _ runs: [Int32], repetition: Int32 = -1, to sheet: inout Sheet, _ network: JourneyNetwork
  ) {
    let runs = sheet.isForward ? runs : runs.reversed()
    let named = network.transfers.namedIndex(of: self.runs[Int(runs[0])].tid)
    let (exits, entries) = appendCalls(named, to: &sheet, network)
    let trips = words.count
    for run in runs {
      let start = Int(self.runs[Int(run)].start) + Int(sheet.origin)
      words.append(Int32(clamping: sheet.isForward ? start : -start))
      words.append(-1)
    }
    let callCount = network.patterns.calls(of: sheet.pattern).count
    for (index, run) in runs.enumerated() {
      words[trips + 2 * index + 1] = appendTimes(of: run, callCount, to: &sheet)
    }
    let width = sheet.packing == 0 ? callCount : (callCount + 1) / 2
    units.append(
      Unit(
        pattern: Int32(sheet.pattern), day: Int32(sheet.day), repetition: repetition,
        named: named, first: Int32(tripRuns.count),
        count: repetition < 0 ? Int32(runs.count) : 0, exits: exits, entries: entries,
        trips: Int32(trips),
        entryShift: sheet.content.departureShift == 0 ? 0 : Int32(width), origin: sheet.origin,
        packing: Int32(sheet.packing)))
    tripRuns += runs
  }

  /// Appends the words of a unit's calls, unless they are there, and returns their indices.
  private mutating func appendCalls(
    _ named: Int32, to sheet: inout Sheet, _ network: JourneyNetwork
  ) -> (exits: Int32, entries: Int32) {
    if named < 0, let calls = sheet.calls { return calls }
    let transfers = network.transfers
    let calls = network.patterns.calls(of: sheet.pattern)
    let isLive = network.live?.trip(ofPattern: sheet.pattern) != nil
    let trip = named < 0 || isLive ? nil : transfers.named[Int(named)]
    let boarding = trip?.boarding.nodes[...] ?? transfers.boardingNodes.ofCalls[calls]
    let alighting = trip?.alighting.nodes[...] ?? transfers.alightingNodes.ofCalls[calls]
    let access = network.patterns.access[calls]
    let isForward = sheet.isForward
    let entry = JourneyPatterns.Access.entry(isForward: isForward)
    let exit = JourneyPatterns.Access.exit(isForward: isForward)
    func append(_ nodes: ArraySlice<Int32>, to words: inout [Int32]) {
      words.append(
        contentsOf: (0..<calls.count).lazy.map { index in
          let call = isForward ? index : calls.count - 1 - index
          let access = access[access.startIndex + call]
          return max(0, nodes[nodes.startIndex + call]) << Call.shift
            | (access & entry == 0 ? 0 : Call.entry) | (access & exit == 0 ? 0 : Call.exit)
        })
    }
    let exits = Int32(words.count)
    append(isForward ? alighting : boarding, to: &words)
    var entries = exits
    if !boarding.elementsEqual(alighting) {
      entries = Int32(words.count)
      append(isForward ? boarding : alighting, to: &words)
    }
    if named < 0 { sheet.calls = (exits, entries) }
    return (exits, entries)
  }

  /// Appends the words of a run's times, unless they are there, and returns their index.
  private mutating func appendTimes(
    of run: Int32, _ callCount: Int, to sheet: inout Sheet
  ) -> Int32 {
    let arrivals = Int(runs[Int(run)].row)
    let timing = (arrivals - Int(sheet.content.firstRow)) / max(1, callCount)
    if sheet.rows[timing] >= 0 { return sheet.rows[timing] }
    sheet.rows[timing] = Int32(words.count)
    let departures = arrivals + Int(sheet.content.departureShift)
    // For a search backward, riders leave a vehicle where it departs.
    append(sheet.isForward ? arrivals : departures, callCount, sheet)
    if departures != arrivals {
      append(sheet.isForward ? departures : arrivals, callCount, sheet)
    }
    return sheet.rows[timing]
  }

  /// Appends times that lie next to each other.
  private mutating func append(_ first: Int, _ count: Int, _ sheet: Sheet) {
    let (isForward, origin) = (sheet.isForward, Int(sheet.origin))
    let none: UInt32 = sheet.packing == 0 ? 0xffff_ffff : 0xffff
    let times = times
    @inline(__always)
    func value(_ call: Int) -> UInt32 {
      let time = times[isForward ? first + call : first + count - 1 - call]
      let seconds = isForward ? Int(time) - origin : origin - Int(time)
      return time == Self.none ? none : UInt32(clamping: min(seconds, Int(none) - 1))
    }
    guard sheet.packing == 1 else {
      return words.append(contentsOf: (0..<count).lazy.map { Int32(bitPattern: value($0)) })
    }
    words.append(
      contentsOf: (0..<count / 2).lazy.map {
        Int32(bitPattern: value(2 * $0) | value(2 * $0 + 1) << 16)
      })
    if count % 2 == 1 { words.append(Int32(bitPattern: value(count - 1))) }
  }
}
