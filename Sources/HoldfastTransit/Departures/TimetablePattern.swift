import Foundation

/// A decoded pattern, prepared for questions about its times.
final class TimetablePattern {
  /// A run that repeats from a start on, as `frequencies.txt` says.
  struct Repetition {
    let run: StoredPattern.Run
    let headway: TripTables.Headway

    /// Whether the times are scheduled, and not only the first vehicle's.
    var isExact: Bool { headway.exactTimes == 1 }
  }

  /// The decoded columns of a pattern, and what is computed from all of their elements.
  struct Content: Sendable {
    let calls: [StoredPattern.Call]
    let times: StoredTimes
    let runs: [StoredPattern.Run]
    /// The least and the greatest time after a run's start, of which 0 is always one.
    let offsets: ClosedRange<Int32>

    init(_ pattern: TripTables.EncodedPattern) throws(DamagedBytes) {
      calls = try StoredPattern.calls(pattern.calls)
      times = try StoredTimes(pattern.timings, calls: calls.count)
      runs = try StoredPattern.runs(pattern.runs, timings: times.count)
      var (least, greatest): (Int32, Int32) = (0, 0)
      for list in [times.arrivals, times.departures] {
        for time in list where time != CallTimes.none {
          (least, greatest) = (min(least, time), max(greatest, time))
        }
      }
      offsets = least...greatest
    }
  }

  let pid: Int64
  let rid: Int64
  let directionID: Int16?
  let calls: [StoredPattern.Call]
  private let times: StoredTimes
  /// The trips that run once on a day, by their starts.
  let runs: [StoredPattern.Run]
  let repetitions: [Repetition]
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
    _ pattern: TripTables.EncodedPattern, _ stored: Content,
    headways: [Int64: [TripTables.Headway]], zone: TimetableZone
  ) throws(DamagedBytes) {
    (pid, rid, directionID, self.zone) = (pattern.pid, pattern.rid, pattern.directionID, zone)
    (calls, times) = (stored.calls, stored.times)
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
      guard !first.start.addingReportingOverflow(stored.offsets.lowerBound).overflow,
        !last.start.addingReportingOverflow(stored.offsets.upperBound).overflow
      else { throw DamagedBytes() }
    }
    let last = max(runs.last.map { Int($0.start) } ?? 0, repetitions.map(\.headway.end).max() ?? 0)
    latest = last + Int(stored.offsets.upperBound)
    cost = Self.cost(
      calls: stored.calls.count, timings: stored.times.count, runs: stored.runs.count)
  }

  /// The memory that a pattern takes, in bytes.
  static func cost(calls: Int, timings: Int, runs: Int) -> Int {
    calls * MemoryLayout<StoredPattern.Call>.stride + calls * timings * 9
      + runs * MemoryLayout<StoredPattern.Run>.stride + 200
  }

  /// Returns a time of a call relative to the start; `nil` when there is none.
  func time(_ event: CallEvent, _ timing: Int32, _ call: Int) -> Int? {
    let list = event == .departure && !times.departures.isEmpty ? times.departures : times.arrivals
    let time = list[Int(timing) * calls.count + call]
    return time == CallTimes.none ? nil : Int(time)
  }

  /// Whether the feed leaves both times of a call blank.
  func isInterpolated(_ timing: Int32, _ call: Int) -> Bool {
    !times.isBlank.isEmpty && times.isBlank[Int(timing) * calls.count + call]
      && time(.departure, timing, call) != nil
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
    // A hostile timetable's times may all be long before their days.
    let first = day(at: interval.lowerBound).daysSince1970 - max(0, latest) / 86400 - 2
    let last = day(at: interval.upperBound).daysSince1970 + 1
    return (first...last).lazy.map { ServiceDay(daysSince1970: $0) }
  }
}
