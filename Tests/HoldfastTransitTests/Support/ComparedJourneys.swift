import Foundation
import Holdfast
import HoldfastTestSupport

@testable import HoldfastTransit

/// A feed's database, and its journeys next to those of an exhaustive search.
struct ComparedJourneys {
  /// The greatest number of rides.
  let rides: Int
  private let sids: [String: Int64]
  let queue: DatabaseQueue
  let reference: ReferenceJourneys
  /// The longest duration, in seconds.
  let longest: Int
  private let pace: ReferenceWalks.Pace
  let updates: TripUpdates?

  /// - Parameters:
  ///   - feed: The feed.
  ///   - range: The instants between which vehicles matter.
  ///   - longest: The longest duration, in seconds.
  ///   - changes: What live data say.
  ///   - modifications: What trip modifications say.
  ///   - rides: The greatest number of rides.
  ///   - pace: How riders walk.
  ///   - directory: Where the database is written.
  /// - Throws: `DatabaseError` or ``TextFeedError`` when the feed cannot be used.
  init(
    _ feed: TextFeed, _ range: ClosedRange<Date>, longest: Int, _ changes: [ReferenceChange] = [],
    _ modifications: [ReferenceModification] = [], rides: Int = 4,
    _ pace: ReferenceWalks.Pace = .init(), in directory: TemporaryDirectory
  ) throws {
    (self.longest, self.rides, self.pace) = (longest, rides, pace)
    let written = WrittenFeed(feed)
    sids = written.sids
    queue = try written.database(at: directory.file("\(UUID()).db"))
    let hours = range.upperBound.timeIntervalSince(range.lowerBound) / 3600
    let reference = try ReferenceJourneys(
      feed, from: range.lowerBound, hours: hours, changes, modifications, pace: pace)
    self.reference = reference
    updates =
      changes.isEmpty && modifications.isEmpty
      ? nil
      : TripUpdates(
        changes.enumerated().map { number, change in
          change.update(number, midnight: reference.timetable.midnight(of: change.day))
        }, tripModifications: modifications.map(\.entity), timestamp: nil)
    try queue.write { db in
      try Self.placeStops(of: feed, written, db)
      try feed.copy(
        "transfers",
        [
          "from_stop_id", "to_stop_id", "from_route_id", "to_route_id", "from_trip_id",
          "to_trip_id",
          "transfer_type", "min_transfer_time",
        ], db)
      try feed.copy(
        "pathways",
        [
          "pathway_id", "from_stop_id", "to_stop_id", "pathway_mode", "is_bidirectional",
          "traversal_time",
        ], db)
    }
  }

  /// Compares the journeys of a database that a feed was imported into.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - queue: The database.
  ///   - range: The instants between which vehicles matter.
  ///   - longest: The longest duration, in seconds.
  /// - Throws: `DatabaseError` or ``TextFeedError`` when the feed cannot be used.
  init(
    _ feed: TextFeed, importedInto queue: DatabaseQueue, _ range: ClosedRange<Date>, longest: Int
  ) throws {
    (self.queue, self.longest, updates, rides, pace) = (queue, longest, nil, 4, .init())
    let hours = range.upperBound.timeIntervalSince(range.lowerBound) / 3600
    reference = try ReferenceJourneys(feed, from: range.lowerBound, hours: hours)
    sids = try queue.read { [reference] db in
      var sids: [String: Int64] = [:]
      for stopID in reference.timetable.stopIDs {
        sids[stopID] = try Stop.fetchOne(db, stopID: stopID)?.sid
      }
      return sids
    }
  }

  private static func placeStops(
    of feed: TextFeed, _ written: WrittenFeed, _ db: Database
  ) throws {
    try db.execute(
      sql: "CREATE TABLE IF NOT EXISTS other_stops (sid INTEGER PRIMARY KEY, stop_access TEXT)")
    for row in feed.rows(
      "stops.txt", "stop_id", "stop_lat", "stop_lon", "location_type", "stop_access")
    {
      let sid = written.sids[row[0]]
      try db.execute(
        sql: "UPDATE packed_stops SET lat = ?, lon = ? WHERE sid = ?",
        arguments: [Double(row[1]), Double(row[2]), sid])
      if let type = Int(row[3]) {
        try db.execute(
          sql: "INSERT OR IGNORE INTO stop_kinds (kind, location_type) VALUES (?, ?)",
          arguments: [1000 + type, type])
        try db.execute(
          sql: "UPDATE packed_stops SET kind = ? WHERE sid = ?", arguments: [1000 + type, sid])
      }
      if !row[4].isEmpty {
        try db.execute(
          sql: "INSERT INTO other_stops (sid, stop_access) VALUES (?, ?)", arguments: [sid, row[4]])
      }
    }
  }

  // MARK: - The library

  func journeys(
    _ from: String, _ to: String, _ time: Journeys.Time, window: Int = 0
  ) throws -> [Journey] {
    guard let start = sids[from], let end = sids[to] else { return [] }
    var question = Journeys(from: .stop(start), to: .stop(end), time)
    question.maximumChanges = rides - 1
    question.maximumDuration = .seconds(longest)
    question.window = .seconds(window)
    question.updates = updates
    question.walking = Journeys.Walking(
      radius: Distance(validMeters: pace.radius), speed: pace.speed, detourFactor: pace.factor,
      changeDuration: .seconds(pace.change))
    return try queue.read { [question] db in try question.fetchAll(db) }
  }

  // MARK: - The exhaustive search

