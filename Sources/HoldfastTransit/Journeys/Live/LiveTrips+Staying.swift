import Foundation
import Holdfast

extension LiveTrips {
  /// A trip that is late, because its vehicle comes late from other ones.
  private struct LateStart {
    let pattern: TimetablePattern
    let run: StoredPattern.Run
    /// What the message says of the trip without a prediction, if anything.
    let known: Unpredicted?
    /// The modified trip as it would run in time; `nil` for one that is not modified.
    let modified: Trip?
    /// The seconds by which the vehicle is late, by the `stop_sequence` of the call where it comes from another trip.
    private var delays: [Int: Int] = [:]
    /// The update of the trip from which the vehicle comes latest.
    private var cause: TripUpdate?

    init(
      _ pattern: TimetablePattern, _ run: StoredPattern.Run, known: Unpredicted?, modified: Trip?
    ) {
      (self.pattern, self.run, self.known, self.modified) = (pattern, run, known, modified)
    }

    /// Returns the seconds by which the trip is late at a call, as it is after each vehicle that comes late.
    private func delay(at sequence: Int) -> Int {
      delays.lazy.filter { $0.key <= sequence }.map(\.value).max() ?? 0
    }

    /// Notes that the vehicle comes from another trip.
    ///
    /// - Parameters:
    ///   - seconds: The seconds by which it is late.
    ///   - sequence: The `stop_sequence` of the call where the trip begins for the riders of the other one.
    ///   - cause: The update of the other trip.
    /// - Returns: Whether the trip is later than before.
    mutating func come(late seconds: Int, at sequence: Int, after cause: TripUpdate) -> Bool {
      guard seconds > delay(at: sequence) else { return false }
      if seconds > delays.values.max() ?? 0 { self.cause = cause }
      delays[sequence] = seconds
      return true
    }

    /// Returns what is concluded for the trip.
    ///
    /// - Parameters:
    ///   - tripID: The trip.
    ///   - day: The service day.
    /// - Returns: An update of the trip, or of the modified trip, which is for the stops that are served instead of
    ///   others, too.
    func update(of tripID: String, on day: ServiceDay) -> TripUpdate {
      // With the start it counts before an update that names it and predicts nothing.
      let time = ServiceTime(seconds: Int(run.start)).description
      var trip = TripDescriptor(tripID: tripID, startTime: time, startDate: day.digits)
      if let id = known?.modificationsID {
        trip = TripDescriptor()
        trip.modifiedTrip = ModifiedTripSelector(
          modificationsID: id, affectedTripID: tripID, startTime: time, startDate: day.digits)
      }
      let stops = delays.keys.sorted().map { sequence in
        let event = StopTimeEvent(delay: .seconds(delay(at: sequence)))
        return StopTimeUpdate(stopSequence: sequence, arrival: event, departure: event)
      }
      return TripUpdate(
        id: cause?.id ?? "", trip: trip, vehicle: known?.update.vehicle, stopTimeUpdates: stops,
        properties: known?.update.properties)
    }
  }

  /// The number of trips in a row that a late vehicle delays; some feeds have circles of trips without a pause.
  static let mostContinuations = 64

  /// Delays the trips as which late vehicles go on, where the updates say nothing of them.
  ///
  /// Of several vehicles that become one, the latest counts, also of ones that are late through others. A vehicle is
  /// late for ``mostContinuations`` trips at most.
  ///
  /// - Parameters:
  ///   - network: The network of the timetable.
  ///   - db: The connection of the current access.
  ///   - apply: Takes updates of trips of the timetable, each with its trip, in place of earlier ones.
  /// - Returns: What is concluded for each trip.
  /// - Throws: The errors of ``Journeys/fetchAll(_:)``.
  /// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#linked-trips>, "The trips linked
  ///   together MUST be operated by the same vehicle."
  mutating func delayContinuations(
    _ network: JourneyNetwork, _ db: Database,
    _ apply: (inout LiveTrips, [(TripUpdate, (TimetablePattern, StoredPattern.Run))]) throws -> Void
  ) throws -> [TripUpdate] {
    guard network.transfers.hasStays else { return [] }
    func sorted(_ trips: some Sequence<Dated>) -> [Dated] {
      trips.sorted { ($0.tid, $0.day) < ($1.tid, $1.day) }
    }
    var (starts, concluded) = ([Dated: LateStart](), [Dated: TripUpdate]())
    var next = Array(trips.indices)
    for _ in 0..<Self.mostContinuations where !next.isEmpty {
      var later: Set<Dated> = []
      for index in next {
        later.formUnion(try delay(&starts, after: trips[index], network, db))
      }
      let ordered = sorted(later)
      let updates = try ordered.compactMap { dated in
        try starts[dated].map { start in
          let update = start.update(of: try network.cache.tripID(dated.tid, db), on: dated.day)
          concluded[dated] = update
          return (update, (start.pattern, start.run))
        }
      }
      try apply(&self, updates)
      next = ordered.compactMap { indices[$0] }
    }
    return sorted(concluded.keys).compactMap { concluded[$0] }
  }

