import HoldfastTransit

/// An assembler of the patterns and timings of trips, from calls in any order.
///
/// The calls of one trip are usually adjacent: they become a pattern and a timing as soon as another
/// trip follows, and equal ones are kept once. Calls of a trip that appears again are kept with 24
/// bytes each and merged at the end.
struct TripAssembler {
  /// A pattern, a timing and a start: where a trip's calls are found.
  struct Place {
    var pattern: UInt32
    var timing: UInt32
    var start: Int32
  }

  private struct Call {
    var stop: UInt32
    var sequence: Int32
    var arrival: Int32
    var departure: Int32
    var detail: UInt32
    /// The line in the file; 0 if it is no longer known.
    var line: Int
  }

  /// The stop of a call that names an area instead.
  static let area = UInt32.max
  /// The head of a trip that is left out.
  static let dropped = UInt32.max

  private static let nowhere = UInt32.max
  /// The number of adjacent calls of one trip that are kept in their larger form.
  private static let mostAtHand = 1 << 16
  private static let blank = TimetableContent.Timing.blank

  /// The `stop_id`s; the number of a text is the number of its stop.
  let stops: InternTable<UInt8>
  /// The headsigns and other texts that rows share.
  var texts = InternTable<UInt8>()
  /// A number for the route and direction of each trip, which is the head of its pattern.
  var heads: [UInt32] = []
  private(set) var details = CallDetails()
  private(set) var places: [Place] = []
  /// The rules that a report examines.
  var rules: StopTimeRules?
  // The head, and for each call the stop, the sequence and the detail.
  private var patterns = InternTable<UInt32>()
  // The pattern, and for each call the arrival and the departure after the start.
  private var timings = InternTable<UInt32>()
  private var scattered = ScatteredCalls()
  private let report: ReportBuilder

  private var current = -1
  private var calls: [Call] = []
  private var words: [UInt32] = []

  init(stops: InternTable<UInt8>, report: ReportBuilder) {
    (self.stops, self.report) = (stops, report)
  }

  /// The number of patterns, including those of trips that were merged since.
  var patternCount: Int { patterns.count }
  /// The number of timings, including those of trips that were merged since.
  var timingCount: Int { timings.count }

  /// Adds the call of a row to a trip.
  mutating func add(_ time: FeedStopTime, trip: Int, stop: UInt32, line: Int) {
    if trip != current {
      closeTrip()
      current = trip
    } else if calls.count == Self.mostAtHand {
      scatter()
    }
    calls.append(
      Call(
        stop: stop, sequence: time.stopSequence, arrival: time.arrivalTime,
        departure: time.departureTime, detail: details.number(time.detail), line: line))
  }

  /// Assembles what is left, after the last row.
  mutating func finish() {
    closeTrip()
    fillPlaces()
    let starts = scattered.groupByTrip(heads.count)
    for trip in heads.indices where heads[trip] != Self.dropped {
      if starts[trip] < starts[trip + 1] {
        loadCalls(of: trip, starts[trip]..<starts[trip + 1])
        settle(trip)
      } else if places[trip].pattern == Self.nowhere {
        settle(trip)
      }
    }
    scattered = ScatteredCalls()
  }

  // MARK: One trip

  private mutating func closeTrip() {
    guard !calls.isEmpty else { return }
    fillPlaces()
    if places[current].pattern == Self.nowhere {
      settle(current)
    } else {
      scatter()
    }
  }

  /// Keeps the calls at hand for the end.
  private mutating func scatter() {
    for call in calls {
      scattered.append(
        ScatteredCalls.Row(
          trip: UInt32(current), stop: call.stop, sequence: call.sequence, arrival: call.arrival,
          departure: call.departure, detail: call.detail))
    }
    calls.removeAll(keepingCapacity: true)
  }

  private mutating func fillPlaces() {
    while places.count < heads.count {
      places.append(Place(pattern: Self.nowhere, timing: Self.nowhere, start: 0))
    }
  }

