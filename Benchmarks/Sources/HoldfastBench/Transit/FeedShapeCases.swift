import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTransit

/// Benchmarks of feeds in which two counts are large at one place, whose product must not matter.
struct FeedShapeCases {
  private let isShort: Bool

  init(isShort: Bool) {
    self.isShort = isShort
  }

  var all: [Case] {
    hubCases + FeedShape.Kind.allCases.flatMap(cases)
  }

  // MARK: - Hubs

  private var hubCases: [Case] {
    let feed = isShort ? HubFeed.railway.small : .railway
    let database = Lazy { try JourneyDatabase(feed: feed.archive()) }
    let searches = Lazy {
      try JourneySearches(
        in: database.value.url, pairCount: isShort ? 10 : 1000, roundCount: 1)
    }
    return [
      Case(
        "journeys among \(feed.ruleCount) rules of trips, the first search on a connection",
        unit: "ms", bound: .value(150),
        ours: Probe { _ in
          Reading(value: try searches.value.warmUp().time, allocations: nil, proof: 0)
        }, floor: nil),
      Case(
        "journeys among \(feed.ruleCount) rules of trips, memory of the first search", unit: "MB",
        bound: .value(48),
        ours: Probe { _ in
          Reading(value: try database.value.memory().first, allocations: nil, proof: 0)
        }, floor: nil),
      Case(
        "journeys among \(feed.ruleCount) rules of trips, p50", unit: "ms", bound: .value(5),
        ours: Probe { _ in
          Reading(
            value: try searches.value.askOurs().quantile(0.5), allocations: nil, proof: 0)
        }, floor: nil),
    ]
  }

  // MARK: - Shapes

  /// A feed, and what it costs.
  private final class Shape {
    private let feed: FeedShape
    private let database: Lazy<JourneyDatabase>

    init(_ feed: FeedShape) {
      self.feed = feed
      database = Lazy { try JourneyDatabase(feed: feed.archive()) }
    }

    /// Returns the milliseconds of an import.
    func importFeed() throws -> Double {
      let archive = try feed.archive()
      let folder = try TemporaryDirectory()
      let start = Stopwatch.now
      try FeedImporter(feed: archive, output: folder.file("timetable.db")).run()
      return (Stopwatch.now - start) / 1e6
    }

    /// Returns the milliseconds of a first search of a kind.
    func ask(_ body: (Database) throws -> Int) throws -> Double {
      let timetable = try Timetable(at: database.value.url)
      let start = Stopwatch.now
      let count = try timetable.reader.read(body)
      let time = (Stopwatch.now - start) / 1e6
      guard count > 0 else { throw BenchmarkError.differentWork("\(feed.kind)", ours: 0, floor: 1) }
      return time
    }
  }

  private func cases(_ kind: FeedShape.Kind) -> [Case] {
    let divisor = isShort ? 20 : 1
    let ours = Shape(FeedShape(kind: kind, isSpread: false, divisor: divisor))
    let floor = Shape(FeedShape(kind: kind, isSpread: true, divisor: divisor))
    func compare(_ name: String, _ cost: @escaping (Shape) throws -> Double) -> Case {
      Case(
        "\(kind.rawValue): \(name)", unit: "ms", bound: .ratio(3),
        ours: Probe { _ in Reading(value: try cost(ours), allocations: nil, proof: 0) },
        floor: Probe { _ in Reading(value: try cost(floor), allocations: nil, proof: 0) })
    }
    // Its answer is as large as the shape, so that another feed shows nothing.
    func alone(
      _ name: String, most milliseconds: Double, _ question: @escaping (Database) throws -> Int
    ) -> Case {
      Case(
        "\(kind.rawValue): \(name)", unit: "ms", bound: .value(milliseconds),
        ours: Probe { _ in Reading(value: try ours.ask(question), allocations: nil, proof: 0) },
        floor: nil)
    }
    let all = [
      compare("import") { try $0.importFeed() },
      compare("the first journey") { try $0.ask(FeedShapeQuestions.journey) },
    ]
    return switch kind {
    case .places: all + [compare("stops by name") { try $0.ask(FeedShapeQuestions.stops) }]
    case .exceptions: all + [alone("10,000 days of a service", most: 10, FeedShapeQuestions.days)]
    case .translations:
      all + [alone("the trip in one of 100 languages", most: 500, FeedShapeQuestions.trip)]
    default: all
    }
  }
}
