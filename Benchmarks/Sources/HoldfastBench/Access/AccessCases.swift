import Foundation
import Holdfast

/// Reading and writing one database: what the library adds to SQLite's own interface.
///
/// The bounds are ratios to the same work in C, and become enforced when the work on them is done.
struct AccessCases {
  private let places: [Place]
  private let floorPlaces: FloorPlaces

  /// Keys in an order that no cache foresees.
  private let ids: [Int64]

  private let empty: PlaceFile
  private let full: PlaceFile

  init(isShort: Bool) throws {
    let count = isShort ? 500 : 500_000
    places = (1...count).map(Place.init(number:))
    floorPlaces = FloorPlaces(places)
    // The factor has no divisor in common with the number of rows: no key comes twice.
    ids = (0..<count * 2 / 5).map { Int64($0 * 2_654_435_761 % count) + 1 }
    empty = try PlaceFile()
    full = try PlaceFile()
    try full.floor.insert(floorPlaces)
  }

  var all: [Case] {
    [
      insertion("insert, reused statement", bound: .ratio(1.3).later) { db, places in
        let statement = try db.makeStatement(sql: Place.insertion)
        for place in places {
          try statement.execute(arguments: place.arguments)
        }
      },
      insertion("insert, db.execute(sql:arguments:)", bound: .ratio(1.4).later) { db, places in
        for place in places {
          try db.execute(sql: Place.insertion, arguments: place.arguments)
        }
      },
      scan("scan by index", PlaceByIndex.self, \.place, bound: .ratio(1.10).later),
      scan("scan by name", PlaceByName.self, \.place, bound: .ratio(1.3).later),
      scan("scan, Codable", Place.self, \.self, bound: .ratio(2.0).later),
      lookup("look up by key, fetchOne(db, sql:arguments:)", bound: .ratio(1.3).later) { db, id in
        try PlaceByIndex.fetchOne(db, sql: Place.lookup, arguments: [id])?.place
      },
      Case(
        "FTS5 pattern from user text", unit: "ns/pattern", bound: .value(3000).later,
        ours: .timed(per: ids.count) {
          let patterns = ids.compactMap { _ in FTS5Pattern(matchingAllPrefixesIn: "quay circ") }
          return { UInt64(patterns.count) }
        },
        floor: nil),
    ] + records
  }

  // MARK: - Kinds of work

  func insertion(
    _ name: String, bound: Bound, _ insert: @escaping (Database, [Place]) throws -> Void
  ) -> Case {
    Case(
      name, unit: "ns/row", bound: bound,
      ours: .timed(per: places.count) {
        try empty.pool.write { db in try insert(db, places) }
        return empty.takeAll
      },
      floor: .timed(per: places.count) {
        try empty.floor.insert(floorPlaces)
        return empty.takeAll
      })
  }

  private func scan<Record: FetchableRecord>(
    _ name: String, _ type: Record.Type, _ place: @escaping (Record) -> Place, bound: Bound
  ) -> Case {
    Case(
      name, unit: "ns/row", bound: bound,
      ours: .timed(per: places.count) {
        let records = try full.pool.read { db in try Record.fetchAll(db, sql: Place.selection) }
        return { PlaceDigest(records.lazy.map(place)).value }
      },
      floor: .timed(per: places.count) {
        let places = try full.floor.scan()
        return { places.digest }
      })
  }

  func lookup(
    _ name: String, bound: Bound, _ find: @escaping (Database, Int64) throws -> Place?
  ) -> Case {
    Case(
      name, unit: "ns/lookup", bound: bound,
      ours: .timed(per: ids.count) {
        let found = try full.pool.read { db in try ids.compactMap { try find(db, $0) } }
        return { PlaceDigest(found).value }
      },
      floor: .timed(per: ids.count) {
        let places = try full.floor.lookUp(ids)
        return { places.digest }
      })
  }
}
