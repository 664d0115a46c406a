public import Foundation
public import Holdfast

/// Whether a timetable applies to an instant, or is out of date.
///
/// ```swift
/// let validity = try await timetable.reader.read { db in try FeedValidity(db, at: .now) }
/// if validity.status == .expired { showHint("Update the timetable") }
/// ```
///
/// A timetable applies from ``firstDay`` to ``lastDay``: on the days of `feed_info.txt`, "in the
/// period from the beginning of the feed_start_date day to the end of the feed_end_date day". Where
/// these days go beyond the services' days, "the dataset is making an explicit assertion that there
/// is no service" then: the timetable is valid, and ``hasService`` is false. Without them the days of
/// the services count. A day of service may end after midnight: the timetable is valid as long as a trip of its last
/// day runs, for two days at most. A database of a timetable that is out of date still answers: with the stops and
/// routes of that time.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#feed_infotxt>
public struct FeedValidity: Hashable, Sendable {
  /// The answers to the question whether a timetable applies.
  public enum Status: String, Hashable, Sendable {
    /// The first day is still to come.
    case upcoming
    /// The instant is on one of the days, or a trip of the last one still runs.
    case valid
    /// The last day is over, and so are its trips: import a newer feed.
    case expired
    /// The feed has no dates, dates in the wrong order, or no time zone.
    case unknown
  }

  /// Whether the timetable applies.
  public var status: Status

  /// The first day that the timetable covers, of `feed_info.txt` or else of its calendars; `nil` if neither
  /// has one.
  public var feedStartDate: ServiceDay?

  /// The last day that the timetable covers, of `feed_info.txt` or else of its calendars; `nil` if neither
  /// has one.
  public var feedEndDate: ServiceDay?

  /// The days from the first to the last one on which a service runs; `nil` if none does, or if the
  /// database has no services.
  public var serviceDays: ClosedRange<ServiceDay>?

  /// The day of the instant where the agency is; `nil` if its time zone is unknown.
  public var day: ServiceDay?

  /// The time zone of the agency; `nil` if it is unknown.
  public var timeZone: TimeZone?

  /// Whether any service runs on ``day``; `nil` if it is unknown.
  public var hasService: Bool?

  /// The number of stops that `stop_times.txt` names and that have no departure in the database,
  /// because rows or values of the feed could not be used; 0 for a database of an older version.
  public var stopsWithoutService = 0

  /// The first day on which the timetable applies; `nil` if it is unknown.
  public var firstDay: ServiceDay? { feedStartDate ?? serviceDays?.lowerBound }

  /// The last day on which the timetable applies; `nil` if it is unknown.
  public var lastDay: ServiceDay? { feedEndDate ?? serviceDays?.upperBound }

  /// Answers whether the timetable of a database applies to an instant.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access, to a timetable database.
  ///   - instant: The instant, in the years 1 to 9999 of the agency's time zone.
  /// - Throws: ``TransitError`` with `.outOfRange` for another instant, `.damaged`; `DatabaseError`
  ///   when the database cannot be read.
  public init(_ db: Database, at instant: Date) throws {
    self = try db.deferringTemporaryObjects { try FeedValidity(of: db, at: instant) }
  }

  private init(of db: Database, at instant: Date) throws {
    let metadata = try TimetableMetadata(db)
    // "If multiple agencies are specified in the dataset, each must have the same agency_timezone."
    let zone = try String.fetchOne(
      db, sql: "SELECT agency_timezone FROM main.agency ORDER BY aid LIMIT 1")
    try self.init(
      feedStartDate: metadata.feedStartDate.flatMap { ServiceDay($0) },
      feedEndDate: metadata.feedEndDate.flatMap { ServiceDay($0) },
      serviceDays: try db.cached { try ServiceSpan($0) }.days,
      timeZone: zone.flatMap(TimeZone.init(identifier:)), at: instant)
    stopsWithoutService = metadata.stopsWithoutService.flatMap { Int($0) } ?? 0
    guard let day, try ServiceSpan.isKnown(db) else { return }
    if status == .expired, let lastDay, let timeZone,
      day.daysSince1970 - lastDay.daysSince1970 <= LastTrips.mostDays
    {
      let end = try db.cached { try LastTrips(of: lastDay, in: timeZone, $0) }.end
      if let end, instant < end { status = .valid }
    }
    hasService = serviceDays?.contains(day) ?? false
    if hasService == true {
      // A service is there although no row of its trips could be used.
      hasService =
        try metadata.isWithoutService == nil
        && ServiceDays(from: day, through: day).fetchAll(db)?.isEmpty == false
    }
  }

  /// Answers whether days contain an instant.
  ///
  /// - Parameters:
  ///   - feedStartDate: The first day that the feed says it covers.
  ///   - feedEndDate: The last day that the feed says it covers.
  ///   - serviceDays: The days from the first to the last one on which a service runs.
  ///   - timeZone: The time zone of the agency.
  ///   - instant: The instant.
  /// - Throws: ``TransitError`` with `.outOfRange` for an instant that is not in the years 1 to 9999 of
  ///   the time zone, or of UTC without one.
  package init(
    feedStartDate: ServiceDay?, feedEndDate: ServiceDay?, serviceDays: ClosedRange<ServiceDay>?,
    timeZone: TimeZone?, at instant: Date
  ) throws(TransitError) {
    (self.feedStartDate, self.feedEndDate) = (feedStartDate, feedEndDate)
    (self.serviceDays, self.timeZone) = (serviceDays, timeZone)
    let seconds = instant.timeIntervalSince1970
    // Far beyond the calendar; a larger one may not fit into an `Int`.
    guard seconds.magnitude < 1e12 else { throw .instantOutOfRange(seconds) }
    let offset = (timeZone ?? .gmt).secondsFromGMT(for: instant)
    let local = (Int(seconds.rounded(.down)) + offset).quotient(by: 86400)
    guard Self.days.contains(local) else { throw .instantOutOfRange(seconds) }
    day = timeZone.map { _ in ServiceDay(daysSince1970: local) }
    status = .unknown
    status = self.statusOfDay
  }

  /// The days from 1970 of the years 1 to 9999.
  private static let days = -719_162...2_932_896

  private var statusOfDay: Status {
    let (first, last) = (firstDay, lastDay)
    guard let day, first != nil || last != nil else { return .unknown }
    if let first, let last, last < first { return .unknown }
    if let first, day < first { return .upcoming }
    if let last, day > last { return .expired }
    return .valid
  }
}

/// The days from the first to the last one on which a service of a database runs.
private struct ServiceSpan: Sendable {
  private(set) var days: ClosedRange<ServiceDay>?

  /// Whether the database has services.
  static func isKnown(_ db: Database) throws -> Bool {
    try db.headerNumber(.userVersion) >= TimetableSchema.firstVersionWithTrips
  }

  init(_ db: Database) throws {
    guard try Self.isKnown(db) else { return }
    try TripTables(checked: db).forEachService { service in
      guard let span = service.stored.span else { return }
      days =
        days.map {
          min($0.lowerBound, span.lowerBound)...max($0.upperBound, span.upperBound)
        } ?? span
    }
  }
}
