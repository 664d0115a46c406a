import Foundation
import Holdfast

/// The calls at a board of the trips that live data change, and of those that they add.
///
/// Each update is applied to the whole trip by the rules of the specification. So a trip is found
/// however late it is, and wherever it stops instead.
struct LiveCalls {
  /// A trip of the timetable on a service day, whose calls here take the place of the scheduled ones.
  struct Instance: Hashable {
    let tid: Int64
    let day: ServiceDay
    /// The start in seconds of the service day.
    let start: Int
  }

  /// A call of a trip that live data know.
  struct Call {
    /// The seconds since 1970.
    let instant: Int
    /// The trip's number; larger than all others if the timetable does not have it.
    let tid: Int64
    let sid: Int64
    let stopTime: LiveStopTime
    /// The index in the trip's stops.
    let index: Int
    /// The index in the pattern, if the timetable's stops apply.
    let scheduledIndex: Int?
    let isFirstStop: Bool
    let isLastStop: Bool
    let trip: LiveTrip
  }

  /// A trip that live data change or add, with its stops.
  struct Stops {
    let trip: LiveTrip
    let stopTimes: [LiveStopTime]
    /// Whether the timetable's stops apply.
    let areScheduled: Bool
    /// The index in the timetable's trip of each stop of a modified trip; `nil` for stops that are served instead.
    var places: [Int?] = []
    /// The number of each stop of a modified trip in it, from 1; 0 for one that is not served.
    var numbers: [Int] = []

    /// Returns the index in the pattern of a stop, if the timetable has it.
    func scheduledIndex(_ index: Int) -> Int? {
      areScheduled ? index : places.isEmpty ? nil : places[index]
    }

    /// The index of the stop where the trip begins, after those that are skipped.
    var first: Int { stopTimes.firstIndex { $0.status != .skipped } ?? 0 }
    /// The index of the stop where the trip ends, before those that are skipped.
    var last: Int { stopTimes.lastIndex { $0.status != .skipped } ?? stopTimes.count - 1 }
  }

  /// A trip of the timetable that an update is for.
  struct Change {
    let instance: Instance
    /// `nil` if riders are not to see that it was planned, or if no stop matters.
    let stops: Stops?
    /// The identifier of the modifications that count of those of the trip; `nil` if there are none.
    var modificationsID: String?
  }

  /// The properties that all calls of one trip share.
  final class LiveTrip {
    let update: TripUpdate
    let day: ServiceDay
    let tripID: String
    let route: Route
    let zone: TimetableZone
    let pattern: TimetablePattern?
    let run: StoredPattern.Run?
    /// The start in the timetable, in seconds of the service day; `nil` for a trip that is added.
    let start: Int?
    var originID: String?

    var isAdded: Bool { start == nil }

    init(
      _ update: TripUpdate, on day: ServiceDay, tripID: String, route: Route, zone: TimetableZone,
      _ pattern: TimetablePattern?, _ run: StoredPattern.Run?, start: Int?
    ) {
      (self.update, self.day, self.tripID, self.route) = (update, day, tripID, route)
      (self.zone, self.pattern, self.run, self.start) = (zone, pattern, run, start)
    }
  }

  /// The board, the query and the known trips of a search.
  private struct Search {
    let board: StopBoard
    let question: BoardQuery
    let interval: ClosedRange<Int>
    let known: TripCache.TripsOfBoard
  }

  private let search: Search?
  private var calls: [Call] = []
  /// The trips whose scheduled calls do not count.
  private(set) var replaced: Set<Instance> = []

  /// Creates the calls of a question without live data.
  init() {
    search = nil
  }

  /// Prepares to take the calls that a question asks for.
  init(
    on board: StopBoard, for question: BoardQuery, within interval: ClosedRange<Int>,
    _ known: TripCache.TripsOfBoard
  ) {
    search = Search(board: board, question: question, interval: interval, known: known)
  }

  /// Returns the calls in their order.
  func sorted() -> [Call] {
    calls.sorted { one, other in
      guard (one.instant, one.tid, one.index) == (other.instant, other.tid, other.index) else {
        return (one.instant, one.tid, one.index) < (other.instant, other.tid, other.index)
      }
      return (ExactText(one.trip.tripID), one.trip.day)
        < (ExactText(other.trip.tripID), other.trip.day)
    }
  }

  // MARK: - Updates

