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
  /// The places of all runs, those that repeat last, by the numbers of their trips.
  ///
  /// A message names as many trips as it likes, and alerts, vehicles and modifications ask for each of them.
  private lazy var places: [Int32] = (0..<Int32(runs.count + repetitions.count)).sorted {
    (run(at: $0).tid, $0) < (run(at: $1).tid, $1)
  }
  /// The lengths of timings that were computed before.
  private var lengths: [Int32: Int] = [:]
  /// The least and the greatest time after a run's start.
  let offsets: ClosedRange<Int>
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
    offsets = Int(stored.offsets.lowerBound)...Int(stored.offsets.upperBound)
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
    latest = last + offsets.upperBound
    cost = Self.cost(
      of: StoredPattern.Size(
        calls: stored.calls.count, timings: stored.times.count, runs: stored.runs.count))
  }

  /// The memory that a pattern takes, in bytes.
  static func cost(of size: StoredPattern.Size) -> Int {
    size.calls * MemoryLayout<StoredPattern.Call>.stride + size.calls * size.timings * 9
      + size.runs * MemoryLayout<StoredPattern.Run>.stride + 200
  }

  /// Returns a time of a call relative to the start; `nil` when there is none.
  func time(_ event: CallEvent, _ timing: Int32, _ call: Int) -> Int? {
    let list = event == .departure && !times.departures.isEmpty ? times.departures : times.arrivals
    let time = list[Int(timing) * calls.count + call]
    return time == CallTimes.none ? nil : Int(time)
  }

  /// Returns the seconds from the start of a run to its last arrival.
  func length(_ timing: Int32) -> Int {
    if let length = lengths[timing] { return length }
    let length = calls.indices.reduce(0) { max($0, time(.arrival, timing, $1) ?? 0) }
    lengths[timing] = length
    return length
  }

  /// Whether the feed leaves both times of a call blank.
  func isInterpolated(_ timing: Int32, _ call: Int) -> Bool {
    !times.isBlank.isEmpty && times.isBlank[Int(timing) * calls.count + call]
      && time(.departure, timing, call) != nil
  }

  /// Returns the run of a trip; `nil` when the pattern has none.
  func run(_ tid: Int64) -> StoredPattern.Run? {
    let place = places.partitioningIndex { self.run(at: $0).tid >= tid }
    guard place < places.count else { return nil }
    let run = self.run(at: places[place])
    return run.tid == tid ? run : nil
  }

  private func run(at place: Int32) -> StoredPattern.Run {
    let place = Int(place)
    return place < runs.count ? runs[place] : repetitions[place - runs.count].run
  }
}
