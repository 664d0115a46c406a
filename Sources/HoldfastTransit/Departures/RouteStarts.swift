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

  /// What trips have in common of which an update may name one.
  private struct Start: Hashable {
    /// The second of the service day.
    let time: Int
    let directionID: Int16?
  }

  /// The trips with one start and direction.
  private struct Group {
    /// The trips by service, at most as many as a search returns of each.
    var trips: [Int32: [Trip]] = [:]
    /// The services by day, if there are many.
    var index: ServiceIndex?
  }

  /// The number of trips after which it does not matter that there are more: a descriptor must be for one.
  static let most = 2
  /// The number of services that are looked at as fast one after another.
  private static let fewServices = 8

  private var groups: [Start: Group] = [:]
  /// The starts at one second of whichever day.
  private var starts: [Int: Set<Int>] = [:]
  private var directions: Set<Int16?> = []
  /// The trips that `frequencies.txt` repeats, by direction, with their services.
  private var repetitions: [Int16?: RepetitionIndex<(trip: Trip, service: Int32)>] = [:]
  /// The number of entries.
  private(set) var cost = 1

  /// Reads all patterns of a route.
  init(ofRoute rid: Int64, _ cache: TripCache, _ tables: TripTables) throws {
    typealias Repetition = (headway: TripTables.Headway, element: (trip: Trip, service: Int32))
    var repetitions: [Int16?: [Repetition]] = [:]
    for pid in try tables.pids(ofRoute: rid) {
      let pattern = try cache.pattern(pid, tables)
      let directionID = pattern.directionID
      for run in pattern.runs {
        let start = Start(time: Int(run.start), directionID: directionID)
        let known = groups[start]?.trips[run.service]?.count ?? 0
        guard known < Self.most else { continue }
        groups[start, default: Group()].trips[run.service, default: []]
          .append(Trip(pid: pid, tid: run.tid))
        starts[Self.second(start.time), default: []].insert(start.time)
      }
      for repetition in pattern.repetitions {
        let run = repetition.run
        repetitions[directionID, default: []]
          .append((repetition.headway, (Trip(pid: pid, tid: run.tid), run.service)))
      }
      directions.insert(directionID)
      cost += pattern.runs.count + pattern.repetitions.count
    }
    self.repetitions = repetitions.mapValues(RepetitionIndex.init)
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
    for direction in directions where direction.map({ Int($0) == directionID }) ?? true {
      for start in starts[Self.second(time)] ?? [] {
        let start = Start(time: start, directionID: direction)
        for day in days(start.time) { try add(start, on: day, to: &found, service) }
      }
      for start in [time, time + 86_400] {
        for day in days(start) {
          var trips: Set<Trip> = []
          try repetitions[direction]?.forEach(startingAt: start) { row in
            if try service(row.service).runs(on: day) { trips.insert(row.trip) }
            return trips.count < Self.most
          }
          found.formUnion(trips)
        }
      }
    }
    return found.sorted { ($0.pid, $0.tid) < ($1.pid, $1.tid) }
  }

  /// Adds the trips with a start on a day.
  private func add(
    _ start: Start, on day: ServiceDay, to found: inout Set<Trip>,
    _ service: (Int32) throws -> StoredService
  ) throws {
    guard let group = groups[start] else { return }
    var count = 0
    func add(_ number: Int32) -> Bool {
      for trip in group.trips[number] ?? [] where count < Self.most {
        found.insert(trip)
        count += 1
      }
      return count < Self.most
    }
    guard group.trips.count > Self.fewServices else {
      for number in group.trips.keys where try service(number).runs(on: day) {
        guard add(number) else { return }
      }
      return
    }
    let index =
      try group.index
      ?? ServiceIndex(
        group.trips.reduce(into: [:]) { services, next in
          services[next.key] = try service(next.key)
        })
    groups[start]?.index = index
    index.forEach(on: day, while: add)
  }

  private static func second(_ start: Int) -> Int { start - start.quotient(by: 86_400) * 86_400 }
}
