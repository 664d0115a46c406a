import Holdfast

/// The rows of `frequencies.txt`, by trip and time.
struct FrequencyRows: CompactRows {
  static let file = "frequencies.txt"
  static let columns = [
    VirtualTableColumn("trip_id", .text), VirtualTableColumn("start_time", .text),
    VirtualTableColumn("end_time", .text), VirtualTableColumn("headway_secs", .integer),
    VirtualTableColumn("exact_times", .integer),
  ]
  static let keys = [CompactKey(column: 0, rowCount: 5, cost: 100)]
  static let rowCount: Int64 = 1_000

  private enum Walk {
    case all(after: Int64)
    case some(ArraySlice<TripTables.Headway>)
  }

  private var walk = Walk.some([])
  private var headway: TripTables.Headway?
  private var tripID = ""

  mutating func start(
    _ key: (index: Int, value: String)?, _ content: CompactContent, _ db: Database
  ) throws {
    walk = .all(after: .min)
    guard let key else { return }
    let trip = try content.trip(key.value, db)
    walk = .some(try trip.map { try TripTables(checked: db).headways(ofTrip: $0.tid)[...] } ?? [])
  }

  mutating func next(_ content: CompactContent, _ db: Database) throws -> Bool {
    switch walk {
    case .all(let last):
      headway = try TripTables(checked: db).headway(after: last)
      if let headway { walk = .all(after: headway.hid) }
    case .some(var rest):
      headway = rest.popFirst()
      walk = .some(rest)
    }
    guard let headway else { return false }
    tripID = try content.tripID(headway.tid, db)
    return true
  }

  func write(
    _ column: Int, to cell: borrowing VirtualTableCell, _ content: CompactContent,
    _ db: @autoclosure () throws -> Database
  ) {
    guard let headway else { return }
    switch column {
    case 0: cell.write(tripID)
    case 1: cell.write(time: headway.start)
    case 2: cell.write(time: headway.end)
    case 3: cell.write(Int64(headway.headway))
    default: cell.write(headway.exactTimes)
    }
  }

  var others: Int32 { headway?.others ?? 0 }
  var rowID: Int64 { headway?.hid ?? 0 }
}
