import Holdfast

extension TripTables {
  /// A row of the table `services`.
  struct Service {
    let number: Int32
    let serviceID: String
    /// `monday` to `sunday`; `nil` if the service has no row in `calendar.txt`.
    let weekdays: UInt8?
    let startDate: Int?
    let endDate: Int?
    let others: Int32
    let stored: StoredService
  }

  private static let services = """
    SELECT service, service_id, weekdays, start_date, end_date, others, exceptions FROM services
    """

  /// Returns all services, by number.
  func services() throws -> [Service] {
    // More than any country's, so that damage cannot claim all memory.
    var left = 10_000_000
    return try Row.fetchAll(db, sql: "\(Self.services) ORDER BY service").map { row in
      let service = try service(row, exceptionsAtMost: left)
      left -= service.stored.exceptions.count
      return service
    }
  }

  /// Calls a closure with each service, by number.
  func forEachService(_ body: (Service) throws -> Void) throws {
    let rows = try Row.fetchCursor(db, sql: "\(Self.services) ORDER BY service")
    while let row = try rows.next() { try body(try service(row)) }
  }

  /// Calls a closure with each service that other rows name.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of the services, sorted.
  ///   - body: Receives the services by number.
  /// - Throws: ``TransitError`` with `.damaged`; whatever `body` throws.
  func forEachService(_ numbers: [Int32], _ body: (Service) throws -> Void) throws {
    try forEachRow(Self.services, of: "services", "service", numbers.map(Int64.init)) {
      (row: EncodedService) in
      try body(
        try decoding("services", row.id) {
          try row.service(exceptionsAtMost: Self.mostExceptions)
        })
    }
  }

  /// The largest number of exceptions of a service that a question needs: those of 350 years.
  private static let mostExceptions = 1 << 17

  /// Returns the first service with a greater number; `nil` after the last one.
  func service(after number: Int32) throws -> Service? {
    try Row.fetchOne(
      db, sql: "\(Self.services) WHERE service > ? ORDER BY service LIMIT 1", arguments: [number]
    ).map { try service($0) }
  }

  /// Returns the service with a `service_id`; `nil` when there is none.
  func service(_ serviceID: String) throws -> Service? {
    try Row.fetchOne(db, sql: "\(Self.services) WHERE service_id = ?", arguments: [serviceID])
      .map { try service($0) }
  }

  private func service(
    _ row: Row, exceptionsAtMost limit: Int = StoredExceptions.most
  ) throws -> Service {
    try decoding("services", try row.decode(atIndex: 0)) {
      try EncodedService(row: row).service(exceptionsAtMost: limit)
    }
  }
}

extension TripTables {
  /// A row of the table `headways`.
  struct Headway {
    let hid: Int64
    let tid: Int64
    let start: Int
    let end: Int
    let headway: Int
    let exactTimes: Int16?
    let others: Int32

    /// The start of the last vehicle.
    var lastStart: Int { start + max(0, end - 1 - start) / headway * headway }
  }

  private static let headways = """
    SELECT hid, tid, start_time, end_time, headway_secs, exact_times, others FROM headways
    """

  /// Returns all rows of `frequencies.txt`, by trip and time.
  func headways() throws -> [Headway] {
    try Row.fetchAll(db, sql: "\(Self.headways) ORDER BY hid").map(headway)
  }

  /// Returns the rows of `frequencies.txt` of a trip.
  func headways(ofTrip tid: Int64) throws -> [Headway] {
    try Row.fetchAll(db, sql: "\(Self.headways) WHERE tid = ? ORDER BY hid", arguments: [tid])
      .map(headway)
  }

  /// Returns the first row of `frequencies.txt` with a greater number; `nil` after the last one.
  func headway(after hid: Int64) throws -> Headway? {
    try Row.fetchOne(
      db, sql: "\(Self.headways) WHERE hid > ? ORDER BY hid LIMIT 1", arguments: [hid]
    ).map(headway)
  }

  private func headway(_ row: Row) throws -> Headway {
    try decoding("headways", try row.decode(atIndex: 0)) {
      let (start, end, headway): (Int32, Int32, Int32) = (
        try row.decode(atIndex: 2), try row.decode(atIndex: 3), try row.decode(atIndex: 4)
      )
      guard headway > 0 else { throw DamagedBytes() }
      return Headway(
        hid: try row.decode(atIndex: 0), tid: try row.decode(atIndex: 1), start: Int(start),
        end: Int(end), headway: Int(headway), exactTimes: try row.decode(atIndex: 5),
        others: try row.decode(atIndex: 6))
    }
  }
}
