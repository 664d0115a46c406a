import CFloor
import Foundation
import Holdfast
import HoldfastTransit

/// The same searches in C, over tables that are made of a timetable's rows.
///
/// Riders board and alight as they do in ``Journeys`` by default; the feed has no frequencies, no
/// transfers and no pathways.
@safe
final class JourneyFloor {
  private static let radius = 500.0
  private static let changeSeconds: Int32 = 60
  private static let limit: Int64 = 86401
  private static let rideLimit: Int64 = 7

  /// A trip of a pattern; its times are those of a row.
  private struct Trip {
    let start: Int32
    let row: Int
    let service: String
  }

  /// The trips with the same calls.
  private struct Pattern {
    /// Each call's stop, shifted by two bits, with 1 if riders enter and 2 if they leave.
    let calls: [Int32]
    var trips: [Trip] = []
    /// The arrivals and then the departures, in seconds from a trip's start.
    var rows: [[UInt16]] = []
  }

  private let network: OpaquePointer
  private let indices: [Int64: Int]
  private let positions: [Position]
  private let walks: [[floor_pair]]

  /// Creates the tables.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - days: The service days on which trips matter, in order.
  ///   - zeros: The seconds from the questions' instant to the start of each day.
  /// - Throws: `DatabaseError` when the rows cannot be read.
  init(_ db: Database, days: [ServiceDay], zeros: [Int32]) throws {
    let stops = try Row.fetchAll(
      db,
      sql: """
        SELECT sid, stop_id, stop_lat, stop_lon FROM dict_stop JOIN gtfs_stops USING (stop_id)
        WHERE stop_id IN (SELECT DISTINCT stop_id FROM stop_times) ORDER BY sid
        """)
    indices = Dictionary(
      uniqueKeysWithValues: stops.enumerated().map { ($0.element["sid"], $0.offset) })
    positions = try stops.map {
      try Position(latitude: $0["stop_lat"], longitude: $0["stop_lon"])
    }
    walks = Self.walks(positions)
    let patterns = try Self.patterns(
      db, stops: Dictionary(uniqueKeysWithValues: stops.enumerated().map { ($1["stop_id"], $0) }))
    let services = try days.map { Set(try String.fetchAll(db, sql: Self.services(on: $0))) }
    var vehicles = Vehicles(stopCount: stops.count, dayCount: days.count)
    for pattern in patterns {
      vehicles.append(
        pattern.calls, pattern.rows,
        trips: services.map { services in
          pattern.trips.filter { services.contains($0.service) }.sorted { $0.start < $1.start }
            .map { ($0.start, $0.row) }
        })
    }
    unsafe network = floor_network_make(
      Int64(stops.count), Int64(vehicles.spans.count), zeros, Int64(days.count))
    let (callStarts, calls) = Self.flat(vehicles.calls)
    unsafe floor_network_set_calls(network, callStarts, calls)
    let (wayStarts, ways) = Self.flat(
      walks.enumerated().map { stop, walks in
        [floor_pair(target: Int32(stop), value: Self.changeSeconds)]
          + walks.map { floor_pair(target: $0.target, value: $0.value + Self.changeSeconds) }
      })
    unsafe floor_network_set_ways(network, wayStarts, ways)
    unsafe floor_network_set_vehicles(
      network, vehicles.spans, vehicles.blocks, vehicles.words, Int64(vehicles.words.count))
  }

  deinit { unsafe floor_network_free(network) }

  /// Returns the earliest arrivals with each number of rides, in seconds from the questions' instant.
  func arrivals(from: Int64, to: Int64) -> [Int] {
    guard from != to, let start = indices[from], let end = indices[to] else { return [] }
    let meters = positions[start].distance(to: positions[end]).meters
    let (starts, ends) = (accesses(start), accesses(end))
    var found = [Int64](repeating: 0, count: Int(Self.rideLimit) + 1)
    let count = unsafe floor_journeys(
      network, starts, Int64(starts.count), ends, Int64(ends.count),
      meters <= Self.radius ? Int64(meters.rounded(.up)) : -1, Self.limit, Self.rideLimit, &found)
    return found.prefix(Int(count)).map { Int($0) }
  }

  private func accesses(_ stop: Int) -> [floor_pair] {
    [floor_pair(target: Int32(stop), value: 0)] + walks[stop]
  }

  // MARK: - Tables

  /// Returns the SQL of the services that run on a day.
  private static func services(on day: ServiceDay) -> String {
    let names = ["thursday", "friday", "saturday", "sunday", "monday", "tuesday", "wednesday"]
    let weekday = Int(day.start(in: .gmt).timeIntervalSince1970 / 86400) % 7
    return """
      SELECT service_id FROM calendar WHERE \(names[weekday]) = 1
        AND \(day.number) BETWEEN CAST(start_date AS INTEGER) AND CAST(end_date AS INTEGER)
      EXCEPT SELECT service_id FROM calendar_dates
        WHERE CAST(date AS INTEGER) = \(day.number) AND exception_type = 2
      UNION SELECT service_id FROM calendar_dates
        WHERE CAST(date AS INTEGER) = \(day.number) AND exception_type = 1
      """
  }

