package import Holdfast

/// The way that trips of a route take, and how many of them do.
package struct RoutePath: Sendable {
  /// The route's number.
  package let rid: Int64

  /// The stops' numbers in the order of the calls, without those that `stops.txt` lacks.
  package let stops: [Int64]

  /// The number of trips in the timetable, whichever days they run on.
  package let tripCount: Int

  /// Returns the ways of all routes, by the number of the pattern.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The ways with trips.
  /// - Throws: ``TransitError`` with `.schemaOlder` when the database has no trips, `.damaged`;
  ///   `DatabaseError` when it cannot be read.
  package static func fetchAll(_ db: Database) throws -> [RoutePath] {
    let tables = try TripTables(db)
    var repetitions: [Int64: Int] = [:]
    for headway in try tables.headways() {
      let seconds = max(0, headway.end - headway.start)
      repetitions[headway.tid, default: 0] += (seconds + headway.headway - 1) / headway.headway
    }
    var paths: [RoutePath] = []
    try tables.forEachPattern { pattern in
      let count = pattern.stored.runs.reduce(0) { $0 + (repetitions[$1.tid] ?? 1) }
      guard count > 0 else { return }
      paths.append(
        RoutePath(
          rid: pattern.rid, stops: pattern.stored.calls.map(\.sid).filter { $0 != 0 },
          tripCount: count))
    }
    return paths
  }
}
