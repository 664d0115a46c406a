import Foundation
import Holdfast
import HoldfastTransit

/// The small numbers of each `stop_id`, `route_id` and `trip_id`, which are the same in every import.
struct StableNumbers: Sendable {
  private var stops: [ExactText: Int64] = [:]
  private var routes: [ExactText: Int64] = [:]
  /// The numbers of trips; none if the older database has no trips.
  var trips = TripNumbers()

  /// The numbers that an import may have assigned.
  ///
  /// Floating-point numbers represent these exactly, and as many more: those remain for future
  /// stops and routes.
  private static let plausible: ClosedRange<Int64> = 1...(1 << 52)

  init() {}

  /// Reads every number in an older database, also of removed stops and routes, but not of removed trips.
  init(from url: URL) throws {
    let timetable = try Timetable(at: url)
    defer { timetable.reader.closeIgnoringErrors() }
    (stops, routes, trips) = try timetable.reader.read { db in
      (
        try Self.pairs(db, table: Self.stopTable(db), id: "stop_id", number: "sid", of: url),
        try Self.pairs(db, table: "dict_route", id: "route_id", number: "rid", of: url),
        try Self.trips(db, of: url)
      )
    }
  }

  /// Returns the table with all `stop_id`s, which older databases call by another name.
  private static func stopTable(_ db: Database) throws -> String {
    try db.tableExists("packed_stops") ? "packed_stops" : "dict_stop"
  }

  private static func trips(_ db: Database, of url: URL) throws -> TripNumbers {
    let (numbers, last) = try TimetableContent.tripNumbers(db)
    var used: Set<Int64> = []
    for number in numbers.values where !plausible.contains(number) || !used.insert(number).inserted
    {
      throw FeedError.implausibleNumber(
        "\(number)", column: "tid", table: "dict_trip", plausible, in: url.lastPathComponent)
    }
    guard last <= plausible.upperBound else {
      throw FeedError.implausibleNumber(
        "\(last)", column: "the last number of a trip", table: "metadata", plausible,
        in: url.lastPathComponent)
    }
    return TripNumbers(numbers, last: last)
  }

  private static func pairs(
    _ db: Database, table: String, id: String, number: String, of url: URL
  ) throws -> [ExactText: Int64] {
    var pairs: [ExactText: Int64] = [:]
    let rows = try Row.fetchCursor(db, sql: "SELECT \(id), \(number) FROM \(table)")
    while let row = try rows.next() {
      // The column may hold any value: a table without rowids does not enforce its type.
      guard case .int64(let found) = row.databaseValues[1].storage, plausible.contains(found) else {
        throw FeedError.implausibleNumber(
          row.databaseValues[1].description, column: number, table: table, plausible,
          in: url.lastPathComponent)
      }
      pairs[ExactText(try row.decode(atIndex: 0))] = found
    }
    return pairs
  }

  /// Returns the numbers of a feed's stops.
  func numbers(ofStops stopIDs: [String]) -> AssignedNumbers {
    AssignedNumbers(of: stopIDs, older: stops)
  }

  /// Returns the numbers of a feed's routes.
  func numbers(ofRoutes routeIDs: [String]) -> AssignedNumbers {
    AssignedNumbers(of: routeIDs, older: routes)
  }
}
