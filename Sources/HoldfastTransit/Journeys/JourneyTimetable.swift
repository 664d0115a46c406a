import Foundation
import Holdfast

/// The times and trips that searches have needed so far, decoded into flat arrays.
///
/// A pattern's times and trips are decoded when a search reaches it. The trips of a service day are
/// arranged in units when a search needs the pattern on that day: in a unit no trip overtakes
/// another one, so that the first trip at one call is the first at all of them.
struct JourneyTimetable {
  /// The trips of a pattern on a day of which none overtakes another one, or a trip that repeats.
  struct Unit {
    /// The index of the first trip among those of all units.
    var first: Int32
    /// The number of trips, by their times; 0 for a repetition.
    var count: Int32
    /// The index of the repetition; -1 for trips.
    var repetition: Int32
    /// The index of the trip among those that transfers name; -1 for others.
    var named: Int32
  }

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

  /// A service day, and which trips of it are arranged.
  struct Day {
    let day: ServiceDay
    let needsAccess: Bool
    let runningServices: [Bool]
    /// The index of the first unit of each pattern; -1 if it is not arranged.
    var firstUnits: [Int32]
    var unitCounts: [Int32]
  }

  /// The mark of a missing time.
  static let none = TimetableContent.Timing.blank

  /// The largest number of times and of trips in memory, beyond every country's.
  private enum Limit {
    static let times = 1 << 26
    static let trips = 1 << 24
    static let keptTimes = 1 << 24
    static let keptTrips = 1 << 20
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
  private(set) var days: [Day] = []
  private(set) var units: [Unit] = []
  /// The start of each trip of the units, the index of its first arrival, and that of its run.
  private(set) var tripStarts: [Int32] = []
  private(set) var tripRows: [Int32] = []
  private(set) var tripRuns: [Int32] = []

  init(patternCount: Int) {
    contents = [Content](repeating: Content(), count: patternCount)
  }

  /// Drops what was decoded when it has become large; only between searches.
  mutating func trim() {
    if times.count > Limit.keptTimes {
      self = JourneyTimetable(patternCount: contents.count)
    } else if days.count > Limit.keptDays || tripStarts.count > Limit.keptTrips {
      days = []
      units = []
      (tripStarts, tripRows, tripRuns) = ([], [], [])
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

  // MARK: - Units

  /// Returns the index of a service day, whose trips are arranged when they are needed.
  mutating func index(
    of day: ServiceDay, needsAccess: Bool, _ network: JourneyNetwork
  ) -> Int {
    if let index = days.firstIndex(where: { $0.day == day && $0.needsAccess == needsAccess }) {
      return index
    }
    days.append(
      Day(
        day: day, needsAccess: needsAccess,
        runningServices: network.cache.runningServices(on: day),
        firstUnits: [Int32](repeating: -1, count: contents.count),
        unitCounts: [Int32](repeating: 0, count: contents.count)))
    return days.count - 1
  }

  /// Returns the units of a decoded pattern on a day.
  mutating func units(of pattern: Int, on day: Int, _ network: JourneyNetwork) -> Range<Int> {
    let first = Int(days[day].firstUnits[pattern])
    if first >= 0 { return first..<first + Int(days[day].unitCounts[pattern]) }
    let start = units.count
    arrange(pattern, day, network)
    days[day].firstUnits[pattern] = Int32(start)
    days[day].unitCounts[pattern] = Int32(units.count - start)
    return start..<units.count
  }

  private mutating func arrange(_ pattern: Int, _ day: Int, _ network: JourneyNetwork) {
    let content = contents[pattern]
    let calls = network.patterns.calls(of: pattern).count
    /// The runs of each unit, by their starts.
    var lists: [[Int32]] = []
    let repetitionRange =
      Int(content.firstRepetition)..<Int(content.firstRepetition + content.repetitionCount)
    for run in content.firstRun..<content.firstRun + content.runCount
    where runs(run, on: day) && network.cache.headways(of: runTrips[Int(run)]).isEmpty {
      let named = network.transfers.namedIndex(of: runTrips[Int(run)])
      if named >= 0 {
        append([run], named: named)
        continue
      }
      // Only so many, so that a feed in which everything overtakes costs no more than time.
      let list = lists.prefix(16).firstIndex {
        isBefore($0[$0.count - 1], run, calls, content.departureShift)
      }
      if let list { lists[list].append(run) } else { lists.append([run]) }
    }
    for list in lists { append(list, named: -1) }
    for index in repetitionRange where runs(repetitions[index].run, on: day) {
      let named = network.transfers.namedIndex(of: runTrips[Int(repetitions[index].run)])
      units.append(Unit(first: 0, count: 0, repetition: Int32(index), named: named))
    }
  }

  private func runs(_ run: Int32, on day: Int) -> Bool {
    days[day].runningServices[Int(runServices[Int(run)])]
      && (!days[day].needsAccess || runAccess[Int(run)])
  }

  private mutating func append(_ runs: [Int32], named: Int32) {
    units.append(
      Unit(
        first: Int32(tripStarts.count), count: Int32(runs.count), repetition: -1, named: named))
    for run in runs {
      tripStarts.append(runStarts[Int(run)])
      tripRows.append(runRows[Int(run)])
      tripRuns.append(run)
    }
  }

  /// Whether a run is not later at any call than one that does not start before it.
  private func isBefore(
    _ one: Int32, _ other: Int32, _ calls: Int, _ departureShift: Int32
  ) -> Bool {
    let (row, otherRow) = (Int(runRows[Int(one)]), Int(runRows[Int(other)]))
    if row == otherRow { return true }
    let gap = Int(runStarts[Int(other)]) - Int(runStarts[Int(one)])
    for shift in departureShift == 0 ? [0] : [0, Int(departureShift)] {
      for call in 0..<calls {
        let (time, otherTime) = (times[row + shift + call], times[otherRow + shift + call])
        // Trips without some of the times are only with those that lack the same ones.
        guard time != Self.none, otherTime != Self.none, Int(time) <= Int(otherTime) + gap else {
          return false
        }
      }
    }
    return true
  }
}
