import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastFeeds

/// The schedule of any feed is what a naive reading of its rows finds.
@Suite struct SchedulePropertyTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// A feed of a few trips whose rows have every kind of value, in a random order.
  private func feed(using random: inout some RandomNumberGenerator) -> FeedFixture {
    var fixture = FeedFixture()
    func one(_ values: [String]) -> String { values.randomElement(using: &random) ?? "" }
    fixture["stops.txt"] =
      "stop_id,stop_name,stop_lat,stop_lon\n"
      + (0..<5).map { "S\($0),Stop \($0),1,1\n" }.joined()
    fixture["routes.txt"] =
      "route_id,agency_id,route_short_name,route_type\nA,HF,A,3\nB,HF,B,3\n"
    let tripCount = Int.random(in: 1...12, using: &random)
    var trips: [String] = []
    for trip in 0..<tripCount {
      let values = [
        "T\(trip)", one(["A", "B", "B", "X"]), one(["W", "W", "V"]), one(["", "0", "1", "7"]),
        one(["", "Ōtaki", "\"North, by bus\""]), one(["", "b1"]), one(["", "\"a \"\"note\"\"\""]),
      ]
      trips.append(values.joined(separator: ",") + "\n")
    }
    trips.shuffle(using: &random)
    fixture["trips.txt"] =
      "trip_id,route_id,service_id,direction_id,trip_headsign,block_id,my_note\n" + trips.joined()
    var rows: [String] = []
    for trip in 0..<tripCount {
      let isLike = Bool.random(using: &random)
      let start = Int.random(in: 0..<100, using: &random) * 600
      for sequence in 0..<Int.random(in: 0..<6, using: &random) {
        let seconds = start + sequence * (isLike ? 60 : Int.random(in: 60..<63, using: &random))
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60]
        let parts = clock.map { $0 < 10 ? "0\($0)" : "\($0)" }
        let short = "\(clock[0]):\(parts[1]):\(parts[2])"
        let time = one([parts.joined(separator: ":"), short, parts.joined(separator: ":")])
        let stop = isLike ? "S\(sequence % 5)" : one(["S0", "S1", "S2", "nowhere"])
        let values = [
          "T\(trip)", one([time, time, ""]), one([time, time, "late", "1:2:3"]), stop,
          "\(sequence * 5)", one(["", "", "Zoo"]), one(["", "", "0", "3", "9"]),
          one(["", "", "0", "1.5", "-0", "far"]), one(["", "", "x"]),
        ]
        let surplus = Int.random(in: 0..<20, using: &random) == 0 ? ",surplus" : ""
        rows.append(values.joined(separator: ",") + surplus + "\n")
      }
    }
    // Adjacent, cut into pieces, or fully scattered.
    switch Int.random(in: 0..<3, using: &random) {
    case 0: break
    case 1: rows = Array(rows.dropFirst(rows.count / 2) + rows.prefix(rows.count / 2))
    default: rows.shuffle(using: &random)
    }
    fixture["stop_times.txt"] =
      "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,pickup_type,"
      + "shape_dist_traveled,more\n" + rows.joined()
    return fixture
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a random feed has the content of a naive reading`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<10 {
      let url = try feed(using: &random).writeFolder(in: folder, under: UUID().uuidString)
      let lines = try ScheduleLines(of: url)
      let found = lines.lines.filter { $0.hasPrefix("trips ") || $0.hasPrefix("stop_times ") }
      let naive = try ScheduleLines.naive(of: url)
      #expect(found == naive, "seed \(seed)")
      #expect(lines.content.rows["stop_times.txt"] == naive.count { $0.hasPrefix("stop_times") })
    }
  }

  @Test(.enabled(if: SharedFeeds.arePresent, SharedFeeds.absence))
  func `small real feeds have the content of a naive reading`() throws {
    var compared = 0
    for name in try SharedFeeds.names(in: "feeds") + SharedFeeds.names(in: "broken-feeds") {
      let url = SharedFeeds.root.appending(path: name)
      let path = url.path(percentEncoded: false)
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      // The duplicate is left out of one of them.
      if try #require(size) > 45_000 || name.contains("duplicate_stop_sequence") { continue }
      let lines: ScheduleLines
      do { lines = try ScheduleLines(of: url) } catch is FeedError { continue }
      let found = lines.lines.filter { $0.hasPrefix("trips ") || $0.hasPrefix("stop_times ") }
      #expect(try found == ScheduleLines.naive(of: url), "\(name)")
      compared += 1
    }
    #expect(compared > 30)
  }
}
