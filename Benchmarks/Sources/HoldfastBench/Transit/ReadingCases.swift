import CFloor
import Foundation

/// Benchmarks of reading the archive of a city: what others take, and a report.
struct ReadingCases {
  private let feed: Lazy<URL>
  private let package: Lazy<URL?>

  init(isShort: Bool) {
    feed = Lazy { try (isShort ? SyntheticFeed.city.small : .city).archive() }
    package = FeedFloor.duckDBPackage(isShort: isShort)
  }

  var all: [Case] {
    let unzip = FeedFloor.unzip(feed)
    return [
      Case(
        "floor: the city's archive inflated by zlib", unit: "ms", bound: nil,
        ours: FeedFloor.inflate(feed, byISAL: false), floor: unzip),
      Case(
        "floor: the city's archive inflated by ISA-L", unit: "ms", bound: nil,
        ours: FeedFloor.inflate(feed, byISAL: true), floor: unzip
      ) {
        floor_has_isal() ? nil : "there is no ISA-L"
      },
      Case(
        "peer: the city's unzipped files as text in DuckDB", unit: "ms", bound: nil,
        ours: FeedFloor.duckDB(feed, package), floor: unzip, absence: absence(of: package)),
      Case(
        "report of the city", unit: "ms", bound: .ratio(1.5),
        ours: Probe { _ in
          Reading(
            value: try FeedRun(.reportFeed, feed.value).time, allocations: nil, proof: 0)
        }, floor: unzip),
    ]
  }
}

/// Returns why DuckDB cannot be compared with; `nil` when it can.
func absence(of package: Lazy<URL?>) -> () throws -> String? {
  { try package.value == nil ? "DuckDB cannot be had from pip, or this is the short form" : nil }
}
