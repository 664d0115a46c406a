import Foundation
import Holdfast

/// What a message says of trips of the timetable, wherever they call, and of those that it adds.
extension LiveCalls {
  /// Returns the trips of the timetable that an update is for, with what it says of them.
  ///
  /// - Parameters:
  ///   - trips: The trips for which it may be.
  ///   - update: The update.
  ///   - number: The index of the update; `nil` for one of a modified trip that says nothing.
  ///   - updates: All updates.
  ///   - interval: The seconds since 1970 in which the trip runs if the update names neither a service day
  ///     nor a moment.
  ///   - cache: The cache of the connection.
  ///   - db: The connection of the current access.
  ///   - board: The seconds since 1970 of which alone the stops matter; `nil` if all do.
  ///   - isNew: Whether a trip was not examined before, of which a message may say the same many times; it is
  ///     asked of modified trips.
  /// - Returns: The trips on their service days.
  /// - Throws: The errors of ``Departures/fetchAll(_:)``.
  static func changes(
    _ trips: [(TimetablePattern, StoredPattern.Run)], _ update: TripUpdate, by number: Int?,
    of updates: TripUpdates, within interval: ClosedRange<Int>, _ cache: TripCache, _ db: Database,
    ofBoardIn board: ClosedRange<Int>? = nil, where isNew: (Instance) -> Bool = { _ in true }
  ) throws -> [Change] {
    var changes: [Change] = []
    guard number.map(updates.mayCount) ?? true else { return [] }
    for candidate in try candidates(
      trips, update, updates.timestamp, within: interval, cache, db)
    {
      let (pattern, run) = (candidate.pattern, candidate.run)
      let (day, start) = (candidate.instance.day, candidate.instance.start)
      let midnight = pattern.zone.start(of: day)
      if number == nil {
        guard day.digits == update.trip.startDate, isNew(candidate.instance) else { continue }
      }
      let isOnItsDay = number != nil
      let planned = updates.number(
        ofUpdateFor: candidate.trip, isOnItsDay: isOnItsDay, isModified: false)
      let changed =
        updates.tripModifications.isEmpty
        ? planned : updates.number(ofUpdateFor: candidate.trip, isOnItsDay: isOnItsDay)
      // Of many updates of a trip only these may count.
      guard number == nil || number == planned || number == changed else { continue }
      var known: [ScheduledStopTime]?
      func stops() throws -> [ScheduledStopTime] {
        let stops = try known ?? stopTimes(pattern, run.timing, from: midnight + start, cache, db)
        known = stops
        return stops
      }
      let modified = try updates.modifiedStops(of: candidate.trip) { try stops() }
      let found = modified == nil ? planned : changed
      var update = update
      if number != nil {
        guard found == number else { continue }
      } else {
        guard modified != nil else { continue }
        // Without an update only a vehicle of the timetable is known to run.
        guard found != nil || cache.repetitions(of: run.tid)?.hasStart(at: start) ?? true else {
          continue
        }
        if let found { update = updates.applied[found] }
      }
      // A message may have an update of each day of a trip, however long that is.
      let first = midnight + start + pattern.offsets.lowerBound
      let isSeen =
        modified != nil
        || board.map { update.mayCall(within: $0, from: first, for: pattern.offsets.count) }
          ?? true
      guard update.trip.scheduleRelationship != .deleted, isSeen else {
        changes.append(Change(instance: candidate.instance, stops: nil))
        continue
      }
      let trip = LiveTrip(
        update, on: day, tripID: candidate.trip.tripID, route: candidate.route, zone: pattern.zone,
        pattern, run, start: start)
      let places = update.replacesStops ? [] : modified?.places ?? []
      changes.append(
        Change(
          instance: candidate.instance,
          stops: Stops(
            trip: trip, stopTimes: try liveStopTimes(update, stops(), db, modified: modified),
            areScheduled: !update.replacesStops && places.isEmpty, places: places,
            numbers: places.isEmpty ? [] : modified?.numbers ?? []),
          modificationsID: modified?.id))
    }
    return changes
  }

  /// A vehicle of the timetable for which an update may be.
  private struct Candidate {
    let pattern: TimetablePattern
    let run: StoredPattern.Run
    let instance: Instance
    let route: Route
    /// What live data may say of it.
    let trip: TripInstance
  }

