import Foundation
import Holdfast
import HoldfastTransit

/// A database with the content of a feed's text files, converted by the simplest means.
///
/// It serves tests of the compact format that are independent of the import: it reads flawless files
/// only, and has every column as it is in the text.
struct WrittenFeed {
  let sids: [String: Int64]
  let rids: [String: Int64]
  private(set) var content = TimetableContent()
  private let feed: TextFeed
  private var textIndices: [String: Int32] = [:]

  /// Converts a feed; the numbers of stops, routes and trips follow their identifiers.
  init(_ feed: TextFeed) {
    self.feed = feed
    sids = Self.numbers(feed.rows("stops.txt", "stop_id").map { $0[0] })
    rids = Self.numbers(feed.rows("routes.txt", "route_id").map { $0[0] })
    let services = readServices()
    readTrips(services)
  }

  private static func numbers(_ names: [String]) -> [String: Int64] {
    var numbers: [String: Int64] = [:]
    for name in names.map(ExactText.init).sorted() where numbers[name.text] == nil {
      numbers[name.text] = Int64(numbers.count + 1)
    }
    return numbers
  }

  private mutating func index(_ text: String) -> Int32 {
    guard !text.isEmpty else { return -1 }
    if let index = textIndices[text] { return index }
    let index = Int32(content.texts.count)
    content.texts.append(text)
    textIndices[text] = index
    return index
  }

  private mutating func readServices() -> [String: Int32] {
    var indices: [String: Int32] = [:]
    func service(_ id: String) -> Int {
      if let index = indices[id] { return Int(index) }
      indices[id] = Int32(content.services.count)
      content.services.append(TimetableContent.Service(serviceID: id))
      return content.services.count - 1
    }
    for row in feed.rows(
      "calendar.txt", "service_id", "monday", "tuesday", "wednesday", "thursday", "friday",
      "saturday", "sunday", "start_date", "end_date")
    {
      let days = (0..<7).reduce(UInt8(0)) { $0 | (row[1 + $1] == "1" ? 1 << UInt8($1) : 0) }
      content.services[service(row[0])].week = TimetableContent.Service.Week(
        days: days, start: Int(row[8]) ?? 0, end: Int(row[9]) ?? 0)
    }
    for row in feed.rows("calendar_dates.txt", "service_id", "date", "exception_type") {
      content.services[service(row[0])].exceptions.append(
        TimetableContent.Service.Exception(date: Int(row[1]) ?? 0, isAdded: row[2] == "1"))
    }
    for row in feed.rows("trips.txt", "service_id") { _ = service(row[0]) }
    return indices
  }

  private struct PatternKey: Hashable {
    var rid: Int64
    var directionID: Int16?
    var calls: [TimetableContent.Call]
  }

  private mutating func readTrips(_ services: [String: Int32]) {
    let tids = Self.numbers(feed.rows("trips.txt", "trip_id").map { $0[0] })
    var times = timesOfTrips()
    var patterns: [PatternKey: Int32] = [:]
    var timings: [[TimetableContent.Timing: Int32]] = []
    var runs: [String: Int32] = [:]
    for row in feed.rows(
      "trips.txt", "route_id", "service_id", "trip_id", "trip_headsign", "trip_short_name",
      "direction_id", "block_id", "shape_id", "wheelchair_accessible", "bikes_allowed")
    {
      let calls = (times.removeValue(forKey: row[2]) ?? []).sorted {
        $0.call.sequence < $1.call.sequence
      }
      let start =
        calls.first?.departure ?? calls.lazy.flatMap { [$0.arrival, $0.departure] }
        .compactMap(\.self).first ?? 0
      let timing = TimetableContent.Timing(
        arrivals: calls.map { $0.arrival.map { $0 - start } ?? TimetableContent.Timing.blank },
        departures: calls.map { $0.departure.map { $0 - start } ?? TimetableContent.Timing.blank })
      let key = PatternKey(
        rid: rids[row[0]] ?? 0, directionID: Int16(row[5]), calls: calls.map(\.call))
      let pattern = patterns[key] ?? Int32(content.patterns.count)
      if patterns.updateValue(pattern, forKey: key) == nil {
        content.patterns.append(
          TimetableContent.Pattern(rid: key.rid, directionID: key.directionID, calls: key.calls))
        timings.append([:])
      }
      let number = timings[Int(pattern)][timing] ?? Int32(timings[Int(pattern)].count)
      if timings[Int(pattern)].updateValue(number, forKey: timing) == nil {
        content.patterns[Int(pattern)].timings.append(timing)
      }
      var run = TimetableContent.Run(
        tid: tids[row[2]] ?? 0, tripID: row[2], pattern: pattern, timing: number,
        service: services[row[1]] ?? 0, start: start)
      run.headsign = index(row[3])
      run.shortName = index(row[4])
      run.block = index(row[6])
      run.shape = index(row[7])
      run.wheelchairAccessible = Int16(row[8])
      run.bikesAllowed = Int16(row[9])
      runs[row[2]] = Int32(content.runs.count)
      content.runs.append(run)
    }
    readFrequencies(runs)
  }

