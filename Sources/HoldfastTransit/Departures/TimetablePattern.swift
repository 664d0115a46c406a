import Foundation

/// A decoded pattern, prepared for questions about its times.
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
  /// The numbers of the services of all runs.
  let services: Set<Int32>
  /// The latest time of all, in seconds of the service day.
  let latest: Int
  /// The zone in which the times are.
  let zone: TimetableZone
  /// About the size in memory, in bytes.
  let cost: Int

  /// Prepares a pattern.
  ///
  /// - Throws: `DamagedBytes` when a time does not fit into 32 bits.
  init(
    _ pattern: TripTables.Pattern, headways: [Int64: [TripTables.Headway]], zone: TimetableZone
  ) throws(DamagedBytes) {
    let stored = pattern.stored
    (pid, rid, directionID, self.zone) = (pattern.pid, pattern.rid, pattern.directionID, zone)
    calls = stored.calls
    var (arrivals, departures, isOwn) = ([Int32](), [Int32](), [Bool]())
    let size = stored.timings.count * stored.calls.count
    arrivals.reserveCapacity(size)
    departures.reserveCapacity(size)
    var (least, greatest): (Int32, Int32) = (0, 0)
    for (number, timing) in stored.timings.enumerated() {
      let times = CallTimes(timing)
      arrivals += times.arrivals
      departures += times.departures
      for list in [times.arrivals, times.departures] {
        for time in list where time != CallTimes.none {
          (least, greatest) = (min(least, time), max(greatest, time))
        }
      }
      for call in calls.indices
      where timing.departures[call] == CallTimes.none && timing.arrivals[call] == CallTimes.none
        && times.departures[call] != CallTimes.none
      {
        if isOwn.isEmpty { isOwn = [Bool](repeating: true, count: size) }
        isOwn[number * calls.count + call] = false
      }
    }
    (self.arrivals, self.departures, self.isOwn) = (arrivals, departures, isOwn)
    services = Set(stored.runs.lazy.map(\.service))
    var (runs, repetitions) = (stored.runs, [Repetition]())
    if !headways.isEmpty {
      runs.removeAll { run in
        guard let own = headways[run.tid] else { return false }
        repetitions += own.map { Repetition(run: run, headway: $0) }
        return true
      }
    }
    (self.runs, self.repetitions) = (runs, repetitions)
    if let first = runs.first, let last = runs.last {
      guard !first.start.addingReportingOverflow(least).overflow,
        !last.start.addingReportingOverflow(greatest).overflow
      else { throw DamagedBytes() }
    }
    let last = max(runs.last.map { Int($0.start) } ?? 0, repetitions.map(\.headway.end).max() ?? 0)
    latest = last + Int(greatest)
    cost = Self.cost(
      calls: stored.calls.count, timings: stored.timings.count, runs: stored.runs.count)
  }

  /// The memory that a pattern takes, in bytes.
  static func cost(calls: Int, timings: Int, runs: Int) -> Int {
    calls * MemoryLayout<StoredPattern.Call>.stride + calls * timings * 9
      + runs * MemoryLayout<StoredPattern.Run>.stride + 200
  }

  /// Returns a time of a call relative to the start; `nil` when there is none.
  func time(_ event: CallEvent, _ timing: Int32, _ call: Int) -> Int? {
    let times = event == .departure ? departures : arrivals
    let time = times[Int(timing) * calls.count + call]
    return time == CallTimes.none ? nil : Int(time)
  }

  /// Whether the feed leaves both times of a call blank.
  func isInterpolated(_ timing: Int32, _ call: Int) -> Bool {
    !isOwn.isEmpty && !isOwn[Int(timing) * calls.count + call]
  }

  /// Returns the run of a trip; `nil` when the pattern has none.
  func run(_ tid: Int64) -> StoredPattern.Run? {
    runs.first { $0.tid == tid } ?? repetitions.first { $0.run.tid == tid }?.run
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

  /// Returns the service days whose times may be in an interval of seconds since 1970.
  ///
  /// A service day may begin hours before or after midnight, and its times may go on for days.
  ///
  /// - Parameters:
  ///   - interval: The seconds since 1970.
  ///   - latest: The latest time in seconds of the service day.
  /// - Returns: The days in their order.
  func days(
    around interval: ClosedRange<Int>, latest: Int
  ) -> LazyMapSequence<ClosedRange<Int>, ServiceDay> {
    let first = day(at: interval.lowerBound).daysSince1970 - latest / 86400 - 2
    let last = day(at: interval.upperBound).daysSince1970 + 1
    return (first...last).lazy.map { ServiceDay(daysSince1970: $0) }
  }
}
