import Holdfast

/// The trips of a route, by when they start.
///
/// Updates without a `trip_id` name a route, a day and a start. Each of them looks at the trips that start
/// then, and not at all of the route.
struct RouteStarts {
  /// A trip, and when it starts.
  struct Trip {
    let pid: Int64
    let tid: Int64
    let directionID: Int16?
    let service: Int32
    /// The start in seconds of the service day; of a trip that `frequencies.txt` repeats, that of its times.
    let start: Int32

    /// Whether another trip differs by its number and pattern alone.
    func isAlike(_ other: Trip) -> Bool {
      (service, start, directionID) == (other.service, other.start, other.directionID)
    }
  }

  /// What the starts of a repetition have in common: their distance, and the remainder.
  private struct Beat: Hashable {
    let headway, remainder: Int

    init(_ time: Int, every headway: Int) {
      (self.headway, remainder) = (headway, time - time.quotient(by: headway) * headway)
    }
  }

  /// The trips that start at a second of the day, of whichever day, by their services.
  private var trips: [Int: [Trip]] = [:]
  /// The trips that `frequencies.txt` repeats.
  private var repetitions: [Beat: [(trip: Trip, headway: TripTables.Headway)]] = [:]
  private var headways: Set<Int> = []
  /// The number of entries.
  private(set) var cost = 1

  /// Reads all patterns of a route.
  init(ofRoute rid: Int64, _ cache: TripCache, _ tables: TripTables) throws {
    for pid in try tables.pids(ofRoute: rid) {
      let pattern = try cache.pattern(pid, tables)
      func trip(_ run: StoredPattern.Run) -> Trip {
        Trip(
          pid: pid, tid: run.tid, directionID: pattern.directionID, service: run.service,
          start: run.start)
      }
      for run in pattern.runs {
        trips[Self.second(Int(run.start)), default: []].append(trip(run))
      }
      for repetition in pattern.repetitions {
        let headway = repetition.headway
        repetitions[Beat(headway.start, every: headway.headway), default: []]
          .append((trip(repetition.run), headway))
        headways.insert(headway.headway)
      }
      cost += pattern.runs.count + pattern.repetitions.count
    }
    // Those of one service follow one another, so that its days are looked at once.
    for second in trips.keys {
      trips[second]?.sort { one, other in
        (one.service, one.start, one.directionID ?? -1)
          < (other.service, other.start, other.directionID ?? -1)
      }
    }
  }

  /// Returns the trips that may start at a time.
  ///
  /// - Parameters:
  ///   - time: The time in seconds, from whichever midnight the server counts.
  ///   - most: The largest number of trips.
  ///   - includes: Whether a trip counts whose start is a second of the service day; of several trips with the same
  ///     direction, service and start it is asked of one.
  /// - Returns: The trips, each once, by pattern and number; `nil` if there are more.
  /// - Throws: The errors of the closure.
  func trips(
    at time: Int, upTo most: Int, where includes: (_ trip: Trip, _ start: Int) throws -> Bool
  ) rethrows -> [Trip]? {
    var found: [Int64: Trip] = [:]
    var last: (trip: Trip, isIncluded: Bool)?
    for trip in trips[Self.second(time)] ?? [] {
      let isIncluded =
        if let last, last.trip.isAlike(trip) {
          last.isIncluded
        } else {
          try includes(trip, Int(trip.start))
        }
      last = (trip, isIncluded)
      if isIncluded { found[trip.tid] = trip }
      guard found.count <= most else { return nil }
    }
    for start in [time, time + 86_400] {
      for seconds in headways {
        for (trip, headway) in repetitions[Beat(start, every: seconds)] ?? [] {
          guard headway.hasStart(at: start), try includes(trip, start) else { continue }
          found[trip.tid] = trip
          guard found.count <= most else { return nil }
        }
      }
    }
    return found.values.sorted { ($0.pid, $0.tid) < ($1.pid, $1.tid) }
  }

  private static func second(_ start: Int) -> Int { start - start.quotient(by: 86_400) * 86_400 }
}
