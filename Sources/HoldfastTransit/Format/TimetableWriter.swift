import Foundation
package import Holdfast

/// The writer of a timetable's content into the tables of the compact format.
///
/// Patterns are coded on other threads from the writer's creation. Equal content gives equal rows, in
/// whatever order the importer has put it.
package struct TimetableWriter {
  private let content: TimetableContent
  private let coder: PatternCoder
  /// The rows of the coder's patterns, in their order.
  private let parts: ConcurrentMap<[PatternCoder.Part]>

  /// Creates a writer, which starts to code.
  package init(_ content: TimetableContent) {
    let coder = PatternCoder(content)
    (self.content, self.coder) = (content, coder)
    parts = ConcurrentMap(coder.patterns.count) { coder.parts(of: coder.patterns[$0]) }
  }

  // MARK: - Rows

  /// Writes the rows; called once.
  ///
  /// - Parameters:
  ///   - db: The connection, inside the importer's transaction, with the tables of
  ///     ``TimetableSchema`` and filled `stops` and `routes`.
  ///   - progress: Called with the fraction done, from 0 to 1; an error that it throws ends the work.
  /// - Throws: `DatabaseError` with SQLite's code; whatever `progress` throws.
  package func write(_ db: Database, progress: (Double) throws -> Void = { _ in }) throws {
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

  /// The number of patterns between two reports of progress.
  private static let patternsBetweenReports = 512

  private func insertTexts(_ db: Database) throws {
    for start in stride(from: 0, to: coder.texts.count, by: StoredTexts.most) {
      let block = coder.texts[start..<min(start + StoredTexts.most, coder.texts.count)]
      try db.execute(
        sql: "INSERT INTO texts (first, texts) VALUES (?, ?)",
        arguments: [start + 1, Data(StoredTexts(block.map { content.texts[$0] }).bytes)])
    }
  }

  private func insertServices(_ db: Database) throws {
    for (position, index) in coder.services.enumerated() {
      let service = content.services[index]
      let exceptions = StoredExceptions(
        service.exceptions.map {
          StoredExceptions.Exception(
            day: Self.day($0.date), isAdded: $0.isAdded, others: coder.number($0.others))
        })
      try db.execute(
        sql: """
          INSERT INTO services (service, service_id, weekdays, start_date, end_date, others,
            exceptions)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          position + 1, service.serviceID, service.week?.days, service.week?.start,
          service.week?.end, service.week.map { coder.number($0.others) } ?? 0,
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
  ) throws -> [StoredTrip] {
    var pidsOfRuns = [Int64](repeating: 0, count: content.runs.count)
    var calls: [(sid: Int64, pid: Int64)] = []
    var pid: Int64 = 0
    var position = 0
    try parts.forEach { parts in
      let pattern = content.patterns[coder.patterns[position]]
      for part in parts {
        pid += 1
        for run in part.indicesOfRuns { pidsOfRuns[run] = pid }
        for call in pattern.calls where call.sid > 0 { calls.append((call.sid, pid)) }
        try db.execute(
          sql: """
            INSERT INTO patterns (pid, rid, direction_id, calls, timings, runs)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            pid, pattern.rid, pattern.directionID, Data(part.calls), Data(part.timings),
            Data(part.runs),
          ])
      }
      position += 1
      if position % Self.patternsBetweenReports == 0 {
        try progress(Double(position) / Double(coder.patterns.count))
      }
    }
    precondition(position == coder.patterns.count, "A timetable is written once.")
    try insertStops(calls, db)
    return coder.runs.map {
      StoredTrip(
        tid: content.runs[$0].tid, pid: pidsOfRuns[$0], tripID: content.runs[$0].tripID)
    }
  }

  /// Inserts which patterns call at each stop.
  private func insertStops(_ calls: [(sid: Int64, pid: Int64)], _ db: Database) throws {
    var stops: [StoredStopPatterns.Stop] = []
    for (sid, pid) in calls.sorted(by: { ($0.sid, $0.pid) < ($1.sid, $1.pid) }) {
      guard stops.last?.sid == sid else {
        stops.append(StoredStopPatterns.Stop(sid: sid, pids: [pid]))
        continue
      }
      // A pattern may call at a stop several times.
      if stops[stops.count - 1].pids.last != pid { stops[stops.count - 1].pids.append(pid) }
    }
    let blobs = StoredStopPatterns.blobs(of: stops)
    let rows = ConcurrentMap(blobs.count) { (first: blobs[$0].stops[0].sid, blobs[$0].bytes) }
    try rows.forEach { first, patterns in
      try db.execute(
        sql: "INSERT INTO stop_patterns (first, patterns) VALUES (?, ?)",
        arguments: [first, Data(patterns)])
    }
  }

  private func insertTrips(_ trips: [StoredTrip], _ db: Database) throws {
    let starts = Array(stride(from: 0, to: trips.count, by: StoredTrips.most))
    let rows = ConcurrentMap(starts.count) { number in
      let start = starts[number]
      let block = Array(trips[start..<min(start + StoredTrips.most, trips.count)])
      let tripIDs = block.map { ExactText($0.tripID) }
      return (
        first: block[0].tid, least: tripIDs.min()?.text, greatest: tripIDs.max()?.text,
        trips: StoredTrips(block).bytes
      )
    }
    try rows.forEach { row in
      try db.execute(
        sql: "INSERT INTO dict_trip (first, least_id, greatest_id, trips) VALUES (?, ?, ?, ?)",
        arguments: [row.first, row.least, row.greatest, Data(row.trips)])
    }
  }

  private func insertHeadways(_ db: Database) throws {
    let frequencies = content.frequencies
      .map { (tid: content.runs[Int($0.run)].tid, $0, others: coder.number($0.others)) }
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
}
