import Holdfast

/// The rows of `stop_times.txt`, trip by trip.
struct StopTimeRows: CompactRows {
  static let file = "stop_times.txt"
  static let columns = [
    VirtualTableColumn("trip_id", .text), VirtualTableColumn("arrival_time", .text),
    VirtualTableColumn("departure_time", .text), VirtualTableColumn("stop_id", .text),
    VirtualTableColumn("stop_sequence", .integer), VirtualTableColumn("stop_headsign", .text),
    VirtualTableColumn("pickup_type", .integer), VirtualTableColumn("drop_off_type", .integer),
    VirtualTableColumn("continuous_pickup", .integer),
    VirtualTableColumn("continuous_drop_off", .integer),
    VirtualTableColumn("shape_dist_traveled", .real), VirtualTableColumn("timepoint", .integer),
  ]
  static let keys = [
    CompactKey(column: 0, rowCount: 30, cost: 500, order: [4]),
    CompactKey(column: 3, rowCount: 1_000, cost: 20_000),
  ]
  static let rowCount: Int64 = 5_000_000

  private var walk = PatternWalk.none
  private var sid: Int64?
  private var tid: Int64?
  private var pattern: CompactContent.Pattern?
  private var tripID = ""
  private var run = 0
  private var end = 0
  /// The indices of the calls, and the position in them.
  private var calls: [Int] = []
  private var position = 0

  mutating func start(
    _ key: (index: Int, value: String)?, _ content: CompactContent, _ db: Database
  ) throws {
    (walk, sid, tid, pattern) = (.all(after: .min), nil, nil, nil)
    guard let key else { return }
    switch key.index {
    case 0:
      let trip = try content.trip(key.value, db)
      tid = trip?.tid
      walk = .some(trip.map { [$0.pid] } ?? [], next: 0)
    default:
      sid = try Int64.fetchOne(
        db, sql: "SELECT sid FROM dict_stop WHERE stop_id = ?", arguments: [key.value])
      walk = .some(try sid.map { try TripTables(checked: db).pids(ofStop: $0) } ?? [], next: 0)
    }
  }

  mutating func next(_ content: CompactContent, _ db: Database) throws -> Bool {
    if let pattern {
      position += 1
      if position < calls.count { return true }
      run += 1
      if run < end { return try begin(pattern, content, db) }
    }
    while let pid = try walk.next(db) {
      let found = try content.pattern(pid, db)
      (run, end) = (0, found.stored.runs.count)
      if let tid {
        guard let place = found.indices[tid] else {
          throw TransitError.damaged(path: db.path, table: "patterns", row: pid)
        }
        (run, end) = (place, place + 1)
      }
      calls = found.stored.calls.indices.filter { index in
        sid.map { found.stored.calls[index].sid == $0 } ?? true
      }
      if run < end, !calls.isEmpty { return try begin(found, content, db) }
    }
    pattern = nil
    return false
  }

  /// Moves to the first row of a trip.
  private mutating func begin(
    _ pattern: CompactContent.Pattern, _ content: CompactContent, _ db: Database
  ) throws -> Bool {
    self.pattern = pattern
    position = 0
    tripID = try content.tripID(pattern.stored.runs[run].tid, db)
    return true
  }

  func write(
    _ column: Int, to cell: borrowing VirtualTableCell, _ content: CompactContent,
    _ db: @autoclosure () throws -> Database
  ) throws {
    guard let pattern else { return }
    let call = calls[position]
    switch column {
    case 0: cell.write(tripID)
    case 1: write(time: pattern.stored.timings[timing].arrivals[call], to: cell)
    case 2: write(time: pattern.stored.timings[timing].departures[call], to: cell)
    case 3: cell.write(pattern.stopIDs[call])
    case 4: cell.write(Int64(pattern.stored.calls[call].sequence))
    case 5: cell.write(pattern.headsigns[call])
    case 6: cell.write(pattern.stored.calls[call].pickupType)
    case 7: cell.write(pattern.stored.calls[call].dropOffType)
    case 8: cell.write(pattern.stored.calls[call].continuousPickup)
    case 9: cell.write(pattern.stored.calls[call].continuousDropOff)
    case 10: if let distance = pattern.stored.calls[call].distance { cell.write(distance) }
    default: cell.write(pattern.stored.calls[call].timepoint)
    }
  }

  private var timing: Int { pattern.map { Int($0.stored.runs[run].timing) } ?? 0 }

  private func write(time: Int32, to cell: borrowing VirtualTableCell) {
    guard let pattern, time != TimetableContent.Timing.blank else { return }
    cell.write(time: Int(pattern.stored.runs[run].start) + Int(time))
  }

  var others: Int32 { pattern?.stored.calls[calls[position]].others ?? 0 }

  /// The number of the trip, and the position of the call in it.
  var rowID: Int64 {
    guard let pattern else { return 0 }
    return pattern.stored.runs[run].tid << 20 | Int64(calls[position])
  }
}
