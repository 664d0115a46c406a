import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

@Suite struct FootpathsTests {
  private static let count = 1100

  /// Stops in rows, at each of which one trip calls.
  private func database(in feed: SmallFeed) throws -> DatabaseQueue {
    let places = (0..<Self.count).map { index in
      let (row, column) = (index / 40, index % 40)
      return SmallFeed.Place(
        id: "P\(1000 + index)", name: "Stop \(index)",
        position: "\(-33.8 - Double(row) / 500),\(151.2 + Double(column) / 500)")
    }
    let calls = places.enumerated().map { index, place in
      let (hour, minute) = (8 + index / 60, index % 60)
      let time = "\(hour):\(minute < 10 ? "0" : "")\(minute):00"
      return "T1,\(time),\(time),\(place.id),\(index + 1)\n"
    }
    let url = try feed.database(
      of: places,
      files: [
        "stop_times.txt":
          "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + calls.joined()
      ])
    return try DatabaseQueue(path: url.path)
  }

  @Test func `The ways from many stops are those from each of them`() throws {
    let feed = try SmallFeed()
    let profile = Footpaths.Profile(
      speed: 1.3, radius: 500, detourFactor: 1.3, changeSeconds: 60, needsAccess: false)
    try database(in: feed).read { db in
      let network = try JourneyNetwork.of(db)
      let (all, each) = (Footpaths(profile, network), Footpaths(profile, network))
      all.find(from: 0..<network.stops.count, network)
      for stop in (0..<network.stops.count).reversed() {
        each.find(from: CollectionOfOne(stop), network)
        let (ways, expected) = (all.ways.of(stop), each.ways.of(stop))
        #expect(ways.map(\.target) == expected.map(\.target))
        #expect(ways.map(\.seconds) == expected.map(\.seconds))
      }
      #expect(all.ways.elements.count == each.ways.elements.count)
      #expect(all.ways.elements.count > 5 * Self.count)
    }
  }
}
