import Foundation
import Holdfast

/// What a connection has decoded of a timetable, in bounded memory.
///
/// It belongs to one connection, and is dropped when the database changes.
// Sendable because only the thread that holds the connection uses the cache that is kept with it.
final class TripCache: @unchecked Sendable {
  /// A stop, or a station with its platforms, and the patterns that call there.
  final class Board {
    struct Entry {
      let pattern: TimetablePattern
      /// The indices of the calls.
      let calls: [Int]
    }

    let entries: [Entry]

    init(_ entries: [Entry]) {
      self.entries = entries
    }
  }

  private let services: [StoredService]
  private let serviceIDs: [String]
  /// The days from the first to the last one of all services, as numbers since 1970.
  private let serviceDays: Range<Int>
  private let headways: [Int64: [TripTables.Headway]]
  private var patterns = RecentValues<Int64, TimetablePattern>(limit: 16 << 20)
  private var boards = RecentValues<[Int64], Board>(limit: 16 << 20)
  private var running = RecentValues<ServiceDay, [Bool]>(limit: 400)
  private var tripIDs = RecentValues<Int64, String>(limit: 20_000)
  private var texts = RecentValues<Int32, String>(limit: 20_000)
  private var stops = RecentValues<Int64, Stop>(limit: 5_000)
  private var routes = RecentValues<Int64, Route>(limit: 5_000)
  private var stopZones = RecentValues<Int64, TimeZone?>(limit: 5_000)
  private var zones: [String: TimetableZone] = [:]

  /// Returns the cache of a connection: the one of its last access if nothing has changed since.
  ///
  /// - Throws: ``TransitError`` with `.schemaOlder` when the database has no trips, `.damaged`.
  static func of(_ db: Database) throws -> TripCache {
    // An observation depends on what is cached too, which no statement reads.
    try db.registerAccess(to: DatabaseRegion.fullDatabase)
    return try db.cached { try TripCache($0) }
  }

  private init(_ db: Database) throws {
    let tables = try TripTables(db)
    let services = try tables.services()
    for (position, service) in services.enumerated() where Int(service.number) != position + 1 {
      throw TransitError.damaged(path: db.path, table: "services", row: Int64(service.number))
    }
    self.services = services.map(\.stored)
    serviceIDs = services.map(\.serviceID)
    let limits = services.flatMap { service in
      [
        service.stored.days?.lowerBound, service.stored.days?.upperBound,
        service.stored.exceptions.first?.day, service.stored.exceptions.last?.day,
      ].compactMap { $0?.daysSince1970 }
    }
    serviceDays = (limits.min() ?? 0)..<(limits.max().map { $0 + 1 } ?? 0)
    headways = Dictionary(grouping: try tables.headways(), by: \.tid)
  }

  // MARK: - Services

  /// Returns which services run on a day; the first element is unused, because numbers begin at 1.
  func runningServices(on day: ServiceDay) -> [Bool] {
    if let known = running.value(day) { return known }
    let list = [false] + services.map { $0.runs(on: day) }
    running.insert(list, for: day)
    return list
  }

  /// Returns those of the days between two numbers on which any service may run.
  func serviceDays(
    from first: Int, to last: Int
  ) -> some Sequence<ServiceDay> {
    let start = max(first, serviceDays.lowerBound)
    return (start..<max(start, min(last + 1, serviceDays.upperBound))).lazy.map {
      ServiceDay(daysSince1970: $0)
    }
  }

  func service(_ number: Int32) -> (serviceID: String, days: StoredService) {
    (serviceIDs[Int(number) - 1], services[Int(number) - 1])
  }

  func headways(of tid: Int64) -> [TripTables.Headway] {
    headways[tid] ?? []
  }

  // MARK: - Patterns

  /// Returns the board of stops and, for stations, of everything that belongs to them.
  func board(of sids: [Int64], _ db: Database) throws -> Board {
    if let board = boards.value(sids) { return board }
    let tables = TripTables(checked: db)
    let all = try Self.withParts(sids, db)
    var pids: Set<Int64> = []
    for sid in all { pids.formUnion(try tables.pids(ofStop: sid)) }
    var (entries, cost) = ([Board.Entry](), 0)
    for pid in pids.sorted() {
      let pattern = try pattern(pid, tables)
      let calls = pattern.calls.indices.filter { all.contains(pattern.calls[$0].sid) }
      entries.append(Board.Entry(pattern: pattern, calls: calls))
      cost += pattern.cost
    }
    let board = Board(entries)
    boards.insert(board, for: sids, cost: cost + 100)
    return board
  }

