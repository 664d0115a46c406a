/// The times of a pattern's timings in flat arrays, with the blank ones filled in.
///
/// `docs/transit-format.md` describes the bytes.
struct StoredTimes {
  /// The number of timings.
  let count: Int
  /// The arrivals of all timings, timing by timing.
  private(set) var arrivals: [Int32]
  /// The departures in the same order; empty if all equal the arrivals.
  private(set) var departures: [Int32] = []
  /// Whether the feed has neither time, in the same order; empty if it always has one.
  private(set) var isBlank: [Bool] = []
  /// Whether there are no missing times, and none that is before the one before it.
  private(set) var isRegular: Bool
  private let calls: Int

  init(_ bytes: [UInt8], calls: Int) throws(DamagedBytes) {
    var codes: [Int64] = []
    try self.init(ByteReader(bytes), calls: calls, using: &codes)
  }

  /// Decodes the times.
  ///
  /// - Parameters:
  ///   - reader: The reader of the blob.
  ///   - calls: The number of calls of the pattern.
  ///   - codes: An array whose values do not matter, and whose memory is used.
  /// - Throws: ``DamagedBytes`` when the blob is not what a writer makes.
  init(_ reader: ByteReader, calls: Int, using codes: inout [Int64]) throws(DamagedBytes) {
    var reader = reader
    count = try reader.count(upTo: StoredPattern.Limit.timings(ofCalls: calls))
    self.calls = calls
    let content = try reader.unsigned()
    guard content <= 3 else { throw DamagedBytes() }
    let size = count * calls
    let first = min(count, size)
    // All columns lie in one array: the differences of times, those within calls, and what is blank.
    codes.removeAll(keepingCapacity: true)
    try IntegerColumn.extend(&codes, by: first, from: &reader)
    try IntegerColumn.extend(&codes, by: size - first, from: &reader)
    let (hasDwell, hasBlanks) = (content & 1 != 0, content & 2 != 0)
    if hasDwell { try IntegerColumn.extend(&codes, by: size, from: &reader) }
    if hasBlanks { try IntegerColumn.extend(&codes, by: size, from: &reader) }
    try reader.end()
    arrivals = [Int32](repeating: 0, count: size)
    isRegular = true
    if hasDwell || hasBlanks { departures = arrivals }
    isRegular = try !Self.add(
      codes.span, count, calls, hasDwell: hasDwell, to: &arrivals, &departures)
    if hasBlanks { removeBlanks(codes.span, from: hasDwell ? 2 * size : size) }
  }

  /// Adds up the differences, of which those to one call of all timings lie next to each other, and
  /// returns whether any time is before the one before it.
  private static func add(
    _ codes: Span<Int64>, _ count: Int, _ calls: Int, hasDwell: Bool, to arrivals: inout [Int32],
    _ departures: inout [Int32]
  ) throws(DamagedBytes) -> Bool {
    let (size, hasDepartures) = (arrivals.count, !departures.isEmpty)
    var arrivals = arrivals.mutableSpan
    var departures = departures.mutableSpan
    var decreases = false
    for timing in 0..<count {
      var (time, last, index) = (Int64(0), Int32.min, timing)
      for place in timing * calls..<(timing + 1) * calls {
        time &+= codes[index]
        let arrival = try offset(time)
        arrivals[place] = arrival
        var departure = arrival
        if hasDwell {
          time &+= codes[size &+ index]
          departure = try offset(time)
        }
        if hasDepartures { departures[place] = departure }
        decreases = decreases || arrival < last || departure < arrival
        last = departure
        index &+= count
      }
    }
    return decreases
  }

  /// Removes the times that the feed leaves blank, and fills in those that can be computed.
  private mutating func removeBlanks(_ codes: Span<Int64>, from start: Int) {
    isBlank = [Bool](repeating: false, count: arrivals.count)
    var windows = isBlank
    for timing in 0..<count {
      for call in 0..<calls {
        let (place, code) = (timing * calls + call, codes[start + call * count + timing])
        isBlank[place] = code & 3 == 3
        windows[place] = isBlank[place] && code & StoredPattern.window != 0
        if code & 1 != 0 { arrivals[place] = CallTimes.none }
        if code & 2 != 0 { departures[place] = CallTimes.none }
      }
    }
    fillBlanks(windows)
    isRegular = hasAllTimes
  }

  @inline(__always)
  static func offset(_ time: Int64) throws(DamagedBytes) -> Int32 {
    guard let time = Int32(exactly: time), time != CallTimes.none else { throw DamagedBytes() }
    return time
  }

  private mutating func fillBlanks(_ windows: [Bool]) {
    for timing in 0..<count {
      let range = timing * calls..<(timing + 1) * calls
      let times = CallTimes(
        TimetableContent.Timing(
          arrivals: Array(arrivals[range]), departures: Array(departures[range])),
        windows: windows[range])
      arrivals.replaceSubrange(range, with: times.arrivals)
      departures.replaceSubrange(range, with: times.departures)
    }
  }

  /// Removes the times of calls that are earlier than one before them in the trip.
  ///
  /// A rider would arrive before the departure there. Which of the times is wrong is unknown; mostly it
  /// is one after midnight that is not counted on from 24:00.
  mutating func removeDecreasing() {
    for timing in 0..<count {
      var latest = Int32.min
      for index in timing * calls..<(timing + 1) * calls where arrivals[index] != CallTimes.none {
        let departure = departures.isEmpty ? arrivals[index] : departures[index]
        guard arrivals[index] < latest || departure < arrivals[index] else {
          latest = departure
          continue
        }
        arrivals[index] = CallTimes.none
        if !departures.isEmpty { departures[index] = CallTimes.none }
      }
    }
  }

  private var hasAllTimes: Bool {
    for timing in 0..<count {
      var last = Int32.min
      for index in timing * calls..<(timing + 1) * calls {
        // The mark of a missing time is the least number.
        guard arrivals[index] != CallTimes.none, arrivals[index] >= last else { return false }
        last = departures[index]
        guard last >= arrivals[index] else { return false }
      }
    }
    return true
  }

  /// Returns the least and the greatest time of a timing; 1 and 0 if it has none.
  func range(of timing: Int) -> (least: Int32, greatest: Int32) {
    let places = timing * calls..<(timing + 1) * calls
    guard !places.isEmpty else { return (1, 0) }
    let latest = departures.isEmpty ? arrivals : departures
    if isRegular { return (arrivals[places.lowerBound], latest[places.upperBound - 1]) }
    var (least, greatest) = (Int32.max, Int32.min)
    for index in places {
      for time in [arrivals[index], latest[index]] where time != CallTimes.none {
        (least, greatest) = (min(least, time), max(greatest, time))
      }
    }
    return least <= greatest ? (least, greatest) : (1, 0)
  }
}