  /// Returns the ways from each stop to the others in the radius.
  private static func walks(_ positions: [Position]) -> [[floor_pair]] {
    // Squares that are at least as large as the radius up to latitudes of 60 degrees.
    func cell(_ position: Position) -> SIMD2<Int> {
      SIMD2(Int((position.latitude / 0.005).rounded()), Int((position.longitude / 0.01).rounded()))
    }
    let cells = Dictionary(grouping: positions.indices) { cell(positions[$0]) }
    return positions.indices.map { stop in
      let center = cell(positions[stop])
      var found: [floor_pair] = []
      for latitude in -1...1 {
        for longitude in -1...1 {
          for other in cells[center &+ SIMD2(latitude, longitude)] ?? [] where other != stop {
            let meters = positions[stop].distance(to: positions[other]).meters
            guard meters <= radius else { continue }
            found.append(floor_pair(target: Int32(other), value: Int32(meters.rounded(.up))))
          }
        }
      }
      return found
    }
  }

  private static func patterns(_ db: Database, stops: [String: Int]) throws -> [Pattern] {
    var services: [String: String] = [:]
    let trips = try Row.fetchCursor(db, sql: "SELECT trip_id, service_id FROM trips")
    while let trip = try trips.next() { services[trip[0]] = trip[1] }
    var patterns: [Pattern] = []
    var known: [[Int32]: Int] = [:]
    var rows: [[UInt16]: Int] = [:]
    func seconds(_ column: String) -> String {
      """
      substr(\(column), 1, 2) * 3600 + substr(\(column), 4, 2) * 60 + substr(\(column), 7, 2)
      """
    }
    var (trip, calls, arrivals, departures) = ("", [Int32](), [Int32](), [Int32]())
    func end() {
      guard let start = arrivals.first, let service = services[trip] else { return }
      let pattern = known[calls] ?? patterns.count
      if pattern == patterns.count {
        known[calls] = pattern
        patterns.append(Pattern(calls: calls))
      }
      let times = (arrivals + departures).map { UInt16($0 - start) }
      let row = rows[times + [UInt16(pattern)]] ?? patterns[pattern].rows.count
      if row == patterns[pattern].rows.count {
        rows[times + [UInt16(pattern)]] = row
        patterns[pattern].rows.append(times)
      }
      patterns[pattern].trips.append(Trip(start: start, row: row, service: service))
    }
    let cursor = try Row.fetchCursor(
      db,
      sql: """
        SELECT trip_id, stop_id, \(seconds("arrival_time")), \(seconds("departure_time")),
          coalesce(pickup_type, 0) <> 1, coalesce(drop_off_type, 0) <> 1
        FROM stop_times
        """)
    while let call = try cursor.next() {
      if call[0] != trip {
        end()
        (trip, calls, arrivals, departures) = (call[0], [], [], [])
      }
      guard let stop = stops[call[1]] else { continue }
      calls.append(Int32(stop) << 2 | (call[4] ? 1 : 0) | (call[5] ? 2 : 0))
      arrivals.append(call[2])
      departures.append(call[3])
    }
    end()
    return patterns
  }

  private static func flat(_ lists: [[floor_pair]]) -> (starts: [Int32], all: [floor_pair]) {
    var starts: [Int32] = [0]
    for list in lists { starts.append(starts[starts.count - 1] + Int32(list.count)) }
    return (starts, lists.flatMap { $0 })
  }
}

/// The blocks of all patterns; where one trip overtakes another, a pattern becomes several.
private struct Vehicles {
  private let dayCount: Int
  var calls: [[floor_pair]]
  var spans: [floor_pair] = []
  var blocks: [Int32] = []
  var words: [Int32] = []

  init(stopCount: Int, dayCount: Int) {
    self.dayCount = dayCount
    calls = [[floor_pair]](repeating: [], count: stopCount)
  }

  /// Appends a pattern with its trips of each day, in the order of their starts.
  mutating func append(_ stops: [Int32], _ rows: [[UInt16]], trips: [[(start: Int32, row: Int)]]) {
    // For each part of the pattern its trips of each day, none of which overtakes another.
    var parts: [[[(start: Int32, row: Int)]]] = []
    for (day, trips) in trips.enumerated() {
      for trip in trips {
        let part = parts.indices.first { part in
          guard let last = parts[part][day].last else { return true }
          return zip(rows[last.row], rows[trip.row]).allSatisfy {
            last.start + Int32($0) <= trip.start + Int32($1)
          }
        }
        if part == nil {
          parts.append(Array(repeating: [], count: dayCount))
        }
        parts[part ?? parts.count - 1][day].append(trip)
      }
    }
    for days in parts {
      for (index, stop) in stops.enumerated() {
        calls[Int(stop >> 2)].append(floor_pair(target: Int32(spans.count), value: Int32(index)))
      }
      let all = days.joined()
      spans.append(
        floor_pair(
          target: all.map(\.start).min() ?? 0,
          value: all.map { $0.start + Int32(rows[$0.row].max() ?? 0) }.max() ?? 0))
      for trips in days { blocks.append(trips.isEmpty ? -1 : append(stops, rows, trips)) }
    }
  }

  private mutating func append(
    _ stops: [Int32], _ rows: [[UInt16]], _ trips: [(start: Int32, row: Int)]
  ) -> Int32 {
    // At the beginning of a cache line.
    words += Array(repeating: 0, count: (16 - words.count % 16) % 16)
    let start = words.count
    var own: [Int] = []
    for trip in trips where !own.contains(trip.row) { own.append(trip.row) }
    let half = (stops.count + 1) / 2
    words += [Int32(trips.count), Int32(stops.count)] + stops + trips.map(\.start)
    words += trips.map { trip in Int32((own.firstIndex(of: trip.row) ?? 0) * 4 * half) }
    for row in own {
      for times in [rows[row].prefix(stops.count), rows[row].suffix(stops.count)] {
        let times = Array(times) + [0]
        for index in 0..<half {
          words.append(Int32(times[2 * index]) | Int32(times[2 * index + 1]) << 16)
        }
      }
    }
    return Int32(start)
  }
}
