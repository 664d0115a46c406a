import CFloor
import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTransit

/// Benchmarks of the next departures at the busiest stations of a city.
struct DepartureCases {
  private let questionCount: Int
  private let feed: Lazy<URL>

  init(isShort: Bool) {
    questionCount = isShort ? 50 : 1000
    feed = Lazy { try (isShort ? SyntheticFeed.city.small : .city).archive() }
  }

  var all: [Case] {
    let boards = Lazy { try Boards(feed: feed.value, questionCount: questionCount) }
    let rounds = Rounds {
      try boards.value.askOurs()
    } floor: {
      try boards.value.askFloor()
    }
    return [
      rounds.comparing(
        "departures, next 20 at a busy station, p50", unit: "us", quantile: 0.50,
        bound: .value(100)
      ) { $0 },
      rounds.comparing(
        "departures, next 20 at a busy station, p99", unit: "us", quantile: 0.99,
        bound: .value(1000)
      ) { $0 },
      Case(
        "departures, a board on one core, mean of \(questionCount)", unit: "us",
        // 10,000 in a second.
        bound: .value(100),
        ours: Probe { _ in
          let times = try boards.value.askOurs().sorted
          return Reading(
            value: times.reduce(0, +) / Double(times.count), allocations: nil, proof: 0)
        }, floor: nil),
      Case(
        "departures, first answer after opening the file", unit: "ms", bound: firstAnswer,
        ours: Probe { _ in
          Reading(value: try boards.value.openOurs(), allocations: nil, proof: 0)
        },
        floor: Probe { _ in
          Reading(value: try boards.value.openFloor(), allocations: nil, proof: 0)
        }),
    ]
  }
}

extension DepartureCases {
  private var firstAnswer: Bound {
    .ratio(3.5).unreached(
      "the first board decodes the stops, times and starts of 371 patterns, and prepares what it asks",
      profile: """
        30 million instructions without adding virtual tables, which opening does: 0.30 decoding patterns on \
        two threads, a third each their stops, the times there and the starts of trips; 0.10 reading their \
        rows; 0.18 the answers; 0.09 services; 0.08 opening the file, of which 0.06 read the schema, as in C; \
        0.07 preparing statements; 0.05 looking at all times; 0.06 closing the file and releasing what was \
        decoded; in C all is 4 million. The views for SQL, which were 7 million more, are made before the \
        first statement of the app, which a board is not: 3.8 to 4.3 in place of 5.1 to 5.4 × C
        """)
  }
}

/// The questions of both sides, in the database of a feed.
private final class Boards {
  private static let limit = 20
  private static let stationCount = 3

  /// A station with its departures of two days, as the floor looks at them.
  private struct Station {
    let sid: Int64
    var instants: [Int64]
    var trips: [Int64]
  }

  private let folder: TemporaryDirectory
  private let database: URL
  private let timetable: Timetable
  private let stations: [Station]
  private let routes: String
  private let questions: [(station: Int, instant: Date)]

  init(feed: URL, questionCount: Int) throws {
    folder = try TemporaryDirectory()
    database = folder.file("timetable.db")
    try FeedImporter(feed: feed, output: database).run()
    timetable = try Timetable(at: database)
    var random = SeededRandom(unprinted: 1)
    // A Monday without exceptions.
    let monday = try Date("2026-11-09T00:00:00+11:00", strategy: .iso8601)
    (stations, routes) = try timetable.reader.read { db in
      var random = SeededRandom(unprinted: 2)
      let sids = try Int64.fetchAll(
        db,
        sql: """
          SELECT coalesce(parent_sid, sid)
          FROM (SELECT stop_id, count(*) AS calls FROM stop_times GROUP BY stop_id)
            CROSS JOIN stops USING (stop_id)
          GROUP BY 1 ORDER BY sum(calls) DESC, 1 LIMIT ?
          """, arguments: [Self.stationCount])
      let stations = try sids.map { sid in
        var question = Departures(at: [sid], from: monday, limit: .max)
        question.duration = .seconds(2 * 86400)
        let all = try question.fetchAll(db).shuffled(using: &random)
        return Station(
          sid: sid, instants: all.map { Int64($0.departure.timeIntervalSince1970) },
          trips: all.map { $0.tid ?? 0 })
      }
      let rids = try Route.fetchAll(db, callingAt: [sids[0]]).map { "\($0.rid)" }
      return (stations, "[\(rids.joined(separator: ","))]")
    }
    let stationCount = stations.count
    questions = (0..<questionCount).map { _ in
      (
        random.below(stationCount),
        monday + Double(5 * 3600 + random.below(17 * 3600))
      )
    }
  }

  func askOurs() throws -> Times {
    Times(
      try questions.map { question in
        let start = Stopwatch.now
        let found = try timetable.reader.read { db in
          try Departures(
            at: [stations[question.station].sid], from: question.instant, limit: Self.limit
          ).fetchAll(db)
        }
        let time = (Stopwatch.now - start) / 1e3
        let expected = next(question.station, question.instant)
        guard found.count == expected.count, found.first?.tid != nil || expected.isEmpty else {
          throw BenchmarkError.differentWork(
            "departures", ours: UInt64(found.count), floor: UInt64(expected.count))
        }
        return time
      })
  }

  func askFloor() throws -> Times {
    Times(
      questions.map { question in
        let start = Stopwatch.now
        _ = next(question.station, question.instant)
        return (Stopwatch.now - start) / 1e3
      })
  }

  private func next(_ station: Int, _ instant: Date) -> [Int64] {
    let board = stations[station]
    var found = [Int64](repeating: 0, count: Self.limit)
    let count = unsafe floor_departures_next(
      board.instants, board.trips, Int64(board.instants.count),
      Int64(instant.timeIntervalSince1970), Int64(Self.limit), &found)
    return Array(found.prefix(Int(count)))
  }

  func openOurs() throws -> Double {
    let start = Stopwatch.now
    let opened = try Timetable(at: database)
    let found = try opened.reader.read { db in
      try Departures(at: [stations[0].sid], from: questions[0].instant, limit: Self.limit)
        .fetchAll(db)
    }
    let time = (Stopwatch.now - start) / 1e6
    guard !found.isEmpty else {
      throw BenchmarkError.differentWork("departures", ours: 0, floor: 1)
    }
    return time
  }

  func openFloor() throws -> Double {
    let start = Stopwatch.now
    let size = unsafe floor_departures_first(database.path, routes)
    guard size > 0 else { throw BenchmarkError.floor("read the patterns", message: database.path) }
    return (Stopwatch.now - start) / 1e6
  }
}
