public import Foundation
public import Holdfast

/// The next departures at a stop, at a station with all its platforms, or at a set of stops.
///
/// ```swift
/// let departures = try await timetable.reader.read { db in
///   let stop = try Stop.fetchOne(db, stopID: "CQ")
///   return try stop.map { try Departures(at: [$0.sid], from: .now).fetchAll(db) }
/// }
/// ```
///
/// The answers follow `calendar.txt` and its exceptions, include trips of earlier service days that
/// run after midnight, and are right on the days on which clocks change, because times are counted
/// from noon minus 12 hours in the agency's time zone. Trips of `frequencies.txt` are repeated. Times
/// that the feed leaves blank are interpolated.
///
/// With ``updates``, departures are sorted by their predicted times, however late a vehicle is;
/// trips that the timetable does not have are included.
///
/// Departures are sorted by their instants; those at one instant by the trip's number and the order
/// of its calls. Equal questions have equal answers.
public struct Departures: Hashable, Sendable {
  /// The numbers of the stops; a station's number includes everything that belongs to it.
  public var sids: [Int64]

  /// The first instant.
  public var instant: Date

  /// The time from the first instant, within which vehicles depart; its end does not belong to it.
  public var duration: Duration

  /// The largest number of departures to return; a negative one counts as 0.
  public var limit: Int

  /// The live data that predict times, cancel trips and add others; `nil` for the timetable alone.
  public var updates: TripUpdates?

  /// Whether calls at the last stop of a trip are included, where no vehicle departs for riders.
  public var includesLastStops = false

  /// Whether calls without pickup (`pickup_type` 1) are included.
  public var includesStopsWithoutPickup = false

  /// Whether canceled trips and trips that skip the stop are included, with their scheduled times.
  ///
  /// A list for riders needs them, so that they do not wait in vain; a search for what to board does not. A trip
  /// that is deleted is never included.
  public var includesCanceled = false

  /// Prepares a question.
  ///
  /// - Parameters:
  ///   - sids: The numbers of the stops; a station's number includes everything that belongs to it.
  ///   - instant: The first instant.
  ///   - duration: The time from then on; 24 hours, so that the first departure of tomorrow is found
  ///     late in the evening.
  ///   - limit: The largest number of departures to return; 20 fill the screen of a phone.
  ///   - updates: Live data; `nil` for the timetable alone.
  public init(
    at sids: [Int64], from instant: Date, for duration: Duration = .seconds(86400),
    limit: Int = 20, updates: TripUpdates? = nil
  ) {
    (self.sids, self.instant, self.duration) = (sids, instant, duration)
    (self.limit, self.updates) = (limit, updates)
  }

  /// Returns the departures.
  ///
  /// The connection keeps what it decodes in bounded memory, so that the next question at these stops
  /// reads almost nothing from the file.
  ///
  /// - Parameter db: The connection of the current access, to a timetable database.
  /// - Returns: At most ``limit`` departures, the earliest first; none for stops that do not exist.
  /// - Throws: ``TransitError`` with `.schemaOlder` when the database was imported without trips and
  ///   times, `.tooLarge` when the trips at the stops need more than 32 MiB of memory, `.damaged`,
  ///   `.unknownTimeZone`; `DatabaseError` when the database cannot be read.
  public func fetchAll(_ db: Database) throws -> [Departure] {
    var excluded: StopBoard.Traits = []
    if !includesLastStops { excluded.insert(.last) }
    if !includesStopsWithoutPickup { excluded.insert(.withoutPickup) }
    return try BoardQuery(
      event: .departure, sids: sids, instant: instant, duration: duration, limit: limit,
      updates: updates, includesCanceled: includesCanceled, excluded: excluded
    ).fetchAll(db).map(\.call)
  }
}