  /// Returns the vehicles for which an update may be; of those without a `trip_id` the only one, whatever other updates
  /// say, or none.
  private static func candidates(
    _ trips: [(TimetablePattern, StoredPattern.Run)], _ update: TripUpdate, _ timestamp: Date?,
    within interval: ClosedRange<Int>, _ cache: TripCache, _ db: Database
  ) throws -> [Candidate] {
    let all = try trips.flatMap { pattern, run in
      let route = try cache.route(pattern.rid, db)
      let tripID = try cache.tripID(run.tid, db)
      return try starts(of: run, pattern, update, timestamp, within: interval, cache, db).map {
        day, start in
        let begin = Date(timeIntervalSince1970: Double(pattern.zone.start(of: day) + start))
        var trip = TripInstance(
          tripID: tripID, routeID: route.routeID,
          directionID: pattern.directionID.map { Int($0) },
          startDate: day.digits, startTime: .seconds(start),
          start: begin, end: begin + Double(pattern.length(run.timing)),
          isFrequencyBased: !cache.headways(of: run.tid).isEmpty)
        trip.neighbors = try neighbors(of: run, on: day, at: start, cache, db)
        return Candidate(
          pattern: pattern, run: run, instance: Instance(tid: run.tid, day: day, start: start),
          route: route, trip: trip)
      }
    }
    guard update.trip.tripID == nil else { return all }
    let alone = TripUpdateIndex([update], timestamp: timestamp)
    let meant = all.filter { alone.update(for: $0.trip, isOnItsDay: true) != nil }
    // What the timetable says word for word comes first.
    let time = update.trip.startTime.flatMap(TripUpdateIndex.time)
    let named = meant.filter {
      $0.instance.start == time && $0.instance.day.digits == update.trip.startDate
    }
    // "If the TripDescriptor does not resolve to a single trip instance (i.e., it resolves to zero or multiple trip
    // instances), it is considered an error and the entity containing the erroneous TripDescriptor may be discarded
    // by consumers." One trip that is canceled would take the others with it.
    let single = named.isEmpty ? meant : named
    return single.count == 1 ? single : []
  }

  /// Returns the stops of a trip with what an update says of them, or of other platforms of their stations.
  static func liveStopTimes(
    _ update: TripUpdate, _ stops: [ScheduledStopTime], _ db: Database,
    modified: ModifiedStops? = nil
  ) throws -> [LiveStopTime] {
    guard !update.replacesStops else { return update.liveStopTimes() }
    let cache = try TripCache.of(db)
    if let modified {
      return try modified.liveStopTimes(update, for: stops) { try cache.station(of: $0, db) }
    }
    return try update.placed(in: stops) { try cache.station(of: $0, db) }.liveStopTimes(for: stops)
  }

  /// Returns the trips of the timetable for which an update may be that names a route, a day and a start; of many that
  /// have the same ones a few.
  static func trips(
    ofRouteIn update: TripUpdate, _ cache: TripCache, _ db: Database
  ) throws -> [(TimetablePattern, StoredPattern.Run)] {
    let tables = TripTables(checked: db)
    guard let routeID = update.trip.routeID,
      update.trip.startDate.flatMap(TripUpdateIndex.date) != nil,
      let start = update.trip.startTime.flatMap(TripUpdateIndex.time),
      let route = try Route.fetchOne(db, routeID: routeID)
    else { return [] }
    let starts = try cache.starts(ofRoute: route.rid, tables)
    let trips = try starts.trips(
      at: start, inDirection: update.trip.directionID,
      on: { serviceDays(of: update.trip, start: $0) }
    ) { try cache.service($0, db).stored }
    return try trips.compactMap { trip in
      let pattern = try cache.pattern(trip.pid, tables)
      return pattern.run(trip.tid).map { (pattern, $0) }
    }
  }

  static func trip(
    _ tripID: String, _ cache: TripCache, _ db: Database
  ) throws -> (TimetablePattern, StoredPattern.Run)? {
    let tables = TripTables(checked: db)
    guard let trip = try tables.trip(tripID) else { return nil }
    let pattern = try cache.pattern(trip.pid, tables)
    return pattern.run(trip.tid).map { (pattern, $0) }
  }

