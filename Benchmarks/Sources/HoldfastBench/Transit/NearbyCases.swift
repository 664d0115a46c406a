import CFloor
import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTransit

/// Benchmarks of finding the 20 stops of a city that are nearest to a position.
struct NearbyCases {
  private let questionCount: Int
  private let feed: Lazy<URL>

  init(isShort: Bool) {
    questionCount = isShort ? 10 : 1000
    feed = Lazy { try (isShort ? SyntheticFeed.city.small : .city).archive() }
  }

  var all: [Case] {
    let search = Lazy { try NearbySearches(feed: feed.value, questionCount: questionCount) }
    let rounds = Rounds {
      try search.value.askOurs()
    } floor: {
      try search.value.askFloor()
    }
    return [
      rounds.comparing(
        "nearby, the nearest 20 stops of \(questionCount) positions, p50", unit: "us",
        quantile: 0.50, bound: .value(200)
      ) { $0 }
    ]
  }
}

/// The searches of both sides, in the database of a feed.
private final class NearbySearches {
  private static let limit = 20

  private let folder: TemporaryDirectory
  private let timetable: Timetable
  private let latitudes, longitudes: [Double]
  private let positions: [Position]
  /// The distance of the farthest stop found for each position, in meters.
  private var farthest: [Double]

  init(feed: URL, questionCount: Int) throws {
    folder = try TemporaryDirectory()
    let database = folder.file("timetable.db")
    try FeedImporter(feed: feed, output: database).run()
    timetable = try Timetable(at: database)
    let stops = try timetable.reader.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT stop_lat, stop_lon FROM stops WHERE location_type IN (0, 1) AND stop_lat NOTNULL
          """
      ).map { (try $0.decode(Double.self, atIndex: 0), try $0.decode(Double.self, atIndex: 1)) }
    }
    (latitudes, longitudes) = (stops.map(\.0), stops.map(\.1))
    // Between two stops, so that a position is rarely that of one.
    positions = try (0..<questionCount).map { number in
      let (one, other) = (stops[number * 7919 % stops.count], stops[number * 104_729 % stops.count])
      return try Position(
        latitude: one.0 * 0.9 + other.0 * 0.1, longitude: one.1 * 0.9 + other.1 * 0.1)
    }
    farthest = Array(repeating: -1, count: questionCount)
  }

  func askOurs() throws -> Times {
    Times(
      try positions.indices.map { number in
        let start = Stopwatch.now
        let found = try timetable.reader.read { db in
          try NearbyStops(to: positions[number], limit: Self.limit).fetchAll(db)
        }
        let time = (Stopwatch.now - start) / 1e3
        try check(found.last?.distance.meters ?? 0, number)
        return time
      })
  }

  func askFloor() throws -> Times {
    Times(
      try positions.indices.map { number in
        let position = positions[number]
        let start = Stopwatch.now
        let found = unsafe floor_nearest(
          latitudes, longitudes, Int64(latitudes.count), position.latitude, position.longitude,
          Int64(Self.limit))
        let time = (Stopwatch.now - start) / 1e3
        try check(found, number)
        return time
      })
  }

  /// Checks that both sides found the same distance, to a tenth of a meter.
  private func check(_ distance: Double, _ number: Int) throws {
    guard farthest[number] >= 0 else { return farthest[number] = distance }
    guard abs(farthest[number] - distance) < 0.1 else {
      throw BenchmarkError.differentWork(
        "nearby", ours: UInt64(distance), floor: UInt64(farthest[number]))
    }
  }
}
