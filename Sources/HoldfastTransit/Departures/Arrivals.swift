public import Foundation
public import Holdfast

/// The next arrivals at a stop, at a station with all its platforms, or at a set of stops.
///
/// ```swift
/// let arrivals = try await timetable.reader.read { db in
///   try Arrivals(at: [sid], from: .now, limit: 10).fetchAll(db)
/// }
/// ```
///
/// The rules of ``Departures`` apply to the arrival times: the first stop of a trip and calls without
/// drop-off are left out.
public struct Arrivals: Hashable, Sendable {
  /// The numbers of the stops; a station's number includes everything that belongs to it.
  public var sids: [Int64]

  /// The first instant.
  public var instant: Date

  /// The time from the first instant, within which vehicles arrive; its end does not belong to it.
  public var duration: Duration

  /// The largest number of arrivals to return; a negative one counts as 0.
  public var limit: Int

  /// The live data that predict times, cancel trips and add others; `nil` for the timetable alone.
  public var updates: TripUpdates?

  /// Whether calls at the first stop of a trip are included, where no rider arrives.
  public var includesFirstStops = false

  /// Whether calls without drop-off (`drop_off_type` 1) are included.
  public var includesStopsWithoutDropOff = false

  /// Whether canceled trips and trips that skip the stop are included, with their scheduled times.
  public var includesCanceled = false

  /// Prepares a question.
  ///
  /// - Parameters:
  ///   - sids: The numbers of the stops; a station's number includes everything that belongs to it.
  ///   - instant: The first instant.
  ///   - duration: The time from then on; 24 hours as for departures.
  ///   - limit: The largest number of arrivals to return.
  ///   - updates: Live data; `nil` for the timetable alone.
  public init(
    at sids: [Int64], from instant: Date, for duration: Duration = .seconds(86400),
    limit: Int = 20, updates: TripUpdates? = nil
  ) {
    (self.sids, self.instant, self.duration) = (sids, instant, duration)
    (self.limit, self.updates) = (limit, updates)
  }

  /// Returns the arrivals.
  ///
  /// - Parameter db: The connection of the current access, to a timetable database.
  /// - Returns: At most ``limit`` arrivals, the earliest first; none for stops that do not exist.
  /// - Throws: The errors of ``Departures/fetchAll(_:)``.
  public func fetchAll(_ db: Database) throws -> [Arrival] {
    var excluded: StopBoard.Traits = []
    if !includesFirstStops { excluded.insert(.first) }
    if !includesStopsWithoutDropOff { excluded.insert(.withoutDropOff) }
    return try BoardQuery(
      event: .arrival, sids: sids, instant: instant, duration: duration, limit: limit,
      updates: updates, includesCanceled: includesCanceled, excluded: excluded
    ).fetchAll(db).map(Arrival.init)
  }
}
