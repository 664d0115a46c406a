import Foundation
import Holdfast

extension LiveTrips {
  /// A trip that begins late, because its vehicle comes late from another one.
  private struct LateStart {
    let pattern: TimetablePattern
    let run: StoredPattern.Run
    let call: StoredPattern.Call
    /// The update of the other trip.
    let cause: TripUpdate
    let seconds: Int
  }

  /// The number of trips in a row that a late vehicle delays; some feeds have circles of trips without a pause.
  static let mostContinuations = 64

  /// Delays the trips as which late vehicles go on, where the updates say nothing of them.
  ///
  /// Of several vehicles that become one, the latest counts. A vehicle is late for ``mostContinuations`` trips at most.
  ///
  /// - Parameters:
  ///   - network: The network of the timetable.
  ///   - db: The connection of the current access.
  ///   - apply: Takes an update of a trip of the timetable.
  /// - Throws: The errors of ``Journeys/fetchAll(_:)``.
  /// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#linked-trips>, "The trips linked
  ///   together MUST be operated by the same vehicle."
  mutating func delayContinuations(
    _ network: JourneyNetwork, _ db: Database,
    _ apply: (inout LiveTrips, TripUpdate, (TimetablePattern, StoredPattern.Run)) throws -> Void
  ) throws {
    guard network.transfers.hasStays else { return }
    var first = 0
    for _ in 0..<Self.mostContinuations where first < trips.count {
      var late: [Dated: LateStart] = [:]
      for trip in trips[first...] {
        for (dated, start) in try lateStarts(after: trip, network, db)
        where replaced[dated] == nil && start.seconds > late[dated]?.seconds ?? 0 {
          late[dated] = start
        }
      }
      first = trips.count
      for (dated, start) in late.sorted(by: { ($0.key.tid, $0.key.day) < ($1.key.tid, $1.key.day) })
      {
        let trip = TripDescriptor(
          tripID: try network.cache.tripID(dated.tid, db), startDate: dated.day.digits)
        let event = StopTimeEvent(delay: .seconds(start.seconds))
        let update = TripUpdate(
          id: start.cause.id, trip: trip,
          stopTimeUpdates: [
            StopTimeUpdate(
              stopSequence: Int(start.call.sequence), arrival: event, departure: event)
          ])
        try apply(&self, update, (start.pattern, start.run))
      }
    }
  }

  /// Returns the trips as which a vehicle goes on after the end of a trip, or where a rule says so,
  /// that should begin before it is there.
  private func lateStarts(
    after trip: Trip, _ network: JourneyNetwork, _ db: Database
  ) throws -> [(Dated, LateStart)] {
    let (cache, tables) = (network.cache, TripTables(checked: db))
    guard let tid = trip.tid, cache.headways(of: tid).isEmpty else { return [] }
    let index = network.transfers.namedIndex(of: tid)
    guard index >= 0 else { return [] }
    let live = try stops(of: trip, cache, db).trip
    guard let pattern = live.pattern, let run = live.run else { return [] }
    return try network.transfers.named[Int(index)].next.compactMap { stay in
      guard stay.call == nil || trip.areScheduled,
        case let arrival = trip.calls[stay.call ?? trip.calls.count - 1].arrival,
        arrival != JourneyTimetable.none,
        let planned = pattern.time(.arrival, run.timing, stay.call ?? pattern.calls.count - 1),
        case let other = network.transfers.named[Int(stay.trip)].tid,
        cache.headways(of: other).isEmpty, let stored = try tables.trip(other)
      else { return nil }
      let next = try cache.pattern(stored.pid, tables)
      let entry = stay.otherCall ?? 0
      guard let nextRun = next.run(other), let start = next.time(.departure, nextRun.timing, entry)
      else { return nil }
      let midnight = pattern.zone.start(of: trip.day)
      let begin = Int(nextRun.start) + start
      guard
        let day = JourneySearch.day(
          of: begin, in: next.zone, after: midnight + Int(run.start) + planned, from: trip.day),
        try cache.service(nextRun.service, db).stored.runs(on: day)
      else { return nil }
      let seconds = midnight + Int(arrival) - next.zone.start(of: day) - begin
      return (
        Dated(tid: other, day: day),
        LateStart(
          pattern: next, run: nextRun, call: next.calls[entry], cause: live.update,
          seconds: seconds)
      )
    }
  }
}