  /// Gives a trip the pattern and the timing of the calls at hand.
  private mutating func settle(_ trip: Int) {
    arrange()
    judge()
    words.removeAll(keepingCapacity: true)
    words.append(heads[trip])
    for call in calls {
      words.append(call.stop)
      words.append(UInt32(bitPattern: call.sequence))
      words.append(call.detail)
    }
    let (found, isNewPattern) = patterns.insert(words)
    let pattern = UInt32(found)
    let start = startOfCalls
    words.removeAll(keepingCapacity: true)
    words.append(pattern)
    for call in calls {
      words.append(Self.relative(call.arrival, to: start))
      words.append(Self.relative(call.departure, to: start))
    }
    let (timed, isNew) = timings.insert(words)
    let timing = UInt32(timed)
    if isNew, let rules { examine(trip, isNewPattern: isNewPattern, by: rules) }
    places[trip] = Place(pattern: pattern, timing: timing, start: start)
    calls.removeAll(keepingCapacity: true)
  }

  /// The departure from the first call, otherwise the first time that is not blank, otherwise 0.
  private var startOfCalls: Int32 {
    guard let first = calls.first else { return 0 }
    if first.departure != Self.blank { return first.departure }
    for call in calls {
      if call.arrival != Self.blank { return call.arrival }
      if call.departure != Self.blank { return call.departure }
    }
    return 0
  }

  private static func relative(_ time: Int32, to start: Int32) -> UInt32 {
    UInt32(bitPattern: time == blank ? blank : time - start)
  }

  /// Loads the calls of a trip's place and its scattered ones.
  private mutating func loadCalls(of trip: Int, _ rows: Range<Int>) {
    let place = places[trip]
    if place.pattern != Self.nowhere {
      let (pattern, timing) = (patterns[Int(place.pattern)], timings[Int(place.timing)])
      let (p, t) = (pattern.startIndex + 1, timing.startIndex + 1)
      for index in 0..<((pattern.count - 1) / 3) {
        calls.append(
          Call(
            stop: pattern[p + index * 3],
            sequence: Int32(bitPattern: pattern[p + index * 3 + 1]),
            arrival: Self.absolute(timing[t + index * 2], after: place.start),
            departure: Self.absolute(timing[t + index * 2 + 1], after: place.start),
            detail: pattern[p + index * 3 + 2], line: 0))
      }
    }
    for index in rows {
      let row = scattered[index]
      calls.append(
        Call(
          stop: row.stop, sequence: row.sequence, arrival: row.arrival, departure: row.departure,
          detail: row.detail, line: 0))
    }
  }

  private static func absolute(_ time: UInt32, after start: Int32) -> Int32 {
    let time = Int32(bitPattern: time)
    return time == blank ? blank : time + start
  }

  // MARK: Order

  /// Sorts the calls by their sequence and leaves one of each, and no more than a pattern may have.
  private mutating func arrange() {
    if !isSorted { leaveOnePerSequence() }
    let surplus = calls.count - TimetableContent.mostCalls
    if surplus > 0 {
      calls.removeLast(surplus)
      add(.tooManyCalls(surplus), "stop_sequence", calls.last?.line ?? 0)
    }
  }

  private mutating func leaveOnePerSequence() {
    calls = calls.sorted { precedes($0, $1) }
    var kept: [Call] = []
    for call in calls {
      guard let last = kept.last, last.sequence == call.sequence else {
        kept.append(call)
        continue
      }
      if !precedes(last, call), last.detail != call.detail {
        // They differ in other columns only, and neither of these values is the right one.
        var detail = details.values[Int(last.detail)]
        detail.others = -1
        kept[kept.count - 1].detail = details.number(detail)
      }
      add(.duplicateStopSequence(call.sequence), "stop_sequence", call.line)
    }
    calls = kept
  }

  private var isSorted: Bool {
    var last: Int32 = -1
    for call in calls {
      if call.sequence <= last { return false }
      last = call.sequence
    }
    return true
  }

