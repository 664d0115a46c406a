import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTransit

/// Benchmarks of finding journeys in a city at rush hour, between pairs of its stops.
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
    let rounds = Rounds {
      try searches.value.askOurs()
    } floor: {
      try searches.value.askFloor()
    }
    func quantile(_ name: String, _ quantile: Double, _ bound: Bound) -> Case {
      rounds.comparing(
        "journeys between \(pairCount) pairs of stops, \(name)", unit: "ms", quantile: quantile,
        bound: bound
      ) { $0 }
    }
    return [
      quantile("p50", 0.50, search(.ratio(0.6))), quantile("p99", 0.99, search(.ratio(0.8))),
      Case(
        "journeys, the first search on a connection", unit: "ms", bound: first(.value(60)),
        ours: Probe { _ in
          Reading(value: try searches.value.warmUp().time, allocations: nil, proof: 0)
        }, floor: nil),
      Case(
        "journeys, memory of the first search", unit: "MB", bound: firstMemory,
        ours: Probe { _ in
          Reading(value: try memory.value.first, allocations: nil, proof: 0)
        }, floor: nil),
      Case(
        "journeys, memory of \(JourneyWork.pairCount) searches and their answers", unit: "MB",
        bound: nil,
        ours: Probe { _ in
          Reading(value: try memory.value.all, allocations: nil, proof: 0)
        }, floor: nil),
    ]
  }

  private func search(_ bound: Bound) -> Bound {
    bound.unreached(
      "it is the search of the floor, which has no answers to make",
      profile: """
        604 000 calls that are looked at between two stops in C, 573 000 of them on a vehicle, 739 000 \
        ways on foot and 548 000 marked calls: 0.56, 0.16 and 0.25 of its time. Vehicles are left here \
        where an earlier round has entered them: 324 000 calls on a vehicle, 0.95 of the time in C. Here \
        92 million instructions are left of 125 for a search: 0.35 in calls, 0.18 on ways, 0.13 for marked \
        calls, 0.11 for the days of patterns; a fifth of the time waits for a trip's times and for ways, \
        which a cache of 1 MB lacks. A search in the other direction follows for each answer, through \
        what the first has reached with the rides that are left: 20 million instructions more, 34 million \
        if the rides do not limit it. Prototypes in C, with equal answers: exact lower bounds to the end \
        0.83 of the calls; each round's and the last arrival \
        known before it begins 0.64, with both 0.54, of which the round's own, known by following the last \
        patterns first, is 0.01; a scan of all connections by departure 0.75 at p50 and 1.4 at p99, with \
        50 MB for a day. Trip-based with the transfers of a day reduced: 0.7 and 2.1 with 23 million \
        transfers, 107 MB and 90 s to make them; pairs of patterns for all days 19 and 75. The rounds, but a \
        vehicle is left at each call for which an earlier departure of its pattern was boarded in any round: \
        0.5 and 0.6 in C, 0.75 and 0.85 in Swift that records rides, with nothing stored, on tables that are \
        laid out for it. In this search it followed 276 000 calls on a vehicle in \
        place of 347 000, with 1.08 of the cache misses; with the last useful label of each call of 16 bits \
        alone, on the tables of today, it took 0.96 of the time forward and 1.1 backward, and in place of \
        the vehicle that is known of each pattern 1.15, though it followed 15 400 patterns in place of 26 700: \
        neither was kept, nor that a vehicle is left where its labels no longer matter, which half of the \
        calls before the last entry are: 0.99 of the instructions, and 0.86 to 1.56 of the time in eleven turns. \
        The earliest arrival whatever the rides, by nodes in the order of their labels, \
        takes 1.5 of the floor in C, so that no search gains that has to know it first. Of what misses a cache \
        of 1 MB a third are times and trips. Of the ways 0.05 \
        are useless because riders reach all the same vehicles no later by boarding earlier or alighting \
        later, and 0.07 of the marks
        """)
  }

  private var firstMemory: Bound {
    .value(24).unreached(
      "half of it are pages of the program and its libraries, which the first search touches",
      profile: """
        of the tool's 59 MB after a journey 40 are pages of files, which the system may drop at any time, \
        and 18.6 its own, 4.3 of them before the search: the times 3, the ways between stops 3.4, trips 1.5, \
        calls by stop 3, stops and patterns 3. Buffers that nothing writes to are not resident
        """)
  }

  private func first(_ bound: Bound) -> Bound {
    bound.unreached(
      "it reaches nearly all patterns of the city, and decodes all their trips",
      profile: """
        556 million instructions on the first thread, of 842 million before: 0.23 reading stops and \
        rows, while others decode the patterns' calls, 0.18 its part of reading and decoding times and \
        trips, 0.1 arranging them for the day, 0.19 the 430 000 ways between stops, of which 0.08 sort \
        the stops by place, 0.3 the search itself. All threads together need about as many as before, so that \
        little is gained where there is one core, or where others use it
        """)
  }
}

