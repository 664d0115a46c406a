import Foundation
import Holdfast

/// A cache of the compact form's content that a connection has decoded for SQL, in bounded memory.
///
/// It belongs to one connection, and is dropped when the database changes.
final class CompactContent {
  /// The trips of a row of `patterns`.
  final class Trips {
    let routeID: String
    let directionID: Int16?
    let runs: [StoredPattern.Run]
    private(set) lazy var indices = Dictionary(
      runs.indices.map { (runs[$0].tid, $0) }, uniquingKeysWith: { first, _ in first })

    init(routeID: String, directionID: Int16?, runs: [StoredPattern.Run]) {
      (self.routeID, self.directionID, self.runs) = (routeID, directionID, runs)
    }
  }

  /// A row of `patterns` with all times.
  final class Pattern {
    let stored: StoredPattern
    /// The `stop_id` of each call.
    let stopIDs: [String?]
    /// The `stop_headsign` of each call.
    let headsigns: [String?]
    private(set) lazy var indices = Dictionary(
      stored.runs.indices.map { (stored.runs[$0].tid, $0) },
      uniquingKeysWith: { first, _ in first })

    init(_ stored: StoredPattern, stopIDs: [String?], headsigns: [String?]) {
      (self.stored, self.stopIDs, self.headsigns) = (stored, stopIDs, headsigns)
    }
  }

  /// The identifiers in a row of `dict_trip`.
  private struct Block {
    let first: Int64
    let least: ExactText
    let greatest: ExactText
  }

  private let cache: TripCache
  private let serviceIDs: [String]
  /// The rows of `dict_trip` by their least identifiers.
  private let blocks: [Block]
  /// The greatest identifier in the blocks up to each one.
  private let greatest: [ExactText]
  private var trips = RecentValues<Int64, Trips>(limit: 4 << 20)
  private var patterns = RecentValues<Int64, Pattern>(limit: 8 << 20)
  private var tripsByID = RecentValues<ExactText, StoredTrip>(limit: 20_000)
  private var stopIDs = RecentValues<Int64, String>(limit: 20_000)
  /// The rows of `packed_stops` with an identifier, as a join looks them up once for each call.
  private var stops = RecentValues<ExactText, [[DatabaseValue]]>(limit: 4_000)
  private var others = RecentValues<Int32, [String]>(limit: 1_000)

  /// Returns the content of a connection: the one of its last access if nothing has changed since.
  static func of(_ db: Database) throws -> CompactContent {
    let cache = try TripCache.of(db)
    return try db.cached { try CompactContent($0, cache) }
  }

  private init(_ db: Database, _ cache: TripCache) throws {
    self.cache = cache
    serviceIDs = try String.fetchAll(db, sql: "SELECT service_id FROM services ORDER BY service")
    let rows = try Row.fetchAll(
      db, sql: "SELECT first, least_id, greatest_id FROM dict_trip ORDER BY least_id, first")
    blocks = try rows.map { row in
      Block(
        first: try row.decode(atIndex: 0), least: ExactText(try row.decode(atIndex: 1)),
        greatest: ExactText(try row.decode(atIndex: 2)))
    }
    var greatest: [ExactText] = []
    for block in blocks { greatest.append(max(greatest.last ?? block.greatest, block.greatest)) }
    self.greatest = greatest
  }

  // MARK: - Names

  func text(_ number: Int32, _ db: Database) throws -> String? { try cache.text(number, db) }

  func tripID(_ tid: Int64, _ db: Database) throws -> String { try cache.tripID(tid, db) }

  func serviceID(_ number: Int32, _ db: Database) throws -> String {
    guard serviceIDs.indices.contains(Int(number) - 1) else {
      throw TransitError.missing(path: db.path, table: "services", row: Int64(number))
    }
    return serviceIDs[Int(number) - 1]
  }

  /// Returns the number of a service; `nil` when there is none.
  func service(_ serviceID: String) -> Int32? {
    serviceIDs.firstIndex { $0.hasSameBytes(as: serviceID) }.map { Int32($0 + 1) }
  }

  func stopID(_ sid: Int64, _ db: Database) throws -> String? {
    guard sid != 0 else { return nil }
    if let stopID = stopIDs.value(sid) { return stopID }
    let found = try String.fetchOne(
      db, sql: "SELECT stop_id FROM packed_stops WHERE sid = ?", arguments: [sid])
    guard let found else {
      throw TransitError.missing(path: db.path, table: "packed_stops", row: sid)
    }
    stopIDs.insert(found, for: sid)
    return found
  }

