import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

@Suite struct PathwaySearchTests {
  /// Platforms in a row, each joined with the next one by a pathway of ten seconds.
  private func database(_ count: Int, in feed: SmallFeed) throws -> URL {
    let platforms = (0..<count).map { index in
      SmallFeed.Place(
        id: "P\(1000 + index)", name: "Platform \(index)", position: "-33.861,151.211")
    }
    let calls = platforms.enumerated().map { index, place in
      let minutes = index % 60
      return "T1,\(8 + index / 60):\(minutes < 10 ? "0" : "")\(minutes):00,"
        + "\(8 + index / 60):\(minutes < 10 ? "0" : "")\(minutes):00,\(place.id),\(index + 1)\n"
    }
    let pathways = (0..<count - 1).map { "W\($0),P\(1000 + $0),P\(1001 + $0),1,1,10\n" }
    return try feed.database(
      of: platforms,
      files: [
        "stop_times.txt":
          "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + calls.joined(),
        "pathways.txt":
          "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time\n"
          + pathways.joined(),
      ])
  }

  private static let profile = Footpaths.Profile(
    speed: 1.3, radius: 500, detourFactor: 1.3, changeSeconds: 60, needsAccess: false)

  private func ways(_ count: Int, from stopID: String) throws -> [Int32: Int32] {
    let feed = try SmallFeed()
    let queue = try DatabaseQueue(path: database(count, in: feed).path)
    return try queue.read { db in
      let network = try JourneyNetwork.of(db)
      let sid = try #require(try Stop.fetchOne(db, stopID: stopID)).sid
      let stop = try #require(network.stops.index(of: sid))
      let paths = network.footpaths(Self.profile)
      paths.find(from: CollectionOfOne(stop), network)
      let ways = paths.ways.of(stop)
      #expect(Set(ways.map(\.target)).count == ways.count)
      return Dictionary(
        uniqueKeysWithValues: ways.map { ($0.target - Int32(stop), $0.seconds) })
    }
  }

  @Test func `Pathways lead to every platform of a station of some`() throws {
    let ways = try ways(90, from: "P1000")
    #expect(ways.count == 90)
    #expect(ways[89] == Int32(89 * 10 + 60))
  }

  /// Platforms that are left out are not reached by walks as the crow flies.
  @Test func `Of more platforms than a station has, pathways lead to the nearest ones`() throws {
    let ways = try ways(1200, from: "P1000")
    #expect(ways.count == Footpaths.mostPlatforms + 1)
    #expect(ways[0] == Int32(60))
    #expect(ways[1000] == Int32(1000 * 10 + 60))
    #expect(ways[1001] == nil)
  }
}
