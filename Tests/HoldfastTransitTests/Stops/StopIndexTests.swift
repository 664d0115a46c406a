import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// The index against a look at every stop.
@Suite struct StopIndexTests {
  private struct Sample {
    var stops: [(sid: Int64, position: Position, type: Int)] = []
    var position: Position

    var index: StopIndex {
      StopIndex(
        stops.map { StopIndex.Place(sid: $0.sid, position: $0.position, locationType: $0.type) })
    }
  }

  /// The kinds of places that go wrong when latitude and longitude are taken for a plane.
  private static let regions: [@Sendable (inout SeededRandom) -> (Double, Double)] = [
    {
      (asin(Double.random(in: -1...1, using: &$0)) * 180 / .pi, .random(in: -180...180, using: &$0))
    },
    { (.random(in: -34.0 ... -33.8, using: &$0), .random(in: 151.1...151.3, using: &$0)) },
    { (.random(in: 89.99...90, using: &$0), .random(in: -180...180, using: &$0)) },
    { (.random(in: -90 ... -89.999, using: &$0), .random(in: -180...180, using: &$0)) },
    { random in
      let longitude = Double.random(in: 179.9...180, using: &random)
      return (
        .random(in: -17.1 ... -17, using: &random),
        Bool.random(using: &random) ? longitude : -longitude
      )
    },
    { random in
      let latitudes = [-90.0, -45, 0, 0, 45, 90]
      let longitudes = [-180.0, -90, 0, 0, 90, 180]
      return (
        latitudes.randomElement(using: &random) ?? 0, longitudes.randomElement(using: &random) ?? 0
      )
    },
  ]

  private static func sample(_ random: inout SeededRandom) throws -> Sample {
    let region = regions.randomElement(using: &random) ?? regions[0]
    let other = regions.randomElement(using: &random) ?? regions[0]
    let asked = Bool.random(using: &random) ? region : other
    let (latitude, longitude) = asked(&random)
    var result = Sample(position: try Position(latitude: latitude, longitude: longitude))
    let count = [0, 1, 7, 8, 9, 64, 65, 300, 700].randomElement(using: &random) ?? 0
    for sid in (1...Int64(max(count, 1))).prefix(count).shuffled(using: &random) {
      let (latitude, longitude) =
        Int.random(in: 0...9, using: &random) == 0
        ? other(&random) : region(&random)
      var place = try Position(latitude: latitude, longitude: longitude)
      // Some stops are at the same place, or where the rider is.
      switch Int.random(in: 0...9, using: &random) {
      case 0: place = result.stops.last?.position ?? place
      case 1: place = result.position
      default: break
      }
      result.stops.append((sid, place, Int.random(in: 0...4, using: &random)))
    }
    return result
  }

