public import Foundation
public import Holdfast

/// A trip with all its calls.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#tripstxt>
public struct Trip: Sendable {
  /// A span of a service day in which riders are served on request, as the feed spells it.
  public struct Window: Hashable, Sendable {
    /// `start_pickup_drop_off_window`; `nil` if it is blank.
    public var start: String?
    /// `end_pickup_drop_off_window`; `nil` if it is blank.
    public var end: String?
  }

  /// A call at a stop.
  public struct Call: Hashable, Sendable {
    /// The stop; `nil` for an area of a flexible service.
    public var stop: Stop?
    /// The `location_id` of an area of `locations.geojson` in place of the stop.
    public var locationID: String?
    /// The `location_group_id` of a group of stops in place of the stop.
    public var locationGroupID: String?
    /// The name of the area or of the group of stops for riders; `nil` for a stop, or if the feed has none.
    public var areaName: String?
    /// The `stop_sequence`.
    public var stopSequence: Int
    /// The arrival on the service day; `nil` if neither the feed nor the calls around it say.
    public var arrivalTime: ServiceTime?
    /// The departure on the service day; `nil` if neither the feed nor the calls around it say.
    public var departureTime: ServiceTime?
    /// Whether the feed has no time for this call, and it was computed from those around it.
    public var isInterpolated: Bool
    /// Whether the times are exact: 0 approximate, 1 exact; `nil` if the feed does not say.
    public var timepoint: Int?
    /// When riders are served within a window of time, and not at a time; `nil` if there is none.
    public var window: Window?
    /// How to book, where riders board on request.
    public var pickupBookingRule: BookingRule?
    /// How to book, where riders alight on request.
    public var dropOffBookingRule: BookingRule?
    /// The destination that riders see from this stop on.
    public var stopHeadsign: String?
    /// How riders board: 0 regularly, 1 not at all, 2 after a call to the agency, 3 after a sign to
    /// the driver.
    public var pickupType: Int
    /// How riders alight, in the numbers of ``pickupType``.
    public var dropOffType: Int
    /// The distance along the shape, in the feed's unit.
    public var shapeDistTraveled: Double?
    /// The time zone in which riders read the times.
    public var timeZone: TimeZone
  }

  /// A row of `frequencies.txt`: the trip is repeated, and its calls have the first vehicle's times.
  public struct Frequency: Hashable, Sendable {
    /// The start of the first vehicle.
    public var startTime: ServiceTime
    /// The time before which the last vehicle starts.
    public var endTime: ServiceTime
    /// The time between two vehicles.
    public var headway: Duration
    /// Whether vehicles run exactly at these times.
    public var isExact: Bool
  }

  /// The trip's number in this database.
  public var tid: Int64
  /// The `trip_id` in the feed.
  public var tripID: String
  /// The route.
  public var route: Route
  /// The `service_id` in the feed.
  public var serviceID: String
  /// The destination that riders see.
  public var tripHeadsign: String?
  /// The number or name of the trip for riders.
  public var tripShortName: String?
  /// The direction of travel, 0 or 1.
  public var directionID: Int?
  /// The `block_id`: consecutive trips of one vehicle have the same.
  public var blockID: String?
  /// The `shape_id` of the trip's path.
  public var shapeID: String?
  /// Whether a wheelchair fits in: 0 or `nil` unknown, 1 possible, 2 not possible.
  public var wheelchairAccessible: Int?
  /// Whether bicycles are allowed: 0 or `nil` unknown, 1 allowed, 2 not allowed.
  public var bikesAllowed: Int?
  /// The repetitions; empty if the trip runs once on a service day.
  public var frequencies: [Frequency]
  /// The calls in their order.
  public var calls: [Call]
  /// The time zone of the agency, in which the times of service days are.
  public var timeZone: TimeZone

  private let days: StoredService

  /// Returns whether the trip runs on a service day.
  ///
  /// - Parameter day: The day.
  /// - Returns: Whether its service runs, by `calendar.txt` and its exceptions.
  public func runs(on day: ServiceDay) -> Bool {
    days.runs(on: day)
  }

  /// Returns the trip with a `trip_id` of the feed.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - tripID: The feed's `trip_id`.
  /// - Returns: The trip; `nil` when there is none.
  /// - Throws: ``TransitError`` with `.schemaOlder` when the database was imported without trips and
  ///   times, `.damaged`, `.unknownTimeZone`; `DatabaseError` when the database cannot be read.
  public static func fetchOne(_ db: Database, tripID: String) throws -> Trip? {
    try db.deferringTemporaryObjects {
      let cache = try TripCache.of(db)
      return try TripTables(checked: db).trip(tripID).map { try Trip($0, cache, db) }
    }
  }

