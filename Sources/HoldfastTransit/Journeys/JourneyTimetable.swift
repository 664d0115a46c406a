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
    let row: Int32
    let run: Int32
  }

  /// What is known of a pattern.
  struct Content {
    /// What is added to the index of an arrival to get that of the departure.
    var departureShift: Int32 = 0
    /// The index of the first arrival of the first timing, and the number of timings.
    var firstRow: Int32 = 0
    var timingCount: Int32 = 0
    /// The least and the greatest time after a trip's start; 1 and 0 if there are none.
    var leastOffset: Int32 = 1
    var greatestOffset: Int32 = 0
    var firstRun: Int32 = 0
    var runCount: Int32 = 0
    var firstRepetition: Int32 = 0
    var repetitionCount: Int32 = 0
    /// The earliest and the latest time of all, in seconds of the service day; 1 and 0 if there are
    /// none.
    var earliest = 1
    var latest = 0
    /// Whether every timing has all times, and they never decrease.
    var isRegular = false
    var isDecoded = false
  }

  /// A service day, and which trips of it are arranged for searches in a direction.
  struct Day {
    let day: ServiceDay
    let needsAccess: Bool
    let isForward: Bool
    let runningServices: [Bool]
    /// The index of the first unit of each pattern; -1 if it is not arranged.
    var firstUnits: [Int32]
    var unitCounts: [Int32]
    /// The unit of each trip that transfers name, of the patterns that are arranged.
    var namedUnits: [Int32: Int32] = [:]
  }

  /// The mark of a missing time.
  static let none = TimetableContent.Timing.blank

  /// The largest number of times and of trips in memory, beyond every country's.
  enum Limit {
    static let times = 1 << 26
    static let trips = 1 << 24
    static let keptTimes = 1 << 24
    static let keptWords = 1 << 24
    static let keptDays = 16
  }

  var contents: [Content]
  /// The arrivals of all decoded timings, and the departures where they differ.
  var times: [Int32] = []
  /// The runs of all decoded patterns.
  private(set) var runs: [Run] = []
  private(set) var repetitions: [Repetition] = []
  /// The runs of the decoded trips that transfers name, by the trips' indices.
  private var namedRuns: [Int32: Int32] = [:]
  var days: [Day] = []
  var units: [Unit] = []
  /// The calls, trips and times of the units.
  var words: [Int32] = []
  /// The runs of the units' trips.
  var tripRuns: [Int32] = []

  /// A run of a trip.
  struct Run {
    let start: Int32
    /// The index of the first arrival.
    let row: Int32
    let service: Int32
    let isAccessible: Bool
    /// The number of the trip.
    let tid: Int64
  }

  mutating func append(_ run: Run) { runs.append(run) }

  mutating func append(_ repetition: Repetition) { repetitions.append(repetition) }

  init(patternCount: Int) {
    contents = [Content](repeating: Content(), count: patternCount)
  }

  /// Whether what was decoded has become large.
  var isLarge: Bool { times.count > Limit.keptTimes }

  /// Drops what was decoded when it has become large; only between searches.
  ///
  /// - Parameter isLive: Whether trips of live data are among it, which nothing would decode again.
  mutating func trim(isLive: Bool) {
    if isLarge, !isLive {
      self = JourneyTimetable(patternCount: contents.count)
    } else if days.count > Limit.keptDays || words.count > Limit.keptWords {
      (days, units) = ([], [])
      (words, tripRuns) = ([], [])
    }
  }

  // MARK: - Decoding

  /// Decodes the times and trips of a pattern, unless they are.
  mutating func decode(_ pattern: Int, _ network: JourneyNetwork, _ tables: TripTables) throws {
    guard !contents[pattern].isDecoded else { return }
    let pid = network.patterns.pids[pattern]
    let row = try Row.fetchOne(
      tables.db, sql: "SELECT timings, runs FROM patterns WHERE pid = ?", arguments: [pid])
    guard let row else {
      throw TransitError.missing(path: tables.db.path, table: "patterns", row: pid)
    }
    do {
      let timings = Array(try row.decode(Data.self, atIndex: 0))
      let runs = Array(try row.decode(Data.self, atIndex: 1))
      try append(pattern, timings, runs, network)
    } catch is DamagedBytes {
      throw TransitError.damaged(path: tables.db.path, table: "patterns", row: pid)
    } catch is RowDecodingError {
      throw TransitError.damaged(path: tables.db.path, table: "patterns", row: pid)
    }
  }

  /// Returns when a trip that transfers name departs from a call and arrives at a call, in seconds of its
  /// service day, by the timetable; `nil` if that is unknown.
  ///
  /// - Parameters:
  ///   - index: The index of the trip.
  ///   - start: The call from which it departs; `nil` for the first one.
  ///   - end: The call at which it arrives; `nil` for the last one.
  ///   - network: The network of the timetable.
  ///   - tables: The tables with the times.
  /// - Returns: The seconds of the service day.
  /// - Throws: The errors of decoding.
  mutating func ends(
    ofNamed index: Int32, from start: Int? = nil, to end: Int? = nil, _ network: JourneyNetwork,
    _ tables: TripTables
  ) throws -> (first: Int, last: Int)? {
    let pattern = network.transfers.named[Int(index)].pattern
    try decode(pattern, network, tables)
    let count = network.patterns.calls(of: pattern).count
    guard count > 0, let run = namedRuns[index].map({ Int($0) }) else { return nil }
    let row = Int(runs[run].row)
    let first = times[row + Int(contents[pattern].departureShift) + (start ?? 0)]
    let last = times[row + (end ?? count - 1)]
    guard first != Self.none, last != Self.none else { return nil }
    return (Int(runs[run].start) + Int(first), Int(runs[run].start) + Int(last))
  }

  private mutating func append(
    _ pattern: Int, _ timings: [UInt8], _ runs: [UInt8], _ network: JourneyNetwork
  ) throws {
    let calls = network.patterns.calls(of: pattern).count
    var stored = try StoredTimes(timings, calls: calls)
    let isRegular = stored.isRegular
    if !isRegular { stored.removeDecreasing() }
    guard times.count + stored.arrivals.count + stored.departures.count <= Limit.times else {
      throw DamagedBytes()
    }
    var content = Content()
    let base = times.count
    times += stored.arrivals
    if !stored.departures.isEmpty {
      content.departureShift = Int32(stored.arrivals.count)
      times += stored.departures
    }
    let ranges = isRegular ? stored.regularRanges : stored.ranges
    for range in ranges where range.least <= range.greatest {
      let isFirst = content.leastOffset > content.greatestOffset
      content.leastOffset = isFirst ? range.least : min(content.leastOffset, range.least)
      content.greatestOffset =
        isFirst ? range.greatest : max(content.greatestOffset, range.greatest)
    }
    (content.firstRow, content.timingCount) = (Int32(base), Int32(stored.count))
    let list = try StoredRuns(runs, timings: stored.count)
    guard self.runs.count + list.starts.count <= Limit.trips else { throw DamagedBytes() }
    content.firstRun = Int32(self.runs.count)
    content.firstRepetition = Int32(repetitions.count)
    var (earliest, latest) = (Int.max, Int.min)
    for index in list.order {
      let (service, timing) = (Int(list.services[index]), Int(list.timings[index]))
      guard service <= network.serviceCount else { throw DamagedBytes() }
      let run = Int32(self.runs.count)
      append(
        Run(
          start: list.starts[index], row: Int32(base + timing * calls),
          service: list.services[index],
          isAccessible: list.access.isEmpty ? false : list.access[index] == 2,
          tid: list.trips[index]))
      let named = network.transfers.namedIndex(of: list.trips[index])
      if named >= 0 { namedRuns[named] = run }
      let range = ranges[timing]
      guard range.least <= range.greatest else { continue }
      let headways =
        network.cache.hasHeadways ? network.cache.headways(of: list.trips[index]) : []
      if headways.isEmpty {
        earliest = min(earliest, Int(list.starts[index]) + Int(range.least))
        latest = max(latest, Int(list.starts[index]) + Int(range.greatest))
      }
      for headway in headways where headway.start < headway.end {
        repetitions.append(
          Repetition(
            start: headway.start, end: headway.end, headway: headway.headway,
            isExact: headway.exactTimes == 1, row: self.runs[Int(run)].row, run: run))
        earliest = min(earliest, headway.start + Int(range.least))
        latest = max(latest, headway.end + Int(range.greatest))
      }
    }
    content.runCount = Int32(self.runs.count) - content.firstRun
    content.repetitionCount = Int32(repetitions.count) - content.firstRepetition
    if earliest <= latest { (content.earliest, content.latest) = (earliest, latest) }
    content.isRegular = isRegular
    content.isDecoded = true
    contents[pattern] = content
  }
}
