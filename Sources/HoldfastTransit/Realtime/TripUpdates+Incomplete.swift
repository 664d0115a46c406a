package import Holdfast

extension TripUpdates {
  /// Returns how many updates, their stops and modified trips are not applied, by the reason.
  ///
  /// - Parameter db: The connection of the current access, to a timetable database.
  /// - Returns: The numbers of those that say too little, or what does not fit the timetable, by the names that
  ///   GTFS-Realtime has for it, of the first 10,000 updates; and of modified trips that are not applied, of the
  ///   first 10,000.
  /// - Throws: The errors of ``matchesTimetable(_:)``.
  package func incompleteCounts(_ db: Database) throws -> [String: Int] {
    let tables = try TripTables(db)
    let cache = try TripCache.of(db)
    var counts: [String: Int] = [:]
    let examined = applied.prefix(Self.mostExamined)
    let tripIDs = examined.lazy.filter { !$0.trip.scheduleRelationship.addsTrip }
      .compactMap(\.trip.tripID)
    let trips = try TransferTrips(Set(tripIDs.map(ExactText.init)), tables)
    // By pattern, each of which is decoded once.
    let order = examined.indices.sorted { one, other in
      let pids = [one, other].map { applied[$0].trip.tripID.flatMap { trips[$0]?.pid } ?? 0 }
      return (pids[0], one) < (pids[1], other)
    }
    var addedStops: Set<ExactText> = []
    var fitting: [TripDescriptor: Bool] = [:]
    for number in order {
      let update = applied[number]
      if update.trip.scheduleRelationship.addsTrip {
        let stops = try LiveCalls.addition(update, cache, db)?.stopTimes ?? []
        addedStops.formUnion(stops.lazy.map { ExactText($0.stopID) })
        let hasTimes = stops.contains {
          $0.instant(.arrival) != nil || $0.instant(.departure) != nil
        }
        if !hasTimes { counts[update.trip.scheduleRelationship.description, default: 0] += 1 }
      } else if let tripID = update.trip.tripID {
        try update.countUnapplied(in: &counts, to: trips[tripID], cache, db)
      } else {
        // Of several that name the same trips only the last one counts, and all fit.
        let fits =
          try fitting[update.trip]
          ?? !LiveCalls.changes(
            LiveCalls.trips(ofRouteIn: update, cache, db), update, by: 0,
            of: TripUpdates([update], timestamp: timestamp), within: 0...0, cache, db
          ).isEmpty
        fitting[update.trip] = fits
        if !fits { counts["route_id", default: 0] += 1 }
      }
    }
    let unknown = try addedStops.count { try Stop.fetchOne(db, stopID: $0.text) == nil }
    counts["stop_id"] = unknown > 0 ? unknown : nil
    var rest = Self.mostExamined
    for entity in tripModifications {
      try entity.countUnapplied(in: &counts, upTo: &rest, cache, db)
    }
    return counts
  }

  private static let mostExamined = 10_000
}

extension TripUpdate {
  /// Counts an update of a trip that is not applied, or the parts of it that are not.
  fileprivate func countUnapplied(
    in counts: inout [String: Int], to stored: StoredTrip?, _ cache: TripCache, _ db: Database
  ) throws {
    // Modified trips that the message does not have are counted without a timetable.
    let isModified = trip.modifiedTrip != nil
    guard let stored else {
      if !isModified { counts["trip_id", default: 0] += 1 }
      return
    }
    let headways = cache.headways(of: stored.tid)
    let time = trip.startTime.flatMap(TripUpdateIndex.time)
    guard headways.isEmpty || time != nil else {
      counts["start_time", default: 0] += 1
      return
    }
    let pattern = try cache.pattern(stored.pid, TripTables(checked: db))
    guard let run = pattern.run(stored.tid) else { return }
    let service = try cache.service(run.service, db).stored
    let days = LiveCalls.serviceDays(of: trip, start: headways.isEmpty ? Int(run.start) : time ?? 0)
    guard days.isEmpty || days.contains(where: service.runs) else {
      counts["start_date", default: 0] += 1
      return
    }
    guard !isModified, !replacesStops, !stopTimeUpdates.isEmpty else { return }
    let stops = try LiveCalls.stopTimes(pattern, run.timing, from: 0, cache, db)
    let count = try placed(in: stops) { try cache.station(of: $0, db) }.unplacedCount(in: stops)
    if count > 0 { counts["stop_time_update", default: 0] += count }
  }
}

extension TripModifications {
  /// Counts the trips that are not modified, by the reason, and the stops that the timetable does not have.
  fileprivate func countUnapplied(
    in counts: inout [String: Int], upTo rest: inout Int, _ cache: TripCache, _ db: Database
  ) throws {
    let tables = TripTables(checked: db)
    // As they are looked up: a date with dashes is none.
    let days = serviceDates.filter { TripUpdateIndex.date($0) != nil }.compactMap { ServiceDay($0) }
    let times = startTimes.compactMap(TripUpdateIndex.time)
    var (faults, isApplied): ([Int64: String?], Bool) = ([:], false)
    for tripID in tripIDs.prefix(rest) {
      rest -= 1
      var reason: String?
      if let trip = try tables.trip(tripID) {
        let pattern = try cache.pattern(trip.pid, tables)
        guard let run = pattern.run(trip.tid) else { continue }
        let service = try cache.service(run.service, db).stored
        if !days.contains(where: service.runs) {
          reason = "service_dates"
        } else if let repetitions = cache.repetitions(of: trip.tid),
          !times.contains(where: repetitions.mayStart)
        {
          reason = "start_times"
        } else if let known = faults[trip.pid] {
          reason = known
        } else {
          let stops = try LiveCalls.stopTimes(pattern, run.timing, from: 0, cache, db)
          do throws(ModifiedStops.Fault) {
            _ = try ModifiedStops(modifications, to: stops)
          } catch {
            reason = error.rawValue
          }
          faults[trip.pid] = .some(reason)
        }
      } else {
        reason = "trip_ids"
      }
      if let reason { counts[reason, default: 0] += 1 }
      isApplied = isApplied || reason == nil
    }
    guard isApplied else { return }
    for stopID in Set(replacementStopIDs.map(ExactText.init).prefix(max(0, rest))) {
      rest -= 1
      if try Stop.fetchOne(db, stopID: stopID.text) == nil {
        counts["replacement_stops", default: 0] += 1
      }
    }
  }
}
