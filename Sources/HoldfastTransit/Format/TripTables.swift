import Foundation
package import Holdfast

/// The rows of the compact format in a database, decoded.
///
/// Whatever is damaged ends in a ``TransitError`` that names the row.
struct TripTables {
  /// A row of the table `patterns`.
  struct Pattern {
    let pid: Int64
    let rid: Int64
    let directionID: Int16?
    let stored: StoredPattern
  }

  let db: Database

  /// Reads the tables of a database.
  ///
  /// - Throws: ``TransitError`` with `.schemaOlder` when it has no trips, and the other codes of
  ///   ``TimetableSchema/check(_:)``.
  init(_ db: Database) throws {
    try TimetableSchema.checkForTrips(db)
    self.db = db
  }

  /// Reads the tables of a database that was checked before.
  init(checked db: Database) {
    self.db = db
  }

  // MARK: - Patterns

  private static let patterns =
    "SELECT pid, rid, direction_id, calls, timings, runs FROM patterns"

  /// Returns a pattern that another row names.
  func pattern(_ pid: Int64) throws -> Pattern {
    try pattern(try row(ofPattern: pid))
  }

  /// Calls a closure with the bytes of each pattern that other rows name, and with the numbers of elements
  /// in them, which their first bytes tell.
  ///
  /// - Parameters:
  ///   - pids: The numbers of the patterns, sorted.
  ///   - body: Receives the patterns by number.
  /// - Throws: ``TransitError`` with `.damaged`; whatever `body` throws.
  func forEachEncodedPattern(
    _ pids: [Int64], _ body: (_ pattern: EncodedPattern, _ size: StoredPattern.Size) throws -> Void
  ) throws {
    try forEachRow(Self.patterns, of: "patterns", "pid", pids) { (pattern: EncodedPattern) in
      let size = try decoding("patterns", pattern.pid) {
        try StoredPattern.Size(
          calls: pattern.calls, timings: pattern.timings, runs: pattern.runs)
      }
      try body(pattern, size)
    }
  }

  private func row(ofPattern pid: Int64) throws -> Row {
    let statement = "\(Self.patterns) WHERE pid = ?"
    guard let row = try Row.fetchOne(db, sql: statement, arguments: [pid]) else {
      throw TransitError.missing(path: db.path, table: "patterns", row: pid)
    }
    return row
  }

