package import Holdfast

extension TripUpdates {
  /// Returns how many updates and modified trips say too little to be applied, or what does not fit.
  ///
  /// - Parameter db: The connection of the current access, to a timetable database.
  /// - Returns: The numbers of updates without what they need, by the names that GTFS-Realtime has for it, of the
  ///   first 10,000 updates; and of modified trips that are not applied, of the first 10,000.
  /// - Throws: The errors of ``matchesTimetable(_:)``.
  package func incompleteCounts(_ db: Database) throws -> [String: Int] {
    let tables = try TripTables(db)
    let cache = try TripCache.of(db)
    var counts: [String: Int] = [:]
    for update in applied.prefix(Self.mostExamined) {
      let trip = update.trip
      if trip.scheduleRelationship.addsTrip {
        let stops = try LiveCalls.addition(update, cache, db)?.stopTimes ?? []
        let hasTimes = stops.contains {
          $0.instant(.arrival) != nil || $0.instant(.departure) != nil
        }
        if !hasTimes { counts[trip.scheduleRelationship.description, default: 0] += 1 }
      } else if trip.startTime == nil, let tripID = trip.tripID,
        let stored = try tables.trip(tripID), !cache.headways(of: stored.tid).isEmpty
      {
        counts["start_time", default: 0] += 1
      }
    }
    var rest = Self.mostExamined
    for entity in tripModifications {
      try entity.countUnapplied(in: &counts, upTo: &rest, cache, db)
    }
    return counts
  }

  private static let mostExamined = 10_000
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
        } else if case let headways = cache.headways(of: trip.tid), !headways.isEmpty,
          !times.contains(where: { time in headways.contains { $0.mayStart(at: time) } })
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
