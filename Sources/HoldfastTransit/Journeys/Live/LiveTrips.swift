import Foundation
import Holdfast

/// The trips that live data change or add, as patterns of a network of their own.
struct LiveTrips {
  /// A call of a trip; its times are seconds of the service day.
  struct Call {
    /// The index of the stop; -1 if there is none.
    var stop: Int32
    /// The flags of ``JourneyPatterns/Access``.
    var access: UInt8
    var arrival: Int32
    var departure: Int32

    fileprivate mutating func removeTimes() {
      (arrival, departure) = (JourneyTimetable.none, JourneyTimetable.none)
    }
  }

  struct Trip {
    /// The stops; `nil` for a modified trip, of which a message may have tens of thousands.
    fileprivate let kept: LiveCalls.Stops?
    /// Whether the timetable's stops apply.
    let areScheduled: Bool
    /// The calls of a modified trip that transfers name; `nil` for all others.
    let modified: ModifiedCalls?
    let zone: TimetableZone
    let day: ServiceDay
    let rid: Int64
    /// The number of the pattern; `nil` if the timetable does not have it.
    let pid: Int64?
    /// The trip's number; `nil` if the timetable does not have it.
    let tid: Int64?
    /// The start of the trip in the timetable, in seconds of the service day.
    let start: Int
    let calls: [Call]
    let isAccessible: Bool
    /// Whether every call has a time, and they never decrease.
    let isRegular: Bool
  }

  /// The vehicle of a trip on a service day.
  struct Dated: Hashable {
    let tid: Int64
    let day: ServiceDay
  }

  /// What a message says of a trip without a prediction, as which a late vehicle may go on.
  struct Unpredicted {
    /// The identifier of the modifications that count; `nil` if there are none.
    let modificationsID: String?
    /// The update of the trip; its properties and its vehicle count all the same.
    let update: TripUpdate

    /// `nil` for a change that predicts something.
    init?(_ change: LiveCalls.Change) {
      guard let update = change.stops?.trip.update, update.saysNothing else { return nil }
      (modificationsID, self.update) = (change.modificationsID, update)
    }
  }

  private(set) var trips: [Trip] = []
  /// The starts of the vehicles that do not run as in the timetable, in seconds of the service day.
  private(set) var replaced: [Dated: Set<Int>] = [:]
  /// The index of the trip of each vehicle.
  private(set) var indices: [Dated: Int] = [:]
  /// The same by the start, which several vehicles of a repeated trip have on a day.
  private var numbers: [LiveCalls.Instance: Int] = [:]
  /// The trips of which a message has modifications or an update, and predicts nothing.
  private(set) var unpredicted: [Dated: Unpredicted] = [:]
  /// The days on which trips run that the timetable does not have.
  private(set) var days: Set<ServiceDay> = []
  /// The index of the first of the patterns.
  let firstPattern: Int
  /// The updates of the message, and those of trips as which late vehicles go on.
  private(set) var updates: TripUpdates

