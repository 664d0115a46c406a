import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Riders who stay on vehicles that become one.
@Suite struct JourneyStaysTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Two vehicles from `a` join a third one: `first` at its first stop, `second` farther on.
  private func feed(_ first: String, _ second: String) throws -> ImportedFeed {
    let stops = ["a", "w", "v", "x", "y"].enumerated().map { index, stop in
      "\(stop),\(stop),\(52 + Double(index) / 10),13.0\n"
    }
    return try ImportedFeed(
      stops: "stop_id,stop_name,stop_lat,stop_lon\n" + stops.joined(),
      calls: """
        \(first),08:00:00,08:00:00,a,1
        \(first),08:20:00,08:20:00,w,2
        \(second),08:00:00,08:00:00,a,1
        \(second),08:33:00,08:33:00,x,2
        on,08:25:00,08:25:00,w,1
        on,08:30:00,08:30:00,v,2
        on,08:35:00,08:35:00,x,3
        on,08:50:00,08:50:00,y,4

        """,
      files: [
        "transfers.txt": """
        from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type
        w,w,\(first),on,4
        x,x,\(second),on,4

        """
      ], in: directory)
  }

  /// Whichever of them is followed first: behind the stop where one is known, all were reached as early.
  @Test(arguments: [("m", "n"), ("n", "m")])
  func `A vehicle that several become is followed from the first stop at which riders are on it`(
    first: String, second: String
  ) throws {
    let feed = try feed(first, second)
    func journeys(to stop: String) throws -> [String] {
      let forward = feed.summary(
        try feed.journeys("a", stop, at: "2026-06-10T07:55") {
          $0.maximumDuration = .seconds(3600)
        })
      let backward = feed.summary(
        try feed.journeys("a", stop, by: "2026-06-10T08:55") {
          $0.maximumDuration = .seconds(3600)
        })
      #expect(forward.map { $0.suffix(8) } == backward.map { $0.suffix(8) })
      return forward
    }
    #expect(try journeys(to: "v") == ["10T08:00 \(first)+=on 10T08:30"])
    #expect(try journeys(to: "y").map { $0.suffix(8) } == ["10T08:50"])
    #expect(try journeys(to: "x") == ["10T08:00 \(second) 10T08:33"])
  }
}
