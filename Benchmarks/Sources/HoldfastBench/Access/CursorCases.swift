import CFloor
import Foundation
import Holdfast

/// Benchmarks of every public way to read rows, compared with C.
///
/// The bounds of the plain loops are their own. Each other way has the same bound.
struct CursorCases {
  let file: ReadFile

  /// The same rows in a database that can be suspended.
  let suspendable: ReadFile

  init(_ places: [Place]) throws {
    file = try ReadFile(places)
    suspendable = try ReadFile(places, isSuspendable: true)
  }

  /// A way to read rows; its sum is that of C's reading.
  struct Way {
    let name: String
    var bound = Bound.ratio(1.5)

    /// The bound of the same where the database can be suspended, as a ratio to where it cannot.
    var pausing = Bound.ratio(1.1)
    let sql: String
    let work: floor_work
    var isLookup = false
    let read: (Database, [Int64]) throws -> UInt64
  }

  var all: [Case] {
    let ways = loops + typed + matrix
    return ways.map(plain) + ways.map(pausing) + unbounded
  }

  private func plain(_ way: Way) -> Case {
    Case(
      way.name, unit: "ns/row", bound: way.bound, ours: file.probe(way),
      floor: file.floorProbe(way))
  }

  /// The case of a database that can be suspended, compared with one that cannot.
  private func pausing(_ way: Way) -> Case {
    Case(
      way.name + ", can be suspended", unit: "ns/row", bound: way.pausing,
      ours: suspendable.probe(way), floor: file.probe(way))
  }

  // MARK: - Loops

  private static let short = "SELECT id, code, name, lat, lon FROM place"
  static let two = "SELECT id, name, code, lat, lon FROM place"

  private var loops: [Way] {
    [
      Way(
        name: "rows, stepped", bound: .ratio(1.15), pausing: Self.gated, sql: Self.two,
        work: FLOOR_STEP
      ) { db, _ in
        var count: UInt64 = 0
        let rows = try Row.fetchCursor(db, sql: Self.two)
        while try rows.next() != nil { count += 1 }
        return count
      },
      Way(
        name: "rows, two columns by index", bound: Self.longTexts(.ratio(1.2)),
        pausing: Self.gated, sql: Self.two,
        work: FLOOR_TWO
      ) {
        db, _ in
        var sum: UInt64 = 0
        let rows = try Row.fetchCursor(db, sql: Self.two)
        while let row = try rows.next() {
          let (id, name): (Int64, String) = (row[0], row[1])
          sum &+= UInt64(id) &+ UInt64(name.utf8.count)
        }
        return sum
      },
      Way(
        name: "rows, two columns by index, short text", bound: .ratio(1.2), pausing: Self.gated,
        sql: Self.short, work: FLOOR_TWO
      ) { db, _ in
        var sum: UInt64 = 0
        let rows = try Row.fetchCursor(db, sql: Self.short)
        while let row = try rows.next() {
          let (id, code): (Int64, String?) = (row[0], row[1])
          sum &+= UInt64(id) &+ UInt64(code?.utf8.count ?? 0)
        }
        return sum
      },
      Way(
        name: "rows, two columns by name", bound: Self.longTexts(.ratio(1.5)), pausing: Self.gated,
        sql: Self.two,
        work: FLOOR_TWO
      ) {
        db, _ in
        var sum: UInt64 = 0
        let rows = try Row.fetchCursor(db, sql: Self.two)
        while let row = try rows.next() {
          let (id, name): (Int64, String) = (row["id"], row["name"])
          sum &+= UInt64(id) &+ UInt64(name.utf8.count)
        }
        return sum
      },
      Way(
        name: "numbers, loop", bound: Self.checked, pausing: Self.stepped, sql: Self.ids,
        work: FLOOR_NUMBER
      ) {
        db, _ in
        var sum: UInt64 = 0
        let numbers = try Int64.fetchCursor(db, sql: Self.ids)
        while let number = try numbers.next() { sum &+= UInt64(number) }
        return sum
      },
      Way(
        name: "records, loop", bound: Self.longTexts(.ratio(1.3)),
        sql: Place.selection,
        work: FLOOR_PLACE
      ) {
        db, _ in
        var sum: UInt64 = 0
        let places = try PlaceByIndex.fetchCursor(db, sql: Place.selection)
        while let place = try places.next() { sum &+= place.sum }
        return sum
      },
    ]
  }

  private static let ids = "SELECT id FROM place"
  private static let tokens = "SELECT token FROM place"

  private var typed: [Way] {
    [
      Way(
        name: "columns of known types, loop", sql: Place.selection,
        work: FLOOR_PLACE
      ) {
        db, _ in
        var sum: UInt64 = 0
        let places = try Row.fetchCursor(
          db, sql: Place.selection,
          as: (
            Int64.self, String.self, String?.self, Double.self, Double.self, Bool.self
          ))
        while let (id, name, code, lat, lon, flag) = try places.next() {
          sum &+= PlaceByIndex.sum(id, name, code, lat + lon, flag)
        }
        return sum
      },
      Way(name: "UUIDs, fetchAll", sql: Self.tokens, work: FLOOR_BYTES) { db, _ in
        UInt64(try UUID.fetchAll(db, sql: Self.tokens).count) * 16
      },
    ]
  }

