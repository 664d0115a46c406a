import Holdfast

/// The patterns of a route, by when their trips start.
///
/// Updates without a `trip_id` name a route and a start. Each of them looks at the patterns that
/// start then, and not at all of the route.
struct RouteStarts {
  /// The patterns with a trip that starts at a second of the day, of whichever day.
  private var pids: [Int: [Int64]] = [:]
  /// The trips that `frequencies.txt` repeats.
  private var repetitions: [(pid: Int64, headway: TripTables.Headway)] = []
  /// The number of entries.
  private(set) var cost = 1

  /// Reads all patterns of a route.
  init(ofRoute rid: Int64, _ cache: TripCache, _ tables: TripTables) throws {
    for pid in try tables.pids(ofRoute: rid) {
      let pattern = try cache.pattern(pid, tables)
      let seconds = Set(pattern.runs.map { Self.second(Int($0.start)) })
      for second in seconds { pids[second, default: []].append(pid) }
      repetitions += pattern.repetitions.map { (pid: pid, headway: $0.headway) }
      cost += seconds.count + pattern.repetitions.count
    }
  }

  /// Returns the patterns of which a trip may start at a time, by number.
  ///
  /// - Parameter start: The time in seconds, from whichever midnight the server counts.
  /// - Returns: The patterns.
  func patterns(at start: Int) -> [Int64] {
    let repeated = repetitions.lazy.filter { _, headway in
      headway.hasStart(at: start) || headway.hasStart(at: start + 86_400)
    }
    return Set(repeated.map(\.pid)).union(pids[Self.second(start)] ?? []).sorted()
  }

  private static func second(_ start: Int) -> Int { start - start.quotient(by: 86_400) * 86_400 }
}
