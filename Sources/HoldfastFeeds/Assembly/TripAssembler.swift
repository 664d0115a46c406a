import HoldfastTransit

/// An assembler of the patterns and timings of trips, from calls in any order.
///
/// The calls of one trip are usually adjacent: they become a pattern and a timing as soon as another
/// trip follows, and equal ones are kept once. Calls of a trip that appears again are kept with 32
/// bytes each and merged at the end.
struct TripAssembler {
  /// A pattern, a timing and a start: where a trip's calls are found.
  struct Place {
    var pattern: UInt32
    var timing: UInt32
    var start: Int32
  }

  /// A flaw of a trip's times, which calls that follow may disprove.
  private struct Finding {
    enum Kind {
      case arrival(Int32, after: Int32)
      case departure(Int32, after: Int32)
      case edgeWithoutTime
    }

    var trip: UInt32
    var line: Int
    var kind: Kind
  }

  /// Examines the calls of a trip that differs from those before it.
  ///
  /// Its arguments are the calls in the order of their sequence, the number of the trip's route, and whether
  /// the trip also has other stops than those before it.
  typealias CallExamination = (_ calls: [FeedCall], _ route: Int, _ isNewPattern: Bool) -> Void

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
  private(set) var places: [Place] = []
  /// The stops of rows that were left out, because another one has their place in the trip.
  private(set) var stopsLeftOut: Set<UInt32> = []
  /// What a report does with each different trip.
  var examine: CallExamination?
  // The head, and for each call the stop, the sequence and the words of the detail.
  private var patterns = InternTable<UInt32>()
  // The pattern, and for each call the arrival and the departure after the start.
  private var timings = InternTable<UInt32>()
  private var scattered = ScatteredCalls()
  // The details of scattered calls.
  private var details = InternTable<UInt32>()
  private var findings: [Finding] = []
  private let report: ReportBuilder

  private var current = -1
  private var calls: [FeedCall] = []
  private var words: [UInt32] = []

  init(stops: InternTable<UInt8>, report: ReportBuilder) {
    (self.stops, self.report) = (stops, report)
  }

  /// The number of patterns, also of trips that have been merged since.
  var patternCount: Int { patterns.count }
  /// The number of timings, also of trips that have been merged since.
  var timingCount: Int { timings.count }

  /// Adds adjacent calls of one trip.
  mutating func add(_ more: ArraySlice<FeedCall>) {
    guard let trip = more.first?.trip else { return }
    if Int(trip) != current {
      closeTrip()
      current = Int(trip)
    } else if calls.count >= Self.mostAtHand {
      scatter()
    }
    calls.append(contentsOf: more)
  }

