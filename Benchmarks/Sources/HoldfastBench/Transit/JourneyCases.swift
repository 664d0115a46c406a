import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTransit

/// Benchmarks of finding journeys in a city at rush hour, between pairs of its stops.
///
/// There is no floor: which labels a search reads depends on those that it has written, so that no scan
/// of memory does the same work.
struct JourneyCases {
  private let pairCount: Int
  private let roundCount: Int
  private let feed: Lazy<URL>

  init(isShort: Bool) {
    pairCount = isShort ? 10 : 1000
    roundCount = isShort ? 2 : 10
    feed = Lazy { try (isShort ? SyntheticFeed.city.small : .city).archive() }
  }

  var all: [Case] {
    let database = Lazy { try JourneyDatabase(feed: feed.value) }
    let searches = Lazy {
      try JourneySearches(
        in: database.value.url, pairCount: pairCount, roundCount: roundCount)
    }
    let memory = Lazy { try database.value.memory() }
    func quantile(_ name: String, _ quantile: Double, _ bound: Double) -> Case {
      var round = 0
      return Case(
        "journeys between \(pairCount) pairs of stops, \(name)", unit: "ms", bound: .value(bound),
        ours: Probe { _ in
          let times = try searches.value.times(ofRound: round)
          round += 1
          return Reading(value: times.quantile(quantile), allocations: nil, proof: 0)
        }, floor: nil)
    }
    return [
      quantile("p50", 0.50, 10), quantile("p99", 0.99, 50),
      Case(
        "journeys, the first search on a connection", unit: "ms", bound: .value(300),
        ours: Probe { _ in
          Reading(value: try searches.value.warmUp().time, allocations: nil, proof: 0)
        }, floor: nil),
      Case(
        "journeys, memory of a process that searches \(JourneyWork.pairCount) times", unit: "MB",
        bound: .value(64),
        ours: Probe { _ in
          Reading(value: try memory.value, allocations: nil, proof: 0)
        }, floor: nil),
    ]
  }
}

/// The database of a feed.
private final class JourneyDatabase {
  private let folder: TemporaryDirectory
  let url: URL

  init(feed: URL) throws {
    folder = try TemporaryDirectory()
    url = folder.file("timetable.db")
    try FeedImporter(feed: feed, output: url).run()
  }

  /// Returns the memory that searches add to a process, in MB.
  func memory() throws -> Double {
    let words = try ChildProcess(.findJourneys, url.path).words()
    guard words.count == 1, let bytes = Double(words[0]) else {
      throw BenchmarkError.childFailed(words.joined(separator: " "))
    }
    return bytes / 1e6
  }
}

/// The work of a process that finds journeys.
enum JourneyWork {
  static let pairCount = 1000

  /// Prints how much memory searches took at most in addition to that of the opened database, which
  /// only a process shows that has done nothing else before.
  static func find(_ path: String) throws {
    let searches = try JourneySearches(
      in: URL(filePath: path), pairCount: pairCount, roundCount: 1)
    let before = ProcessMemory.resident
    _ = try searches.times(ofRound: 0)
    let growth = ProcessMemory.peak - before
    try FileHandle.standardOutput.write(contentsOf: Data("\(growth)\n".utf8))
  }
}

/// The searches in a database.
private final class JourneySearches {
  private let database: URL
  private let timetable: Timetable
  private let pairs: [[(from: Int64, to: Int64)]]
  private let instant: Date
  private var rounds: [Int: Times] = [:]

  init(in database: URL, pairCount: Int, roundCount: Int) throws {
    self.database = database
    timetable = try Timetable(at: database)
    let (sids, day) = try timetable.reader.read { db in
      (
        try Int64.fetchAll(
          db,
          sql: """
            SELECT sid FROM dict_stop
            WHERE stop_id IN (SELECT DISTINCT stop_id FROM stop_times) ORDER BY sid
            """),
        try Int.fetchOne(db, sql: "SELECT min(start_date) FROM services WHERE weekdays & 2")
      )
    }
    var random = SeededRandom(unprinted: 1)
    pairs = (0..<roundCount).map { _ in
      (0..<pairCount / roundCount).map { _ in
        (sids[random.below(sids.count)], sids[random.below(sids.count)])
      }
    }
    // The first Tuesday on which the services run.
    var first = ServiceDay(number: day ?? 20_260_101)?.start(in: .gmt) ?? .now
    while Calendar(identifier: .gregorian).component(.weekday, from: first + 43200) != 3 {
      first += 86400
    }
    let zone = try timetable.reader.read { db in
      try Stop.fetchOne(db, sid: sids[0])?.timeZone(db)
    }
    let offset = (zone ?? .gmt).secondsFromGMT(for: first)
    instant = first - Double(offset) + 8 * 3600
  }

  /// Returns the time of the first search on a new connection, in milliseconds.
  func warmUp() throws -> (time: Double, count: Int) {
    let timetable = try Timetable(at: database)
    let start = Stopwatch.now
    let count = try search(pairs[0][0], in: timetable)
    return ((Stopwatch.now - start) / 1e6, count)
  }

  /// Returns the times of the searches of a round, in milliseconds; those before are a warm-up.
  func times(ofRound round: Int) throws -> Times {
    if let times = rounds[round] { return times }
    if rounds.isEmpty { _ = try search(pairs[0][0], in: timetable) }
    let times = Times(
      try pairs[round % pairs.count].map { pair in
        let start = Stopwatch.now
        _ = try search(pair, in: timetable)
        return (Stopwatch.now - start) / 1e6
      })
    rounds[round] = times
    return times
  }

  private func search(_ pair: (from: Int64, to: Int64), in timetable: Timetable) throws -> Int {
    try timetable.reader.read { db in
      try Journeys(from: .stop(pair.from), to: .stop(pair.to), .departing(instant)).fetchAll(db)
        .count
    }
  }
}
