import Foundation
public import Holdfast

/// The trips of a route on a service day.
///
/// ```swift
/// let trips = try await timetable.reader.read { db in
///   let route = try Route.fetchOne(db, routeID: "F1")
///   return try route.map { try RouteTrips(of: $0.rid, on: day).fetchAll(db) }
/// }
/// ```
///
/// A trip that `frequencies.txt` repeats is listed once for each of its rows there.
public struct RouteTrips: Hashable, Sendable {
  /// The number of the route.
  public var rid: Int64

  /// The service day.
  public var day: ServiceDay

  /// Prepares a question.
  ///
  /// - Parameters:
  ///   - rid: The number of the route.
  ///   - day: The service day.
  public init(of rid: Int64, on day: ServiceDay) {
    (self.rid, self.day) = (rid, day)
  }

  /// Returns the trips.
  ///
  /// - Parameter db: The connection of the current access, to a timetable database.
  /// - Returns: The trips that run on the day, by their first departures and then by number; those
  ///   without times come last.
  /// - Throws: ``TransitError`` with `.schemaOlder` when the database was imported without trips and
  ///   times, `.tooLarge` when a pattern needs more than 32 MiB of memory, `.damaged`,
  ///   `.unknownTimeZone`; `DatabaseError` when the database cannot be read.
  public func fetchAll(_ db: Database) throws -> [RouteTrip] {
    try db.deferringTemporaryObjects { try trips(db) }
  }

  private func trips(_ db: Database) throws -> [RouteTrip] {
    let cache = try TripCache.of(db)
    let tables = TripTables(checked: db)
    var trips: [RouteTrip] = []
    for pid in try tables.pids(ofRoute: rid) {
      let pattern = try cache.pattern(pid, tables)
      for run in pattern.runs where try isRunning(run, cache, db) {
        trips.append(try trip(run, nil, of: pattern, cache, db))
      }
      for repetition in pattern.repetitions where try isRunning(repetition.run, cache, db) {
        trips.append(try trip(repetition.run, repetition.headway, of: pattern, cache, db))
      }
    }
    return trips.sorted { one, other in
      let times = [one, other].map { $0.departureTime?.seconds ?? .max }
      return (times[0], one.tid) < (times[1], other.tid)
    }
  }

  private func isRunning(
    _ run: StoredPattern.Run, _ cache: TripCache, _ db: Database
  ) throws -> Bool {
    try cache.service(run.service, db).stored.runs(on: day)
  }

  private func trip(
    _ run: StoredPattern.Run, _ headway: TripTables.Headway?, of pattern: TimetablePattern,
    _ cache: TripCache, _ db: Database
  ) throws -> RouteTrip {
    let start = headway?.start ?? Int(run.start)
    // A trip may have no time at its first call, and none at its last one.
    let first = pattern.calls.indices.first { pattern.time(.departure, run.timing, $0) != nil }
    let last = pattern.calls.indices.last { pattern.time(.arrival, run.timing, $0) != nil }
    let departure = first.flatMap { pattern.time(.departure, run.timing, $0) }
    let arrival = last.flatMap { pattern.time(.arrival, run.timing, $0) }
    let zone = { (index: Int?) throws -> TimeZone in
      try index.flatMap { try cache.zone(ofStop: pattern.calls[$0].sid, db) } ?? pattern.zone.zone
    }
    let midnight = pattern.zone.start(of: day)
    let date = { (time: Int?) in
      time.map { Date(timeIntervalSince1970: Double(midnight + start + $0)) }
    }
    let stop = { (call: StoredPattern.Call?) throws -> Stop? in
      guard let call, call.sid != 0 else { return nil }
      return try cache.stop(call.sid, db)
    }
    return RouteTrip(
      tid: run.tid, tripID: try cache.tripID(run.tid, db),
      serviceID: try cache.service(run.service, db).serviceID,
      tripHeadsign: try cache.text(run.headsign, db),
      tripShortName: try cache.text(run.shortName, db),
      directionID: pattern.directionID.map { Int($0) }, origin: try stop(pattern.calls.first),
      destination: try stop(pattern.calls.last), callCount: pattern.calls.count,
      departureTime: departure.map { ServiceTime(seconds: start + $0) },
      arrivalTime: arrival.map { ServiceTime(seconds: start + $0) }, departure: date(departure),
      arrival: date(arrival), departureTimeZone: try zone(first), arrivalTimeZone: try zone(last),
      timeZone: pattern.zone.zone,
      wheelchairAccessible: run.wheelchairAccessible.map { Int($0) },
      bikesAllowed: run.bikesAllowed.map { Int($0) }, frequency: headway.map(Trip.Frequency.init))
  }
}
