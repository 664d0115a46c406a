import Foundation
import HoldfastFeeds

/// Benchmarks of importing a city and a country: time, memory, and the size of the database.
struct ImportCases {
  private let city: Lazy<URL>
  private let country: Lazy<URL>
  private let package: Lazy<URL?>

  /// What the names of the cases say when trips and times are not imported.
  private let scope: String

  init(isShort: Bool) throws {
    city = Lazy { try (isShort ? SyntheticFeed.city.small : .city).archive() }
    country = Lazy { try (isShort ? SyntheticFeed.country.small : .country).archive() }
    package = FeedFloor.duckDBPackage(isShort: isShort)
    let folder = try TemporaryDirectory()
    let summary = try FeedImporter(
      feed: SyntheticFeed.city.small.archive(), output: folder.file("timetable.db")
    ).run()
    let hasTimes = (summary.rows["stop_times.txt"] ?? 0) > 0
    scope = hasTimes ? "" : " (without trips and times)"
  }

  /// The runs of the imports of a feed, of which several cases use one side each.
  private final class Runs {
    private let feed: Lazy<URL>
    private var runs: [FeedRun] = []

    init(_ feed: Lazy<URL>) {
      self.feed = feed
    }

    func next() throws -> FeedRun {
      let run = try FeedRun(.importFeed, feed.value)
      runs.append(run)
      return run
    }

    /// The runs so far, and at least one.
    var all: [FeedRun] {
      get throws { try runs.isEmpty ? [next()] : runs }
    }
  }

  var all: [Case] {
    let runs = Runs(city)
    let time = Probe { _ in Reading(value: try runs.next().time, allocations: nil, proof: 0) }
    let timed = [
      Case(
        "import of the city\(scope)", unit: "ms", bound: .ratio(2), ours: time,
        floor: FeedFloor.unzip(city)),
      Case(
        "import of the city\(scope), against DuckDB", unit: "ms", bound: againstDuckDB, ours: time,
        floor: FeedFloor.duckDB(city, package), absence: absence(of: package)),
    ]
    let real = ["hart-tampa", "nyc-subway-2018"].map(sharedCase)
    return timed + sizes("city", runs, memory: 600, database: 15_000) + countryCases + real
  }

  private var againstDuckDB: Bound {
    .ratio(1).unreached(
      "DuckDB loads the rows as texts; an import also joins, codes, digests and indexes them",
      profile: """
        4.05 s of processor time on two busy cores: 35 % reading stop_times, 15 % patterns, 11 % the \
        identity, 10 % stops, the rest spread evenly
        """)
  }

  private var ofCountry: Bound {
    .ratio(2).unreached(
      "500,000 stops are inserted, indexed and digested, which one thread does",
      profile: """
        25 % stop times, 21 % stops and the search index, 13 % the identity; tables, trips and numbers \
        on one thread
        """)
  }

  /// A country is imported once, and takes most of a minute.
  private var countryCases: [Case] {
    let runs = Runs(country)
    let unzip = FeedFloor.unzip(country)
    let floor = Lazy { try unzip.read(false) }
    let timed = Case(
      "import of the country\(scope), one round", unit: "ms", bound: ofCountry,
      ours: Probe { _ in
        Reading(value: try runs.all[0].time, allocations: nil, proof: 0)
      },
      floor: Probe { _ in try floor.value })
    return [timed] + sizes("country", runs, memory: 1000, database: 60_000)
  }

  private func sizes(
    _ name: String, _ runs: Runs, memory: Double, database: Double
  ) -> [Case] {
    [
      Case(
        "peak memory of the import of the \(name)\(scope)", unit: "MB", bound: .value(memory),
        ours: Probe { _ in
          let peaks = try runs.all.map(\.peak)
          return Reading(value: peaks.max() ?? 0, allocations: nil, proof: 0)
        }, floor: nil),
      Case(
        "database of the \(name)\(scope)", unit: "kB", bound: .value(database),
        ours: Probe { _ in
          Reading(value: try runs.all[0].size, allocations: nil, proof: 0)
        }, floor: nil),
    ]
  }

  /// The size of the database of one of the real feeds next to the package.
  private func sharedCase(_ name: String) -> Case {
    // The folder .build/bench is two below the package.
    let feed = Lazy {
      try BenchFolder.url().appending(path: "../../../shared/data/feeds/\(name).zip")
        .standardizedFileURL
    }
    let runs = Runs(feed)
    return Case(
      "database of \(name)\(scope), without shapes", unit: "kB", bound: .value(1000),
      ours: Probe { _ in
        Reading(value: try runs.all[0].size, allocations: nil, proof: 0)
      }, floor: nil
    ) {
      FileManager.default.fileExists(atPath: try feed.value.path)
        ? nil : "the shared feeds are absent"
    }
  }
}