  /// Returns the trip with a number.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - tid: The number in this database, such as ``Departure/tid``.
  /// - Returns: The trip; `nil` when there is none.
  /// - Throws: The errors of ``fetchOne(_:tripID:)``.
  public static func fetchOne(_ db: Database, tid: Int64) throws -> Trip? {
    try db.deferringTemporaryObjects {
      let cache = try TripCache.of(db)
      return try TripTables(checked: db).trip(tid).map { try Trip($0, cache, db) }
    }
  }

  /// Returns the destination of a trip, as it is where its stops name no other one.
  static func headsign(ofTripID tripID: String, _ db: Database) throws -> String? {
    try db.deferringTemporaryObjects {
      let (cache, tables) = (try TripCache.of(db), TripTables(checked: db))
      guard let trip = try tables.trip(tripID),
        let run = try cache.pattern(trip.pid, tables).run(trip.tid)
      else { return nil }
      return try cache.text(run.headsign, db)
    }
  }

  private init(_ trip: StoredTrip, _ cache: TripCache, _ db: Database) throws {
    let pattern = try cache.pattern(trip.pid, TripTables(checked: db))
    guard let run = pattern.run(trip.tid) else {
      throw TransitError.damaged(path: db.path, table: "patterns", row: trip.pid)
    }
    try self.init(trip, run, of: pattern, cache, db)
  }

  private init(
    _ trip: StoredTrip, _ run: StoredPattern.Run, of pattern: TimetablePattern,
    _ cache: TripCache, _ db: Database
  ) throws {
    (tid, tripID) = (trip.tid, trip.tripID)
    route = try cache.route(pattern.rid, db)
    let service = try cache.service(run.service, db)
    (serviceID, days) = (service.serviceID, service.stored)
    tripHeadsign = try cache.text(run.headsign, db)
    tripShortName = try cache.text(run.shortName, db)
    blockID = try cache.text(run.block, db)
    shapeID = try cache.text(run.shape, db)
    directionID = pattern.directionID.map { Int($0) }
    wheelchairAccessible = run.wheelchairAccessible.map { Int($0) }
    bikesAllowed = run.bikesAllowed.map { Int($0) }
    timeZone = pattern.zone.zone
    frequencies = cache.headways(of: trip.tid).map(Frequency.init)
    calls = []
    for (index, call) in pattern.calls.enumerated() {
      let time = { (offset: Int?) in offset.map { ServiceTime(seconds: Int(run.start) + $0) } }
      calls.append(
        Call(
          stop: call.sid == 0 ? nil : try cache.stop(call.sid, db),
          locationID: try cache.value("location_id", of: call, db),
          locationGroupID: try cache.value("location_group_id", of: call, db),
          stopSequence: Int(call.sequence),
          arrivalTime: time(pattern.time(.arrival, run.timing, index)),
          departureTime: time(pattern.time(.departure, run.timing, index)),
          isInterpolated: pattern.isInterpolated(run.timing, index),
          timepoint: call.timepoint.map { Int($0) }, window: try Self.window(of: call, cache, db),
          pickupBookingRule: try cache.bookingRule(.departure, of: call, in: pattern.zone, db),
          dropOffBookingRule: try cache.bookingRule(.arrival, of: call, in: pattern.zone, db),
          stopHeadsign: try cache.text(call.headsign, db), pickupType: Int(call.pickupType ?? 0),
          dropOffType: Int(call.dropOffType ?? 0), shapeDistTraveled: call.distance,
          timeZone: try cache.zone(ofStop: call.sid, db) ?? pattern.zone.zone))
    }
    let names = try AreaNames(of: calls, db)
    for index in calls.indices { calls[index].areaName = names.name(of: calls[index]) }
  }
}

extension Trip {
  private static func window(
    of call: StoredPattern.Call, _ cache: TripCache, _ db: Database
  ) throws -> Window? {
    let start = try cache.value("start_pickup_drop_off_window", of: call, db)
    let end = try cache.value("end_pickup_drop_off_window", of: call, db)
    return start == nil && end == nil ? nil : Window(start: start, end: end)
  }
}

extension Trip.Frequency {
  init(_ headway: TripTables.Headway) {
    startTime = ServiceTime(seconds: headway.start)
    endTime = ServiceTime(seconds: headway.end)
    self.headway = .seconds(headway.headway)
    isExact = headway.exactTimes == 1
  }
}
