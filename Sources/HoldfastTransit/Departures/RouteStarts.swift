import Holdfast

/// The trips of a route, by when they start.
///
/// Updates without a `trip_id` name a route, a direction, a day and a start. Each of them looks at a few trips that
/// start then and run on the day, and not at all of the route.
final class RouteStarts {
  /// A trip of the route.
  struct Trip: Hashable {
    let pid: Int64
    let tid: Int64
  }

  /// A trip with what an update may name of it, and its service.
  private struct Entry {
    /// The second of the service day.
    let start: Int32
    let service: Int32
    let directionID: Int16?
    let trip: Trip

    /// The order in which those are next to one another that start at one second of whichever day.
    var order: (Int, Int32, Int16, Int32) {
      (RouteStarts.second(Int(start)), start, directionID ?? -1, service)
    }

    func startsAs(_ other: Entry) -> Bool {
      start == other.start && directionID == other.directionID
    }
  }

  /// A row of `frequencies.txt` and a direction, which trips of many services may have in common.
  private struct RepeatedStart: Hashable {
    let start, end, headway: Int
    let directionID: Int16?
  }

  /// The number of trips after which it does not matter that there are more: a descriptor must be for one.
  static let most = 2
  /// The number of trips whose services are looked at as fast one after another.
  private static let few = 8

  /// The trips that run once, in the order of their ``Entry/order``.
  private let entries: [Entry]
  /// The trips of each row of `frequencies.txt`, by their services.
  private let repeated: [[Entry]]
  /// The rows, as indices of ``repeated``, by direction.
  private let repetitions: [Int16?: RepetitionIndex<Int>]
  /// The services of many trips that start together, by day: for the first of the trips, or the row.
  private var services: (once: [Int: ServiceIndex], repeated: [Int: ServiceIndex]) = ([:], [:])
  /// The number of entries, of which a row of `frequencies.txt` takes the memory of several.
  let cost: Int

  /// Reads all patterns of a route.
  init(ofRoute rid: Int64, _ cache: TripCache, _ tables: TripTables) throws {
    var entries: [Entry] = []
    var rows: [RepeatedStart: (headway: TripTables.Headway, entries: [Entry])] = [:]
    var rowCount = 0
    for pid in try tables.pids(ofRoute: rid) {
      let pattern = try cache.pattern(pid, tables)
      func entry(_ run: StoredPattern.Run) -> Entry {
        Entry(
          start: run.start, service: run.service, directionID: pattern.directionID,
          trip: Trip(pid: pid, tid: run.tid))
      }
      entries += pattern.runs.map(entry)
      for repetition in pattern.repetitions {
        let headway = repetition.headway
        let key = RepeatedStart(
          start: headway.start, end: headway.end, headway: headway.headway,
          directionID: pattern.directionID)
        rows[key, default: (headway, [])].entries.append(entry(repetition.run))
      }
      rowCount += pattern.repetitions.count
    }
    self.entries = entries.sorted { $0.order < $1.order }
    var repeated: [[Entry]] = []
    var repetitions: [Int16?: [(headway: TripTables.Headway, element: Int)]] = [:]
    for (key, row) in rows {
      repetitions[key.directionID, default: []].append((row.headway, repeated.count))
      repeated.append(row.entries.sorted { $0.service < $1.service })
    }
    self.repeated = repeated
    self.repetitions = repetitions.mapValues(RepetitionIndex.init)
    cost = 1 + entries.count + 4 * rowCount
  }

  /// Returns the trips that may start at a time.
  ///
  /// - Parameters:
  ///   - time: The time in seconds, from whichever midnight the server counts.
  ///   - directionID: The direction that the server names.
  ///   - days: Returns the service days for which a trip counts with a start in seconds of the service day.
  ///   - service: Returns a service by its number.
  /// - Returns: The trips, each once, by pattern and number; of those with one start, day and direction as many as
  ///   ``most``.
  /// - Throws: The errors of the closures.
  func trips(
    at time: Int, inDirection directionID: Int?, on days: (_ start: Int) -> Set<ServiceDay>,
    _ service: (Int32) throws -> StoredService
  ) throws -> [Trip] {
    var found: Set<Trip> = []
    // Where the feed has no directions, it does not matter which one the server names.
    func isNamed(_ direction: Int16?) -> Bool { direction.map { Int($0) == directionID } ?? true }
    let second = Self.second(time)
    var first = entries.partitioningIndex { Self.second(Int($0.start)) >= second }
    while first < entries.count, case let entry = entries[first],
      Self.second(Int(entry.start)) == second
    {
      let end = entries[first...].partitioningIndex { !$0.startsAs(entry) }
      if isNamed(entry.directionID) {
        for day in days(Int(entry.start)) {
          try add(entries[first..<end], on: day, to: &found, &services.once[first], service)
        }
      }
      first = end
    }
    for (direction, rows) in repetitions where isNamed(direction) {
      for start in [time, time + 86_400] {
        for day in days(start) {
          try rows.forEach(startingAt: start) { row in
            try add(repeated[row][...], on: day, to: &found, &services.repeated[row], service)
            return true
          }
        }
      }
    }
    return found.sorted { ($0.pid, $0.tid) < ($1.pid, $1.tid) }
  }

  /// Adds those of some trips that run on a day, at most ``most``.
  ///
  /// - Parameters:
  ///   - entries: The trips, by their services.
  ///   - day: The day.
  ///   - found: The trips that were found.
  ///   - index: The services by day, which are found out if there are many.
  ///   - service: Returns a service by its number.
  /// - Throws: The errors of the closure.
  private func add(
    _ entries: ArraySlice<Entry>, on day: ServiceDay, to found: inout Set<Trip>,
    _ index: inout ServiceIndex?, _ service: (Int32) throws -> StoredService
  ) throws {
    var count = 0
    func add(_ number: Int32) -> Bool {
      let first = entries.partitioningIndex { $0.service >= number }
      for entry in entries[first...].prefix(while: { $0.service == number }) where count < Self.most
      {
        // A trip may have a row of frequencies.txt twice.
        if found.insert(entry.trip).inserted { count += 1 }
      }
      return count < Self.most
    }
    func numbers() -> [Int32] {
      entries.reduce(into: []) { if $0.last != $1.service { $0.append($1.service) } }
    }
    guard entries.count > Self.few else {
      for number in numbers() where try service(number).runs(on: day) {
        guard add(number) else { return }
      }
      return
    }
    let known =
      try index
      ?? ServiceIndex(
        Dictionary(uniqueKeysWithValues: numbers().map { ($0, try service($0)) }))
    index = known
    known.forEach(on: day, while: add)
  }

  fileprivate static func second(_ start: Int) -> Int {
    start - start.quotient(by: 86_400) * 86_400
  }
}
