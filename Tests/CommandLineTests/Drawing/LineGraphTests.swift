import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct LineGraphTests {
  /// Returns points in pixels.
  private static func points(_ pairs: (Int, Int)...) -> [MapFrame.Point?] {
    pairs.map { MapFrame.Point(x: $0.0 * 10, y: $0.1 * 10) }
  }

  private let corner = Self.points((0, 0), (200, 0), (200, 150))

  @Test func `A way and its way back are one line`() {
    var graph = LineGraph(reach: 4.5)
    graph.add(corner, line: 0, tripCount: 7)
    let count = graph.nodes.count
    graph.add(corner.reversed(), line: 0, tripCount: 9)
    #expect(graph.nodes.count == count)
    #expect(graph.trips.count == count - 1)
    #expect(graph.trips.values.allSatisfy { $0 == [0: 16] })
  }

  @Test func `Ways that run close to each other share their edges`() {
    var graph = LineGraph(reach: 4.5)
    graph.add(corner, line: 0, tripCount: 1)
    let count = graph.nodes.count
    // Three pixels beside the first one, and then away from it.
    graph.add(Self.points((0, 3), (203, 3), (300, 3)), line: 1, tripCount: 1)
    let shared = graph.trips.filter { $0.value.count == 2 }
    #expect(shared.count > count / 3)
    // The edges lie where the first way does.
    #expect(shared.keys.allSatisfy { graph.nodes[$0.from].y == 0 })
    #expect(graph.trips.values.contains { $0 == [1: 1] })
  }

  @Test func `Ways that are apart, cross or touch share no edges`() {
    let others = [
      Self.points((0, 20), (200, 20)), Self.points((100, -80), (100, 80)),
      // Beside the first way for ten pixels.
      Self.points((60, -40), (95, -2), (105, -2), (140, -40)),
    ]
    for other in others {
      var graph = LineGraph(reach: 4.5)
      graph.add(Self.points((0, 0), (200, 0)), line: 0, tripCount: 1)
      graph.add(other, line: 1, tripCount: 1)
      #expect(graph.trips.values.allSatisfy { $0.count == 1 })
    }
  }

  @Test func `A way keeps its ends, and is interrupted where a point is missing`() throws {
    var graph = LineGraph(reach: 4.5)
    graph.add(
      Self.points((0, 0), (50, 0)) + [nil] + Self.points((90, 0), (131, 0)), line: 0, tripCount: 1)
    let xs = graph.nodes.map(\.x).sorted()
    #expect(xs.first == 0 && xs.contains(50) && xs.contains(90) && xs.last == 131)
    #expect(!xs.contains { $0 > 50 && $0 < 90 })
    graph.add([], line: 0, tripCount: 1)
    graph.add(Self.points((5, 5)), line: 0, tripCount: 1)
    #expect(graph.nodes.count == xs.count)
  }
}