  /// Applies all updates of a message.
  ///
  /// - Parameters:
  ///   - updates: The updates.
  ///   - instant: The instant of the question, in seconds since 1970, near which a trip runs of which
  ///     an update says neither day nor time.
  ///   - network: The network of the timetable.
  ///   - db: The connection of the current access.
  ///   - mostModifiedCalls: The number of stops of modified trips that are kept.
  /// - Throws: The errors of ``Journeys/fetchAll(_:)``; ``TransitError`` with `.tooLarge` when there are more.
  init(
    _ updates: TripUpdates, at instant: Int, _ network: JourneyNetwork, _ db: Database,
    mostModifiedCalls: Int = Self.mostModifiedCalls
  ) throws {
    firstPattern = network.patterns.count
    self.updates = updates
    let cache = network.cache
    let trips = try Self.trips(updates, TripTables(checked: db))
    let named = updates.applied.map { update in
      update.trip.scheduleRelationship.addsTrip ? nil : update.trip.tripID.flatMap { trips[$0] }
    }
    let sids = try StopNumbers(db)
    // By pattern, each of which is decoded once.
    let order = updates.updates.indices.sorted { one, other in
      let (first, second) = (named[one]?.pid ?? 0, named[other]?.pid ?? 0)
      return (first, one) < (second, other)
    }
    for number in order {
      let update = updates.applied[number]
      if update.trip.scheduleRelationship.addsTrip {
        if let stops = try LiveCalls.addition(update, cache, db) {
          append(stops, tid: nil, start: 0, sids, network)
        }
        continue
      }
      // A message may name the same trips as often as it likes.
      guard updates.mayCount(number) else { continue }
      let trips = try Self.candidates(update, named[number], cache, db)
      for change in try LiveCalls.changes(
        trips, update, by: number, of: updates, within: instant - 86400...instant + 86400, cache,
        db)
      {
        append(change, sids, network)
        takeUnpredicted(change, network)
      }
    }
    let days = Self.days(of: updates.tripModifications, around: instant)
    var freeCallCount = mostModifiedCalls
    var examined: Set<LiveCalls.Instance> = []
    for (entity, tripID, trip) in Self.modifiedTrips(of: updates, trips) {
      for update in entity.updates(of: tripID, where: { days.contains($0.daysSince1970) }) {
        let changes = try LiveCalls.changes(
          Self.candidates(update, trip, cache, db), update, by: nil, of: updates, within: 0...0,
          cache, db
        ) { instance in
          examined.insert(instance).inserted
            && !starts(of: instance.tid, replacedOn: instance.day).contains(instance.start)
        }
        for change in changes {
          freeCallCount -= change.stops?.stopTimes.count ?? 0
          guard freeCallCount >= 0 else {
            throw TransitError.tooManyModifiedTrips(db.path, calls: mostModifiedCalls)
          }
          append(change, sids, network, keepsStops: false)
          takeUnpredicted(change, network)
        }
      }
    }
    let continuations = try delayContinuations(network, db) { live, late in
      let concluded = updates.replacingUpdates(with: late.map(\.0))
      for (number, trip) in late.map(\.1).enumerated() {
        let changes = try LiveCalls.changes(
          [trip], concluded.applied[number], by: number, of: concluded, within: 0...0, cache, db)
        for change in changes { live.append(change, sids, network) }
      }
    }
    if !continuations.isEmpty { self.updates = updates.adding(continuations) }
  }

  /// Notes a trip of which nothing is predicted, and which a late vehicle may delay therefore.
  private mutating func takeUnpredicted(_ change: LiveCalls.Change, _ network: JourneyNetwork) {
    guard network.transfers.namedIndex(of: change.instance.tid) >= 0,
      let nothing = Unpredicted(change)
    else { return }
    unpredicted[Dated(tid: change.instance.tid, day: change.instance.day)] = nothing
  }

  /// Returns the trips of the timetable that updates and modifications name.
  private static func trips(
    _ updates: TripUpdates, _ tables: TripTables
  ) throws -> TransferTrips {
    let names = updates.applied.lazy.compactMap { update in
      update.trip.scheduleRelationship.addsTrip ? nil : update.trip.tripID
    }
    let modified = updates.tripModifications.lazy.flatMap(\.tripIDs)
    let all = Set(names.map(ExactText.init)).union(modified.map(ExactText.init))
    return try TransferTrips(all, tables)
  }

  /// The number of modified trips up to which a message changes all days that a search can reach, and not only those
  /// next to its own.
  private static let mostModifiedTrips = 20_000

  /// The number of stops of modified trips on these days that are kept: 150,000 trips of 50 stops.
  static let mostModifiedCalls = 7_500_000

  /// Returns the days around a question whose modified trips are taken: as many as memory allows.
  private static func days(
    of entities: [TripModifications], around instant: Int
  ) -> ClosedRange<Int> {
    let day = instant.quotient(by: 86400)
    // A search takes two weeks at most.
    let reach = [16, 2].first { reach in
      let days = day - reach...day + reach
      let count = entities.reduce(0) { sum, entity in
        let dates = entity.dates { days.contains($0.daysSince1970) }.count
        let trips = entity.selectedTrips.reduce(0) { $0 + $1.tripIDs.count }
        return sum + trips * dates * max(1, entity.startTimes.count)
      }
      return count <= mostModifiedTrips
    }
    return day - (reach ?? 1)...day + (reach ?? 1)
  }