  /// Whether there is nothing to be asked: one place is a part of the other, or they are at one position.
  func isOnePlace(_ from: String, _ to: String) -> Bool {
    let parts = reference.timetable.stops(below: from)
    return reference.timetable.stops(below: to).contains { parts.contains($0) }
      || reference.arrivals(from: from, to: to, departing: 0, rides: 0) == [0]
  }

  private static let day = 86400

  /// The latest departure that arrives in time; `nil` if none of a range does.
  private func latestDeparture(
    _ from: String, _ to: String, by end: Int, rides: Int, after start: Int,
    _ known: inout [Int: [Int]]
  ) -> Int? {
    func arrives(_ departure: Int) -> Bool {
      let arrivals =
        known[departure]
        ?? reference.arrivals(from: from, to: to, departing: departure, rides: self.rides)
      known[departure] = arrivals
      return arrivals[rides] <= end
    }
    // The later the departure, the later the arrival: the last good second is between these.
    var (good, bad) = (start, end + 1)
    guard arrives(good) else { return nil }
    while bad - good > 1 {
      let middle = (good + bad) / 2
      if arrives(middle) { good = middle } else { bad = middle }
    }
    return good
  }

  /// The numbers of rides of those that count of all numbers, with the seconds from the instant to the
  /// far end of the journey with so many at most.
  private func best(_ seconds: [Int?]) -> [(rides: Int, seconds: Int)] {
    let most = 7 * Self.day + longest
    let within = seconds.map { $0.flatMap { $0 <= most ? $0 : nil } }
    guard let fastest = within.compactMap(\.self).min() else { return [] }
    let horizon = fastest <= Self.day ? max(Self.day, 2 * fastest) : 2 * fastest
    var (found, last): ([(rides: Int, seconds: Int)], Int) = ([], .max)
    for (rides, own) in within.enumerated() {
      guard let own, own <= horizon, own < last else { continue }
      found.append((rides, own))
      last = own
    }
    return found
  }

  /// The numbers of rides of the journeys with their arrivals.
  func arrivals(_ from: String, _ to: String, _ start: Date) -> [[Int]] {
    let first = Int(start.timeIntervalSince1970)
    let arrivals = reference.arrivals(from: from, to: to, departing: first, rides: rides)
    var known: [Int: [Int]] = [:]
    return best(arrivals.map { $0 == .max ? nil : $0 - first }).compactMap { rides, seconds in
      guard seconds > longest else { return [rides, first + seconds] }
      let latest = latestDeparture(
        from, to, by: first + seconds, rides: rides, after: first, &known)
      return latest.map { first + seconds - $0 <= longest } ?? false
        ? [rides, first + seconds] : nil
    }
  }

  /// The numbers of rides of the journeys with their departures, found by trying.
  func departures(_ from: String, _ to: String, _ end: Date) -> [[Int]] {
    let last = Int(end.timeIntervalSince1970)
    let least = last - 7 * Self.day - longest
    var known: [Int: [Int]] = [:]
    let latest = (0...rides).map { rides in
      latestDeparture(from, to, by: last, rides: rides, after: least, &known)
    }
    return best(latest.map { $0.map { last - $0 } }).compactMap { rides, seconds in
      let departure = last - seconds
      guard seconds > longest else { return [rides, departure] }
      let arrivals = reference.arrivals(from: from, to: to, departing: departure, rides: rides)
      return arrivals[rides] - departure <= longest ? [rides, departure] : nil
    }
  }

  /// The number of rides, the departure and the arrival of all journeys in a window.
  func window(_ from: String, _ to: String, _ start: Date, _ length: Int) -> Set<[Int]> {
    let first = Int(start.timeIntervalSince1970)
    var best = reference.arrivals(
      from: from, to: to, departing: first + length + 1, rides: rides)
    var found: [[Int]] = []
    // Walking all the way is a journey too.
    let walk = reference.arrivals(from: from, to: to, departing: first, rides: 0)[0]
    var fastest = walk == .max || walk - first > longest ? Int.max : walk - first
    for departure in reference.departures(from: from, between: first...first + length).reversed() {
      let arrivals = reference.arrivals(from: from, to: to, departing: departure, rides: rides)
      for number in 1...rides
      where arrivals[number] < best[number] && arrivals[number] < arrivals[number - 1]
        && arrivals[number] <= departure + longest
      {
        found.append([number, departure, arrivals[number]])
        fastest = min(fastest, arrivals[number] - departure)
      }
      for number in 0...rides { best[number] = min(best[number], arrivals[number]) }
    }
    guard fastest < .max else { return [] }
    let horizon = fastest <= Self.day ? max(Self.day, 2 * fastest) : 2 * fastest
    return Set(found.filter { $0[2] - $0[1] <= horizon })
  }
}

extension TextFeed {
  /// Writes some columns of a file as the table of its name, in place of the one that there is.
  func copy(_ file: String, _ columns: [String], _ db: Database) throws {
    guard let data = files["\(file).txt"] else { return }
    let list = columns.map { "\($0) TEXT" }.joined(separator: ", ")
    try db.execute(sql: "DROP TABLE IF EXISTS gtfs_\(file)")
    try db.execute(sql: "CREATE TABLE gtfs_\(file) (\(list))")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    for row in TextTable(data, columns: columns).rows {
      try db.execute(
        sql: "INSERT INTO gtfs_\(file) VALUES (\(marks))",
        arguments: StatementArguments(row.map { $0.isEmpty ? nil : $0 as String? }))
    }
  }
}
