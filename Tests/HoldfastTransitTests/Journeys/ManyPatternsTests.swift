import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// A search that reaches more patterns than one thread decodes finds the trips of all of them.
@Suite struct ManyPatternsTests {
  private static let count = 1100

  /// A database of routes with one trip each from A to B, which depart minute by minute from six o'clock.
  private func database() throws -> (feed: SmallFeed, url: URL) {
    func time(_ minutes: Int) -> String {
      let digits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
      return "\(digits(6 + minutes / 60)):\(digits(minutes % 60)):00"
    }
    var (routes, trips) = ("", "route_id,service_id,trip_id\n")
    var calls = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    for route in 0..<Self.count {
      routes += "R\(route),HF,\(route),,3,\n"
      trips += "R\(route),W,T\(route)\n"
      calls += "T\(route),\(time(route)),\(time(route)),A,1\n"
      calls += "T\(route),\(time(route + 30)),\(time(route + 31)),B,2\n"
    }
    calls += "T\(Self.count - 1),\(time(Self.count + 40)),\(time(Self.count + 40)),C,3\n"
    let feed = try SmallFeed()
    let url = try feed.database(
      of: [
        SmallFeed.Place(id: "A", name: "A", position: "-33.8,151.2"),
        SmallFeed.Place(id: "B", name: "B", position: "-33.9,151.2"),
        SmallFeed.Place(id: "C", name: "C", position: "-34.0,151.2"),
      ], routes: routes, files: ["trips.txt": trips, "stop_times.txt": calls])
    return (feed, url)
  }

  /// The trip of the journey that departs at or after some minutes past six, or arrives until then.
  private func trip(_ minutes: Int, isForward: Bool = true, _ db: Database) throws -> String? {
    let six = try Date("2026-06-01T06:00:00+10:00", strategy: .iso8601)
    let instant = six + Double(minutes) * 60
    let sids = try ["A", "B"].map { try #require(try Stop.fetchOne(db, stopID: $0)).sid }
    let journeys = try Journeys(
      from: .stop(sids[0]), to: .stop(sids[1]), isForward ? .departing(instant) : .arriving(instant)
    ).fetchAll(db)
    #expect(journeys.count == 1)
    return journeys.first?.rides.first?.tripID
  }

  @Test func `The trips of all patterns are found in both directions`() throws {
    let (feed, url) = try database()
    let timetable = try Timetable(at: url)
    defer { withExtendedLifetime(feed) { timetable.reader.closeIgnoringErrors() } }
    try timetable.reader.read { db in
      for minutes in [0, 1, 255, 256, 257, 511, 512, 1023, 1024, 1099] {
        let (next, last) = (
          try trip(minutes, db), try trip(minutes + 30, isForward: false, db)
        )
        #expect(next == "T\(minutes)")
        #expect(last == "T\(minutes)")
      }
    }
  }

  @Test(arguments: [("timings", 300), ("calls", 300), ("timings", 1090), ("calls", 1090)])
  func `A damaged pattern among them is named`(_ column: String, _ pid: Int) throws {
    try check("UPDATE patterns SET \(column) = x'FF' WHERE pid = \(pid)", names: "SELECT \(pid)")
  }

  @Test func `A pattern that calls at a stop that is not there is named`() throws {
    try check(
      "DELETE FROM packed_stops WHERE id = 'C'",
      names: "SELECT pid FROM patterns JOIN dict_route USING (rid) "
        + "WHERE route_id = 'R\(Self.count - 1)'")
  }

  /// Checks that a search in a database that a statement has damaged names a pattern.
  private func check(_ damage: String, names pattern: String) throws {
    let (feed, url) = try database()
    let pid = try DatabaseQueue(path: url.path).write { db in
      let pid = try #require(try Int.fetchOne(db, sql: pattern))
      try db.execute(sql: "PRAGMA defer_foreign_keys = 1")
      try db.execute(sql: damage)
      return pid
    }
    let timetable = try Timetable(at: url)
    defer { withExtendedLifetime(feed) { timetable.reader.closeIgnoringErrors() } }
    let error = #expect(throws: TransitError.self) {
      _ = try timetable.reader.read { db in try trip(0, db) }
    }
    #expect(error?.code == .damaged)
    #expect(error?.damage?.contains("row \(pid) of the table 'patterns'") == true)
  }
}
