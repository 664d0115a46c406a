import Holdfast
import HoldfastFiles

/// The log lines of timetables, with the names that the transit app before this library gave them.
///
/// The app also looked for indexes and columns that its database might lack, and whether its routes can be
/// decoded; here that is a part of the format or an error, so there is nothing to report. An import reports
/// its steps in sentences of its own, with the category `import`.
enum TransitLog {
  /// The duration from which on a query is slow: riders notice it.
  static let slow = Duration.milliseconds(100)

  /// Reports that a timetable was opened, with what it contains.
  static func opened(_ db: Database) {
    report(.info, "database_loaded: path=\(Log.name(db.path))")
    report(.info, "database_validated: \(contents(db))")
  }

  /// Reports that a timetable was not opened.
  static func notOpened(_ path: String, _ error: any Error) {
    let name = Log.name(path)
    report(
      .error,
      (error as? TransitError)?.code == .notFound
        ? "database_not_found_in_bundle: searched_for=\(name)"
        : "database_init_failed: path=\(name), error=\(kind(of: error))")
  }

  /// Reports how long a search took.
  static func searched(in duration: Duration, stopCount: Int) {
    report(
      duration > slow ? .notice : .debug,
      "search_query_duration: \(milliseconds(duration)), stops=\(stopCount)")
  }

  /// Reports a slow query for the stops of a map.
  static func foundInRegion(in duration: Duration, stopCount: Int) {
    guard duration > slow else { return }
    report(.notice, "map_stops_query_slow: \(milliseconds(duration)), stops=\(stopCount)")
  }

  // Evaluated only if there is a log, because counting reads all stops.
  private static func contents(_ db: Database) -> String {
    do {
      return try db.deferringTemporaryObjects {
        let stops = try Int.fetchOne(db, sql: "SELECT count(*) FROM main.stops") ?? 0
        let routes = try Int.fetchOne(db, sql: "SELECT count(*) FROM main.routes") ?? 0
        return "stops_count=\(stops), routes_count=\(routes)"
      }
    } catch {
      return "error=\(kind(of: error))"
    }
  }

  /// Returns the kind of an error, with both codes of SQLite and of the system.
  static func kind(of error: any Error) -> String {
    switch error {
    case let error as TransitError: "\(error.code)"
    case let error as SharingError: "\(error.code)"
    case let error as DatabaseError:
      "SQLite error \(error.extendedResultCode.rawValue), errno \(error.systemErrno)"
    default: Log.kind(of: error)
    }
  }

  private static func milliseconds(_ duration: Duration) -> String {
    "duration_ms=\(Int(duration / .milliseconds(1)))"
  }

  static func report(_ level: LogEvent.Level, _ line: @autoclosure () -> String) {
    Log.report(level, .transit, line())
  }
}