  /// Returns the timings and the runs of patterns that other rows name, in turns.
  ///
  /// - Parameter pids: The numbers of the patterns, sorted.
  /// - Returns: Two blobs for each pattern: its timings, then its runs.
  /// - Throws: ``TransitError`` with `.damaged`; `DatabaseError` when the database cannot be read.
  func times(ofPatterns pids: [Int64]) throws -> BlobList {
    guard let first = pids.first, let last = pids.last else { return BlobList() }
    // One statement, because to run one takes longer than to read most rows; and to skip some rows takes
    // less than to look up the others.
    let isDense = last - first < 4 * Int64(pids.count)
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT pid, timings, runs FROM patterns
          WHERE pid \(isDense ? "BETWEEN ? AND ?" : "IN (SELECT value FROM json_each(?))") ORDER BY pid
          """),
      arguments: isDense
        ? [first, last] : [pids.jsonArray])
    var blobs = BlobList()
    var next = pids.startIndex
    while next < pids.endIndex, let row = try rows.next() {
      let (pid, wanted) = (try row.decode(Int64.self, atIndex: 0), pids[next])
      guard pid <= wanted else { break }
      guard pid == wanted else { continue }
      try decoding("patterns", pid) {
        try blobs.append(row, atIndex: 1)
        try blobs.append(row, atIndex: 2)
      }
      next += 1
    }
    guard next == pids.endIndex else {
      throw TransitError.missing(path: db.path, table: "patterns", row: pids[next])
    }
    return blobs
  }

  /// Returns the route of a pattern that another row names.
  func rid(ofPattern pid: Int64) throws -> Int64 {
    let rid = try Int64.fetchOne(
      db, sql: "SELECT rid FROM patterns WHERE pid = ?", arguments: [pid])
    guard let rid else {
      throw TransitError.missing(path: db.path, table: "patterns", row: pid)
    }
    return rid
  }

  /// Returns the numbers of the patterns of a route, sorted.
  func pids(ofRoute rid: Int64) throws -> [Int64] {
    try Int64.fetchAll(
      db, sql: "SELECT pid FROM patterns WHERE rid = ? ORDER BY pid", arguments: [rid])
  }

  /// Calls a closure with each pattern, by number.
  func forEachPattern(_ body: (Pattern) throws -> Void) throws {
    let rows = try Row.fetchCursor(db, sql: "\(Self.patterns) ORDER BY pid")
    while let row = try rows.next() { try body(try pattern(row)) }
  }

  /// Calls a closure with the numbers of calls, timings and runs of each pattern, by number.
  func forEachSize(_ body: (StoredPattern.Size) throws -> Void) throws {
    let rows = try Row.fetchCursor(db, sql: "\(Self.patterns) ORDER BY pid")
    while let row = try rows.next() {
      let size = try decoding("patterns", try row.decode(atIndex: 0)) {
        try StoredPattern.Size(
          calls: try row.bytes(atIndex: 3), timings: try row.bytes(atIndex: 4),
          runs: try row.bytes(atIndex: 5))
      }
      try body(size)
    }
  }

  private func pattern(_ row: Row) throws -> Pattern {
    let pid: Int64 = try row.decode(atIndex: 0)
    return try decoding("patterns", pid) {
      Pattern(
        pid: pid, rid: try row.decode(atIndex: 1), directionID: try row.decode(atIndex: 2),
        stored: try StoredPattern(
          calls: try row.bytes(atIndex: 3), timings: try row.bytes(atIndex: 4),
          runs: try row.bytes(atIndex: 5)))
    }
  }

  /// Returns the numbers of the patterns that call at a stop, sorted.
  func pids(ofStop sid: Int64) throws -> [Int64] {
    try stopPatterns(with: sid).first { $0.sid == sid }?.pids ?? []
  }

  /// Returns the patterns of the stops in the row that has a stop, if any has it.
  func stopPatterns(with sid: Int64) throws -> [StoredStopPatterns.Stop] {
    let row = try Row.fetchOne(
      db,
      sql: "SELECT first, patterns FROM stop_patterns WHERE first <= ? ORDER BY first DESC LIMIT 1",
      arguments: [sid])
    guard let row else { return [] }
    return try decoding("stop_patterns", try row.decode(atIndex: 0)) {
      try StoredStopPatterns(try row.bytes(atIndex: 1)).stops
    }
  }

  // MARK: - Trips

  /// Returns the row with the trips that contains a number; `nil` when all numbers are larger.
  func encodedTrips(with tid: Int64) throws -> EncodedBlock? {
    try block(
      "SELECT first, trips FROM dict_trip WHERE first <= ? ORDER BY first DESC LIMIT 1",
      of: "dict_trip", tid)
  }

  /// Returns the trips of the row that contains a number; none when all numbers are larger.
  func trips(with tid: Int64) throws -> [StoredTrip] {
    try encodedTrips(with: tid).map { try trips($0) } ?? []
  }

  /// Returns all trips of a row.
  func trips(_ block: EncodedBlock) throws -> [StoredTrip] {
    try decoding("dict_trip", block.first) { try StoredTrips(block.bytes).trips }
  }

  /// Returns the trip with a number; `nil` when there is none.
  func trip(_ tid: Int64) throws -> StoredTrip? {
    try trips(with: tid).first { $0.tid == tid }
  }

  /// Returns the trip with a `trip_id`; `nil` when there is none.
  func trip(_ tripID: String) throws -> StoredTrip? {
    // Trips are numbered in the order of their identifiers, except those of newer feeds, so the last
    // row that can contain an identifier nearly always does.
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT first, trips FROM dict_trip WHERE least_id <= ?1 AND greatest_id >= ?1
        ORDER BY least_id DESC
        """,
      arguments: [tripID])
    while let row = try rows.next() {
      if let trip = try trips(row).first(where: { $0.tripID.hasSameBytes(as: tripID) }) {
        return trip
      }
    }
    return nil
  }

  /// Returns the rows with the trips, by number, which are not decoded yet.
  func encodedTrips() throws -> [(first: Int64, bytes: [UInt8])] {
    let rows = try Row.fetchCursor(db, sql: "SELECT first, trips FROM dict_trip ORDER BY first")
    var encoded: [(first: Int64, bytes: [UInt8])] = []
    while let row = try rows.next() {
      let first: Int64 = try row.decode(atIndex: 0)
      encoded.append((first, try decoding("dict_trip", first) { try row.bytes(atIndex: 1) }))
    }
    return encoded
  }

  /// Calls a closure with each trip, by number.
  func forEachTrip(_ body: (StoredTrip) throws -> Void) throws {
    let rows = try Row.fetchCursor(db, sql: "SELECT first, trips FROM dict_trip ORDER BY first")
    while let row = try rows.next() {
      for trip in try trips(row) { try body(trip) }
    }
  }

  /// Calls a closure with the trips of some blocks, by number.
  ///
  /// - Parameters:
  ///   - isWanted: Receives the least and the greatest `trip_id` of a block.
  ///   - body: Receives the trips of the blocks that are wanted.
  /// - Throws: ``TransitError`` with `.damaged`; whatever `body` throws.
  func forEachTrip(
    inBlocksWhere isWanted: (_ least: ExactText, _ greatest: ExactText) -> Bool,
    _ body: (StoredTrip) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT first, trips, least_id, greatest_id FROM dict_trip ORDER BY first")
    while let row = try rows.next() {
      let (least, greatest) = try decoding("dict_trip", try row.decode(atIndex: 0)) {
        (
          ExactText(try row.decode(String.self, atIndex: 2)),
          ExactText(try row.decode(String.self, atIndex: 3))
        )
      }
      guard isWanted(least, greatest) else { continue }
      for trip in try trips(row) { try body(trip) }
    }
  }

  /// Returns the number of all trips.
  func tripCount() throws -> Int {
    let rows = try Row.fetchCursor(db, sql: "SELECT first, trips FROM dict_trip")
    var count = 0
    while let row = try rows.next() {
      count += try decoding("dict_trip", try row.decode(atIndex: 0)) {
        try StoredTrips.count(try row.bytes(atIndex: 1))
      }
    }
    return count
  }

  private func trips(_ row: Row) throws -> [StoredTrip] {
    try decoding("dict_trip", try row.decode(atIndex: 0)) {
      try StoredTrips(try row.bytes(atIndex: 1)).trips
    }
  }

  // MARK: - Texts

  /// Returns the row with the texts that contains a number.
  func encodedTexts(with number: Int32) throws -> EncodedBlock {
    let block = try block(
      "SELECT first, texts FROM texts WHERE first <= ? ORDER BY first DESC LIMIT 1", of: "texts",
      Int64(number))
    guard let block else {
      throw TransitError.missing(path: db.path, table: "texts", row: Int64(number))
    }
    return block
  }

  private func block(
    _ query: String, of table: String, _ number: Int64
  ) throws -> EncodedBlock? {
    try Row.fetchOne(db, sql: query, arguments: [number]).map { row in
      let first: Int64 = try row.decode(atIndex: 0)
      return EncodedBlock(
        first: first, bytes: try decoding(table, first) { try row.bytes(atIndex: 1) })
    }
  }

  /// Returns all texts; the number of the first one is 1.
  func allTexts() throws -> [String] {
    var texts: [String] = []
    let rows = try Row.fetchCursor(db, sql: "SELECT first, texts FROM texts ORDER BY first")
    while let row = try rows.next() {
      let first: Int64 = try row.decode(atIndex: 0)
      texts += try decoding("texts", first) {
        guard first == texts.count + 1 else { throw DamagedBytes() }
        return try StoredTexts(try row.bytes(atIndex: 1)).texts
      }
    }
    return texts
  }

  /// Returns the names of the columns that have no property of ours, by file and position.
  func otherColumns() throws -> [(file: String, name: String)] {
    try Row.fetchAll(db, sql: "SELECT file, name FROM other_columns ORDER BY file, position").map {
      (try $0.decode(atIndex: 0), try $0.decode(atIndex: 1))
    }
  }

  // MARK: - Decoding

  /// Calls a closure with each row of a table that other rows name, by number.
  ///
  /// - Parameters:
  ///   - selection: Selects the number first.
  ///   - table: The name of the table.
  ///   - column: The name of the column with the number.
  ///   - numbers: The numbers, sorted.
  ///   - body: Receives the rows.
  /// - Throws: ``TransitError`` with `.damaged` when a row is missing; whatever `body` throws.
  func forEachRow<EncodedRow: FetchableRecord & Identifiable<Int64>>(
    _ selection: String, of table: String, _ column: String, _ numbers: [Int64],
    _ body: (EncodedRow) throws -> Void
  ) throws {
    // One statement, because to run one takes longer than to read most rows.
    let rows = try EncodedRow.fetchCursor(
      db,
      sql: """
        \(selection) WHERE \(column) IN (SELECT value FROM json_each(?)) ORDER BY \(column)
        """, arguments: [numbers.jsonArray])
    for number in numbers {
      let row = try decoding(table, number) { try rows.next() }
      guard let row, row.id == number else {
        throw TransitError.missing(path: db.path, table: table, row: number)
      }
      try body(row)
    }
  }

  /// Runs a decoding, and names the row in the error of one that fails.
  func decoding<Value>(
    _ table: String, _ row: Int64, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch is DamagedBytes {
      throw TransitError.damaged(path: db.path, table: table, row: row)
    } catch is RowDecodingError {
      throw TransitError.damaged(path: db.path, table: table, row: row)
    }
  }
}

// MARK: - Numbers of trips

extension StoredTrips {
  /// The key of the metadata under which the largest number of a trip is stored.
  static let lastNumberKey = "last_trip_number"
}

extension TimetableContent {
  /// Returns the number of each trip of an older database, and the largest number that it or one
  /// before it has used.
  ///
  /// - Parameter db: The connection to a timetable database.
  /// - Returns: The numbers by `trip_id`; none for a database of version 1.
  /// - Throws: ``TransitError`` when it is damaged; `DatabaseError` when it cannot be read.
  package static func tripNumbers(
    _ db: Database
  ) throws -> (numbers: [ExactText: Int64], last: Int64) {
    guard try db.headerNumber(.userVersion) >= TimetableSchema.firstVersionWithTrips else {
      return ([:], 0)
    }
    var numbers: [ExactText: Int64] = [:]
    try TripTables(db).forEachTrip { numbers[ExactText($0.tripID)] = $0.tid }
    let last = try String.fetchOne(
      db, sql: "SELECT value FROM metadata WHERE key = ?", arguments: [StoredTrips.lastNumberKey])
    return (numbers, max(last.flatMap { Int64($0) } ?? 0, numbers.values.max() ?? 0))
  }
}
