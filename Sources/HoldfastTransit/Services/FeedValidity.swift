public import Foundation
public import Holdfast

/// Whether a timetable applies to an instant, or is out of date.
///
/// ```swift
/// let validity = try await timetable.reader.read { db in try FeedValidity(db, at: .now) }
/// if validity.status == .expired { showHint("The timetable ended on \(validity.lastDay ?? "")") }
/// ```
///
/// The days are those of `feed_info.txt`, "in the period from the beginning of the feed_start_date
/// day to the end of the feed_end_date day"; where the feed has none, the first and the last day of
/// its services. After the last day a database still answers: with the stops and routes of then.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#feed_infotxt>
public struct FeedValidity: Hashable, Sendable {
  /// The answers to the question whether a timetable applies.
  public enum Status: String, Hashable, Sendable {
    /// The first day is still to come.
    case upcoming
    /// The instant is on one of the days.
    case valid
    /// The last day is over: import a newer feed.
    case expired
    /// The feed has no dates, dates in the wrong order, or no time zone.
    case unknown
  }

  /// Whether the timetable applies.
  public var status: Status

  /// The first day that the timetable covers, as `YYYY-MM-DD`; `nil` if the feed has none.
  public var firstDay: String?

  /// The last day that the timetable covers, as `YYYY-MM-DD`; `nil` if the feed has none.
  public var lastDay: String?

  /// The day of the instant where the agency is, as `YYYY-MM-DD`; `nil` if its time zone is unknown.
  public var day: String?

  /// The time zone of the agency; `nil` if it is unknown.
  public var timeZone: TimeZone?

  /// Answers whether the timetable of a database applies to an instant.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access, to a timetable database.
  ///   - instant: The instant, in the years 1 to 9999.
  /// - Throws: ``TransitError`` with `.outOfRange` for another instant; `DatabaseError` when the
  ///   database cannot be read.
  public init(_ db: Database, at instant: Date) throws {
    let metadata = try TimetableMetadata(db)
    // "If multiple agencies are specified in the dataset, each must have the same agency_timezone."
    let zone = try String.fetchOne(
      db, sql: "SELECT agency_timezone FROM agency ORDER BY aid LIMIT 1")
    try self.init(
      firstDay: metadata.feedStartDate, lastDay: metadata.feedEndDate,
      timeZone: zone.flatMap(TimeZone.init(identifier:)), at: instant)
  }

  /// Answers whether days contain an instant.
  ///
  /// - Parameters:
  ///   - firstDay: The first day, as `YYYY-MM-DD`; another text counts as none.
  ///   - lastDay: The last day, as `YYYY-MM-DD`; another text counts as none.
  ///   - timeZone: The time zone of the agency.
  ///   - instant: The instant.
  /// - Throws: ``TransitError`` with `.outOfRange` for an instant outside of the years 1 to 9999.
  package init(
    firstDay: String?, lastDay: String?, timeZone: TimeZone?, at instant: Date
  ) throws(TransitError) {
    self.firstDay = firstDay.flatMap(Self.day(_:))
    self.lastDay = lastDay.flatMap(Self.day(_:))
    self.timeZone = timeZone
    let seconds = instant.timeIntervalSince1970
    guard Self.seconds.contains(seconds) else { throw .instantOutOfRange(seconds) }
    day = timeZone.map { zone in
      instant.formatted(Date.ISO8601FormatStyle(timeZone: zone).year().month().day())
    }
    status = Self.status(first: self.firstDay, last: self.lastDay, day: day)
  }

  /// The seconds from 1970 of the years 1 to 9999, without the days on which it is already another
  /// year in some time zone.
  private static let seconds = -62_135_500_000.0...253_402_200_000

  /// Days in this form are in the order of their texts.
  private static func status(first: String?, last: String?, day: String?) -> Status {
    guard let day, first != nil || last != nil else { return .unknown }
    if let first, let last, last < first { return .unknown }
    if let first, day < first { return .upcoming }
    if let last, day > last { return .expired }
    return .valid
  }

  /// Returns a text that has the form of a day.
  private static func day(_ text: String) -> String? {
    text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) == nil ? nil : text
  }
}
