public import Holdfast

/// The days on which a trip, a route, a service or anything at all runs.
///
/// ```swift
/// let days = try await timetable.reader.read { db in
///   try ServiceDays(ofTrip: "F1-WD-0-0630", from: ServiceDay("2026-07-01")).fetchAll(db)
/// }
/// ```
public struct ServiceDays: Hashable, Sendable {
  private enum Subject: Hashable, Sendable {
    case trip(String)
    case route(Int64)
    case service(String)
    case timetable
  }

  private let subject: Subject

  /// The first day to look at; `nil` for the first one of all.
  public var first: ServiceDay?

  /// The last day to look at; `nil` for the last one of all.
  public var last: ServiceDay?

  /// The largest number of days to return; a negative one counts as 0.
  public var limit = 10_000

  private init(_ subject: Subject, _ first: ServiceDay?, _ last: ServiceDay?) {
    (self.subject, self.first, self.last) = (subject, first, last)
  }

  /// Asks for the days of a trip.
  ///
  /// - Parameters:
  ///   - tripID: The `trip_id` in the feed.
  ///   - first: The first day to look at.
  ///   - last: The last day to look at.
  public init(ofTrip tripID: String, from first: ServiceDay? = nil, through last: ServiceDay? = nil)
  {
    self.init(.trip(tripID), first, last)
  }

  /// Asks for the days on which any trip of a route runs.
  ///
  /// - Parameters:
  ///   - rid: The number of the route.
  ///   - first: The first day to look at.
  ///   - last: The last day to look at.
  public init(ofRoute rid: Int64, from first: ServiceDay? = nil, through last: ServiceDay? = nil) {
    self.init(.route(rid), first, last)
  }

  /// Asks for the days of a service.
  ///
  /// - Parameters:
  ///   - serviceID: The `service_id` in the feed.
  ///   - first: The first day to look at.
  ///   - last: The last day to look at.
  public init(
    ofService serviceID: String, from first: ServiceDay? = nil, through last: ServiceDay? = nil
  ) {
    self.init(.service(serviceID), first, last)
  }

  /// Asks for the days on which any service runs.
  ///
  /// - Parameters:
  ///   - first: The first day to look at.
  ///   - last: The last day to look at.
  public init(from first: ServiceDay? = nil, through last: ServiceDay? = nil) {
    self.init(.timetable, first, last)
  }

  /// Returns the days.
  ///
  /// - Parameter db: The connection of the current access, to a timetable database.
  /// - Returns: At most ``limit`` days, the earliest first; `nil` when there is no such trip, route or
  ///   service.
  /// - Throws: ``TransitError`` with `.schemaOlder` when the database was imported without trips and
  ///   times, `.damaged`; `DatabaseError` when the database cannot be read.
  public func fetchAll(_ db: Database) throws -> [ServiceDay]? {
    guard let services = try db.deferringTemporaryObjects({ try services(db) }) else { return nil }
    let spans = services.compactMap(\.span)
    guard limit > 0, let least = spans.map(\.lowerBound).min(),
      let greatest = spans.map(\.upperBound).max()
    else { return [] }
    let (from, through) = (max(least, first ?? least), min(greatest, last ?? greatest))
    guard from <= through else { return [] }
    let days = (from.daysSince1970...through.daysSince1970).lazy
      .map { ServiceDay(daysSince1970: $0) }
      .filter { day in services.contains { $0.runs(on: day) } }
    return Array(days.prefix(limit))
  }

  private func services(_ db: Database) throws -> [StoredService]? {
    let cache = try TripCache.of(db)
    let tables = TripTables(checked: db)
    switch subject {
    case .trip(let tripID):
      guard let trip = try tables.trip(tripID) else { return nil }
      guard let run = try cache.pattern(trip.pid, tables).run(trip.tid) else {
        throw TransitError.damaged(path: db.path, table: "patterns", row: trip.pid)
      }
      return [try cache.service(run.service, db).stored]
    case .route(let rid):
      guard try Route.fetchOne(db, rid: rid) != nil else { return nil }
      var numbers: Set<Int32> = []
      for pid in try tables.pids(ofRoute: rid) {
        let pattern = try cache.pattern(pid, tables)
        numbers.formUnion(pattern.runs.lazy.map(\.service))
        numbers.formUnion(pattern.repetitions.lazy.map(\.run.service))
      }
      return try numbers.map { try cache.service($0, db).stored }
    case .service(let serviceID):
      return try tables.service(serviceID).map { [$0.stored] }
    case .timetable:
      return try tables.services().map(\.stored)
    }
  }
}