  /// Takes the calls of all updates that matter for the board.
  mutating func add(_ updates: TripUpdates, _ cache: TripCache, _ db: Database) throws {
    guard let search else { return }
    for (number, update) in updates.applied.enumerated() {
      if update.trip.scheduleRelationship.addsTrip {
        if namesStop(of: search, update), let stops = try Self.addition(update, cache, db) {
          add(stops, tid: .max, search)
        }
        continue
      }
      // A message may name the same trips as often as it likes.
      guard updates.mayCount(number) else { continue }
      let trips = try trips(of: update, search, cache, db)
      for change in try Self.changes(
        trips, update, by: number, of: updates, within: search.interval, cache, db,
        ofBoardIn: search.interval)
      {
        add(change, search)
      }
    }
    var examined = replaced
    for entity in updates.tripModifications {
      try add(entity, of: updates, search, cache, db, &examined)
    }
  }

  /// Takes the calls of modified trips without an update that names the board.
  private mutating func add(
    _ entity: TripModifications, of updates: TripUpdates, _ search: Search, _ cache: TripCache,
    _ db: Database, _ examined: inout Set<Instance>
  ) throws {
    let namesStop = entity.replacementStopIDs.contains {
      search.known.stops[ExactText($0)] != nil
    }
    for tripID in entity.tripIDs {
      var found = Self.trip(tripID, search.known)
      if found == nil, namesStop { found = try Self.trip(tripID, cache, db) }
      guard let trip = found else { continue }
      // The trip may be a day late.
      let days = trip.0.zone.days(around: search.interval, latest: trip.0.latest + 86_400)
      for update in entity.updates(of: tripID, where: { days.contains($0) }) {
        let changes = try Self.changes(
          [trip], update, by: nil, of: updates, within: search.interval, cache, db
        ) { examined.insert($0).inserted }
        for change in changes { add(change, search) }
      }
    }
  }

  private mutating func add(_ change: Change, _ search: Search) {
    replaced.insert(change.instance)
    if let stops = change.stops { add(stops, tid: change.instance.tid, search) }
  }

  /// Returns whether an update names a stop of the board.
  private func namesStop(of search: Search, _ update: TripUpdate) -> Bool {
    // A copied trip has the stops of the original.
    if update.trip.scheduleRelationship == .duplicated { return true }
    return update.stopTimeUpdates.contains { stop in
      [stop.stopID, stop.properties?.assignedStopID].contains { stopID in
        stopID.map { search.known.stops[ExactText($0)] != nil } ?? false
      }
    }
  }

  /// Returns the trips of the timetable that an update may be for.
  private func trips(
    of update: TripUpdate, _ search: Search, _ cache: TripCache, _ db: Database
  ) throws -> [(TimetablePattern, StoredPattern.Run)] {
    if let tripID = update.trip.tripID {
      let key = ExactText(tripID)
      if search.known.tids[key] != nil { return Self.trip(tripID, search.known).map { [$0] } ?? [] }
      guard namesStop(of: search, update) else { return [] }
      return try Self.trip(tripID, cache, db).map { [$0] } ?? []
    }
    // Also those that call elsewhere: one of them may be the trip that is meant.
    return try Self.trips(ofRouteIn: update, cache, db)
  }

  private static func trip(
    _ tripID: String, _ known: TripCache.TripsOfBoard
  ) -> (TimetablePattern, StoredPattern.Run)? {
    let key = ExactText(tripID)
    guard let pattern = known.patterns[key], let tid = known.tids[key] else { return nil }
    return pattern.run(tid).map { (pattern, $0) }
  }

  // MARK: - Calls

  private mutating func add(_ live: Stops, tid: Int64, _ search: Search) {
    let (trip, stops) = (live.trip, live.stopTimes)
    let question = search.question
    let (first, last) = (live.first, live.last)
    let end = (trip.pattern?.calls.count ?? 0) - 1
    if stops.indices.contains(first) { trip.originID = stops[first].stopID }
    for (index, stop) in stops.enumerated() {
      guard let sid = search.known.stops[ExactText(stop.stopID)],
        let instant = stop.instant(question.event), search.interval.contains(instant),
        question.includesCanceled || stop.status != .skipped && stop.status != .canceled
      else { continue }
      let call = Call(
        instant: instant, tid: tid, sid: sid, stopTime: stop, index: index,
        scheduledIndex: live.scheduledIndex(index), isFirstStop: index <= first,
        // Nobody would have departed from an end that is not served, though others follow instead.
        isLastStop: index >= last || stop.status == .skipped && live.scheduledIndex(index) == end,
        trip: trip)
      var traits: StopBoard.Traits = []
      if call.isFirstStop { traits.insert(.first) }
      if call.isLastStop { traits.insert(.last) }
      if call.pickupType == 1 { traits.insert(.withoutPickup) }
      if call.dropOffType == 1 { traits.insert(.withoutDropOff) }
      if traits.isDisjoint(with: question.excluded) { calls.append(call) }
    }
  }