  /// Returns the rows of a stop, which the closure reads if they are not known.
  func stopRows(
    _ stopID: String, _ read: () throws -> [[DatabaseValue]]
  ) rethrows -> [[DatabaseValue]] {
    let id = ExactText(stopID)
    if let rows = stops.value(id) { return rows }
    let rows = try read()
    stops.insert(rows, for: id)
    return rows
  }

  /// Returns the values of a record of other columns.
  func otherValues(_ number: Int32, _ db: Database) throws -> [String] {
    if let values = others.value(number) { return values }
    let values = OtherValues.values(of: try text(number, db) ?? "")
    others.insert(values, for: number)
    return values
  }

  /// Returns the trip with a `trip_id`; `nil` when there is none.
  func trip(_ tripID: String, _ db: Database) throws -> StoredTrip? {
    let id = ExactText(tripID)
    if let trip = tripsByID.value(id) { return trip }
    // The last block that does not begin after the identifier, and those before it that may reach it.
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      if id < blocks[middle].least { high = middle } else { low = middle + 1 }
    }
    var index = low - 1
    while index >= 0, greatest[index] >= id {
      if blocks[index].greatest >= id {
        var found: StoredTrip?
        for trip in try TripTables(checked: db).trips(with: blocks[index].first) {
          tripsByID.insert(trip, for: ExactText(trip.tripID))
          if trip.tripID.hasSameBytes(as: tripID) { found = trip }
        }
        if let found { return found }
      }
      index -= 1
    }
    return nil
  }

  // MARK: - Patterns

  /// Returns the trips of a row of `patterns`, without their times.
  func trips(_ pid: Int64, _ db: Database) throws -> Trips {
    if let trips = trips.value(pid) { return trips }
    let trips = try TripTables(checked: db).trips(ofPattern: pid)
    self.trips.insert(trips, for: pid, cost: trips.runs.count * 2 * runSize + 100)
    return trips
  }

  /// Returns a row of `patterns`.
  func pattern(_ pid: Int64, _ db: Database) throws -> Pattern {
    if let pattern = patterns.value(pid) { return pattern }
    let stored = try TripTables(checked: db).pattern(pid).stored
    let pattern = Pattern(
      stored, stopIDs: try stored.calls.map { try stopID($0.sid, db) },
      headsigns: try stored.calls.map { try text($0.headsign, db) })
    let (calls, timings) = (stored.calls.count, stored.timings.count)
    patterns.insert(
      pattern, for: pid,
      cost: calls * (timings * 8 + 120) + timings * 64 + stored.runs.count * 2 * runSize + 200)
    return pattern
  }

  private var runSize: Int { MemoryLayout<StoredPattern.Run>.stride }
}

extension TripTables {
  /// Returns the trips of a row of `patterns`; neither its calls nor its times are decoded.
  func trips(ofPattern pid: Int64) throws -> CompactContent.Trips {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT (SELECT route_id FROM dict_route WHERE rid = patterns.rid), direction_id, runs
        FROM patterns WHERE pid = ?
        """, arguments: [pid])
    guard let row else {
      throw TransitError.missing(path: db.path, table: "patterns", row: pid)
    }
    return try decoding("patterns", pid) {
      CompactContent.Trips(
        routeID: try row.decode(atIndex: 0), directionID: try row.decode(atIndex: 1),
        runs: try StoredPattern.runs(try row.bytes(atIndex: 2), timings: .max))
    }
  }
}

/// The rows of `patterns` that an iteration visits: all, or some.
enum PatternWalk {
  case all(after: Int64)
  case some([Int64], next: Int)

  static let none = PatternWalk.some([], next: 0)

  /// Returns the number of the next row; `nil` after the last one.
  mutating func next(_ db: Database) throws -> Int64? {
    switch self {
    case .all(let last):
      let pid = try Int64.fetchOne(
        db, sql: "SELECT pid FROM patterns WHERE pid > ? ORDER BY pid LIMIT 1", arguments: [last])
      if let pid { self = .all(after: pid) }
      return pid
    case .some(let pids, let next):
      guard next < pids.count else { return nil }
      self = .some(pids, next: next + 1)
      return pids[next]
    }
  }
}
