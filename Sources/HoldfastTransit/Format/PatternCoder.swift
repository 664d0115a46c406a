import Holdfast

/// The coding of a timetable's patterns for the database.
///
/// Equal content is coded alike, in whatever order the importer has put it.
struct PatternCoder: Sendable {
  /// A row of the table `patterns`, and the indices of its runs in the content.
  struct Part: Sendable {
    var calls: [UInt8]
    var timings: [UInt8]
    var runs: [UInt8]
    var indicesOfRuns: [Int]
  }

  private let content: TimetableContent
  /// The indices of texts, services and runs in the order of their numbers.
  let texts, services, runs: [Int]
  /// The number of each text in the database, by its index in the content.
  private let textNumbers: [Int32]
  /// The number of each service in the database, by its index in the content.
  private let serviceNumbers: [Int32]
  /// The indices of patterns in the order of their first trips.
  let patterns: [Int]
  /// The indices of the runs of each pattern in the order of their numbers.
  private let runsOfPatterns: [[Int]]

  init(_ content: TimetableContent) {
    self.content = content
    // By their bytes, so that the order of the feed's rows does not matter.
    texts = Self.sorted(content.texts)
    services = Self.sorted(content.services.map(\.serviceID))
    runs = content.runs.indices.map { (tid: content.runs[$0].tid, run: $0) }
      .sorted { $0.tid < $1.tid }.map(\.run)
    textNumbers = Self.numbers(texts)
    serviceNumbers = Self.numbers(services)
    var runsOfPatterns = [[Int]](repeating: [], count: content.patterns.count)
    var patterns: [Int] = []
    for run in runs {
      let pattern = Int(content.runs[run].pattern)
      if runsOfPatterns[pattern].isEmpty { patterns.append(pattern) }
      runsOfPatterns[pattern].append(run)
    }
    (self.patterns, self.runsOfPatterns) = (patterns, runsOfPatterns)
  }

  private static func sorted(_ texts: [String]) -> [Int] {
    let exact = texts.map(ExactText.init)
    return exact.indices.sorted { exact[$0] < exact[$1] }
  }

  private static func numbers(_ order: [Int]) -> [Int32] {
    var numbers = [Int32](repeating: 0, count: order.count)
    for (position, index) in order.enumerated() { numbers[index] = Int32(position + 1) }
    return numbers
  }

  /// Returns the number of a text in the database; 0 for none.
  func number(_ text: TimetableContent.TextIndex) -> Int32 {
    text < 0 ? 0 : textNumbers[Int(text)]
  }

  /// Returns the rows of a pattern: one, unless it is too large for a row.
  func parts(of index: Int) -> [Part] {
    let pattern = content.patterns[index]
    let calls = pattern.calls.map(stored)
    precondition(calls.count <= TimetableContent.mostCalls, "A pattern has too many calls.")
    precondition(
      pattern.timings.allSatisfy {
        $0.arrivals.count == calls.count && $0.departures.count == calls.count
      }, "A timing has not as many times as its pattern has calls.")
    let order = pattern.timings.indices.sorted {
      pattern.timings[$0].precedes(pattern.timings[$1])
    }
    let positions = Self.numbers(order).map { Int($0) - 1 }
    let mostTimings = StoredPattern.Limit.timings(ofCalls: calls.count)
    var runsOfGroups: [[Int]] = Array(
      repeating: [], count: max(1, (order.count + mostTimings - 1) / mostTimings))
    for run in runsOfPatterns[index] {
      runsOfGroups[positions[Int(content.runs[run].timing)] / mostTimings].append(run)
    }
    var parts: [Part] = []
    for (group, runs) in runsOfGroups.enumerated() {
      let first = group * mostTimings
      let timings = order[first..<min(first + mostTimings, order.count)]
        .map { pattern.timings[$0] }
      for start in stride(from: 0, to: runs.count, by: StoredPattern.Limit.runs) {
        let some = Array(runs[start..<min(start + StoredPattern.Limit.runs, runs.count)])
        let row = StoredPattern(
          calls: calls, timings: timings,
          runs: some.map { index in
            let run = content.runs[index]
            return stored(run, timing: positions[Int(run.timing)] - first)
          })
        parts.append(
          Part(
            calls: row.callBytes, timings: row.timingBytes, runs: row.runBytes,
            indicesOfRuns: some))
      }
    }
    return parts
  }

  private func stored(_ call: TimetableContent.Call) -> StoredPattern.Call {
    var stored = StoredPattern.Call(
      sid: call.sid, sequence: call.sequence, pickupType: call.pickupType,
      dropOffType: call.dropOffType, timepoint: call.timepoint,
      continuousPickup: call.continuousPickup, continuousDropOff: call.continuousDropOff,
      headsign: number(call.headsign), distance: call.distance, others: number(call.others))
    stored.hasWindow = call.hasWindow
    return stored
  }

  private func stored(_ run: TimetableContent.Run, timing: Int) -> StoredPattern.Run {
    StoredPattern.Run(
      tid: run.tid, start: run.start, timing: Int32(timing),
      service: serviceNumbers[Int(run.service)], headsign: number(run.headsign),
      shortName: number(run.shortName), block: number(run.block), shape: number(run.shape),
      others: number(run.others), wheelchairAccessible: run.wheelchairAccessible,
      bikesAllowed: run.bikesAllowed)
  }
}

extension TimetableContent.Timing {
  /// Whether the timing comes before another one: similar timings lie next to each other.
  fileprivate func precedes(_ other: Self) -> Bool {
    arrivals == other.arrivals
      ? departures.lexicographicallyPrecedes(other.departures)
      : arrivals.lexicographicallyPrecedes(other.arrivals)
  }
}
