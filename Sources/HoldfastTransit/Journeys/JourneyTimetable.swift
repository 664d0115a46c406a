import Foundation
import Holdfast

/// The times and trips that searches have needed so far, decoded into flat arrays.
///
/// A pattern's times and trips are decoded when a search reaches it. The trips of a service day are
/// arranged in units when a search needs the pattern on that day.
struct JourneyTimetable {
  /// A run that repeats from a start on, as `frequencies.txt` says.
  struct Repetition {
    let start: Int
    let end: Int
    let headway: Int
    let isExact: Bool
    let run: Int32
  }

  /// What is known of a pattern.
  struct Content {
    /// Where the calls and times of the pattern are in either direction.
    var forward = Sheet()
    var backward = Sheet()
    var callCount: Int32 = 0
    var timingCount: Int32 = 0
    /// Whether any departure differs from its arrival.
    var hasDepartures = false
    /// The least and the greatest time after a trip's start; 1 and 0 if there are none.
    var leastOffset: Int32 = 1
    var greatestOffset: Int32 = 0
    var firstRun: Int32 = 0
    var runCount: Int32 = 0
    var firstRepetition: Int32 = 0
    var repetitionCount: Int32 = 0
    var extent = Extent()
  }

  /// What is read of each pattern that a search reaches, and lies side by side.
  struct Extent {
    /// The earliest and the latest time of all, in seconds of the service day; 1 and 0 if there are
    /// none.
    var earliest: Int32 = 1
    var latest: Int32 = 0
    /// Whether every timing has all times, and they never decrease.
    var isRegular = false
    /// Whether transfers name any of its trips.
    var hasNamed = false
    var isDecoded = false

    var isEmpty: Bool { earliest > latest }

    /// The number of days before that of an instant on which vehicles begin that run at the instant.
    var daysBack: Int { Int(max(0, latest) / 86400) + 2 }
  }

  /// A service day, and which trips of it are arranged for searches in a direction.
  struct Day {
    let day: ServiceDay
    let needsAccess: Bool
    let isForward: Bool
    let runningServices: [Bool]
    /// The units of each pattern; `nil` if it is not arranged.
    var units: [Units?]
    /// The unit of each trip that transfers name, of the patterns that are arranged.
    var namedUnits: [Int32: Int32] = [:]
  }

  /// The units of a pattern on a day, which follow one another.
  struct Units {
    let first: Int32
    let count: Int32
  }

  /// The mark of a missing time.
  static let none = TimetableContent.Timing.blank

  /// The largest number of times and of trips in memory, beyond every country's.
  enum Limit {
    static let times = 1 << 26
    static let trips = 1 << 24
    static let keptWords = 1 << 24
    static let keptTrips = 1 << 24
    static let keptDays = 16
  }

  var contents: [Content]
  private(set) var extents: [Extent]
  /// The times of all decoded patterns, row by row; those of patterns that take a day are wide.
  var times: [UInt16] = []
  var wideTimes: [UInt32] = []
  /// The words of calls of all decoded patterns.
  var calls: [Int32] = []
  /// The calls of trips that transfers name, which have nodes of their own.
  var namedCalls: [NamedCalls: Sheet] = [:]
  /// The runs of all decoded patterns.
  private(set) var runs: [Run] = []
  private(set) var repetitions: [Repetition] = []
  /// The runs of the decoded trips that transfers name, by the trips' indices.
  private var namedRuns: [Int32: Int32] = [:]
  var days: [Day] = []
  var units: [Unit] = []
  /// The trips of the units: the start of each, and the index of its times.
  var trips: [Int32] = []
  /// The runs of the units' trips.
  var tripRuns: [Int32] = []
  /// The number of all times.
  private(set) var timeCount = 0

  /// A run of a trip, of which a country has millions.
  struct Run {
    let start: Int32
    /// The index of the timing in its pattern.
    let timing: Int32
    private let serviceAndAccess: UInt32
    private let number: UInt32

    init(start: Int32, timing: Int32, service: Int32, isAccessible: Bool, tid: Int64) {
      (self.start, self.timing) = (start, timing)
      number = UInt32(truncatingIfNeeded: tid)
      serviceAndAccess = UInt32(bitPattern: service) << 1 | (isAccessible ? 1 : 0)
    }

    var service: Int32 { Int32(serviceAndAccess >> 1) }

    var isAccessible: Bool { serviceAndAccess & 1 == 1 }

    /// The number of the trip.
    var tid: Int64 { Int64(number) }
  }

  mutating func append(_ run: Run) { runs.append(run) }

  mutating func append(_ repetition: Repetition) { repetitions.append(repetition) }

  init(patternCount: Int) {
    contents = [Content](repeating: Content(), count: patternCount)
    extents = [Extent](repeating: Extent(), count: patternCount)
  }

  /// Whether what was decoded has become large.
  var isLarge: Bool { wordCount > Limit.keptWords }

  /// The number of words that the times and calls take.
  var wordCount: Int { times.count / 2 + wideTimes.count + calls.count }

  /// Drops what was decoded when it has become large; only between searches.
  ///
  /// - Parameter isLive: Whether trips of live data are among it, which nothing would decode again.
  mutating func trim(isLive: Bool) {
    if isLarge, !isLive {
      self = JourneyTimetable(patternCount: contents.count)
    } else if days.count > Limit.keptDays || trips.count > Limit.keptTrips {
      removeDays()
    }
  }

