import Foundation
import Holdfast

/// A trip of the timetable on a service day, as one of perhaps several vehicles runs it.
struct DatedRun {
  let pattern: TimetablePattern
  /// The index of the trip's timing in the pattern.
  let timing: Int32
  let day: ServiceDay
  /// The start, in seconds of the service day.
  let start: Int
  /// Whether `frequencies.txt` repeats the trip.
  let isFrequencyBased: Bool
  /// On which service days next to a start after midnight the trip runs, too.
  let neighbors: ServiceNight.Neighbors

  /// The instants of the start, and of the last arrival.
  var span: ClosedRange<Date> {
    let first = Date(timeIntervalSince1970: Double(pattern.zone.start(of: day) + start))
    return first...first + Double(pattern.length(timing))
  }
}

extension DatedRun {
  /// Finds the run of a departure; `nil` if the timetable does not have its trip.
  init?(of departure: Departure, _ db: Database) throws {
    try self.init(departure.tid, departure.serviceDay, departure.start, db)
  }

  /// Finds the run of an arrival; `nil` if the timetable does not have its trip.
  init?(of arrival: Arrival, _ db: Database) throws {
    try self.init(arrival.tid, arrival.serviceDay, arrival.start, db)
  }

  /// Finds the run of a ride; `nil` if the timetable does not have its trip, or only its headway is known.
  init?(of ride: Journey.Ride, _ db: Database) throws {
    guard ride.headway == nil else { return nil }
    try self.init(ride.tid, ride.serviceDay, ride.start, db)
  }

  private init?(_ tid: Int64?, _ day: ServiceDay, _ start: Int?, _ db: Database) throws {
    guard let tid, let start else { return nil }
    let found = try db.deferringTemporaryObjects { () throws -> DatedRun? in
      let (cache, tables) = (try TripCache.of(db), TripTables(checked: db))
      guard let trip = try tables.trip(tid) else { return nil }
      let pattern = try cache.pattern(trip.pid, tables)
      guard let run = pattern.run(trip.tid) else { return nil }
      return DatedRun(
        pattern: pattern, timing: run.timing, day: day, start: start,
        isFrequencyBased: !cache.headways(of: run.tid).isEmpty,
        neighbors: try LiveCalls.neighbors(of: run, on: day, at: start, cache, db))
    }
    guard let found else { return nil }
    self = found
  }
}

extension AlertSubject {
  /// Takes the start of the trip, if it is known.
  mutating func take(_ run: DatedRun?) {
    guard let run else { return }
    (startTime, isFrequencyBased) = (run.start, run.isFrequencyBased)
    neighbors = run.neighbors
    (start, end) = (run.span.lowerBound, run.span.upperBound)
  }
}