  /// Returns the modified trips of the timetable, by pattern, each of which is decoded once.
  private static func modifiedTrips(
    of updates: TripUpdates, _ trips: TransferTrips
  ) -> [(entity: TripModifications, id: String, trip: StoredTrip)] {
    updates.tripModifications.flatMap { entity in
      entity.tripIDs.compactMap { id in trips[id].map { (entity, id, $0) } }
    }.sorted { $0.trip.pid < $1.trip.pid }
  }

  /// Returns the trips of the timetable that an update may be for.
  private static func candidates(
    _ update: TripUpdate, _ trip: StoredTrip?, _ cache: TripCache, _ db: Database
  ) throws -> [(TimetablePattern, StoredPattern.Run)] {
    guard update.trip.tripID != nil else {
      return try LiveCalls.trips(ofRouteIn: update, cache, db)
    }
    guard let trip else { return [] }
    let pattern = try cache.pattern(trip.pid, TripTables(checked: db))
    return pattern.run(trip.tid).map { [(pattern, $0)] } ?? []
  }

  // MARK: - Calls

  private mutating func append(
    _ change: LiveCalls.Change, _ sids: StopNumbers, _ network: JourneyNetwork,
    keepsStops: Bool = true
  ) {
    let instance = change.instance
    replaced[Dated(tid: instance.tid, day: instance.day), default: []].insert(instance.start)
    guard let stops = change.stops else { return }
    append(
      stops, tid: instance.tid, start: instance.start, sids, network, keepsStops: keepsStops)
  }

  private mutating func append(
    _ stops: LiveCalls.Stops, tid: Int64?, start: Int, _ sids: StopNumbers,
    _ network: JourneyNetwork, keepsStops: Bool = true
  ) {
    let trip = stops.trip
    let midnight = trip.zone.start(of: trip.day)
    // Servers send times of other years; a trip of which none is left runs nowhere.
    let time = { (instant: Int?) in
      instant.flatMap { ($0 - midnight).magnitude < 30 * 86400 ? Int32($0 - midnight) : nil }
        ?? JourneyTimetable.none
    }
    let stopsThere = stops.stopTimes.map { $0.status == .scheduled || $0.status == .live }
    let (first, last) = (stopsThere.firstIndex(of: true), stopsThere.lastIndex(of: true))
    guard let first, let last, first < last else { return }
    var calls: [Call] = []
    for (index, stop) in stops.stopTimes.enumerated() {
      let call = stops.call(index, sid: 0)
      var access = JourneyPatterns.Access.boarding | JourneyPatterns.Access.alighting
      if call.pickupType == 1 || index >= last { access &= ~JourneyPatterns.Access.boarding }
      if call.dropOffType == 1 || index <= first { access &= ~JourneyPatterns.Access.alighting }
      let number = sids[stop.stopID].flatMap { network.stops.index(of: $0) }
      if number == nil || !stopsThere[index] { access = 0 }
      calls.append(
        Call(
          stop: number.map { Int32($0) } ?? -1, access: access,
          arrival: stopsThere[index] ? time(stop.instant(.arrival)) : JourneyTimetable.none,
          departure: stopsThere[index] ? time(stop.instant(.departure)) : JourneyTimetable.none))
    }
    Self.removeDecreasing(&calls, stops.stopTimes)
    let vehicle = trip.update.vehicle?.wheelchairAccessible ?? 0
    let new = Trip(
      kept: keepsStops ? stops : nil, areScheduled: stops.areScheduled,
      modified: tid.flatMap {
        network.transfers.namedIndex(of: $0) < 0 ? nil : ModifiedCalls(stops)
      },
      zone: trip.zone, day: trip.day, rid: trip.route.rid, pid: trip.pattern?.pid, tid: tid,
      start: start,
      calls: calls,
      isAccessible: vehicle > 1
        ? vehicle == 2 : trip.run?.wheelchairAccessible == 1 && !(trip.isAdded && vehicle == 1),
      isRegular: calls.allSatisfy { $0.arrival != JourneyTimetable.none })
    let dated = tid.map { Dated(tid: $0, day: trip.day) }
    let instance = tid.map { LiveCalls.Instance(tid: $0, day: trip.day, start: start) }
    if let known = instance.flatMap({ numbers[$0] }) {
      // One without a prediction, which a late vehicle delays, or delays more.
      trips[known] = new
      return
    }
    trips.append(new)
    days.insert(trip.day)
    if let dated { indices[dated] = trips.count - 1 }
    if let instance { numbers[instance] = trips.count - 1 }
  }