  private struct TimedCall {
    var call: TimetableContent.Call
    var arrival: Int32?
    var departure: Int32?
  }

  private mutating func timesOfTrips() -> [String: [TimedCall]] {
    var times: [String: [TimedCall]] = [:]
    for row in feed.rows(
      "stop_times.txt", "trip_id", "stop_sequence", "stop_id", "arrival_time", "departure_time",
      "pickup_type", "drop_off_type", "timepoint", "shape_dist_traveled", "stop_headsign")
    {
      var call = TimetableContent.Call(sid: sids[row[2]] ?? 0, sequence: Int32(row[1]) ?? 0)
      call.pickupType = Int16(row[5])
      call.dropOffType = Int16(row[6])
      call.timepoint = Int16(row[7])
      call.distance = Double(row[8])
      call.headsign = index(row[9])
      times[row[0], default: []].append(
        TimedCall(
          call: call, arrival: ReferenceTimetable.seconds(row[3]).map { Int32($0) },
          departure: ReferenceTimetable.seconds(row[4]).map { Int32($0) }))
    }
    return times
  }

  private mutating func readFrequencies(_ runs: [String: Int32]) {
    for row in feed.rows(
      "frequencies.txt", "trip_id", "start_time", "end_time", "headway_secs", "exact_times")
    {
      guard let run = runs[row[0]], let start = ReferenceTimetable.seconds(row[1]),
        let end = ReferenceTimetable.seconds(row[2]), let headway = Int32(row[3])
      else { continue }
      content.frequencies.append(
        TimetableContent.Frequency(
          run: run, start: Int32(start), end: Int32(end), headway: headway,
          exactTimes: Int16(row[4])))
    }
  }

  // MARK: - Database

  /// Writes the database.
  ///
  /// - Parameters:
  ///   - url: The file, which does not exist.
  ///   - change: Changes the content before it is written.
  /// - Returns: The database, open for writing.
  /// - Throws: `DatabaseError` when it cannot be written.
  func database(
    at url: URL, _ change: (inout TimetableContent) -> Void = { _ in }
  ) throws -> DatabaseQueue {
    var content = content
    change(&content)
    let queue = try DatabaseQueue(path: url.path)
    try queue.write { db in
      try TimetableSchema.create(db)
      try insertPlaces(db)
      try TimetableWriter(content).write(db)
    }
    return queue
  }

  private func insertPlaces(_ db: Database) throws {
    for (index, row) in feed.rows("agency.txt", "agency_id", "agency_timezone").enumerated() {
      try db.execute(
        sql: "INSERT INTO agency (aid, agency_id, agency_timezone) VALUES (?, ?, ?)",
        arguments: [index + 1, row[0], row[1]])
    }
    var writer = StopWriter()
    var found: [SearchIndexWriter.Place] = []
    let statements = try StopWriter.Statements(db)
    var known: Set<Int64> = []
    let stops = feed.rows("stops.txt", "stop_id", "stop_name", "parent_station", "stop_timezone")
      .sorted { (sids[$0[0]] ?? 0) < (sids[$1[0]] ?? 0) }
    for row in stops {
      guard let sid = sids[row[0]], known.insert(sid).inserted else { continue }
      var place = StopWriter.Place(sid: sid, stopID: row[0], stopName: row[1])
      place.parent = sids[row[2]]
      place.stopTimezone = row[3].isEmpty ? nil : row[3]
      try writer.insert(place, statements)
      found.append(SearchIndexWriter.Place(sid: sid, name: row[1], parent: place.parent))
    }
    try writer.insertIdentifiers(db)
    var search = SearchIndexWriter(found.count) { [found] in found[$0] }
    try search.build(content, db)
    try search.write(db)
    for row in feed.rows("routes.txt", "route_id", "route_short_name", "route_type", "agency_id") {
      try db.execute(
        sql: "INSERT OR IGNORE INTO dict_route (rid, route_id) VALUES (?, ?)",
        arguments: [rids[row[0]], row[0]])
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO routes (rid, route_short_name, route_long_name, route_type, aid)
          VALUES (?, ?, '', ?, (SELECT aid FROM agency WHERE agency_id = ?))
          """,
        arguments: [rids[row[0]], row[1], Int(row[2]) ?? 3, row[3]])
    }
  }
}
