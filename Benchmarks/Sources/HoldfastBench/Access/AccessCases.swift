import Foundation
import Holdfast

/// Benchmarks of reading and writing one database, compared with SQLite's C interface.
///
/// The bounds are ratios to the same work in C, and are enforced once they are reached.
struct AccessCases {
  private let places: [Place]
  private let floorPlaces: FloorPlaces

  /// Keys in an unpredictable order, against caches.
  private let ids: [Int64]

  private let empty: PlaceFile
  private let full: PlaceFile

  init(isShort: Bool) throws {
    let count = isShort ? 500 : 500_000
    places = (1...count).map(Place.init(number:))
    floorPlaces = FloorPlaces(places)
    // The factor and the number of rows are coprime, so no key occurs twice.
    ids = (0..<count * 2 / 5).map { Int64($0 * 2_654_435_761 % count) + 1 }
    empty = try PlaceFile()
    full = try PlaceFile()
    try full.floor.insert(floorPlaces)
  }

  var all: [Case] {
    get throws {
      try statements + RequestCases(full: full, placeCount: places.count).all
        + PoolCases(full: full, ids: ids, places: places).all
        + CursorCases(Array(places.prefix(100_000))).all
        + PlainSwiftCases(Array(places.prefix(100_000))).all + EncryptionCases().all
    }
  }

  private var statements: [Case] {
    [
      insertion("insert, reused statement", bound: reusedStatement) { db, places in
        let statement = try db.makeStatement(sql: Place.insertion)
        for place in places {
          try statement.execute(arguments: place.arguments)
        }
      },
      insertion("insert, typed values", bound: typedValues) { db, places in
        let statement = try db.makeStatement(sql: Place.insertion)
        for place in places {
          try statement.execute(
            place.id, place.name, place.code, place.lat, place.lon, place.flag)
        }
      },
      insertion("insert, db.execute(sql:arguments:)", bound: cachedStatement) { db, places in
        for place in places {
          try db.execute(sql: Place.insertion, arguments: place.arguments)
        }
      },
      scan("scan by index", PlaceByIndex.self, \.place, bound: scanByIndex),
      scan("scan by name", PlaceByName.self, \.place, bound: scanByName),
      scanByTypes,
      scan("scan, Codable", Place.self, \.self, bound: codableScan),
      lookup(
        "look up by key, fetchOne(db, sql:arguments:)", \PlaceByIndex.place,
        bound: lookupBySQL
      ) { db, id in
        try PlaceByIndex.fetchOne(db, sql: Place.lookup, arguments: [id])
      },
      Case(
        "FTS5 pattern from user text", unit: "ns/pattern", bound: .value(800),
        ours: .timed(per: ids.count) {
          let patterns = ids.compactMap { _ in FTS5Pattern(matchingAllPrefixesIn: "quay circ") }
          return { UInt64(patterns.count) }
        },
        floor: nil),
    ] + forms + records
  }

  /// The same insertion by each other form of arguments.
  private var forms: [Case] {
    [
      insertion("insert, arguments set first", bound: reusedStatement) { db, places in
        let statement = try db.makeStatement(sql: Place.insertion)
        for place in places {
          try statement.setArguments(place.arguments)
          try statement.execute()
        }
      },
      insertion("insert, arguments from an array", bound: boxedArguments) { db, places in
        let statement = try db.makeStatement(sql: Place.insertion)
        for place in places {
          let values: [(any DatabaseValueConvertible)?] = [
            place.id, place.name, place.code, place.lat, place.lon, place.flag,
          ]
          try statement.execute(arguments: StatementArguments(values))
        }
      },
      insertion("insert, arguments by name", bound: namedArguments) { db, places in
        let statement = try db.makeStatement(
          sql: "INSERT INTO place VALUES (:id, :name, :code, :lat, :lon, :flag)")
        for place in places {
          try statement.execute(arguments: [
            "id": place.id, "name": place.name, "code": place.code, "lat": place.lat,
            "lon": place.lon, "flag": place.flag,
          ])
        }
      },
      insertion("insert, db.execute(literal:)", bound: interpolatedArguments) { db, places in
        for place in places {
          try db.execute(
            literal: """
              INSERT INTO place VALUES (\(place.id), \(place.name), \(place.code), \(place.lat), \
              \(place.lon), \(place.flag))
              """)
        }
      },
    ]
  }

  // MARK: - Bounds out of reach

  // Instructions per row as counted by callgrind, ours and C's. Times are ratios to C's: medians of
  // fifteen rounds with 100 000 rows, in turns, with the priority of real time (`chrt -f 40`).

  private var typedValues: Bound {
    .ratio(1.15).unreached(
      "plain Swift without a library needs more, because the texts that it binds are copied",
      profile: """
        6425 instructions to C's 5540, plain Swift 6581: 380 checking, beginning and ending the run, 260 \
        binding the values, whose texts are copied, 110 retaining and releasing them. In time 1.20, \
        plain Swift 1.17, which calls nothing for a run but SQLite
        """)
  }

