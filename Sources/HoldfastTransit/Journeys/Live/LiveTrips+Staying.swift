import Foundation
import Holdfast

extension LiveTrips {
  /// A trip that begins late, because its vehicle comes late from another one.
  private struct LateStart {
    let pattern: TimetablePattern
    let run: StoredPattern.Run
    /// The `stop_sequence` of the call where it begins for the riders of the other trip.
    let sequence: Int
    /// The update of the other trip.
    let cause: TripUpdate
    let seconds: Int

    /// Returns what is concluded for the trip.
    ///
    /// - Parameters:
    ///   - tripID: The trip.
    ///   - day: The service day.
    ///   - known: What the message says of it without a prediction, if anything.
    /// - Returns: An update of the trip, or of the modified trip, which is for the stops that are served instead of
    ///   others, too.
    func update(of tripID: String, on day: ServiceDay, known: Unpredicted?) -> TripUpdate {
      // With the start it counts before an update that names it and predicts nothing.
      let time = ServiceTime(seconds: Int(run.start)).description
      var trip = TripDescriptor(tripID: tripID, startTime: time, startDate: day.digits)
      if let id = known?.modificationsID {
        trip = TripDescriptor()
        trip.modifiedTrip = ModifiedTripSelector(
          modificationsID: id, affectedTripID: tripID, startTime: time, startDate: day.digits)
      }
      let event = StopTimeEvent(delay: .seconds(seconds))
      return TripUpdate(
        id: cause.id, trip: trip, vehicle: known?.update.vehicle,
        stopTimeUpdates: [
          StopTimeUpdate(stopSequence: sequence, arrival: event, departure: event)
        ], properties: known?.update.properties)
    }
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
  ///   - apply: Takes updates of trips of the timetable, each with its trip.
  /// - Throws: The errors of ``Journeys/fetchAll(_:)``.
  /// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#linked-trips>, "The trips linked
  ///   together MUST be operated by the same vehicle."
  mutating func delayContinuations(
    _ network: JourneyNetwork, _ db: Database,
    _ apply: (inout LiveTrips, [(TripUpdate, (TimetablePattern, StoredPattern.Run))]) throws -> Void
  ) throws {
    guard network.transfers.hasStays else { return }
    var next = Array(trips.indices)
    for _ in 0..<Self.mostContinuations where !next.isEmpty {
      var late: [Dated: LateStart] = [:]
      for index in next {
        for (dated, start) in try lateStarts(after: trips[index], network, db)
        where (replaced[dated] == nil || unpredicted[dated] != nil)
          && start.seconds > late[dated]?.seconds ?? 0
        {
          late[dated] = start
        }
      }
      let sorted = late.sorted { ($0.key.tid, $0.key.day) < ($1.key.tid, $1.key.day) }
      var updates: [(TripUpdate, (TimetablePattern, StoredPattern.Run))] = []
      for (dated, start) in sorted {
        let tripID = try network.cache.tripID(dated.tid, db)
        let known = unpredicted.removeValue(forKey: dated)
        updates.append(
          (start.update(of: tripID, on: dated.day, known: known), (start.pattern, start.run)))
      }
      try apply(&self, updates)
      next = sorted.compactMap { indices[$0.key] }
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
      guard let exit = trip.index(ofStay: stay.call, isEnd: true).map({ trip.calls[$0] }),
        case let arrival = exit.arrival, arrival != JourneyTimetable.none,
        let end = pattern.time(.arrival, run.timing, stay.call ?? pattern.calls.count - 1),
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
          of: begin, in: next.zone, after: midnight + Int(run.start) + end, from: trip.day),
        try cache.service(nextRun.service, db).stored.runs(on: day)
      else { return nil }
      let dated = Dated(tid: other, day: day)
      let planned = network.stop(ofNamed: stay.trip, stay.otherCall, isEnd: false)
      var beginning = Beginning(
        stop: planned, sequence: Int(next.calls[entry].sequence), departure: begin)
      if unpredicted[dated]?.modificationsID != nil,
        let modified = indices[dated].map({ trips[$0] })
      {
        guard let own = modified.beginning(ofStay: stay.otherCall) else { return nil }
        beginning = own
      }
      guard
        network.canStay(
          from: StayingStop(
            planned: network.stop(ofNamed: index, stay.call, isEnd: true), now: Int(exit.stop)),
          to: StayingStop(planned: planned, now: beginning.stop))
      else { return nil }
      return (
        dated,
        LateStart(
          pattern: next, run: nextRun, sequence: beginning.sequence, cause: live.update,
          seconds: midnight + Int(arrival) - next.zone.start(of: day) - beginning.departure)
      )
    }
  }
}
