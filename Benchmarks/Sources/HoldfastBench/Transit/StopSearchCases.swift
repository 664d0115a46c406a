import CFloor
import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTransit

/// Benchmarks of searching the stops of a city while a name is typed.
///
/// A thousand names are typed letter by letter, each keystroke a search. They are dealt to the rounds.
struct StopSearchCases {
  private let nameCount: Int
  private let roundCount: Int
  private let feed: Lazy<URL>

  init(isShort: Bool) {
    nameCount = isShort ? 10 : 1000
    roundCount = isShort ? 2 : 10
    feed = Lazy { try (isShort ? SyntheticFeed.city.small : .city).archive() }
  }

  var all: [Case] {
    let search = Lazy {
      try StopSearches(feed: feed.value, nameCount: nameCount, roundCount: roundCount)
    }
    let rounds = Rounds {
      try search.value.searchOurs()
    } floor: {
      try search.value.searchFloor()
    }
    return [
      rounds.comparing(
        "stop search, each keystroke of \(nameCount) names, p50", unit: "us", quantile: 0.50,
        bound: .value(300)
      ) { $0 },
      rounds.comparing(
        "stop search, each keystroke of \(nameCount) names, p99", unit: "us", quantile: 0.99,
        bound: .value(3000)
      ) { $0 },
    ]
  }
}

/// The searches of both sides, in the database of a feed.
private final class StopSearches {
  private static let limit = 50

  private let folder: TemporaryDirectory
  private let timetable: Timetable
  private let floor: FloorStops
  private let texts: [[String]]

  /// The number of stops that each side found in its rounds.
  private var ours: [Int] = []
  private var floors: [Int] = []

  init(feed: URL, nameCount: Int, roundCount: Int) throws {
    folder = try TemporaryDirectory()
    let database = folder.file("timetable.db")
    try FeedImporter(feed: feed, output: database).run()
    timetable = try Timetable(at: database)
    floor = try FloorStops(database)
    let names = try timetable.reader.read { db in
      try String.fetchAll(db, sql: "SELECT stop_name FROM stops ORDER BY sid")
    }
    texts = (0..<roundCount).map { round in
      stride(from: round, to: nameCount, by: roundCount).flatMap { number in
        let name = names[number * names.count / nameCount]
        return (1...name.count).map { String(name.prefix($0)) }
      }
    }
  }

  func searchOurs() throws -> Times {
    let texts = texts[ours.count % texts.count]
    var count = 0
    let times = try texts.map { text in
      let start = Stopwatch.now
      count += try timetable.reader.read { db in
        try StopSearch(text, limit: Self.limit).fetchAll(db).count
      }
      return (Stopwatch.now - start) / 1e3
    }
    ours.append(count)
    try compare()
    return Times(times)
  }

  func searchFloor() throws -> Times {
    let texts = texts[floors.count % texts.count]
    var count = 0
    let times = texts.map { text in
      let start = Stopwatch.now
      count += floor.search(text, limit: Self.limit)
      return (Stopwatch.now - start) / 1e3
    }
    floors.append(count)
    try compare()
    return Times(times)
  }

  /// Checks that both sides found as many stops in the last round that both ran.
  private func compare() throws {
    guard let round = zip(ours.indices, floors.indices).map(\.0).last,
      ours[round] != floors[round]
    else { return }
    throw BenchmarkError.differentWork(
      "stop search", ours: UInt64(ours[round]), floor: UInt64(floors[round]))
  }
}

/// The stops of a timetable in the memory of the C side.
@safe
private final class FloorStops {
  private let stops: OpaquePointer

  init(_ database: URL) throws {
    guard let stops = unsafe floor_stops_open(database.path) else {
      throw BenchmarkError.floor("read the stops", message: database.path)
    }
    unsafe self.stops = stops
  }

  deinit {
    unsafe floor_stops_free(stops)
  }

  func search(_ text: String, limit: Int) -> Int {
    unsafe Int(floor_stops_search(stops, text, Int64(limit)))
  }
}