  /// Delays the trips as which a vehicle goes on after the end of a trip, or where a rule says so, and
  /// that would begin before it is there.
  ///
  /// - Returns: The trips that are later than before.
  private func delay(
    _ starts: inout [Dated: LateStart], after trip: Trip, _ network: JourneyNetwork, _ db: Database
  ) throws -> Set<Dated> {
    let (cache, tables) = (network.cache, TripTables(checked: db))
    guard let tid = trip.tid, cache.headways(of: tid).isEmpty else { return [] }
    let index = network.transfers.namedIndex(of: tid)
    guard index >= 0 else { return [] }
    let live = try stops(of: trip, cache, db).trip
    guard let pattern = live.pattern, let run = live.run else { return [] }
    var later: Set<Dated> = []
    for stay in network.transfers.named[Int(index)].next {
      guard let exit = trip.index(ofStay: stay.call, isEnd: true).map({ trip.calls[$0] }),
        case let arrival = exit.arrival, arrival != JourneyTimetable.none,
        let end = pattern.time(.arrival, run.timing, stay.call ?? pattern.calls.count - 1),
        case let other = network.transfers.named[Int(stay.trip)].tid,
        cache.headways(of: other).isEmpty, let stored = try tables.trip(other)
      else { continue }
      let next = try cache.pattern(stored.pid, tables)
      let entry = stay.otherCall ?? 0
      guard let nextRun = next.run(other), let start = next.time(.departure, nextRun.timing, entry)
      else { continue }
      let midnight = pattern.zone.start(of: trip.day)
      let begin = Int(nextRun.start) + start
      guard
        let day = JourneySearch.day(
          of: begin, in: next.zone, after: midnight + Int(run.start) + end, from: trip.day),
        try cache.service(nextRun.service, db).stored.runs(on: day),
        case let dated = Dated(tid: other, day: day),
        var late = starts[dated] ?? lateStart(of: dated, next, nextRun)
      else { continue }
      let planned = network.stop(ofNamed: stay.trip, stay.otherCall, isEnd: false)
      var beginning = Beginning(
        stop: planned, sequence: Int(next.calls[entry].sequence), departure: begin)
      if let modified = late.modified {
        guard let own = modified.beginning(ofStay: stay.otherCall) else { continue }
        beginning = own
      }
      let seconds = midnight + Int(arrival) - next.zone.start(of: day) - beginning.departure
      guard
        network.canStay(
          from: StayingStop(
            planned: network.stop(ofNamed: index, stay.call, isEnd: true), now: Int(exit.stop)),
          to: StayingStop(planned: planned, now: beginning.stop)),
        late.come(late: seconds, at: beginning.sequence, after: live.update)
      else { continue }
      starts[dated] = late
      later.insert(dated)
    }
    return later
  }

  /// Returns a trip that a late vehicle may delay; `nil` for one of which the updates say something.
  private func lateStart(
    of dated: Dated, _ pattern: TimetablePattern, _ run: StoredPattern.Run
  ) -> LateStart? {
    let known = unpredicted[dated]
    guard replaced[dated] == nil || known != nil else { return nil }
    let modified = known?.modificationsID == nil ? nil : indices[dated].map { trips[$0] }
    return LateStart(pattern, run, known: known, modified: modified)
  }
}