  // MARK: - Every public way

  private var matrix: [Way] {
    ways("rows", Row.self, Place.selection, FLOOR_PLACE) { PlaceByIndex(row: $0).sum }
      + ways("records", PlaceByIndex.self, Place.selection, FLOOR_PLACE) { $0.sum }
      + ways("Codable records", Place.self, Place.selection, FLOOR_PLACE) {
        PlaceByIndex.sum($0.id, $0.name, $0.code, $0.lat + $0.lon, $0.flag)
      }
      + ways("numbers", Int64.self, Self.ids, FLOOR_NUMBER) { UInt64($0) }
      + ways("texts", String.self, "SELECT name FROM place", FLOOR_BYTES) { UInt64($0.utf8.count) }
  }

  private func ways<Record: FetchableRecord & Hashable>(
    _ name: String, _ type: Record.Type, _ sql: String, _ work: floor_work,
    _ sum: @escaping (Record) -> UInt64
  ) -> [Way] {
    let single = sql + " WHERE id = ?"
    return ways(name, "SQL", sql, work, sum) {
      try Record.fetchAll($0, sql: sql)
    } set: {
      try Record.fetchSet($0, sql: sql)
    } cursor: {
      try Record.fetchCursor($0, sql: sql)
    } one: { db in
      { try Record.fetchOne(db, sql: single, arguments: [$0]) }
    }
      + ways(name, "statement", sql, work, sum) {
        try Record.fetchAll($0.cachedStatement(sql: sql))
      } set: {
        try Record.fetchSet($0.cachedStatement(sql: sql))
      } cursor: {
        try Record.fetchCursor($0.cachedStatement(sql: sql))
      } one: { db in
        let statement = try db.makeStatement(sql: single)
        return { try Record.fetchOne(statement, arguments: [$0]) }
      }
      + ways(name, "request", sql, work, sum) {
        try SQLRequest<Record>(sql: sql).fetchAll($0)
      } set: {
        try SQLRequest<Record>(sql: sql).fetchSet($0)
      } cursor: {
        try SQLRequest<Record>(sql: sql).fetchCursor($0)
      } one: { db in
        { try SQLRequest<Record>(sql: single, arguments: [$0]).fetchOne(db) }
      }
  }

  private func ways<Value: DatabaseValueConvertible & Hashable>(
    _ name: String, _ type: Value.Type, _ sql: String, _ work: floor_work,
    _ sum: @escaping (Value) -> UInt64
  ) -> [Way] {
    let single = sql + " WHERE id = ?"
    return ways(name, "SQL", sql, work, sum) {
      try Value.fetchAll($0, sql: sql)
    } set: {
      try Value.fetchSet($0, sql: sql)
    } cursor: {
      try Value.fetchCursor($0, sql: sql)
    } one: { db in
      { try Value.fetchOne(db, sql: single, arguments: [$0]) }
    }
      + ways(name, "statement", sql, work, sum) {
        try Value.fetchAll($0.cachedStatement(sql: sql))
      } set: {
        try Value.fetchSet($0.cachedStatement(sql: sql))
      } cursor: {
        try Value.fetchCursor($0.cachedStatement(sql: sql))
      } one: { db in
        let statement = try db.makeStatement(sql: single)
        return { try Value.fetchOne(statement, arguments: [$0]) }
      }
      + ways(name, "request", sql, work, sum) {
        try SQLRequest<Value>(sql: sql).fetchAll($0)
      } set: {
        try SQLRequest<Value>(sql: sql).fetchSet($0)
      } cursor: {
        try SQLRequest<Value>(sql: sql).fetchCursor($0)
      } one: { db in
        { try SQLRequest<Value>(sql: single, arguments: [$0]).fetchOne(db) }
      }
  }

