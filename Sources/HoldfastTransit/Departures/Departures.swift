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

  /// Whether calls at the last stop of a trip are included, where no vehicle departs for riders.
  public var includesLastStops = false

  /// Whether calls without pickup (`pickup_type` 1) are included.
  public var includesStopsWithoutPickup = false

  /// Prepares a question.
  ///
  /// - Parameters:
  ///   - sids: The numbers of the stops; a station's number includes everything that belongs to it.
  ///   - instant: The first instant.
  ///   - duration: The time from then on; 24 hours, so that the first departure of tomorrow is found
  ///     late in the evening.
  ///   - limit: The largest number of departures to return; 20 fill the screen of a phone.
  public init(
    at sids: [Int64], from instant: Date, for duration: Duration = .seconds(86400), limit: Int = 20
  ) {
    (self.sids, self.instant, self.duration, self.limit) = (sids, instant, duration, limit)
  }

  /// Returns the departures.
  ///
  /// The connection keeps what it decodes in bounded memory, so that the next question at these stops
  /// reads almost nothing from the file.
  ///
  /// - Parameter db: The connection of the current access, to a timetable database.
  /// - Returns: At most ``limit`` departures, the earliest first; none for stops that do not exist.
  /// - Throws: ``TransitError`` with `.schemaOlder` when the database was imported without trips and
  ///   times, `.damaged`, `.unknownTimeZone`; `DatabaseError` when the database cannot be read.
  public func fetchAll(_ db: Database) throws -> [Departure] {
    let cache = try TripCache.of(db)
    guard limit > 0, let interval = self.interval else { return [] }
    let board = try cache.board(of: Set(sids).sorted(), db)
    var earliest = EarliestCalls(limit: limit, within: interval)
    for pass in Self.passes(over: board) {
      search(pass, cache, &earliest)
    }
    return try earliest.sorted().map { try departure($0, cache, db) }
  }

  /// The seconds since 1970 that belong to the question; `nil` if there are none, or if they are not
  /// in the years 1 to 9999.
  private var interval: ClosedRange<Int>? {
    let years = -62_135_596_800.0...253_402_300_800.0
    let start = instant.timeIntervalSince1970
    let end =
      start + Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    guard years.contains(start), end > start else { return nil }
    let (first, last) = (Int(start.rounded(.up)), Int(min(end, years.upperBound).rounded(.up)) - 1)
    return first <= last ? first...last : nil
  }

  // MARK: - Search

  /// The patterns of a board whose times are in one time zone.
  private struct Pass {
    let zone: TimetableZone
    var entries: [TripCache.Board.Entry]
    var latest: Int
  }

  private static func passes(over board: TripCache.Board) -> [Pass] {
    var passes: [Pass] = []
    for entry in board.entries {
      if let index = passes.firstIndex(where: { $0.zone === entry.pattern.zone }) {
        passes[index].entries.append(entry)
        passes[index].latest = max(passes[index].latest, entry.pattern.latest)
      } else {
        passes.append(
          Pass(zone: entry.pattern.zone, entries: [entry], latest: entry.pattern.latest))
      }
    }
    return passes
  }

  private func search(_ pass: Pass, _ cache: TripCache, _ earliest: inout EarliestCalls) {
    let interval = earliest.interval
    // A service day may begin hours before or after midnight, and its times may go on for days.
    let first = pass.zone.day(at: interval.lowerBound).daysSince1970 - pass.latest / 86400 - 2
    let last = pass.zone.day(at: interval.upperBound).daysSince1970 + 1
    for day in cache.serviceDays(from: first, to: last) {
      let start = pass.zone.start(of: day)
      guard start <= earliest.end + 86400 else { break }
      let runningServices = cache.runningServices(on: day)
      guard runningServices.contains(true) else { continue }
      let serviceDay = EarliestCalls.Day(
        day: day, start: start, runningServices: runningServices)
      for entry in pass.entries where start + entry.pattern.latest >= interval.lowerBound {
        let pattern = entry.pattern
        for call in entry.calls {
          if call == pattern.calls.count - 1, !includesLastStops { continue }
          if pattern.calls[call].pickupType == 1, !includesStopsWithoutPickup { continue }
          earliest.add(pattern, call, on: serviceDay)
        }
      }
    }
  }

  // MARK: - Answers

  private func departure(
    _ found: EarliestCalls.Element, _ cache: TripCache, _ db: Database
  ) throws -> Departure {
    let (pattern, run) = (found.pattern, found.run)
    let call = pattern.calls[found.call]
    let departure = pattern.departure(run.timing, found.call) ?? 0
    let arrival = pattern.arrival(run.timing, found.call) ?? departure
    let wait = departure - arrival
    return Departure(
      stop: try cache.stop(call.sid, db), route: try cache.route(pattern.rid, db), tid: run.tid,
      tripID: try cache.tripID(run.tid, db), tripShortName: try cache.text(run.shortName, db),
      headsign: try cache.text(call.headsign == 0 ? run.headsign : call.headsign, db),
      directionID: pattern.directionID.map { Int($0) }, stopSequence: Int(call.sequence),
      serviceDay: found.day, arrivalTime: ServiceTime(seconds: found.time - wait),
      departureTime: ServiceTime(seconds: found.time),
      arrival: Date(timeIntervalSince1970: Double(found.instant - wait)),
      departure: Date(timeIntervalSince1970: Double(found.instant)),
      timeZone: try cache.zone(ofStop: call.sid, db) ?? pattern.zone.zone,
      isInterpolated: pattern.isInterpolated(run.timing, found.call),
      isLastStop: found.call == pattern.calls.count - 1,
      pickupType: Int(call.pickupType ?? 0), dropOffType: Int(call.dropOffType ?? 0),
      headway: found.headway.map { .seconds($0) })
  }
}
