import Holdfast

/// The rows of `services` that an iteration visits: all, or one.
private enum ServiceWalk {
  case all(after: Int32)
  case one(String)
  case none

  mutating func next(_ db: Database) throws -> TripTables.Service? {
    let tables = TripTables(checked: db)
    switch self {
    case .all(let last):
      let service = try tables.service(after: last)
      if let service { self = .all(after: service.number) }
      return service
    case .one(let serviceID):
      self = .none
      return try tables.service(serviceID)
    case .none: return nil
    }
  }
}

/// The rows of `calendar.txt`, for feeds whose file has columns that GTFS does not define.
///
/// For others the database stores a view.
struct CalendarRows: CompactRows {
  static let file = "calendar.txt"
  static let columns =
    [VirtualTableColumn("service_id", .text)]
    + [
      "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ].map { VirtualTableColumn($0, .integer) }
    + [VirtualTableColumn("start_date", .text), VirtualTableColumn("end_date", .text)]
  static let keys = [CompactKey(column: 0, rowCount: 1, cost: 1, isUnique: true)]
  static let rowCount: Int64 = 1_000

  private var walk = ServiceWalk.none
  private var service: TripTables.Service?

  mutating func start(
    _ key: (index: Int, value: String)?, _ content: CompactContent, _ db: Database
  ) {
    walk = key.map { .one($0.value) } ?? .all(after: .min)
  }

  mutating func next(_ content: CompactContent, _ db: Database) throws -> Bool {
    repeat { service = try walk.next(db) } while service != nil && service?.weekdays == nil
    return service != nil
  }

  func write(
    _ column: Int, to cell: borrowing VirtualTableCell, _ content: CompactContent,
    _ db: @autoclosure () throws -> Database
  ) {
    guard let service, let weekdays = service.weekdays else { return }
    switch column {
    case 0: cell.write(service.serviceID)
    case 8: if let date = service.startDate { cell.write(date: date) }
    case 9: if let date = service.endDate { cell.write(date: date) }
    default: cell.write(Int64(weekdays >> UInt8(column - 1) & 1))
    }
  }

  var others: Int32 { service?.others ?? 0 }
  var rowID: Int64 { Int64(service?.number ?? 0) }
}

/// The rows of `calendar_dates.txt`, service by service.
struct CalendarDateRows: CompactRows {
  static let file = "calendar_dates.txt"
  static let columns = [
    VirtualTableColumn("service_id", .text), VirtualTableColumn("date", .text),
    VirtualTableColumn("exception_type", .integer),
  ]
  static let keys = [CompactKey(column: 0, rowCount: 20, cost: 20, order: [1])]
  static let rowCount: Int64 = 50_000

  private var walk = ServiceWalk.none
  private var service: TripTables.Service?
  private var index = 0

  mutating func start(
    _ key: (index: Int, value: String)?, _ content: CompactContent, _ db: Database
  ) {
    walk = key.map { .one($0.value) } ?? .all(after: .min)
    service = nil
  }

  mutating func next(_ content: CompactContent, _ db: Database) throws -> Bool {
    index += 1
    while index >= service?.stored.exceptions.count ?? 0 {
      service = try walk.next(db)
      index = 0
      if service == nil { return false }
    }
    return true
  }

  private var exception: StoredExceptions.Exception? { service?.stored.exceptions[index] }

  func write(
    _ column: Int, to cell: borrowing VirtualTableCell, _ content: CompactContent,
    _ db: @autoclosure () throws -> Database
  ) {
    guard let service, let exception else { return }
    switch column {
    case 0: cell.write(service.serviceID)
    case 1: cell.write(date: exception.day.number)
    default: cell.write(Int64(exception.isAdded ? 1 : 2))
    }
  }

  var others: Int32 { exception?.others ?? 0 }

  /// The number of the service, and the day.
  var rowID: Int64 {
    guard let service, let exception else { return 0 }
    return Int64(service.number) << 24 | Int64(exception.day.daysSince1970 + 1 << 20)
  }
}