  @Test func `The nearest stops are those that a look at every stop finds`() throws {
    var random = SeededRandom()
    var foundSome = 0
    for number in 0..<400 {
      let sample = try Self.sample(&random)
      let limit = Int.random(in: -1...sample.stops.count + 3, using: &random)
      let meters = pow(10, Double.random(in: -1...7.5, using: &random))
      let radius = try Bool.random(using: &random) ? nil : Distance(meters: meters)
      let types: Set<Int>? =
        Bool.random(using: &random) ? nil : [.random(in: 0...4, using: &random), 1]
      let found = sample.index.nearest(
        to: sample.position, within: radius, limit: limit, locationTypes: types)
      let expected = sample.stops.filter { types?.contains($0.type) ?? true }
        .map { (distance: sample.position.distance(to: $0.position), sid: $0.sid) }
        .filter { stop in radius.map { stop.distance <= $0 } ?? true }
        .sorted { $0 < $1 }.prefix(max(0, limit))
      #expect(
        found.map(\.sid) == expected.map(\.sid)
          && found.map(\.distance) == expected.map(\.distance),
        "case \(number)")
      foundSome += found.isEmpty ? 0 : 1
    }
    #expect(foundSome > 200)
  }

  /// A formula that shares nothing with that of the module, and is exact at all distances.
  ///
  /// - SeeAlso: Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid", with equal axes.
  private func meters(_ one: Position, _ other: Position) -> Double {
    let (latitude, otherLatitude) = (one.latitude * .pi / 180, other.latitude * .pi / 180)
    let difference = (other.longitude - one.longitude) * .pi / 180
    let across = cos(otherLatitude) * sin(difference)
    let along =
      cos(latitude) * sin(otherLatitude) - sin(latitude) * cos(otherLatitude) * cos(difference)
    let toward =
      sin(latitude) * sin(otherLatitude) + cos(latitude) * cos(otherLatitude) * cos(difference)
    return 6_371_008.8 * atan2((across * across + along * along).squareRoot(), toward)
  }

  @Test func `Distances are right everywhere`() throws {
    var random = SeededRandom()
    for number in 0..<200 {
      let sample = try Self.sample(&random)
      for match in sample.index.nearest(to: sample.position, limit: 1000) {
        let stop = try #require(sample.stops.first { $0.sid == match.sid })
        let expected = meters(sample.position, stop.position)
        // Opposite positions are the ones for which a haversine is least exact.
        let tolerance = expected > 19_900_000 ? 1 : 1e-4
        #expect(abs(match.distance.meters - expected) < tolerance, "case \(number)")
      }
    }
  }

  @Test func `Stops at the same distance are sorted by number`() throws {
    let center = try Position(latitude: 0, longitude: 0)
    let around = [(0.0, 1.0), (1, 0), (0, -1), (-1, 0)]
    var stops: [StopIndex.Place] = []
    for sid in (1...40 as ClosedRange<Int64>).reversed() {
      let (latitude, longitude) = around[Int(sid) % 4]
      stops.append(
        StopIndex.Place(
          sid: sid, position: try Position(latitude: latitude, longitude: longitude),
          locationType: 0))
    }
    let index = StopIndex(stops)
    for limit in [1, 3, 8, 39, 40] {
      let found = index.nearest(to: center, limit: limit)
      #expect(found.map(\.sid) == Array(1...Int64(limit)))
      #expect(Set(found.map(\.distance)).count == 1)
      let area = try BoundingBox(south: -1, west: -1, north: 1, east: 1)
      #expect(index.inside(area, limit: limit).map(\.sid) == Array(1...Int64(limit)))
    }
  }

  @Test func `A radius contains its edge`() throws {
    let quay = try Position(latitude: -33.861, longitude: 151.211)
    let pier = try Position(latitude: -33.858, longitude: 151.214)
    let index = StopIndex([StopIndex.Place(sid: 5, position: pier, locationType: 0)])
    let distance = quay.distance(to: pier)
    #expect(index.nearest(to: quay, within: distance, limit: 1).map(\.sid) == [5])
    let shorter = try Distance(meters: distance.meters.nextDown)
    #expect(index.nearest(to: quay, within: shorter, limit: 1).isEmpty)
    #expect(index.nearest(to: pier, within: try Distance(meters: 0), limit: 1).map(\.sid) == [5])
    let everywhere = try Distance(meters: 1e12)
    #expect(index.nearest(to: quay, within: everywhere, limit: 1).map(\.sid) == [5])
  }

  @Test func `The stops of an area are those that a look at every stop finds`() throws {
    var random = SeededRandom()
    var foundSome = 0
    for number in 0..<200 {
      let sample = try Self.sample(&random)
      let area = try BoundingBox(
        center: sample.position, latitudeDelta: pow(10, .random(in: -3...2.3, using: &random)),
        longitudeDelta: pow(10, .random(in: -3...2.6, using: &random)))
      let limit = Int.random(in: 0...sample.stops.count + 3, using: &random)
      let types: Set<Int>? = Bool.random(using: &random) ? nil : [0, 1]
      let found = sample.index.inside(area, limit: limit, locationTypes: types)
      let expected = sample.stops.filter { types?.contains($0.type) ?? true }
        .filter { area.contains($0.position) }
        .map { (distance: area.center.distance(to: $0.position), sid: $0.sid) }
        .sorted { $0 < $1 }.prefix(limit)
      #expect(found.map(\.sid) == expected.map(\.sid), "case \(number)")
      foundSome += found.isEmpty ? 0 : 1
    }
    #expect(foundSome > 50)
  }
}