  private var typedColumns: Bound {
    .ratio(1.05).unreached(
      "plain Swift without a library needs more: a long String is an object, validated and counted",
      profile: """
        3193 instructions to C's 2384, plain Swift 2895, of which two Strings 530 to 230 for copies; 80 \
        the step, 190 the values. In time 1.27, plain Swift 1.14; the loop that keeps no row 2628 to \
        C's 1983, plain Swift 2568, in time 1.17, plain Swift 1.21
        """)
  }

  private var boxedArguments: Bound {
    .ratio(1.5).unreached(
      "the array of any values is made by the caller, and mapped to values before they are packed",
      profile: "an allocation for each of three arrays, and two copies of each value")
  }

  private var namedArguments: Bound {
    .ratio(1.5).unreached(
      "a dictionary of names is made for each run, and each parameter's name is looked up in it",
      profile: "six names hashed twice, and six allocations")
  }

  private var interpolatedArguments: Bound {
    .ratio(1.5).unreached(
      "the text of the statement is put together for each run, and its statement is found by it",
      profile: "the segments of the literal, their joined text, and the search in the cache")
  }

  private var codableScan: Bound {
    .ratio(2.0).unreached(
      "the standard library makes a container for each row and asks its box for each value",
      profile: """
        5832 instructions to C's 2126: 1390 making and releasing the container, of which 632 \
        looking up generic types; 2809 the six values through the box, of which 514 the Strings; \
        SQLite itself 1619 to 1643
        """)
  }

  // The same, counted with 5 000 or 10 000 rows.

  private var reusedStatement: Bound {
    .ratio(1.3).unreached(
      "plain Swift without a library needs more: a literal of any values is boxed and unboxed",
      profile: """
        8051 instructions to C's 5540, plain Swift 8054. The literal costs 1626 more than typed values, \
        in plain Swift 1473: boxing, unboxing and giving up six values, and here a block of memory that \
        holds them until they are bound. In time 1.62, plain Swift 1.51
        """)
  }

  private var cachedStatement: Bound {
    .ratio(1.4).unreached(
      "plain Swift without a library needs more: a literal of any values is boxed and unboxed",
      profile: """
        8265 instructions to C's 5540: those of the reused statement, and 214 to find it and to put it \
        back. In time 1.66, plain Swift with a reused statement 1.51
        """)
  }

  private var scanByIndex: Bound {
    .ratio(1.10).unreached(
      "Strings cost 10 %, and a copy that the compiler makes of each record of so many words 8 %",
      profile: """
        2679 instructions to C's 2060: 206 making Strings where C copies bytes, 164 copying and \
        destroying the finished record, 142 asking for the classes of the values, 55 growing the \
        array in the first run, 52 the rest
        """)
  }

  private var scanByName: Bound {
    .ratio(1.3).unreached(
      "each value's name is compared with the one that the last row had there",
      profile: """
        3400 instructions to C's 2384, plain Swift by index 2895: 270 the six names, the rest \
        reading values and Strings, a copy of the record that the compiler makes, and its row \
        retained and released, which the record's initializer owns. In time 1.29, plain Swift by \
        index 1.16
        """)
  }

  private var lookupBySQL: Bound {
    .ratio(1.3).unreached(
      "each call finds its statement by its text, packs its arguments and makes Strings",
      profile: """
        7921 instructions to C's 5448, plain Swift 5922 (in time 1.12): the statement found \
        and put back, a run begun and ended, and some nine pairs of retain and release
        """)
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

  /// A scan whose columns have known types, so that no row is needed.
  private var scanByTypes: Case {
    Case(
      "scan, columns of known types", unit: "ns/row", bound: typedColumns,
      ours: .timed(per: places.count) {
        var places: [Place] = []
        try full.pool.read { db in
          let columns = try Row.fetchCursor(
            db, sql: Place.selection,
            as: (Int64.self, String.self, String?.self, Double.self, Double.self, Bool.self))
          while let (id, name, code, lat, lon, flag) = try columns.next() {
            places.append(Place(id: id, name: name, code: code, lat: lat, lon: lon, flag: flag))
          }
        }
        return { [places] in PlaceDigest(places).value }
      },
      floor: .timed(per: places.count) {
        let places = try full.floor.scan()
        return { places.digest }
      })
  }

  func lookup<Record>(
    _ name: String, _ place: @escaping (Record) -> Place, bound: Bound,
    _ find: @escaping (Database, Int64) throws -> Record?
  ) -> Case {
    Case(
      name, unit: "ns/lookup", bound: bound,
      ours: .timed(per: ids.count) {
        let found = try full.pool.read { db in try ids.compactMap { try find(db, $0) } }
        return { PlaceDigest(found.lazy.map(place)).value }
      },
      floor: .timed(per: ids.count) {
        let places = try full.floor.lookUp(ids)
        return { places.digest }
      })
  }
}
