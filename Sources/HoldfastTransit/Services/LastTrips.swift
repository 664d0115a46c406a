import Foundation
import Holdfast

/// The trips that still run when the last day of a timetable is over.
///
/// "A service day may exceed 24:00:00 if service begins on one day and ends on a following day."
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#term-definitions>
struct LastTrips: Sendable {
  /// The number of days after the last one on which its trips are looked for: that takes as long as to read all of
  /// them, and hardly anything runs for longer.
  static let mostDays = 2

  /// The arrival of the last one; `nil` if none runs after midnight.
  private(set) var end: Date?

  /// Reads the trips.
  ///
  /// - Parameters:
  ///   - lastDay: The last day of the timetable.
  ///   - timeZone: The zone of the first agency, in which the last day ends.
  ///   - db: The connection of the current access, to a timetable with trips.
  /// - Throws: ``TransitError`` with `.damaged`; `DatabaseError` when the database cannot be read.
  init(of lastDay: ServiceDay, in timeZone: TimeZone, _ db: Database) throws {
    let (cache, tables) = (try TripCache.of(db), TripTables(checked: db))
    var latest = TimetableZone(timeZone).start(
      of: ServiceDay(daysSince1970: lastDay.daysSince1970 + 1))
    let midnight = latest
    try tables.forEachPattern { pattern in
      // GTFS demands one zone of all agencies, but those of merged feeds may have several.
      let zone: TimetableZone
      do {
        zone = try cache.zone(ofRoute: pattern.rid, db)
      } catch let error as TransitError where error.code == .unknownTimeZone {
        // Such a trip has no instant, and boards refuse it.
        return
      }
      let lengths = pattern.stored.timings.map { timing in
        max(0, timing.arrivals.max() ?? 0, timing.departures.max() ?? 0)
      }
      let lastMidnight = zone.start(of: lastDay)
      for run in pattern.stored.runs {
        let start = cache.headways(of: run.tid).map(\.lastStart).max() ?? Int(run.start)
        let end = start + Int(lengths[Int(run.timing)])
        // Most trips end on the last day.
        guard lastMidnight + end > latest else { continue }
        for day in (lastDay.daysSince1970 - end / 86_400...lastDay.daysSince1970).reversed() {
          let day = ServiceDay(daysSince1970: day)
          guard case let arrival = zone.start(of: day) + end, arrival > latest else { break }
          guard try cache.service(run.service, db).stored.runs(on: day) else { continue }
          latest = arrival
        }
      }
    }
    end = latest > midnight ? Date(timeIntervalSince1970: Double(latest)) : nil
  }
}
