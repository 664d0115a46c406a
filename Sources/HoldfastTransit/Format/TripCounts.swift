import Foundation
package import Holdfast

/// The numbers of rows of a feed's files that a database holds in the compact format.
///
/// Trips and calls are the numbers with which the blobs begin. An importer decodes all blobs for the
/// timetable's identity before it commits them.
package struct TripCounts: Equatable, Sendable {
  /// The number of rows of `trips.txt`.
  package private(set) var trips = 0
  /// The number of rows of `stop_times.txt`.
  package private(set) var stopTimes = 0
  /// The number of rows of `calendar.txt`.
  package private(set) var calendars = 0
  /// The number of rows of `calendar_dates.txt`.
  package private(set) var calendarDates = 0
  /// The number of rows of `frequencies.txt`.
  package private(set) var frequencies = 0

  /// Counts the rows.
  ///
  /// - Parameter db: The connection to a timetable database.
  /// - Throws: ``TransitError`` with `.schemaOlder` when the database has no trips, and with the code
  ///   for damage; `DatabaseError` when it cannot be read.
  package init(_ db: Database) throws {
    let tables = try TripTables(db)
    var runs = 0
    try tables.forEachSize { size in
      runs += size.runs
      stopTimes += size.runs * size.calls
    }
    // A trip without a run, or a run without a trip, is in neither number.
    trips = try tables.tripCount() == runs ? runs : -1
    let services = try Row.fetchCursor(
      db, sql: "SELECT service, weekdays, exceptions FROM services")
    while let row = try services.next() {
      let weekdays: Int? = try row.decode(atIndex: 1)
      if weekdays != nil { calendars += 1 }
      let exceptions: Data? = try row.decode(atIndex: 2)
      guard let exceptions else { continue }
      do {
        calendarDates += try StoredExceptions(Array(exceptions)).exceptions.count
      } catch {
        throw TransitError.damaged(
          path: db.path, table: "services", row: try row.decode(atIndex: 0))
      }
    }
    frequencies = try tables.headways().count
  }
}