  // MARK: - Answers

  /// Returns the answer that a call is.
  func answer(
    _ call: Call, _ event: CallEvent, _ cache: TripCache, _ db: Database
  ) throws -> BoardQuery.Answer {
    let (trip, stop) = (call.trip, call.stopTime)
    let (pattern, run, properties) = (trip.pattern, trip.run, trip.update.properties)
    let scheduled = call.scheduledCall
    let departure = stop.instant(.departure) ?? call.instant
    let arrival = stop.instant(.arrival) ?? call.instant
    let midnight = trip.zone.start(of: trip.day)
    let time = { (event: StopTimeEvent, instant: Int) in
      let planned = event.scheduledTime.flatMap(LiveStopTime.seconds) ?? instant
      return ServiceTime(seconds: planned - midnight)
    }
    var headsign = stop.properties?.stopHeadsign ?? properties?.tripHeadsign
    if headsign == nil, let scheduled { headsign = try cache.text(scheduled.headsign, db) }
    if headsign == nil, let run { headsign = try cache.text(run.headsign, db) }
    var shortName = properties?.tripShortName
    if shortName == nil, let run { shortName = try cache.text(run.shortName, db) }
    let isInterpolated =
      call.scheduledIndex.flatMap { index in
        run.flatMap { pattern?.isInterpolated($0.timing, index) }
      } ?? false
    return BoardQuery.Answer(
      call: Departure(
        stop: try cache.stop(call.sid, db), route: trip.route,
        tid: trip.isAdded ? nil : run?.tid, tripID: trip.tripID, tripShortName: shortName,
        headsign: headsign,
        directionID: trip.update.trip.directionID ?? pattern?.directionID.map { Int($0) },
        stopSequence: stop.stopSequence, serviceDay: trip.day,
        arrivalTime: time(stop.arrival, arrival), departureTime: time(stop.departure, departure),
        arrival: Date(timeIntervalSince1970: Double(arrival)),
        departure: Date(timeIntervalSince1970: Double(departure)),
        scheduledArrival: stop.arrival.scheduledTime,
        scheduledDeparture: stop.departure.scheduledTime, status: stop.status,
        timeZone: try cache.zone(ofStop: call.sid, db) ?? trip.zone.zone,
        isInterpolated: isInterpolated, timepoint: scheduled?.timepoint.map { Int($0) },
        bookingRule: try scheduled.flatMap {
          try cache.bookingRule(event, of: $0, in: trip.zone, db)
        },
        isFirstStop: call.isFirstStop, isLastStop: call.isLastStop,
        pickupType: call.pickupType, dropOffType: call.dropOffType, headway: nil,
        start: trip.start),
      origin: event == .arrival
        ? try trip.originID.flatMap { try Stop.fetchOne(db, stopID: $0) } : nil)
  }
}

extension LiveCalls.Call {
  /// The call in the pattern, if the timetable's stops apply.
  var scheduledCall: StoredPattern.Call? {
    scheduledIndex.flatMap { trip.pattern?.calls[$0] }
  }

  var pickupType: Int {
    stopTime.properties?.pickupType ?? Int(scheduledCall?.pickupType ?? 0)
  }

  var dropOffType: Int {
    stopTime.properties?.dropOffType ?? Int(scheduledCall?.dropOffType ?? 0)
  }
}

extension LiveStopTime {
  /// Returns the seconds since 1970 of a time: the predicted one, or else the scheduled one; `nil` if
  /// there is none.
  func instant(_ event: CallEvent) -> Int? {
    let (one, other) = event == .departure ? (departure, arrival) : (arrival, departure)
    let date = one.time ?? one.scheduledTime ?? other.time ?? other.scheduledTime
    return date.flatMap(Self.seconds)
  }

  /// Returns the whole seconds since 1970 of a date in the years 1 to 9999.
  static func seconds(_ date: Date) -> Int? {
    let seconds = date.timeIntervalSince1970
    return ServiceDay.years.contains(seconds) ? Int(seconds.rounded(.down)) : nil
  }
}

extension ServiceDay {
  /// The day as GTFS writes it, `YYYYMMDD`.
  var digits: String { description.filter { $0 != "-" } }
}
