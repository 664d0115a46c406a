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
  private enum Limit {
    static let times = 1 << 26
    static let trips = 1 << 24
    static let keptTimes = 1 << 24
    static let keptWords = 1 << 24
    static let keptDays = 16
  }

  private(set) var contents: [Content]
  /// The arrivals of all decoded timings, and the departures where they differ.
  private(set) var times: [Int32] = []
  private(set) var runStarts: [Int32] = []
  /// The index of the first arrival of each run.
  private(set) var runRows: [Int32] = []
  private(set) var runServices: [Int32] = []
  private(set) var runAccess: [Bool] = []
  /// The number of each run's trip.
  private(set) var runTrips: [Int64] = []
  private(set) var repetitions: [Repetition] = []
  var days: [Day] = []
  var units: [Unit] = []
  /// The calls, trips and times of the units.
  var words: [Int32] = []
  /// The runs of the units' trips.
  var tripRuns: [Int32] = []

  init(patternCount: Int) {
    contents = [Content](repeating: Content(), count: patternCount)
  }

  /// Drops what was decoded when it has become large; only between searches.
  mutating func trim() {
    if times.count > Limit.keptTimes {
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

  private mutating func append(
    _ pattern: Int, _ timings: [UInt8], _ runs: [UInt8], _ network: JourneyNetwork
  ) throws {
    let calls = network.patterns.calls(of: pattern).count
    let stored = try StoredTimes(timings, calls: calls)
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
    let ranges = stored.ranges
    let offsets = ranges.filter { $0.least <= $0.greatest }
    if let least = offsets.map(\.least).min(), let greatest = offsets.map(\.greatest).max() {
      (content.leastOffset, content.greatestOffset) = (Int32(least), Int32(greatest))
    }
    (content.firstRow, content.timingCount) = (Int32(base), Int32(stored.count))
    let list = try StoredRuns(runs, timings: stored.count)
    guard runStarts.count + list.starts.count <= Limit.trips else { throw DamagedBytes() }
    content.firstRun = Int32(runStarts.count)
    content.firstRepetition = Int32(repetitions.count)
    var (earliest, latest) = (Int.max, Int.min)
    for index in list.order {
      let (service, timing) = (Int(list.services[index]), Int(list.timings[index]))
      guard service <= network.serviceCount else { throw DamagedBytes() }
      let run = Int32(runStarts.count)
      runStarts.append(list.starts[index])
      runRows.append(Int32(base + timing * calls))
      runServices.append(list.services[index])
      runAccess.append(list.access.isEmpty ? false : list.access[index] == 2)
      runTrips.append(list.trips[index])
      let range = ranges[timing]
      guard range.least <= range.greatest else { continue }
      let headways = network.cache.headways(of: list.trips[index])
      if headways.isEmpty {
        earliest = min(earliest, Int(list.starts[index]) + range.least)
        latest = max(latest, Int(list.starts[index]) + range.greatest)
      }
      for headway in headways where headway.start < headway.end {
        repetitions.append(
          Repetition(
            start: headway.start, end: headway.end, headway: headway.headway,
            isExact: headway.exactTimes == 1, row: runRows[Int(run)], run: run))
        earliest = min(earliest, headway.start + range.least)
        latest = max(latest, headway.end + range.greatest)
      }
    }
    content.runCount = Int32(runStarts.count) - content.firstRun
    content.repetitionCount = Int32(repetitions.count) - content.firstRepetition
    if earliest <= latest { (content.earliest, content.latest) = (earliest, latest) }
    content.isRegular = stored.isRegular
    content.isDecoded = true
    contents[pattern] = content
  }
}
