/// A pattern as a board looks at it: when its trips start, and their times at the board's stops.
///
/// All else is decoded when an answer shows it, because most patterns of a busy station are in no answer.
/// Only the thread that holds the connection uses one.
final class BoardPattern {
  /// A run that repeats from a start on, as `frequencies.txt` says.
  struct Repetition {
    let run: StoredPattern.Start
    let headway: TripTables.Headway
  }

  /// The decoded part of a pattern.
  struct Content: Sendable {
    /// The calls at the board's stops.
    fileprivate let places: [StoredPattern.Place]
    /// The number of all calls.
    fileprivate let callCount: Int
    fileprivate let times: StoredCallTimes
    fileprivate let starts: [StoredPattern.Start]

    init(
      _ pattern: TripTables.EncodedPattern, using codes: inout [Int64],
      where isWanted: (Int64) -> Bool
    ) throws(DamagedBytes) {
      (places, callCount) = try StoredPattern.places(pattern.calls, using: &codes, where: isWanted)
      times = try StoredCallTimes(
        pattern.timings, calls: callCount, at: places.map(\.index), using: &codes)
      starts = try StoredPattern.starts(pattern.runs, timings: times.count, using: &codes)
    }
  }

  /// The row, of which the rest is not decoded.
  let row: TripTables.EncodedPattern
  /// The calls at the board's stops.
  let places: [StoredPattern.Place]
  private let callCount: Int
  private let times: StoredCallTimes
  /// The trips that run once on a day, by their starts, as in ``TimetablePattern/runs``.
  let runs: [StoredPattern.Start]
  /// The trips that repeat, as in ``TimetablePattern/repetitions``.
  let repetitions: [Repetition]
  /// The latest time at the board's stops, in seconds of the service day.
  let latest: Int
  /// The zone in which the times are.
  let zone: TimetableZone
  /// The whole pattern, once an answer needed it.
  var whole: TimetablePattern?

  var pid: Int64 { row.pid }

  /// Prepares a pattern.
  ///
  /// - Throws: `DamagedBytes` when a time does not fit into 32 bits.
  init(
    _ row: TripTables.EncodedPattern, _ content: Content,
    headways: [Int64: [TripTables.Headway]], zone: TimetableZone
  ) throws(DamagedBytes) {
    (self.row, self.zone) = (row, zone)
    (places, callCount, times) = (content.places, content.callCount, content.times)
    var (runs, repetitions) = (content.starts, [Repetition]())
    if !headways.isEmpty {
      runs.removeAll { run in
        guard let own = headways[run.tid] else { return false }
        repetitions += own.map { Repetition(run: run, headway: $0) }
        return true
      }
    }
    (self.runs, self.repetitions) = (runs, repetitions)
    var (least, greatest): (Int32, Int32) = (0, 0)
    for list in [content.times.arrivals, content.times.departures] {
      for time in list where time != CallTimes.none {
        (least, greatest) = (min(least, time), max(greatest, time))
      }
    }
    if let first = runs.first, let last = runs.last {
      guard !first.start.addingReportingOverflow(least).overflow,
        !last.start.addingReportingOverflow(greatest).overflow
      else { throw DamagedBytes() }
    }
    let last = max(runs.last.map { Int($0.start) } ?? 0, repetitions.map(\.headway.end).max() ?? 0)
    latest = last + Int(greatest)
  }

  /// Returns a time of a call relative to the start; `nil` when there is none.
  ///
  /// - Parameters:
  ///   - event: Which of the two times.
  ///   - timing: The index of the timing.
  ///   - place: The index of the call among the board's.
  /// - Returns: Seconds, which are negative before the start.
  func time(_ event: CallEvent, _ timing: Int32, _ place: Int) -> Int? {
    let list = event == .departure && !times.departures.isEmpty ? times.departures : times.arrivals
    let time = list[place * times.count + Int(timing)]
    return time == CallTimes.none ? nil : Int(time)
  }

  /// Returns the properties of a call by which it may be left out.
  func traits(_ place: Int) -> StopBoard.Traits {
    let call = places[place]
    var traits: StopBoard.Traits = []
    if call.index == 0 { traits.insert(.first) }
    if call.index == callCount - 1 { traits.insert(.last) }
    if call.pickupType == 1 { traits.insert(.withoutPickup) }
    if call.dropOffType == 1 { traits.insert(.withoutDropOff) }
    return traits
  }
}