  /// Assembles what is left, after the last row, and reports the flaws of trips.
  mutating func finish() {
    closeTrip()
    fillPlaces()
    let starts = scattered.groupByTrip(heads.count)
    for finding in findings {
      // Those of the first calls of a trip are nothing to all of them.
      let trip = Int(finding.trip)
      if starts[trip] == starts[trip + 1] { add(finding) }
    }
    findings = []
    for trip in heads.indices where heads[trip] != Self.dropped {
      if starts[trip] < starts[trip + 1] {
        loadCalls(of: trip, starts[trip]..<starts[trip + 1])
        settle(trip)
      } else if places[trip].pattern == Self.nowhere {
        settle(trip)
      }
    }
    for finding in findings { add(finding) }
    findings = []
    scattered = ScatteredCalls()
    details = InternTable()
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
          departure: call.departure,
          detail: UInt32(details.insert(call.detail.wordsWithoutDistance).number),
          distanceBits: call.detail.distanceBits))
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
    judge(trip)
    words.removeAll(keepingCapacity: true)
    words.append(heads[trip])
    for call in calls {
      words.append(call.stop)
      words.append(UInt32(bitPattern: call.sequence))
      call.detail.append(to: &words)
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
    if isNew { examine?(calls, FeedSchedule.parts(of: heads[trip]).route, isNewPattern) }
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
      let timing = timings[Int(place.timing)]
      var index = timing.startIndex + 1
      for (stop, sequence, detail) in pattern(place.pattern).calls {
        calls.append(
          FeedCall(
            detail: detail, trip: UInt32(trip), stop: stop, sequence: sequence,
            arrival: Self.absolute(timing[index], after: place.start),
            departure: Self.absolute(timing[index + 1], after: place.start)))
        index += 2
      }
    }
    for index in rows {
      let row = scattered[index]
      calls.append(
        FeedCall(
          detail: CallDetail(details[Int(row.detail)], distanceBits: row.distanceBits),
          trip: row.trip, stop: row.stop, sequence: row.sequence, arrival: row.arrival,
          departure: row.departure))
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
    var kept: [FeedCall] = []
    for call in calls {
      guard let last = kept.last, last.sequence == call.sequence else {
        kept.append(call)
        continue
      }
      if !precedes(last, call), last.detail != call.detail {
        // They differ in other columns only, and neither of these values is the right one.
        kept[kept.count - 1].detail.others = -1
      }
      if call.stop != Self.area { stopsLeftOut.insert(call.stop) }
      // True whatever calls follow: one more makes one more surplus row.
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
  private func precedes(_ one: FeedCall, _ other: FeedCall) -> Bool {
    if one.sequence != other.sequence { return one.sequence < other.sequence }
    let (time, otherTime) = (Self.time(of: one), Self.time(of: other))
    if time != otherTime { return time < otherTime }
    if one.departure != other.departure { return one.departure < other.departure }
    if one.arrival != other.arrival { return one.arrival < other.arrival }
    if one.stop != other.stop { return isBefore(stops, Int(one.stop), Int(other.stop)) }
    if one.detail.headsign != other.detail.headsign {
      return isBefore(texts, Int(one.detail.headsign), Int(other.detail.headsign))
    }
    return numbers(of: one.detail).lexicographicallyPrecedes(numbers(of: other.detail))
  }

  /// The time of a call, by which the earlier of two is kept; the latest one if it has none.
  private static func time(of call: FeedCall) -> Int32 {
    let time = call.departure == blank ? call.arrival : call.departure
    return time == blank ? .max : time
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

  /// Finds the first time that is earlier than one before it, and a trip without its first or last
  /// time.
  private mutating func judge(_ trip: Int) {
    guard let first = calls.first, let last = calls.last else { return }
    func find(_ kind: Finding.Kind, _ call: FeedCall) {
      findings.append(Finding(trip: UInt32(trip), line: call.line, kind: kind))
    }
    var latest = Self.blank
    for call in calls {
      if call.arrival != Self.blank {
        if call.arrival < latest { return find(.arrival(call.arrival, after: latest), call) }
        latest = call.arrival
      }
      if call.departure != Self.blank {
        if call.departure < latest { return find(.departure(call.departure, after: latest), call) }
        latest = call.departure
      }
    }
    // An area, and a stop of a flexible service, has a window instead of times.
    for call in [first, last] where call.stop != Self.area && !call.detail.hasWindow {
      if call.arrival == Self.blank, call.departure == Self.blank {
        return find(.edgeWithoutTime, call)
      }
    }
  }

  private func add(_ finding: Finding) {
    switch finding.kind {
    case .arrival(let time, let latest):
      add(.decreasingTime(time, after: latest), "arrival_time", finding.line)
    case .departure(let time, let latest):
      add(.decreasingTime(time, after: latest), "departure_time", finding.line)
    case .edgeWithoutTime: add(.edgeWithoutTime(), "arrival_time", finding.line)
    }
  }

  private func add(_ problem: FeedProblem, _ field: String, _ line: Int) {
    report.add(problem.at(StopTimeTable.file, line: line == 0 ? nil : line, field: field))
  }

  // MARK: Results

  /// The number of a trip's pattern; `nil` for a trip without calls.
  func pattern(ofTrip number: Int) -> UInt32? {
    guard places.indices.contains(number) else { return nil }
    let pattern = places[number].pattern
    return pattern == Self.nowhere ? nil : pattern
  }

  /// The head of a pattern and its calls: stop, sequence and detail.
  func pattern(_ number: UInt32) -> (head: UInt32, calls: [(UInt32, Int32, CallDetail)]) {
    let words = patterns[Int(number)]
    var calls: [(UInt32, Int32, CallDetail)] = []
    var index = words.startIndex + 1
    while index < words.endIndex {
      let (stop, sequence) = (words[index], Int32(bitPattern: words[index + 1]))
      index += 2
      calls.append((stop, sequence, CallDetail(words, &index)))
    }
    return (words[words.startIndex], calls)
  }

  /// The number of calls of a pattern, up to two.
  func callCountUpToTwo(_ number: UInt32) -> Int {
    let words = patterns[Int(number)]
    let first = words.startIndex + 1
    guard first < words.endIndex else { return 0 }
    return first + 2 + CallDetail.wordCount(words[first + 2]) < words.endIndex ? 2 : 1
  }

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