/// The database of a feed.
final class JourneyDatabase {
  private let folder: TemporaryDirectory
  let url: URL

  init(feed: URL) throws {
    folder = try TemporaryDirectory()
    url = folder.file("timetable.db")
    try FeedImporter(feed: feed, output: url).run()
  }

  /// Returns the memory that the first search adds to a process, and all of them, in MB.
  func memory() throws -> (first: Double, all: Double) {
    let words = try ChildProcess(.findJourneys, url.path).words()
    guard words.count == 2, let first = Double(words[0]), let all = Double(words[1]) else {
      throw BenchmarkError.childFailed(words.joined(separator: " "))
    }
    return (first / 1e6, all / 1e6)
  }
}

/// The work of a process that finds journeys.
enum JourneyWork {
  static let pairCount = 1000

  /// Prints how much memory the first search took at most in addition to that of the opened database,
  /// and all searches, which only a process shows that has done nothing else before.
  static func find(_ path: String) throws {
    let searches = try JourneySearches(
      in: URL(filePath: path), pairCount: pairCount, roundCount: 1)
    let before = ProcessMemory.resident
    try searches.askFirst()
    let first = ProcessMemory.peak - before
    _ = try searches.askOurs()
    let all = ProcessMemory.peak - before
    try FileHandle.standardOutput.write(contentsOf: Data("\(first) \(all)\n".utf8))
  }
}

/// The searches in a database.
final class JourneySearches {
  private let database: URL
  private let timetable: Timetable
  private let pairs: [[(from: Int64, to: Int64)]]
  private let instant: Date
  private let zone: TimeZone
  private var floor: JourneyFloor?
  /// The arrivals that were found in each round, in seconds from the instant.
  private var found: [[[Int]]] = []
  private var expected: [[[Int]]] = []

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
    self.zone = zone ?? .gmt
    instant = first - Double(self.zone.secondsFromGMT(for: first)) + 8 * 3600
  }

  /// Returns the time of the first search on a new connection, in milliseconds.
  func warmUp() throws -> (time: Double, count: Int) {
    let timetable = try Timetable(at: database)
    let start = Stopwatch.now
    let count = try search(pairs[0][0], in: timetable).count
    return ((Stopwatch.now - start) / 1e6, count)
  }

  /// Searches once, which reads the network.
  func askFirst() throws {
    _ = try search(pairs[0][0], in: timetable)
  }

  /// Returns the times of the searches of the next round, in milliseconds.
  func askOurs() throws -> Times {
    // The searches before are a warm-up.
    if found.isEmpty { try askFirst() }
    var arrivals: [[Int]] = []
    let times = try pairs[found.count % pairs.count].map { pair in
      let start = Stopwatch.now
      let journeys = try search(pair, in: timetable)
      let time = (Stopwatch.now - start) / 1e6
      // What the library finds in the days after, the floor does not look for.
      arrivals.append(
        journeys.map { Int($0.arrival.timeIntervalSince(instant)) }.filter { $0 <= 86400 }
          .sorted(by: >))
      return time
    }
    found.append(arrivals)
    try compare()
    return Times(times)
  }

  /// Returns the times of the same searches in C, in milliseconds.
  func askFloor() throws -> Times {
    let floor = try floor ?? makeFloor()
    self.floor = floor
    var arrivals: [[Int]] = []
    let times = pairs[expected.count % pairs.count].map { pair in
      let start = Stopwatch.now
      arrivals.append(floor.arrivals(from: pair.from, to: pair.to))
      return (Stopwatch.now - start) / 1e6
    }
    expected.append(arrivals)
    try compare()
    return Times(times)
  }

  /// Compares the arrivals of a round that both sides have run.
  private func compare() throws {
    guard found.count == expected.count, let found = found.last, let expected = expected.last else {
      return
    }
    guard found == expected else {
      let count = zip(found, expected).count { $0 != $1 }
      throw BenchmarkError.differentWork("journeys", ours: UInt64(count), floor: 0)
    }
  }

  private func makeFloor() throws -> JourneyFloor {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    // Vehicles run after midnight, and a journey takes a day at most.
    let days = (-1...1).compactMap { day -> ServiceDay? in
      let date = calendar.dateComponents(
        [.year, .month, .day], from: instant + Double(day) * 86400)
      guard let year = date.year, let month = date.month, let day = date.day else { return nil }
      return ServiceDay(number: year * 10000 + month * 100 + day)
    }
    return try timetable.reader.read { db in
      try JourneyFloor(
        db, days: days, zeros: days.map { Int32($0.start(in: zone).timeIntervalSince(instant)) })
    }
  }

  private func search(
    _ pair: (from: Int64, to: Int64), in timetable: Timetable
  ) throws -> [Journey] {
    try timetable.reader.read { db in
      try Journeys(from: .stop(pair.from), to: .stop(pair.to), .departing(instant)).fetchAll(db)
    }
  }
}