  /// Returns the service days on which an update may be for a trip, and the trip's start on them.
  private static func starts(
    of run: StoredPattern.Run, _ pattern: TimetablePattern, _ update: TripUpdate,
    _ timestamp: Date?, within interval: ClosedRange<Int>, _ cache: TripCache, _ db: Database
  ) throws -> [(ServiceDay, Int)] {
    var start = Int(run.start)
    if let repetitions = cache.repetitions(of: run.tid) {
      // Without its start it is unknown which of the vehicles the update is about.
      guard let own = update.trip.startTime.flatMap(TripUpdateIndex.time) else { return [] }
      // The server may count from midnight.
      start =
        !repetitions.contains(own) && repetitions.contains(own + 86_400) ? own + 86_400 : own
      // Of the trips of a route those are meant that start then.
      guard update.trip.tripID != nil || repetitions.hasStart(at: start) else { return [] }
    }
    let service = try cache.service(run.service, db).stored
    // The update's index knows which one, where the server may count from midnight.
    let named = serviceDays(of: update.trip, start: start)
    guard named.isEmpty else { return named.filter(service.runs).map { ($0, start) } }
    let stops = try stopTimes(pattern, run.timing, from: 0, cache, db)
    if let (seconds, offsets) = try update.reference(
      in: stops, timestamp, station: { try cache.station(of: $0, db) })
    {
      return pattern.zone.day(
        nearestTo: seconds, whereRuns: service.runs, latest: pattern.latest,
        from: start + offsets.lowerBound, through: start + offsets.upperBound
      ).map { [($0, start)] } ?? []
    }
    let days = pattern.zone.days(around: interval, latest: pattern.latest)
    return days.filter(service.runs).map { ($0, start) }
  }

  /// Returns the service days that a descriptor may mean by its date; none if it has no date.
  static func serviceDays(of trip: TripDescriptor, start: Int) -> Set<ServiceDay> {
    guard let day = trip.startDate.flatMap({ ServiceDay($0) }) else { return [] }
    return [day, ServiceDay(daysSince1970: day.daysSince1970 - max(0, start / 86_400))]
  }

  /// Returns on which service days next to a start after midnight the trip runs, too.
  static func neighbors(
    of run: StoredPattern.Run, on day: ServiceDay, at start: Int, _ cache: TripCache,
    _ db: Database
  ) throws -> ServiceNight.Neighbors {
    // Which of the repeated vehicles is meant only a start says, whatever the days.
    guard let night = ServiceNight(day, start: start), cache.headways(of: run.tid).isEmpty
    else { return ServiceNight.Neighbors() }
    let service = try cache.service(run.service, db).stored
    return ServiceNight.Neighbors(
      hasPrevious: service.runs(on: night.previous), hasNext: service.runs(on: night.next))
  }

  static func stopTimes(
    _ pattern: TimetablePattern, _ timing: Int32, from start: Int, _ cache: TripCache,
    _ db: Database
  ) throws -> [ScheduledStopTime] {
    try pattern.calls.enumerated().map { index, call in
      let date = { (event: CallEvent) in
        pattern.time(event, timing, index).map {
          Date(timeIntervalSince1970: Double(start + $0))
        }
      }
      return ScheduledStopTime(
        stopSequence: Int(call.sequence),
        stopID: call.sid == 0 ? "" : try cache.stop(call.sid, db).stopID,
        arrival: date(.arrival), departure: date(.departure))
    }
  }

  /// Returns a trip that the timetable does not have; `nil` if the update does not say enough.
  static func addition(
    _ update: TripUpdate, _ cache: TripCache, _ db: Database
  ) throws -> Stops? {
    let copied = try update.trip.tripID.flatMap { try Self.trip($0, cache, db) }
    let route: Route?
    if let routeID = update.trip.routeID {
      route = try Route.fetchOne(db, routeID: routeID)
    } else {
      route = try copied.map { try cache.route($0.0.rid, db) }
    }
    // Riders cannot board what has no line.
    guard let route else {
      return nil
    }
    let zone = try cache.zone(ofRoute: route.rid, db)
    let tripID = update.properties?.tripID ?? update.trip.tripID ?? update.id
    var day = (update.properties?.startDate ?? update.trip.startDate).flatMap { ServiceDay($0) }
    if update.trip.scheduleRelationship == .duplicated {
      // "The new trip will run at the start_date and start_time of the trip_properties."
      guard let (pattern, run) = copied, let day,
        let start = update.properties?.startTime.flatMap(TripUpdateIndex.time)
      else { return nil }
      let stops = try Self.stopTimes(
        pattern, run.timing, from: zone.start(of: day) + start, cache, db)
      let trip = LiveTrip(
        update, on: day, tripID: tripID, route: route, zone: zone, pattern, run, start: nil)
      return Stops(
        trip: trip, stopTimes: try liveStopTimes(update, stops, db), areScheduled: true)
    }
    let stops = update.liveStopTimes()
    if day == nil, let first = stops.lazy.compactMap({ $0.instant(.departure) }).first {
      day = zone.day(at: first)
    }
    guard let day else { return nil }
    let trip = LiveTrip(
      update, on: day, tripID: tripID, route: route, zone: zone, nil, nil, start: nil)
    return Stops(trip: trip, stopTimes: stops, areScheduled: false)
  }
}
