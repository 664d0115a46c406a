package import Holdfast

extension TripUpdates {
  /// Returns how many updates say too little to be applied.
  ///
  /// - Parameter db: The connection of the current access, to a timetable database.
  /// - Returns: The numbers of updates without what they need, by the names that GTFS-Realtime has for it, of the
  ///   first 10,000 updates.
  /// - Throws: The errors of ``matchesTimetable(_:)``.
  package func incompleteCounts(_ db: Database) throws -> [String: Int] {
    let tables = try TripTables(db)
    let cache = try TripCache.of(db)
    var counts: [String: Int] = [:]
    for update in updates.prefix(10_000) {
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
    return counts
  }
}
