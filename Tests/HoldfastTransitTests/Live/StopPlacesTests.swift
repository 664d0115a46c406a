import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// The visits of a stop that updates may be about.
@Suite struct StopPlacesTests {
  private static let start = Date(timeIntervalSince1970: 1_767_546_000)

  private func at(_ seconds: Double) -> Date { Self.start + seconds }

  /// The visits and the updates of one stop may be thousands.
  @Test func `the closest of many visits is found whether or not their times are sorted`() {
    var random = SeededRandom(unprinted: 3)
    for _ in 0..<300 {
      var times = (0..<Int.random(in: 2...9, using: &random)).map { _ in
        Double.random(in: 0...9, using: &random).rounded() * 60
      }
      if Bool.random(using: &random) { times.sort() }
      let isTimed = Int.random(in: 0...3, using: &random) > 0
      let stops = times.enumerated().map { index, time in
        ScheduledStopTime(
          stopSequence: index, stopID: "A", arrival: isTimed || index % 2 == 0 ? at(time) : nil,
          departure: nil)
      }
      let visits = Array(stops.indices.dropFirst(Int.random(in: 0...1, using: &random)))
      let time = at(Double.random(in: -60...600, using: &random).rounded())
      let distances = visits.compactMap { visit in
        stops[visit].arrival.map { (visit, $0.timeIntervalSince(time).magnitude) }
      }
      let expected = distances.min { $0.1 < $1.1 }?.0 ?? visits.first
      for update in [
        StopTimeUpdate(stopID: "A", arrival: StopTimeEvent(time: time)),
        StopTimeUpdate(stopID: "A", departure: StopTimeEvent(time: time)),
      ] {
        #expect(StopPlaces(stops).nearest(visits[...], to: update) == expected)
      }
    }
  }
}
