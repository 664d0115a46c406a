import Foundation
import Holdfast
import HoldfastTransit

/// Gives each `stop_id` and `route_id` a small number, and the same one every time.
struct StableNumbers: Sendable {
  private(set) var stops: [ExactText: Int64] = [:]
  private(set) var routes: [ExactText: Int64] = [:]

  init() {}

  /// Takes over every number an older database gave, also those of stops it no longer had.
  init(from url: URL) throws {
    let timetable = try Timetable(at: url)
    defer { timetable.reader.closeIgnoringErrors() }
    (stops, routes) = try timetable.reader.read { db in
      (
        try Self.pairs(db, sql: "SELECT stop_id, sid FROM dict_stop"),
        try Self.pairs(db, sql: "SELECT route_id, rid FROM dict_route")
      )
    }
  }

  private static func pairs(_ db: Database, sql: String) throws -> [ExactText: Int64] {
    var pairs: [ExactText: Int64] = [:]
    let rows = try Row.fetchCursor(db, sql: sql)
    while let row = try rows.next() {
      pairs[ExactText(try row.decode(atIndex: 0))] = try row.decode(atIndex: 1) as Int64
    }
    return pairs
  }

  /// Gives a number to each name that has none: the next ones, in the order of the names' bytes,
  /// so that the order of rows in the feed does not matter.
  mutating func number(stops stopIDs: [String], routes routeIDs: [String]) {
    Self.number(stopIDs, in: &stops)
    Self.number(routeIDs, in: &routes)
  }

  private static func number(_ names: [String], in numbers: inout [ExactText: Int64]) {
    var last = numbers.values.max() ?? 0
    for name in names.map(ExactText.init).sorted() where numbers[name] == nil {
      last += 1
      numbers[name] = last
    }
  }
}
