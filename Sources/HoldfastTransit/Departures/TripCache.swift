import Foundation
import Holdfast
import Synchronization

/// A cache of the content of a timetable that a connection has decoded, in bounded memory.
///
/// It belongs to one connection, and is dropped when the database changes.
// Sendable because only the thread that holds the connection uses the cache that is kept with it.
final class TripCache: @unchecked Sendable {
  private let headways: [Int64: [TripTables.Headway]]
  private var repetitions = RecentValues<Int64, RepetitionIndex<Void>>(limit: Limit.starts)
  private let agencyZones: [Int64: TimetableZone?]
  /// The zone of all agencies, if they have the same one, as GTFS demands.
  private let commonZone: TimetableZone?
  /// The positions of the columns of `stop_times.txt` without a property of ours in their records.
  private let stopTimeColumns: [String: Int]
  private var bookingRules = RecentValues<ExactText, BookingRule?>(limit: 1_000)
  /// All services by number, and the days from the first to the last one of all, if they were read.
  private var allServices: (list: [StoredService], days: Range<Int>)?
  private var running = RecentValues<ServiceDay, [Bool]>(limit: 400)
  private var services = RecentValues<Int32, TripTables.Service>(limit: Limit.services)
  private var patterns = RecentValues<Int64, TimetablePattern>(limit: Limit.patterns)
  private var boards = RecentValues<[Int64], StopBoard>(limit: Limit.boards)
  private var tripsOfBoards = RecentValues<[Int64], TripsOfBoard>(limit: Limit.patterns)
  private var tripIDs = RecentValues<Int64, String>(limit: 20_000)
  private var texts = RecentValues<Int32, String>(limit: 20_000)
  /// The rows of trips and of texts of which one was asked for.
  ///
  /// The twenty of a board lie in as many rows. Who asks for a second one of a row mostly asks for many,
  /// so that all of the row are decoded then.
  private var readTrips = RecentValues<Int64, Void>(limit: 20_000)
  private var readTexts = RecentValues<Int64, Void>(limit: 20_000)
  private var stops = RecentValues<Int64, Stop>(limit: 5_000)
  private var stations = RecentValues<ExactText, String>(limit: 20_000)
  private var routes = RecentValues<Int64, Route>(limit: 5_000)
  private var routeStarts = RecentValues<Int64, RouteStarts>(limit: Limit.starts)
  private var stopZones = RecentValues<Int64, TimeZone?>(limit: 5_000)
  private var mayHaveStopZones: Bool?

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
    headways = Dictionary(grouping: try tables.headways(), by: \.tid)
    var known: [String: TimetableZone] = [:]
    var zones: [Int64: TimetableZone?] = [:]
    for row in try Row.fetchAll(db, sql: "SELECT aid, agency_timezone FROM main.agency") {
      let name: String = try row.decode(atIndex: 1)
      let zone = known[name] ?? TimeZone(identifier: name).map(TimetableZone.init)
      if let zone { known[name] = zone }
      zones[try row.decode(atIndex: 0)] = .some(zone)
    }
    agencyZones = zones
    var columns: [String: Int] = [:]
    for (file, name) in try tables.otherColumns() where file == "stop_times.txt" {
      columns[name] = columns.count
    }
    stopTimeColumns = columns
    commonZone =
      known.count == 1 && zones.values.allSatisfy { $0 != nil } ? known.values.first : nil
  }

  // MARK: - Services

  /// Returns a service that a run names.
  func service(_ number: Int32, _ db: Database) throws -> TripTables.Service {
    if let service = services.value(number) { return service }
    var found: TripTables.Service?
    try forEachService([number], db) { found = $0 }
    guard let found else { preconditionFailure("A row that is missing is an error.") }
    return found
  }

  /// Calls a closure with each service that runs name, those that are not kept last.
  private func forEachService(
    _ numbers: Set<Int32>, _ db: Database, _ body: (TripTables.Service) throws -> Void
  ) throws {
    var missing: [Int32] = []
    for number in numbers {
      if let service = services.value(number) { try body(service) } else { missing.append(number) }
    }
    guard !missing.isEmpty else { return }
    try TripTables(checked: db).forEachService(missing.sorted()) { service in
      services.insert(service, for: service.number, cost: service.cost)
      try body(service)
    }
  }

  /// Reads all services, which a search over the whole timetable needs.
  func readAllServices(_ db: Database) throws {
    guard allServices == nil else { return }
    let services = try TripTables(checked: db).services()
    for (position, service) in services.enumerated() where Int(service.number) != position + 1 {
      throw TransitError.damaged(path: db.path, table: "services", row: Int64(service.number))
    }
    let spans = services.compactMap(\.stored.span)
    let first = spans.map(\.lowerBound.daysSince1970).min() ?? 0
    let last = spans.map(\.upperBound.daysSince1970).max() ?? first - 1
    allServices = (services.map(\.stored), first..<last + 1)
  }

  /// Returns which of all services run on a day; the first element is unused, because numbers begin
  /// at 1.
  func runningServices(on day: ServiceDay) -> [Bool] {
    if let known = running.value(day) { return known }
    let list = [false] + (allServices?.list ?? []).map { $0.runs(on: day) }
    running.insert(list, for: day)
    return list
  }

  /// Returns the days in a range on which a service may run.
  func serviceDays(
    from first: Int, to last: Int
  ) -> some Sequence<ServiceDay> {
    let days = allServices?.days ?? 0..<0
    let start = max(first, days.lowerBound)
    return (start..<max(start, min(last + 1, days.upperBound))).lazy.map {
      ServiceDay(daysSince1970: $0)
    }
  }

  /// Whether any trip repeats.
  var hasHeadways: Bool { !headways.isEmpty }

  func headways(of tid: Int64) -> [TripTables.Headway] {
    headways[tid] ?? []
  }

  /// Returns when the vehicles of a trip start that `frequencies.txt` repeats; `nil` for another trip.
  func repetitions(of tid: Int64) -> RepetitionIndex<Void>? {
    if let known = repetitions.value(tid) { return known }
    guard let headways = headways[tid] else { return nil }
    let index = RepetitionIndex(headways.map { ($0, ()) })
    repetitions.insert(index, for: tid, cost: min(headways.count, Limit.starts))
    return index
  }

  // MARK: - Patterns

  /// Returns the board of stops and, for stations, of everything that belongs to them.
  ///
  /// - Throws: ``TransitError`` with `.tooLarge` when their trips need more memory than is allowed.
  func board(of sids: [Int64], _ db: Database) throws -> StopBoard {
    if let board = boards.value(sids) { return board }
    let tables = TripTables(checked: db)
    let all = try Stop.withParts(sids, db)
    var pids: Set<Int64> = []
    var memory = Limit.board
    // The platforms of a station mostly lie in one row.
    var row: [StoredStopPatterns.Stop] = []
    for sid in all {
      if !row.contains(where: { $0.sid == sid }) { row = try tables.stopPatterns(with: sid) }
      pids.formUnion(row.first { $0.sid == sid }?.pids ?? [])
      try tables.check(TimetablePattern.cost(of: StoredPattern.Size()) * pids.count, memory)
    }
    if pids.isEmpty { TransitLog.stopsWithoutTrips(sids, db) }
    var calls: [StopBoard.Call] = []
    var numbers: Set<Int32> = []
    for pattern in try patterns(pids.sorted(), of: all, tables, within: &memory) {
      calls += pattern.places.indices.map { StopBoard.Call(pattern: pattern, place: $0) }
      // A pattern has few services, which a list finds sooner than a set.
      var own: [Int32] = []
      for run in pattern.runs where !own.suffix(8).contains(run.service) { own.append(run.service) }
      numbers.formUnion(own)
      for repetition in pattern.repetitions { numbers.insert(repetition.run.service) }
    }
    var services: [Int32: StoredService] = [:]
    try forEachService(numbers, db) { service in
      try tables.take(service.cost, from: &memory)
      services[service.number] = service.stored
    }
    let board = StopBoard(of: all, calls, services: services)
    boards.insert(board, for: sids, cost: Limit.board - memory + 100)
    return board
  }

  /// Returns the patterns of a board, decoded on several threads.
  ///
  /// - Parameters:
  ///   - pids: Their numbers, sorted.
  ///   - sids: The stops of the board.
  ///   - tables: The tables of the database.
  ///   - memory: The memory that is left, in bytes.
  /// - Returns: The patterns in the order of their numbers.
  /// - Throws: ``TransitError`` with `.tooLarge` when they need more memory than is left.
  private func patterns(
    _ pids: [Int64], of sids: Set<Int64>, _ tables: TripTables, within memory: inout Int
  ) throws -> [BoardPattern] {
    // The stops of a station mostly have consecutive numbers, which tell most calls apart.
    let numbers = (sids.min() ?? 0)...(sids.max() ?? 0)
    typealias Content = Result<BoardPattern.Content, DamagedBytes>
    let decode = { @Sendable (rows: [TripTables.EncodedPattern]) -> [Content] in
      // One array for all columns: to allocate one for each takes longer than to decode them.
      var codes: [Int64] = []
      return rows.map { row in
        Result { () throws(DamagedBytes) in
          try BoardPattern.Content(row, using: &codes) {
            numbers.contains($0) && sids.contains($0)
          }
        }
      }
    }
    // A thread costs more than some patterns, and to hand over one costs much of decoding it.
    let size = 16
    let (batches, count) = (PatternBatches(), (pids.count + size - 1) / size)
    let map = count <= 2 ? nil : ConcurrentMap(count, available: 0) { decode(batches[$0]) }
    var (patterns, left) = ([BoardPattern](), memory)
    var batch: [TripTables.EncodedPattern] = []
    var read = 0
    try tables.forEachEncodedPattern(pids) { row, cost in
      // An answer may need all of it.
      try tables.take(TimetablePattern.cost(of: cost), from: &left)
      batch.append(row)
      read += 1
      guard batch.count == size || read == pids.count else { return }
      // The next ones are read while it is decoded.
      let available = batches.append(batch)
      map?.makeAvailable(available)
      batch = []
    }
    memory = left
    func append(_ row: TripTables.EncodedPattern, _ content: Content) throws {
      let zone = try zone(ofRoute: row.rid, tables.db)
      let pattern = try tables.decoding("patterns", row.pid) {
        try BoardPattern(row, try content.get(), headways: headways, zone: zone)
      }
      try tables.take(
        StopBoard.cost(ofRuns: pattern.runs.count, calls: pattern.places.count), from: &memory)
      patterns.append(pattern)
    }
    func append(batch number: Int, _ contents: [Content]) throws {
      for (row, content) in zip(batches[number], contents) { try append(row, content) }
    }
    guard let map else {
      for number in 0..<count { try append(batch: number, decode(batches[number])) }
      return patterns
    }
    var next = 0
    try map.forEach { contents in
      try append(batch: next, contents)
      next += 1
    }
    return patterns
  }

  /// Returns all of a pattern of a board.
  func pattern(_ pattern: BoardPattern, _ db: Database) throws -> TimetablePattern {
    if let whole = pattern.whole { return whole }
    let whole =
      try patterns.value(pattern.pid)
      ?? decoded(pattern.row, zone: pattern.zone, TripTables(checked: db))
    pattern.whole = whole
    return whole
  }

  /// Returns a pattern.
  ///
  /// - Throws: ``TransitError`` with `.tooLarge` when it needs more memory than a board may.
  func pattern(_ pid: Int64, _ tables: TripTables) throws -> TimetablePattern {
    if let pattern = patterns.value(pid) { return pattern }
    var found: TimetablePattern?
    try tables.forEachEncodedPattern([pid]) { row, size in
      try tables.check(TimetablePattern.cost(of: size), Limit.board)
      found = try decoded(row, zone: try zone(ofRoute: row.rid, tables.db), tables)
    }
    guard let found else { preconditionFailure("A row that is missing is an error.") }
    return found
  }

  private func decoded(
    _ row: TripTables.EncodedPattern, zone: TimetableZone, _ tables: TripTables
  ) throws -> TimetablePattern {
    let pattern = try tables.decoding("patterns", row.pid) {
      try TimetablePattern(
        row, try TimetablePattern.Content(row), headways: headways, zone: zone)
    }
    patterns.insert(pattern, for: row.pid, cost: pattern.cost)
    return pattern
  }

  /// Returns the trips and the stops of a board by the feed's identifiers.
  func trips(of board: StopBoard, _ sids: [Int64], _ db: Database) throws -> TripsOfBoard {
    if let trips = tripsOfBoards.value(sids) { return trips }
    var patterns: [ExactText: TimetablePattern] = [:]
    var tids: [ExactText: Int64] = [:]
    for pattern in board.patterns {
      let pattern = try self.pattern(pattern, db)
      for tid in pattern.runs.map(\.tid) + pattern.repetitions.map(\.run.tid) {
        let tripID = ExactText(try tripID(tid, db))
        patterns[tripID] = pattern
        tids[tripID] = tid
      }
    }
    var stops: [ExactText: Int64] = [:]
    for sid in board.sids {
      // A question may ask for a stop that does not exist.
      if let stop = try Stop.fetchOne(db, sid: sid) { stops[ExactText(stop.stopID)] = sid }
    }
    let trips = TripsOfBoard(patterns: patterns, tids: tids, stops: stops)
    tripsOfBoards.insert(trips, for: sids, cost: (tids.count + stops.count) * 150)
    return trips
  }

  // MARK: - Zones

  /// Returns the zone of a route's agency: a route without one belongs to the only one.
  func zone(ofRoute rid: Int64, _ db: Database) throws -> TimetableZone {
    if let commonZone { return commonZone }
    var aid = agencyZones.keys.min() ?? 0
    if agencyZones.count > 1 {
      aid =
        try Int64.fetchOne(
          db,
          sql: "SELECT aid FROM main.routes WHERE rid = ? AND aid IN (SELECT aid FROM main.agency)",
          arguments: [rid]) ?? aid
    }
    if case .some(.some(let zone)) = agencyZones[aid] { return zone }
    let name = try String.fetchOne(
      db, sql: "SELECT agency_timezone FROM main.agency WHERE aid = ?", arguments: [aid])
    throw TransitError.unknownTimeZone(path: db.path, name ?? "")
  }

  /// Returns a stop's own zone, or its station's zone; `nil` when it has none that is known.
  func zone(ofStop sid: Int64, _ db: Database) throws -> TimeZone? {
    guard try haveStopsZones(db) else { return nil }
    if let known = stopZones.value(sid) { return known }
    let zone = try Stop.ownTimeZone(sid, db)
    stopZones.insert(zone, for: sid)
    return zone
  }

  /// Returns whether any stop may have a zone of its own, so that most feeds' are not asked for one.
  private func haveStopsZones(_ db: Database) throws -> Bool {
    if let mayHaveStopZones { return mayHaveStopZones }
    // An older database has no table of kinds.
    let found =
      try !db.tableExists("stop_kinds", in: "main")
      || Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM main.stop_kinds WHERE stop_timezone IS NOT NULL)")
        ?? true
    mayHaveStopZones = found
    return found
  }

  // MARK: - Requests

  /// Returns the value of a column of `stop_times.txt` without a property of ours.
  func value(_ column: String, of call: StoredPattern.Call, _ db: Database) throws -> String? {
    guard let position = stopTimeColumns[column], let record = try text(call.others, db) else {
      return nil
    }
    let values = OtherValues.values(of: record)
    guard values.indices.contains(position), !values[position].isEmpty else { return nil }
    return values[position]
  }

  /// Returns the booking rule of a call, with times in the zone of its agency; `nil` if it has none.
  func bookingRule(
    _ event: CallEvent, of call: StoredPattern.Call, in zone: TimetableZone, _ db: Database
  ) throws -> BookingRule? {
    let column = event == .departure ? "pickup_booking_rule_id" : "drop_off_booking_rule_id"
    guard let id = try value(column, of: call, db) else { return nil }
    let known = bookingRules.value(ExactText(id))
    var rule = try known ?? BookingRule(id, in: zone.zone, db)
    if known == nil { bookingRules.insert(rule, for: ExactText(id)) }
    // Agencies with several zones may share it.
    rule?.timeZone = zone.zone
    return rule
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

  /// Returns the `stop_id` of the station to which a stop belongs, or else its own.
  func station(of stopID: String, _ db: Database) throws -> String {
    if let known = stations.value(ExactText(stopID)) { return known }
    let station = try Stop.fetchOne(db, stopID: stopID)?.parentStation ?? stopID
    stations.insert(station, for: ExactText(stopID))
    return station
  }

  func route(_ rid: Int64, _ db: Database) throws -> Route {
    if let route = routes.value(rid) { return route }
    guard let route = try Route.fetchOne(db, rid: rid) else {
      throw TransitError.missing(path: db.path, table: "routes", row: rid)
    }
    routes.insert(route, for: rid)
    return route
  }

  /// Returns the trips of a route by their starts.
  func starts(ofRoute rid: Int64, _ tables: TripTables) throws -> RouteStarts {
    if let starts = routeStarts.value(rid) { return starts }
    let starts = try RouteStarts(ofRoute: rid, self, tables)
    routeStarts.insert(starts, for: rid, cost: starts.cost)
    return starts
  }

  func tripID(_ tid: Int64, _ db: Database) throws -> String {
    if let tripID = tripIDs.value(tid) { return tripID }
    let tables = TripTables(checked: db)
    var tripID: String?
    if let block = try tables.encodedTrips(with: tid) {
      if readTrips.value(block.first) == nil {
        readTrips.insert((), for: block.first)
        tripID = try tables.decoding("dict_trip", block.first) {
          try StoredTrips.tripID(tid, in: block.bytes)
        }
        if let tripID { tripIDs.insert(tripID, for: tid) }
      } else {
        for trip in try tables.trips(block) { tripIDs.insert(trip.tripID, for: trip.tid) }
        tripID = tripIDs.value(tid)
      }
    }
    guard let tripID else {
      throw TransitError.missing(path: db.path, table: "dict_trip", row: tid)
    }
    return tripID
  }

  /// Returns a shared text; `nil` for number 0, a blank one.
  func text(_ number: Int32, _ db: Database) throws -> String? {
    guard number != 0 else { return nil }
    if let text = texts.value(number) { return text }
    let tables = TripTables(checked: db)
    let block = try tables.encodedTexts(with: number)
    let text = try tables.decoding("texts", block.first) { () throws -> String? in
      guard let first = Int32(exactly: block.first) else { throw DamagedBytes() }
      if readTexts.value(block.first) == nil {
        readTexts.insert((), for: block.first)
        let text = try StoredTexts.text(at: Int(number) - Int(first), in: block.bytes)
        if let text { texts.insert(text, for: number) }
        return text
      }
      var next = first
      for text in try StoredTexts(block.bytes).texts {
        texts.insert(text, for: next)
        next &+= 1
      }
      return texts.value(number)
    }
    guard let text else {
      throw TransitError.missing(path: db.path, table: "texts", row: Int64(number))
    }
    return text
  }
}

/// The rows of patterns in batches, which are decoded on several threads while others are read.
private final class PatternBatches: Sendable {
  private let batches = Mutex<[[TripTables.EncodedPattern]]>([])

  /// Adds a batch, and returns the number of all.
  func append(_ batch: [TripTables.EncodedPattern]) -> Int {
    batches.withLock { batches in
      batches.append(batch)
      return batches.count
    }
  }

  subscript(number: Int) -> [TripTables.EncodedPattern] { batches.withLock { $0[number] } }
}

extension TripTables {
  /// Subtracts a cost from the memory that is left, in bytes.
  func take(_ cost: Int, from memory: inout Int) throws {
    try check(cost, memory)
    memory -= cost
  }

  /// Checks that there is enough memory, in bytes.
  func check(_ cost: Int, _ memory: Int) throws {
    guard cost <= memory else {
      throw TransitError.tooLarge(path: db.path, limit: TripCache.Limit.board)
    }
  }
}

extension TripTables.Service {
  /// About the size in memory, in bytes.
  fileprivate var cost: Int {
    stored.exceptions.count * MemoryLayout<StoredExceptions.Exception>.stride + 200
  }
}