  /// Returns the six ways to read elements of one kind from one source.
  private func ways<Elements: Cursor>(
    _ name: String, _ source: String, _ sql: String, _ work: floor_work,
    _ sum: @escaping (Elements.Element) -> UInt64,
    all: @escaping (Database) throws -> [Elements.Element],
    set: @escaping (Database) throws -> Set<Elements.Element>,
    cursor: @escaping (Database) throws -> Elements,
    one: @escaping (Database) throws -> (Int64) throws -> Elements.Element?
  ) -> [Way] where Elements.Element: Hashable {
    let name = "\(name) by \(source), "
    let bound =
      work == FLOOR_NUMBER
      ? Bound.ratio(1.5) : name.hasPrefix("Codable") ? Self.coded : Self.longTexts(.ratio(1.5))
    let pausing =
      Elements.self is RowCursor.Type
      ? Self.gated : [FLOOR_NUMBER, FLOOR_BYTES].contains(work) ? Self.stepped : Bound.ratio(1.1)
    return [
      Way(name: name + "fetchAll", bound: Self.kept, sql: sql, work: work) { db, _ in
        try all(db).reduce(0) { $0 &+ sum($1) }
      },
      Way(name: name + "fetchSet", bound: Self.hashed, sql: sql, work: work) { db, _ in
        try set(db).reduce(0) { $0 &+ sum($1) }
      },
      Way(name: name + "fetchCursor, loop", bound: bound, pausing: pausing, sql: sql, work: work) {
        db, _ in
        let elements = try cursor(db)
        var total: UInt64 = 0
        while let element = try elements.next() { total &+= sum(element) }
        return total
      },
      Way(name: name + "fetchCursor, forEach", bound: bound, pausing: pausing, sql: sql, work: work)
      { db, _ in
        var total: UInt64 = 0
        try cursor(db).forEach { total &+= sum($0) }
        return total
      },
      Way(name: name + "fetchCursor, map", bound: bound, pausing: pausing, sql: sql, work: work) {
        db, _ in
        let sums = try cursor(db).map { sum($0) }
        var total: UInt64 = 0
        while let sum = try sums.next() { total &+= sum }
        return total
      },
      Way(
        name: name + "fetchOne", bound: Self.lookup, sql: sql + " WHERE id = ?", work: work,
        isLookup: true
      ) { db, ids in
        let find = try one(db)
        var total: UInt64 = 0
        for id in ids { total &+= try find(id).map(sum) ?? 0 }
        return total
      },
    ]
  }

  // MARK: - Without C

  private var unbounded: [Case] {
    [
      Case(
        "Codable records with a date, a UUID and data, fetchAll", unit: "ns/row",
        bound: .value(1216),
        ours: .timed(per: file.count) { [file] in
          let sql = "SELECT id, date, token, picture FROM place"
          let count = try file.pool.read { db in try Visit.fetchAll(db, sql: sql).count }
          return { UInt64(count) }
        }, floor: nil)
    ]
  }

  /// A record with the types that are stored in formats of their own.
  struct Visit: Codable, FetchableRecord {
    var id: Int64
    var date: Date
    var token: UUID
    var picture: Data
  }
}

// MARK: - Bounds out of reach

extension CursorCases {
  // Instructions per row as counted by callgrind, ours and C's.

  private static func longTexts(_ bound: Bound) -> Bound {
    bound.unreached(
      "a String of more than fifteen bytes is an object, which is validated, counted and released",
      profile: """
        two columns by index 1950 instructions to C's 1464, plain Swift 1776: the String 430 to 150 \
        for a copy, 50 retaining and releasing the row, 65 the step. Records 2856 to 1983, plain Swift \
        2568, and 2695 with a class for the row that is given to init(row:): the compiler copies a \
        record of so many properties once, which retains its texts, and the record's initializer owns \
        its row, which costs two atomic operations more. In time 1.20 and 1.40, plain Swift 1.11 and \
        1.21, with such a class 1.27 to 1.31; a record that is made by its memberwise initializer 1.21
        """)
  }

  private static var checked: Bound {
    .ratio(1.25).unreached(
      "each step checks its thread and that no row is kept, and each value is asked for its class",
      profile: "595 instructions to C's 466: 86 the step, 46 the value; SQLite itself 435 to 430")
  }

  private static var kept: Bound {
    .ratio(1.5).unreached(
      "the elements are kept in an array, where C drops them",
      profile: "the array grows, and each text or row has memory of its own until it is released")
  }

  private static var coded: Bound {
    .ratio(1.5).unreached(
      "the standard library makes a container for each row and asks its box for each value",
      profile: "as in `scan, Codable`")
  }

  private static var lookup: Bound {
    .ratio(1.5).unreached(
      "each call finds its statement by its text or builds it, packs its argument and makes Strings",
      profile: "as in `look up by key, fetchOne(db, sql:arguments:)`")
  }

  private static var hashed: Bound {
    .ratio(1.5).unreached(
      "C has no set: each element is hashed, and compared with others",
      profile: "the standard library's set costs more than reading the row")
  }

  private static var gated: Bound {
    .ratio(1.1).unreached(
      "each value that the loop reads of a row is read inside the gate, which the cursor has left",
      profile: "5 to 10 ns for each value, and as much for each step; no copy and no allocation")
  }

  private static var stepped: Bound {
    .ratio(1.1).unreached(
      "each step of a loop enters the gate and leaves it, so that a suspension never waits for the loop",
      profile: """
        two atomic operations, 10 ns: a step is 47 ns for a number and 95 for a text. fetchAll, which \
        enters once, costs 0.99 to 1.06
        """)
  }
}