  /// Returns stops and everything that belongs to them, at any depth.
  private static func withParts(_ sids: [Int64], _ db: Database) throws -> Set<Int64> {
    var all = Set(sids)
    var unexplored = Array(all)
    while let sid = unexplored.popLast() {
      let parts = try Int64.fetchAll(
        db, sql: "SELECT sid FROM stops WHERE parent_sid = ?", arguments: [sid])
      for part in parts where all.insert(part).inserted { unexplored.append(part) }
    }
    return all
  }

  /// Returns a pattern.
  func pattern(_ pid: Int64, _ tables: TripTables) throws -> TimetablePattern {
    if let pattern = patterns.value(pid) { return pattern }
    let row = try tables.pattern(pid)
    for run in row.stored.runs where Int(run.service) > services.count {
      throw TransitError.missing(
        path: tables.db.path, table: "services", row: Int64(run.service))
    }
    let pattern = TimetablePattern(
      row, headways: headways, zone: try zone(ofRoute: row.rid, tables.db))
    patterns.insert(pattern, for: pid, cost: pattern.cost)
    return pattern
  }

  // MARK: - Zones

  /// Returns the zone of a route's agency: a route without one belongs to the only one.
  private func zone(ofRoute rid: Int64, _ db: Database) throws -> TimetableZone {
    let name = try String.fetchOne(
      db,
      sql: """
        SELECT agency_timezone FROM agency
        ORDER BY aid = (SELECT aid FROM routes WHERE rid = ?) DESC, aid LIMIT 1
        """,
      arguments: [rid])
    if let zone = zones[name ?? ""] { return zone }
    guard let name, let found = TimeZone(identifier: name) else {
      throw TransitError.unknownTimeZone(path: db.path, name ?? "")
    }
    let zone = TimetableZone(found)
    zones[name] = zone
    return zone
  }

  /// Returns a stop's own zone, or that of its station; `nil` when they have none that is known.
  func zone(ofStop sid: Int64, _ db: Database) throws -> TimeZone? {
    if let known = stopZones.value(sid) { return known }
    let zone = try Stop.ownTimeZone(sid, db)
    stopZones.insert(zone, for: sid)
    return zone
  }

  // MARK: - Names

  func stop(_ sid: Int64, _ db: Database) throws -> Stop {
    if let stop = stops.value(sid) { return stop }
    guard let stop = try Stop.fetchOne(db, sid: sid) else {
      throw TransitError.missing(path: db.path, table: "stops", row: sid)
    }
    stops.insert(stop, for: sid)
    return stop
  }

  func route(_ rid: Int64, _ db: Database) throws -> Route {
    if let route = routes.value(rid) { return route }
    guard let route = try Route.fetchOne(db, rid: rid) else {
      throw TransitError.missing(path: db.path, table: "routes", row: rid)
    }
    routes.insert(route, for: rid)
    return route
  }

  func tripID(_ tid: Int64, _ db: Database) throws -> String {
    if let tripID = tripIDs.value(tid) { return tripID }
    for trip in try TripTables(checked: db).trips(with: tid) {
      tripIDs.insert(trip.tripID, for: trip.tid)
    }
    guard let tripID = tripIDs.value(tid) else {
      throw TransitError.missing(path: db.path, table: "dict_trip", row: tid)
    }
    return tripID
  }

  /// Returns a shared text; `nil` for number 0, a blank one.
  func text(_ number: Int32, _ db: Database) throws -> String? {
    guard number != 0 else { return nil }
    if let text = texts.value(number) { return text }
    let (first, block) = try TripTables(checked: db).texts(with: number)
    for (offset, text) in block.enumerated() {
      texts.insert(text, for: first &+ Int32(offset))
    }
    guard let text = texts.value(number) else {
      throw TransitError.missing(path: db.path, table: "texts", row: Int64(number))
    }
    return text
  }
}
