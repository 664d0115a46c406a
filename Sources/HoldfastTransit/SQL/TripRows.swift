import Holdfast

/// The rows of `trips.txt`, pattern by pattern.
struct TripRows: CompactRows {
  static let file = "trips.txt"
  static let columns = [
    VirtualTableColumn("route_id", .text), VirtualTableColumn("service_id", .text),
    VirtualTableColumn("trip_id", .text), VirtualTableColumn("trip_headsign", .text),
    VirtualTableColumn("trip_short_name", .text), VirtualTableColumn("direction_id", .integer),
    VirtualTableColumn("block_id", .text), VirtualTableColumn("shape_id", .text),
    VirtualTableColumn("wheelchair_accessible", .integer),
    VirtualTableColumn("bikes_allowed", .integer),
  ]
  // By its service, a trip is found among all runs, of which only the numbers are read.
  static let keys = [
    CompactKey(column: 2, rowCount: 1, cost: 10, isUnique: true),
    CompactKey(column: 0, rowCount: 100, cost: 1_000),
    CompactKey(column: 1, rowCount: 1_000, cost: 50_000),
  ]
  static let rowCount: Int64 = 200_000

  private var walk = PatternWalk.none
  private var service: Int32?
  private var tid: Int64?
  private var trips: CompactContent.Trips?
  private var index = 0
  private var end = 0

  mutating func start(
    _ key: (index: Int, value: String)?, _ content: CompactContent, _ db: Database
  ) throws {
    (walk, service, tid, trips, index, end) = (.all(after: .min), nil, nil, nil, 0, 0)
    guard let key else { return }
    switch key.index {
    case 0:
      let trip = try content.trip(key.value, db)
      tid = trip?.tid
      walk = .some(trip.map { [$0.pid] } ?? [], next: 0)
    case 1:
      walk = .some(
        try Int64.fetchAll(
          db,
          sql: """
            SELECT pid FROM patterns WHERE rid = (SELECT rid FROM dict_route WHERE route_id = ?)
            ORDER BY pid
            """, arguments: [key.value]), next: 0)
    default:
      service = content.service(key.value)
      if service == nil { walk = .none }
    }
  }

  mutating func next(_ content: CompactContent, _ db: Database) throws -> Bool {
    index += 1
    while true {
      if let trips {
        while index < end {
          if service == nil || trips.runs[index].service == service { return true }
          index += 1
        }
      }
      guard let pid = try walk.next(db) else {
        trips = nil
        return false
      }
      let found = try content.trips(pid, db)
      (trips, index, end) = (found, 0, found.runs.count)
      if let tid {
        guard let place = found.indices[tid] else {
          throw TransitError.damaged(path: db.path, table: "patterns", row: pid)
        }
        (index, end) = (place, place + 1)
      }
    }
  }

  private var run: StoredPattern.Run? { trips?.runs[index] }

  func write(
    _ column: Int, to cell: borrowing VirtualTableCell, _ content: CompactContent,
    _ db: @autoclosure () throws -> Database
  ) throws {
    guard let trips, let run else { return }
    switch column {
    case 0: cell.write(trips.routeID)
    case 1: cell.write(try content.serviceID(run.service, try db()))
    case 2: cell.write(try content.tripID(run.tid, try db()))
    case 3: cell.write(try content.text(run.headsign, try db()))
    case 4: cell.write(try content.text(run.shortName, try db()))
    case 5: cell.write(trips.directionID)
    case 6: cell.write(try content.text(run.block, try db()))
    case 7: cell.write(try content.text(run.shape, try db()))
    case 8: cell.write(run.wheelchairAccessible)
    default: cell.write(run.bikesAllowed)
    }
  }

  var others: Int32 { run?.others ?? 0 }
  var rowID: Int64 { run?.tid ?? 0 }
}
