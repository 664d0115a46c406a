package import Holdfast

/// The way that trips of a route take, and how many of them do.
package struct RoutePath: Sendable {
  /// The route's number.
  package let rid: Int64

  /// The stops' numbers in the order of the calls, without those that `stops.txt` lacks.
  package let stops: [Int64]

  /// The `shape_id` of the trips' path; `nil` if the feed has none.
  package let shapeID: String?

  /// The number of trips in the timetable, whichever days they run on.
  package let tripCount: Int

  /// Returns the ways of all routes, by the number of the pattern; those with several shapes
  /// are several ways.
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
    let texts = try tables.allTexts()
    var paths: [RoutePath] = []
    try tables.forEachPattern { pattern in
      var counts: [Int32: Int] = [:]
      for run in pattern.stored.runs {
        counts[run.shape, default: 0] += repetitions[run.tid] ?? 1
      }
      let stops = pattern.stored.calls.map(\.sid).filter { $0 != 0 }
      for (shape, count) in counts.sorted(by: { $0.key < $1.key }) where count > 0 {
        guard shape <= texts.count else {
          throw TransitError.missing(path: db.path, table: "texts", row: Int64(shape))
        }
        paths.append(
          RoutePath(
            rid: pattern.rid, stops: stops, shapeID: shape > 0 ? texts[Int(shape) - 1] : nil,
            tripCount: count))
      }
    }
    return paths
  }
}
