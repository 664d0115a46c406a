import CFloor
import Holdfast

/// Benchmarks of requests of the query interface, compared with their SQL by hand and with C.
///
/// The records are decoded by position, so that the cost of the request is not hidden by theirs.
struct RequestCases {
  let full: PlaceFile
  let placeCount: Int

  var all: [Case] {
    fetching(100, name: "100", times: 2000) + fetching(100_000, name: "100,000", times: 4)
      + [building]
  }

  /// A request that filters by two values and orders its rows.
  private static func request(
    from first: Int64, length: Int
  ) -> QueryInterfaceRequest<PlaceByIndex> {
    PlaceByIndex.filter { $0.id >= first && $0.id < first + Int64(length) }.order(\.id.desc)
  }

  private static let sql = """
    SELECT * FROM "place" WHERE ("id" >= ?) AND ("id" < ?) ORDER BY "id" DESC
    """

  // MARK: - Kinds of work

  /// Returns the cases of fetching ranges of as many rows, each by a request of its own.
  private func fetching(_ length: Int, name: String, times: Int) -> [Case] {
    let length = min(length, placeCount)
    // An unpredictable order for many short ranges.
    let firsts = (0..<times).map { Int64($0 * 2_654_435_761 % (placeCount - length + 1)) + 1 }
    let requests = fetch(length, firsts) { db, first in
      try Self.request(from: first, length: length).fetchAll(db)
    }
    return [
      Case(
        "request of \(name) rows, fetchAll, against its SQL by hand", unit: "ns/row",
        bound: .ratio(1.2), ours: requests,
        floor: fetch(length, firsts) { db, first in
          try PlaceByIndex.fetchAll(db, sql: Self.sql, arguments: [first, first + Int64(length)])
        }),
      Case(
        "request of \(name) rows, fetchAll, against C", unit: "ns/row", bound: nil,
        ours: requests,
        floor: .timed(per: length * times) { [full] in
          let places = try full.floor.readRanges(from: firsts, length: length)
          return { places.digest }
        }),
    ]
  }

  private func fetch(
    _ length: Int, _ firsts: [Int64],
    _ fetch: @escaping (Database, Int64) throws -> [PlaceByIndex]
  ) -> Probe {
    .timed(per: length * firsts.count) { [full] in
      let found = try full.pool.read { db in try firsts.map { try fetch(db, $0) } }
      return { PlaceDigest(found.lazy.joined().map(\.place)).value }
    }
  }

  /// What a request costs before SQLite sees it: the value, its text and its arguments; in C, the text
  /// with its names quoted.
  // Bounded by time, because C only puts two names into a text that it knows: a ratio of 16 says nothing.
  private var building: Case {
    let times = 20_000
    return Case(
      "build a request's SQL", unit: "ns/request", bound: .value(5000),
      ours: .timed(per: times) { [full] in
        let byteCount = try full.pool.read { db in
          try (0..<times).reduce(0) { sum, number in
            let request = Self.request(from: Int64(number), length: 100)
            return try sum + request.makeSQL(db).build(db).sql.utf8.count
          }
        }
        return { UInt64(byteCount) }
      },
      floor: .timed(per: times) {
        let byteCount = floor_requests_build(Int64(times))
        return { UInt64(byteCount) }
      })
  }
}

extension PlaceByIndex: TableRecord {
  static let databaseTableName = "place"

  enum Columns {
    static let id = Column("id")
  }
}
