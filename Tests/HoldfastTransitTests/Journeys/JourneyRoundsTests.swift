import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// A vehicle that an earlier round has entered is not followed again, except where riders with more
/// rides enter it sooner, or enter a sooner one.
@Suite struct JourneyRoundsTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A line from `a` by `b` and `c` to `d`, whose stop `c` is reached by one ride from `o`, and `a` by
  /// two.
  ///
  /// - Parameters:
  ///   - line: The trips of the line, by their times at the four stops.
  ///   - pickup: The `pickup_type` of the line at its stops.
  ///   - files: Other files.
  /// - Returns: The feed.
  /// - Throws: `FeedError` when it cannot be imported.
  private func feed(
    _ line: [String: [String]], pickup: [String] = ["0", "0", "0", "0"],
    files: [String: String] = [:]
  ) throws -> ImportedFeed {
    var calls = """
      to_c,08:00:00,08:00:00,o,1,0
      to_c,08:20:00,08:20:00,c,2,0
      to_m,08:00:00,08:00:00,o,1,0
      to_m,08:05:00,08:05:00,m,2,0
      to_a,08:07:00,08:07:00,m,1,0
      to_a,08:09:00,08:09:00,a,2,0

      """
    for (trip, times) in line.sorted(by: { $0.key < $1.key }) {
      for (index, time) in times.enumerated() {
        let clock = time.isEmpty ? "" : "\(time):00"
        calls += "\(trip),\(clock),\(clock),\(["a", "b", "c", "d"][index]),\(index + 1),"
        calls += "\(pickup[index])\n"
      }
    }
    let stops = ["o", "m", "a", "b", "c", "d"].enumerated().map { index, stop in
      "\(stop),\(stop),\(52 + Double(index) / 10),13.0\n"
    }
    let times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type\n" + calls
    return try ImportedFeed(
      stops: "stop_id,stop_name,stop_lat,stop_lon\n" + stops.joined(), calls: calls,
      files: files.merging(["stop_times.txt": times], uniquingKeysWith: { $1 }), in: directory)
  }

  private func answers(_ feed: ImportedFeed, to stop: String) throws -> [String] {
    let found = try feed.journeys("o", stop, at: "2026-06-10T07:55") {
      $0.maximumDuration = .seconds(3600)
    }
    return feed.summary(found).map { $0.replacing("10T08:00 ", with: "") }.sorted()
  }

  private static let two = [
    "l1": ["08:11", "08:13", "08:16", "08:25"], "l2": ["08:24", "08:28", "08:35", "08:45"],
  ]

  @Test func `More rides reach a sooner vehicle of the line that fewer rides have entered`() throws
  {
    let feed = try feed(Self.two)
    #expect(try answers(feed, to: "d") == ["to_c+l2 10T08:45", "to_m+to_a+l1 10T08:25"])
    #expect(try answers(feed, to: "b") == ["to_m+to_a+l1 10T08:13"])
  }

  @Test func `More rides enter the same vehicle before the stop where fewer have`() throws {
    let feed = try feed(["l2": Self.two["l2"] ?? []])
    #expect(try answers(feed, to: "d") == ["to_c+l2 10T08:45"])
    #expect(try answers(feed, to: "b") == ["to_m+to_a+l2 10T08:28"])
  }

  @Test func `A vehicle that overtakes on the way is another one`() throws {
    // The first one at the beginning is the last one from c on.
    let feed = try feed([
      "l1": ["08:11", "08:30", "08:50", "08:58"], "l2": ["08:24", "08:28", "08:35", "08:45"],
    ])
    #expect(try answers(feed, to: "d") == ["to_c+l2 10T08:45"])
    #expect(try answers(feed, to: "b") == ["to_m+to_a+l2 10T08:28"])
  }

  @Test func `Where nobody boards, riders with more rides are aboard`() throws {
    let feed = try feed(Self.two, pickup: ["0", "0", "1", "0"])
    #expect(try answers(feed, to: "d") == ["to_m+to_a+l1 10T08:25"])
    let closed = try self.feed(Self.two, pickup: ["1", "0", "0", "0"])
    #expect(try answers(closed, to: "d") == ["to_c+l2 10T08:45"])
    #expect(try answers(closed, to: "b").isEmpty)
  }

  @Test func `A stop without a time on the line hides no vehicle of another pace`() throws {
    // Behind the last time and before the first one nothing is known.
    let feed = try feed([
      "l1": ["08:11", "08:13", "08:16", ""], "l2": ["08:24", "08:28", "08:35", "08:45"],
    ])
    #expect(try answers(feed, to: "d") == ["to_c+l2 10T08:45"])
    #expect(try answers(feed, to: "b") == ["to_m+to_a+l1 10T08:13"])
  }

  @Test func `A rule for one trip of the line leaves the others to riders with more rides`() throws
  {
    let header = "from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type\n"
    let feed = try feed(Self.two, files: ["transfers.txt": header + "a,a,to_a,l1,3\n"])
    #expect(try answers(feed, to: "d") == ["to_c+l2 10T08:45"])
    #expect(try answers(feed, to: "b") == ["to_m+to_a+l2 10T08:28"])
    let only = try self.feed(Self.two, files: ["transfers.txt": header + "c,c,to_c,l2,3\n"])
    #expect(try answers(only, to: "d") == ["to_m+to_a+l1 10T08:25"])
  }

  @Test func `A late vehicle is entered where fewer rides reach it, and its line where more do`()
    throws
  {
    let feed = try feed(Self.two)
    let event = StopTimeEvent(delay: .seconds(1500))
    let late = TripUpdate(
      id: "late", trip: TripDescriptor(tripID: "l1", startDate: "20260610"),
      stopTimeUpdates: [StopTimeUpdate(stopSequence: 1, arrival: event, departure: event)])
    let found = try feed.journeys("o", "d", at: "2026-06-10T07:55") {
      $0.maximumDuration = .seconds(3600)
      $0.updates = TripUpdates([late], timestamp: nil)
    }
    #expect(feed.summary(found) == ["10T08:00 to_c+l2 10T08:45"])
    let backward = try feed.journeys("o", "d", by: "2026-06-10T08:46") {
      $0.updates = TripUpdates([late], timestamp: nil)
    }
    #expect(feed.summary(backward) == ["10T08:00 to_c+l2 10T08:45"])
  }
}