  /// As ``StoredTimes/removeDecreasing()``, after the scheduled times that are later than a predicted one of a
  /// stop behind them: servers leave out the stops that a vehicle has passed, also early.
  private static func removeDecreasing(_ calls: inout [Call], _ stopTimes: [LiveStopTime]) {
    var earliest = Int32.max
    for index in calls.indices.reversed() where calls[index].arrival != JourneyTimetable.none {
      if stopTimes[index].status == .live {
        earliest = min(earliest, calls[index].arrival)
      } else if calls[index].departure > earliest {
        calls[index].removeTimes()
      }
    }
    var latest = Int32.min
    for index in calls.indices {
      // A server may send one of the two times of another year.
      let (arrival, departure) = (calls[index].arrival, calls[index].departure)
      if arrival == JourneyTimetable.none || arrival < latest || departure < arrival {
        calls[index].removeTimes()
      } else {
        latest = departure
      }
    }
  }

  // MARK: - Questions

  /// The trip of a pattern; `nil` for a pattern of the timetable.
  func trip(ofPattern pattern: Int) -> Trip? {
    pattern < firstPattern ? nil : trips[pattern - firstPattern]
  }

  /// Returns a trip of the timetable as it runs; `nil` if live data do not change it, or if it does not run.
  func trip(_ tid: Int64, on day: ServiceDay, start: Int) -> Trip? {
    numbers[LiveCalls.Instance(tid: tid, day: day, start: start)].map { trips[$0] }
  }

  /// Returns the stops of a trip; those of a modified one are found again.
  func stops(of trip: Trip, _ cache: TripCache, _ db: Database) throws -> LiveCalls.Stops {
    if let kept = trip.kept { return kept }
    let tripID = try trip.tid.map { try cache.tripID($0, db) }
    let update = TripUpdate(
      id: "",
      trip: TripDescriptor(
        tripID: tripID, startTime: ServiceTime(seconds: trip.start).description,
        startDate: trip.day.digits))
    let changes = try LiveCalls.changes(
      tripID.flatMap { try LiveCalls.trip($0, cache, db) }.map { [$0] } ?? [], update, by: nil,
      of: updates, within: 0...0, cache, db)
    guard let stops = changes.first(where: { $0.instance.start == trip.start })?.stops else {
      throw TransitError.damaged(path: db.path, table: "trips", row: trip.tid ?? 0)
    }
    return stops
  }

  /// The pattern of a trip on a service day; `nil` if it runs as in the timetable, or does not run.
  func pattern(of tid: Int64, on day: ServiceDay) -> Int? {
    guard replaced[Dated(tid: tid, day: day)] != nil else { return nil }
    return indices[Dated(tid: tid, day: day)].map { firstPattern + $0 }
  }

  func starts(of tid: Int64, replacedOn day: ServiceDay) -> Set<Int> {
    replaced[Dated(tid: tid, day: day)] ?? []
  }

  /// The numbers of stops by the feed's identifiers.
  private struct StopNumbers {
    private var numbers: [ExactText: Int64] = [:]

    init(_ db: Database) throws {
      let rows = try Row.fetchCursor(
        db,
        sql: try db.tableExists("packed_stops")
          ? "SELECT sid, stop_id FROM packed_stops" : "SELECT sid, stop_id FROM dict_stop")
      while let row = try rows.next() {
        numbers[ExactText(try row.decode(String.self, atIndex: 1))] = try row.decode(atIndex: 0)
      }
    }

    subscript(stopID: String) -> Int64? { stopID.isEmpty ? nil : numbers[ExactText(stopID)] }
  }
}

extension LiveCalls.Stops {
  /// Returns a call at one of the stops.
  func call(_ index: Int, sid: Int64) -> LiveCalls.Call {
    let stop = stopTimes[index]
    return LiveCalls.Call(
      instant: stop.instant(.departure) ?? 0, tid: trip.run?.tid ?? .max, sid: sid,
      stopTime: stop, index: index, scheduledIndex: scheduledIndex(index),
      isFirstStop: index <= first, isLastStop: index >= last, trip: trip)
  }
}