  /// Drops what was arranged for service days.
  mutating func removeDays() {
    (days, units) = ([], [])
    (trips, tripRuns) = ([], [])
  }

  // MARK: - Decoding

  /// Decodes the times and trips of a pattern, unless they are.
  mutating func decode(_ pattern: Int, _ network: JourneyNetwork, _ tables: TripTables) throws {
    try decode(CollectionOfOne(pattern), network, tables)
  }

  /// Decodes the times and trips of patterns, unless they are.
  ///
  /// - Parameters:
  ///   - patterns: The indices of the patterns, in their order.
  ///   - network: The network of the patterns.
  ///   - tables: The tables with the times.
  /// - Throws: ``TransitError`` with `.damaged`; `DatabaseError` when the database cannot be read.
  mutating func decode(
    _ patterns: some Sequence<Int>, _ network: JourneyNetwork, _ tables: TripTables
  ) throws {
    let missing = patterns.filter { !extents[$0].isDecoded }
    let path = tables.db.path
    // A thread costs more than some patterns.
    guard missing.count > DecodedBatch.share else {
      guard !missing.isEmpty else { return }
      let blobs = try tables.times(ofPatterns: missing.map { network.patterns.pids[$0] })
      return try take(
        DecodedPatterns(missing[...], blobs, network, path), as: missing[...], path, network)
    }
    reserveCapacity(network)
    // So many at a time, so that their bytes take little memory; they are decoded while the next ones are
    // read.
    var before: DecodedBatch?
    for start in stride(from: 0, to: missing.count, by: DecodedBatch.most) {
      let patterns = missing[start..<min(start + DecodedBatch.most, missing.count)]
      let batch = DecodedBatch(
        patterns, try tables.times(ofPatterns: patterns.map { network.patterns.pids[$0] }),
        network, path)
      try before?.forEach { try take($0, as: $1, path, network) }
      before = batch
    }
    try before?.forEach { try take($0, as: $1, path, network) }
  }

  /// Makes room for what most networks need, so that little is copied when it grows; only what is written
  /// to takes memory.
  private mutating func reserveCapacity(_ network: JourneyNetwork) {
    times.reserveCapacity(min(6 * network.patterns.stops.count, Limit.keptWords))
    calls.reserveCapacity(min(network.patterns.stops.count, Limit.keptWords))
    runs.reserveCapacity(min(16 * network.patterns.count, Limit.trips))
  }

  private mutating func take(
    _ part: DecodedPatterns, as patterns: ArraySlice<Int>, _ path: String?,
    _ network: JourneyNetwork
  ) throws {
    guard timeCount + part.timeCount <= Limit.times, runs.count + part.runs.count <= Limit.trips
    else {
      throw TransitError.damaged(
        path: path, table: "patterns", row: network.patterns.pids[patterns[patterns.startIndex]])
    }
    for (pattern, content) in zip(patterns, take(part)) {
      (contents[pattern], extents[pattern]) = (content, content.extent)
    }
  }

  /// Takes what was decoded as the last patterns, in place of those from one on.
  mutating func take(_ part: DecodedPatterns, from first: Int) {
    contents.removeLast(contents.count - first)
    contents += take(part)
    extents = contents.map(\.extent)
  }

  /// Takes what was decoded, and returns the contents with the indices that they have here.
  private mutating func take(_ part: DecodedPatterns) -> [Content] {
    let (firstTime, firstWideTime) = (Int32(times.count), Int32(wideTimes.count))
    let (firstRun, firstRepetition) = (Int32(runs.count), Int32(repetitions.count))
    times += part.times
    wideTimes += part.wideTimes
    runs += part.runs
    timeCount += part.timeCount
    for (trip, run) in part.namedRuns { namedRuns[trip] = firstRun + run }
    for repetition in part.repetitions {
      append(
        Repetition(
          start: repetition.start, end: repetition.end, headway: repetition.headway,
          isExact: repetition.isExact, run: firstRun + repetition.run))
    }
    return part.contents.map { content in
      var content = content
      content.forward.rows += content.isWide ? firstWideTime : firstTime
      content.firstRun += firstRun
      content.firstRepetition += firstRepetition
      return content
    }
  }

  /// Returns when a trip that transfers name departs from a call or arrives at it, in seconds of its
  /// service day, by the timetable; `nil` if that is unknown.
  ///
  /// - Parameters:
  ///   - event: The departure or the arrival.
  ///   - index: The index of the trip.
  ///   - call: The call; `nil` for the departure from the first one, or the arrival at the last one.
  ///   - network: The network of the timetable.
  ///   - tables: The tables with the times.
  /// - Returns: The seconds of the service day.
  /// - Throws: The errors of decoding.
  mutating func time(
    of event: CallEvent, ofNamed index: Int32, at call: Int?, _ network: JourneyNetwork,
    _ tables: TripTables
  ) throws -> Int? {
    let pattern = network.transfers.named[Int(index)].pattern
    try decode(pattern, network, tables)
    let count = network.patterns.calls(of: pattern).count
    guard count > 0, let run = namedRuns[index].map({ runs[Int($0)] }) else { return nil }
    let last = event == .departure ? 0 : count - 1
    let time = time(event, pattern, Int(run.timing), call ?? last)
    return time == Self.none ? nil : Int(run.start) + Int(time)
  }
}
