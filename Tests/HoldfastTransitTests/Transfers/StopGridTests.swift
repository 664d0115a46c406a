import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// The neighbors of a stop are those of a look at all stops.
@Suite struct StopGridTests {
  private static let radius = 500.0

  private func check(
    _ positions: [Position], at probes: [Int], isExact: Bool = false, _ text: Comment
  ) {
    let grid = StopGrid(
      positions.enumerated().map { (Int32($0.offset), $0.element) }, radius: Self.radius)
    for probe in probes {
      let all = positions.indices.filter { $0 != probe }
        .map { (stop: $0, meters: positions[probe].distance(to: positions[$0]).meters) }
        .filter { $0.meters <= Self.radius }
        .sorted { ($0.meters, $0.stop) < ($1.meters, $1.stop) }
      let found = grid.neighbors(of: positions[probe], except: probe)
      let nearest = all.prefix(Footpaths.mostNeighbors)
      // Distances that differ by less than a micrometer are equal.
      #expect(found.count == nearest.count, text)
      #expect(
        zip(found.map(\.meters).sorted(), nearest.map(\.meters)).allSatisfy {
          abs($0 - $1) < 1e-6
        }, text)
      #expect(
        found.allSatisfy { stop, meters in
          abs(positions[probe].distance(to: positions[stop]).meters - meters) < 1e-6
        }, text)
      #expect(Set(found.map(\.stop)).count == found.count, text)
      if isExact { #expect(Set(found.map(\.stop)) == Set(nearest.map(\.stop)), text) }
    }
  }

  @Test func `Few stops in a wide area are all found`() throws {
    var random = SeededRandom(unprinted: 1)
    let positions = try (0..<400).map { _ in
      try Position(
        latitude: 52.5 + Double.random(in: 0...0.03, using: &random),
        longitude: 13.4 + Double.random(in: 0...0.03, using: &random))
    }
    check(positions, at: Array(0..<400), "few")
  }

  @Test func `Of thousands of stops in a square of meters the nearest ones are found`() throws {
    var random = SeededRandom(unprinted: 2)
    let dense = try (0..<3000).map { _ in
      try Position(
        latitude: 52.5 + Double.random(in: 0...0.00002, using: &random),
        longitude: 13.4 + Double.random(in: 0...0.00002, using: &random))
    }
    // Some are apart from the crowd, and have it as their neighbors.
    let apart = try (1...5).map {
      try Position(latitude: 52.5 + Double($0) / 1500, longitude: 13.4)
    }
    check(dense + apart, at: Array(0..<40) + Array(2990..<3005), "dense")
  }

  @Test func `Of thousands of stops at one point the first ones are found`() throws {
    let point = try Position(latitude: 52.5, longitude: 13.4)
    let near = try Position(latitude: 52.5001, longitude: 13.4)
    let positions = [near] + Array(repeating: point, count: 2000) + [near]
    check(positions, at: [0, 1, 2, 99, 100, 101, 102, 1999, 2001], isExact: true, "one point")
  }
}
