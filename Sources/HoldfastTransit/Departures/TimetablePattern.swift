import Foundation

/// A decoded pattern, prepared for questions about its departures.
final class TimetablePattern {
  /// A run that repeats from a start on, as `frequencies.txt` says.
  struct Repetition {
    let run: StoredPattern.Run
    let headway: TripTables.Headway

    /// Whether the times are those of a timetable, and not only of the first vehicle.
    var isExact: Bool { headway.exactTimes == 1 }
  }

  let pid: Int64
  let rid: Int64
  let directionID: Int16?
  let calls: [StoredPattern.Call]
  /// The arrivals of all timings, timing by timing.
  private let arrivals: [Int32]
  private let departures: [Int32]
  /// Whether each time is the feed's own; empty if all are.
  private let isOwn: [Bool]
  /// The trips that run once on a day, by their starts.
  let runs: [StoredPattern.Run]
  let repetitions: [Repetition]
  /// The least and the greatest departure of each call, relative to the start; 1 and 0 if there is
  /// none.
  let departureRanges: [(least: Int, greatest: Int)]
  /// The latest departure of all, in seconds of the service day.
  let latest: Int
  /// The zone in which the times are.
  let zone: TimetableZone
  /// About the size in memory, in bytes.
  let cost: Int

  init(
    _ pattern: TripTables.Pattern, headways: [Int64: [TripTables.Headway]], zone: TimetableZone
  ) {
    let stored = pattern.stored
    (pid, rid, directionID, self.zone) = (pattern.pid, pattern.rid, pattern.directionID, zone)
    calls = stored.calls
    var (arrivals, departures, isOwn) = ([Int32](), [Int32](), [Bool]())
    let size = stored.timings.count * stored.calls.count
    arrivals.reserveCapacity(size)
    departures.reserveCapacity(size)
    var ranges = [(least: Int, greatest: Int)](
      repeating: (Int(Int32.max), Int(Int32.min)), count: calls.count)
    for (number, timing) in stored.timings.enumerated() {
      let times = CallTimes(timing)
      arrivals += times.arrivals
      departures += times.departures
      for call in calls.indices {
        let departure = Int(times.departures[call])
        guard departure != Int(CallTimes.none) else { continue }
        ranges[call].least = min(ranges[call].least, departure)
        ranges[call].greatest = max(ranges[call].greatest, departure)
        guard timing.departures[call] == CallTimes.none, timing.arrivals[call] == CallTimes.none
        else { continue }
        if isOwn.isEmpty { isOwn = [Bool](repeating: true, count: size) }
        isOwn[number * calls.count + call] = false
      }
    }
    (self.arrivals, self.departures, self.isOwn) = (arrivals, departures, isOwn)
    departureRanges = ranges.map { $0.least <= $0.greatest ? $0 : (least: 1, greatest: 0) }
    var (runs, repetitions) = (stored.runs, [Repetition]())
    if !headways.isEmpty {
      runs.removeAll { run in
        guard let own = headways[run.tid] else { return false }
        repetitions += own.map { Repetition(run: run, headway: $0) }
        return true
      }
    }
    (self.runs, self.repetitions) = (runs, repetitions)
    let last = max(runs.last.map { Int($0.start) } ?? 0, repetitions.map(\.headway.end).max() ?? 0)
    latest = last + max(0, departureRanges.map { $0.greatest }.max() ?? 0)
    cost =
      stored.calls.count * MemoryLayout<StoredPattern.Call>.stride + size * 9
      + stored.runs.count * MemoryLayout<StoredPattern.Run>.stride + 200
  }

  /// Returns the departure from a call relative to the start; `nil` when there is none.
  func departure(_ timing: Int32, _ call: Int) -> Int? {
    let time = departures[Int(timing) * calls.count + call]
    return time == CallTimes.none ? nil : Int(time)
  }

  /// Returns the arrival at a call relative to the start; `nil` when there is none.
  func arrival(_ timing: Int32, _ call: Int) -> Int? {
    let time = arrivals[Int(timing) * calls.count + call]
    return time == CallTimes.none ? nil : Int(time)
  }

  /// Whether the feed leaves both times of a call blank.
  func isInterpolated(_ timing: Int32, _ call: Int) -> Bool {
    !isOwn.isEmpty && !isOwn[Int(timing) * calls.count + call]
  }

  /// Returns the index of the first run that starts at a time or after it.
  func firstRun(from start: Int) -> Int {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(runs[middle].start) < start { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A time zone, with the starts of its service days that were computed before.
final class TimetableZone {
  let zone: TimeZone
  private var starts: [Int: Int] = [:]

  init(_ zone: TimeZone) {
    self.zone = zone
  }

  /// Returns the start of a service day in seconds since 1970.
  func start(of day: ServiceDay) -> Int {
    if let start = starts[day.daysSince1970] { return start }
    if starts.count >= 1000 { starts = [:] }
    let start = day.startSeconds(in: zone)
    starts[day.daysSince1970] = start
    return start
  }

  /// Returns the day of the calendar at an instant.
  func day(at seconds: Int) -> ServiceDay {
    let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    return ServiceDay(daysSince1970: (seconds + offset).quotient(by: 86400))
  }
}
