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
  private let calls: Int

  init(_ bytes: [UInt8], calls: Int) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    count = try reader.count(upTo: StoredPattern.Limit.timings(ofCalls: calls))
    self.calls = calls
    let content = try reader.unsigned()
    guard content <= 3 else { throw DamagedBytes() }
    let size = count * calls
    let first = min(count, size)
    let starts = try IntegerColumn.read(first, from: &reader)
    let travel = try IntegerColumn.read(size - first, from: &reader)
    let dwell = content & 1 == 0 ? [] : try IntegerColumn.read(size, from: &reader)
    let blanks = content & 2 == 0 ? [] : try IntegerColumn.read(size, from: &reader)
    try reader.end()
    arrivals = [Int32](repeating: 0, count: size)
    if !dwell.isEmpty || !blanks.isEmpty { departures = arrivals }
    if !blanks.isEmpty { isBlank = [Bool](repeating: false, count: size) }
    var windows = [Bool](repeating: false, count: blanks.isEmpty ? 0 : size)
    guard !departures.isEmpty else {
      try add(starts, travel)
      return
    }
    for timing in 0..<count {
      var time: Int64 = 0
      for call in 0..<calls {
        let index = call * count + timing
        time &+= call == 0 ? starts[timing] : travel[index - count]
        arrivals[timing * calls + call] = try Self.offset(time)
        if !dwell.isEmpty { time &+= dwell[index] }
        departures[timing * calls + call] = try Self.offset(time)
        guard !blanks.isEmpty else { continue }
        isBlank[timing * calls + call] = blanks[index] & 3 == 3
        windows[timing * calls + call] = blanks[index] & StoredPattern.window != 0
        if blanks[index] & 1 != 0 { arrivals[timing * calls + call] = CallTimes.none }
        if blanks[index] & 2 != 0 { departures[timing * calls + call] = CallTimes.none }
      }
    }
    if !blanks.isEmpty { fillBlanks(windows) }
  }

  /// Adds up the times of timings of which all departures equal the arrivals.
  ///
  /// - Parameters:
  ///   - starts: The first time of each timing.
  ///   - travel: The differences to the next times, first those of all timings at the second call.
  /// - Throws: ``DamagedBytes`` when a time is too large.
  private mutating func add(_ starts: [Int64], _ travel: [Int64]) throws(DamagedBytes) {
    var place = 0
    for timing in 0..<starts.count {
      var (time, index) = (starts[timing], timing)
      arrivals[place] = try Self.offset(time)
      place += 1
      for _ in 1..<calls {
        time &+= travel[index]
        arrivals[place] = try Self.offset(time)
        (place, index) = (place + 1, index + count)
      }
    }
  }

  @inline(__always)
  private static func offset(_ time: Int64) throws(DamagedBytes) -> Int32 {
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

  /// Whether there are no missing times, and none that is before the one before it.
  var isRegular: Bool {
    for timing in 0..<count {
      var last = Int32.min
      for index in timing * calls..<(timing + 1) * calls {
        // The mark of a missing time is the least number.
        guard arrivals[index] != CallTimes.none, arrivals[index] >= last else { return false }
        last = departures.isEmpty ? arrivals[index] : departures[index]
        guard last >= arrivals[index] else { return false }
      }
    }
    return true
  }

  /// The least and the greatest time of each timing; 1 and 0 if it has none.
  var ranges: [(least: Int32, greatest: Int32)] {
    (0..<count).map { timing in
      var (least, greatest) = (Int32.max, Int32.min)
      for index in timing * calls..<(timing + 1) * calls {
        if arrivals[index] != CallTimes.none {
          least = min(least, arrivals[index])
          greatest = max(greatest, arrivals[index])
        }
        if !departures.isEmpty, departures[index] != CallTimes.none {
          least = min(least, departures[index])
          greatest = max(greatest, departures[index])
        }
      }
      return least <= greatest ? (least, greatest) : (1, 0)
    }
  }

  /// The same of times that are regular: those at the first call and at the last one.
  var regularRanges: [(least: Int32, greatest: Int32)] {
    guard calls > 0 else { return ranges }
    let latest = departures.isEmpty ? arrivals : departures
    return (0..<count).map { (arrivals[$0 * calls], latest[($0 + 1) * calls - 1]) }
  }
}
