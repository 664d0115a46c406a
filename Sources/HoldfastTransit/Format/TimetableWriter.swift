import Foundation
import Holdfast

/// The writer of a timetable's content in the compact format.
struct TimetableWriter {
  private let content: TimetableContent
  /// The number of each text in the database, by its index in the content.
  private let textNumbers: [Int32]
  /// The number of each service in the database, by its index in the content.
  private let serviceNumbers: [Int32]
  /// The indices of texts and services in the order of their numbers.
  private let texts: [Int]
  private let services: [Int]

  init(_ content: TimetableContent) {
    self.content = content
    // By their bytes, so that the order of the feed's rows does not matter.
    texts = Self.sorted(content.texts)
    services = Self.sorted(content.services.map(\.serviceID))
    textNumbers = Self.numbers(texts)
    serviceNumbers = Self.numbers(services)
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

  private func number(_ text: TimetableContent.TextIndex) -> Int32 {
    text < 0 ? 0 : textNumbers[Int(text)]
  }

  // MARK: - Rows

  func write(_ db: Database, progress: (Double) throws -> Void) throws {
    try insertTexts(db)
    try insertServices(db)
    try progress(0.1)
    let trips = try insertPatterns(db) { try progress(0.1 + $0 * 0.7) }
    try insertTrips(trips, db)
    try progress(0.9)
    try insertHeadways(db)
    try insertColumns(db)
    if content.calendarColumns.isEmpty { try TimetableSchema.createCalendarView(db) }
    let last = max(content.lastTripNumber, trips.last?.tid ?? 0)
    try db.execute(
      sql: "INSERT INTO metadata (key, value) VALUES (?, ?)",
      arguments: [StoredTrips.lastNumberKey, String(last)])
    try progress(1)
  }

  private func insertTexts(_ db: Database) throws {
    for start in stride(from: 0, to: texts.count, by: StoredTexts.most) {
      let block = texts[start..<min(start + StoredTexts.most, texts.count)]
      try db.execute(
        sql: "INSERT INTO texts (first, texts) VALUES (?, ?)",
        arguments: [start + 1, Data(StoredTexts(block.map { content.texts[$0] }).bytes)])
    }
  }

  private func insertServices(_ db: Database) throws {
    for (position, index) in services.enumerated() {
      let service = content.services[index]
      let exceptions = StoredExceptions(
        service.exceptions.map {
          StoredExceptions.Exception(
            day: Self.day($0.date), isAdded: $0.isAdded, others: number($0.others))
        })
      try db.execute(
        sql: """
          INSERT INTO services (service, service_id, weekdays, start_date, end_date, others,
            exceptions)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          position + 1, service.serviceID, service.week?.days, service.week?.start,
          service.week?.end, service.week.map { number($0.others) } ?? 0,
          exceptions.exceptions.isEmpty ? nil : Data(exceptions.bytes),
        ])
    }
  }

  private static func day(_ date: Int) -> ServiceDay {
    guard let day = ServiceDay(number: date) else {
      preconditionFailure("\(date) is not a day of the calendar.")
    }
    return day
  }

  /// Inserts the patterns in the order of their first trips, and returns all trips by their numbers.
  private func insertPatterns(
    _ db: Database, _ progress: (Double) throws -> Void
  ) throws -> [StoredTrips.Trip] {
    let runs = content.runs.indices.sorted { content.runs[$0].tid < content.runs[$1].tid }
    var runsOfPatterns = [[Int]](repeating: [], count: content.patterns.count)
    var order: [Int] = []
    for run in runs {
      let pattern = Int(content.runs[run].pattern)
      if runsOfPatterns[pattern].isEmpty { order.append(pattern) }
      runsOfPatterns[pattern].append(run)
    }
    var pidsOfRuns = [Int64](repeating: 0, count: content.runs.count)
    var pidsOfStops: [Int64: [Int64]] = [:]
    var pid: Int64 = 0
    for (position, index) in order.enumerated() {
      for part in parts(of: content.patterns[index], runsOfPatterns[index]) {
        pid += 1
        for run in part.runs { pidsOfRuns[run] = pid }
        for call in part.stored.calls where call.sid > 0 {
          if pidsOfStops[call.sid]?.last != pid { pidsOfStops[call.sid, default: []].append(pid) }
        }
        let pattern = content.patterns[index]
        try db.execute(
          sql: """
            INSERT INTO patterns (pid, rid, direction_id, calls, timings, runs)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            pid, pattern.rid, pattern.directionID, Data(part.stored.callBytes),
            Data(part.stored.timingBytes), Data(part.stored.runBytes),
          ])
      }
      if position.isMultiple(of: 64) { try progress(Double(position) / Double(order.count)) }
    }
    for (sid, pids) in pidsOfStops.sorted(by: { $0.key < $1.key }) {
      try db.execute(
        sql: "INSERT INTO stop_patterns (sid, patterns) VALUES (?, ?)",
        arguments: [sid, Data(StoredStopPatterns(pids).bytes)])
    }
    return runs.map {
      StoredTrips.Trip(
        tid: content.runs[$0].tid, pid: pidsOfRuns[$0], tripID: content.runs[$0].tripID)
    }
  }

  private func insertTrips(_ trips: [StoredTrips.Trip], _ db: Database) throws {
    for start in stride(from: 0, to: trips.count, by: StoredTrips.most) {
      let block = Array(trips[start..<min(start + StoredTrips.most, trips.count)])
      let tripIDs = block.map { ExactText($0.tripID) }
      try db.execute(
        sql: "INSERT INTO dict_trip (first, least_id, greatest_id, trips) VALUES (?, ?, ?, ?)",
        arguments: [
          block[0].tid, tripIDs.min()?.text, tripIDs.max()?.text, Data(StoredTrips(block).bytes),
        ])
    }
  }

  private func insertHeadways(_ db: Database) throws {
    let frequencies = content.frequencies
      .map { (tid: content.runs[Int($0.run)].tid, $0, others: number($0.others)) }
      .sorted {
        ($0.tid, $0.1.start, $0.1.end, $0.1.headway, $0.1.exactTimes ?? -1, $0.others)
          < ($1.tid, $1.1.start, $1.1.end, $1.1.headway, $1.1.exactTimes ?? -1, $1.others)
      }
    for (position, (tid, frequency, others)) in frequencies.enumerated() {
      precondition(frequency.headway > 0, "The headway of a frequency is not positive.")
      try db.execute(
        sql: """
          INSERT INTO headways (hid, tid, start_time, end_time, headway_secs, exact_times, others)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          position + 1, tid, frequency.start, frequency.end, frequency.headway,
          frequency.exactTimes, others,
        ])
    }
  }

  private func insertColumns(_ db: Database) throws {
    let files = [
      ("stop_times.txt", content.stopTimeColumns), ("trips.txt", content.tripColumns),
      ("calendar.txt", content.calendarColumns),
      ("calendar_dates.txt", content.calendarDateColumns),
      ("frequencies.txt", content.frequencyColumns),
    ]
    for (file, columns) in files {
      for (position, column) in columns.enumerated() {
        try db.execute(
          sql: "INSERT INTO other_columns (file, position, name) VALUES (?, ?, ?)",
          arguments: [file, position + 1, column])
      }
    }
  }

  // MARK: - Patterns

  /// A row of the table `patterns`, and the runs in it by their indices in the content.
  private struct Part {
    var stored: StoredPattern
    var runs: [Int]
  }

  /// Returns the rows of a pattern: one, unless it is too large for a row.
  private func parts(of pattern: TimetableContent.Pattern, _ runs: [Int]) -> [Part] {
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
    for run in runs {
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
        parts.append(Part(stored: row, runs: some))
      }
    }
    return parts
  }

  private func stored(_ call: TimetableContent.Call) -> StoredPattern.Call {
    StoredPattern.Call(
      sid: call.sid, sequence: call.sequence, pickupType: call.pickupType,
      dropOffType: call.dropOffType, timepoint: call.timepoint,
      continuousPickup: call.continuousPickup, continuousDropOff: call.continuousDropOff,
      headsign: number(call.headsign), distance: call.distance, others: number(call.others))
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
