import Foundation
import Holdfast
import HoldfastTransit

/// Gives each `stop_id` and `route_id` a small number, and the same one every time.
struct StableNumbers: Sendable {
  private(set) var stops: [String: Int64] = [:]
  private(set) var routes: [String: Int64] = [:]

  init() {}

  /// Takes over every number an older database gave, also those of stops it no longer had.
  init(from url: URL) throws {
    let timetable = try Timetable(at: url)
    defer { timetable.reader.close() }
    (stops, routes) = try timetable.reader.read { db in
      (
        try Self.pairs(db, sql: "SELECT stop_id, sid FROM dict_stop"),
        try Self.pairs(db, sql: "SELECT route_id, rid FROM dict_route")
      )
    }
  }

  private static func pairs(_ db: Database, sql: String) throws -> [String: Int64] {
    var pairs: [String: Int64] = [:]
    let rows = try Row.fetchCursor(db, sql: sql)
    while let row = try rows.next() {
      pairs[try row.decode(atIndex: 0)] = try row.decode(atIndex: 1) as Int64
    }
    return pairs
  }

  /// Gives a number to each name that has none: the next ones, in the order of the names' bytes,
  /// so that the order of rows in the feed does not matter.
  mutating func number(stops stopIDs: [String], routes routeIDs: [String]) {
    Self.number(stopIDs, in: &stops)
    Self.number(routeIDs, in: &routes)
  }

  private static func number(_ names: [String], in numbers: inout [String: Int64]) {
    var last = numbers.values.max() ?? 0
    let new = names.filter { numbers[$0] == nil }
    for name in new.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      last += 1
      numbers[name] = last
    }
  }
}