  /// Returns whether a call comes before another; of two with one sequence the content decides, so
  /// that the order of the rows does not matter.
  private func precedes(_ one: Call, _ other: Call) -> Bool {
    if one.sequence != other.sequence { return one.sequence < other.sequence }
    if one.departure != other.departure { return one.departure < other.departure }
    if one.arrival != other.arrival { return one.arrival < other.arrival }
    if one.stop != other.stop { return isBefore(stops, Int(one.stop), Int(other.stop)) }
    let (mine, others) = (details.values[Int(one.detail)], details.values[Int(other.detail)])
    if mine.headsign != others.headsign {
      return isBefore(texts, Int(mine.headsign), Int(others.headsign))
    }
    return numbers(of: mine).lexicographicallyPrecedes(numbers(of: others))
  }

  private func isBefore(_ table: InternTable<UInt8>, _ one: Int, _ other: Int) -> Bool {
    let (one, other) = (bytes(table, one), bytes(table, other))
    return one.lexicographicallyPrecedes(other)
  }

  private func bytes(_ table: InternTable<UInt8>, _ number: Int) -> ArraySlice<UInt8> {
    (0..<table.count).contains(number) ? table[number] : []
  }

  private func numbers(of detail: CallDetail) -> [Double] {
    [
      detail.pickupType, detail.dropOffType, detail.timepoint, detail.continuousPickup,
      detail.continuousDropOff,
    ].map(Double.init) + [detail.distance ?? -.infinity]
  }

  // MARK: Flaws

  /// Reports the first time that is earlier than one before it, and a trip without its first or last
  /// time.
  private func judge() {
    guard let first = calls.first, let last = calls.last else { return }
    var latest = Self.blank
    for call in calls {
      if call.arrival != Self.blank {
        if call.arrival < latest {
          add(.decreasingTime(call.arrival, after: latest), "arrival_time", call.line)
          return
        }
        latest = call.arrival
      }
      if call.departure != Self.blank {
        if call.departure < latest {
          add(.decreasingTime(call.departure, after: latest), "departure_time", call.line)
          return
        }
        latest = call.departure
      }
    }
    // An area has a window instead of times.
    for call in [first, last] where call.stop != Self.area {
      if call.arrival == Self.blank, call.departure == Self.blank {
        add(.edgeWithoutTime(), "arrival_time", call.line)
        return
      }
    }
  }

  private func add(_ problem: FeedProblem, _ field: String, _ line: Int) {
    report.add(problem.at(StopTimeTable.file, line: line == 0 ? nil : line, field: field))
  }

  private func examine(_ trip: Int, isNewPattern: Bool, by rules: StopTimeRules) {
    rules.examine(
      calls.map { call in
        StopTimeRules.Call(
          stop: call.stop, arrival: call.arrival, departure: call.departure,
          detail: details.values[Int(call.detail)], line: call.line)
      }, route: FeedSchedule.parts(of: heads[trip]).route, isNewPattern: isNewPattern)
  }

  // MARK: Results

  /// The head of a pattern and its calls: stop, sequence and detail.
  func pattern(_ number: UInt32) -> (head: UInt32, calls: [(UInt32, Int32, CallDetail)]) {
    let words = patterns[Int(number)]
    let first = words.startIndex + 1
    let calls = stride(from: first, to: words.endIndex, by: 3).map { index in
      (
        words[index], Int32(bitPattern: words[index + 1]), details.values[Int(words[index + 2])]
      )
    }
    return (words[words.startIndex], calls)
  }

  /// The number of calls of a pattern.
  func callCount(_ number: UInt32) -> Int { (patterns[Int(number)].count - 1) / 3 }

  /// The arrivals and departures of a timing.
  func timing(_ number: UInt32) -> TimetableContent.Timing {
    let words = timings[Int(number)]
    let first = words.startIndex + 1
    let arrivals = stride(from: first, to: words.endIndex, by: 2)
    return TimetableContent.Timing(
      arrivals: arrivals.map { Int32(bitPattern: words[$0]) },
      departures: arrivals.map { Int32(bitPattern: words[$0 + 1]) })
  }
}
