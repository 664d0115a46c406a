import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct LineBundlesTests {
  private static let lines = [
    MapLine(layer: 5, color: "FF0000"), MapLine(layer: 5, color: "00FF00"),
    MapLine(layer: 1, color: "0000FF"),
  ]

  private static func points(_ pairs: (Int, Int)...) -> [MapFrame.Point?] {
    pairs.map { MapFrame.Point(x: $0.0 * 10, y: $0.1 * 10) }
  }

  private static func bundles(_ ways: [(points: [MapFrame.Point?], line: Int)]) -> LineBundles {
    var graph = LineGraph(reach: 4.5)
    for way in ways { graph.add(way.points, line: way.line, tripCount: 1) }
    return LineBundles(graph, of: lines, factor: 1)
  }

  /// The heights at which the polylines of a line are in the middle of a way.
  private static func heights(of line: Int, in bundles: LineBundles, at x: Double) -> [Double] {
    bundles.strokes.filter { $0.line == line }.flatMap(\.parts).flatMap { part -> [Double] in
      let path = part.polyline
      return zip(path, path.dropFirst()).filter { min($0.x, $1.x) <= x && max($0.x, $1.x) > x }
        .map { $0.y + ($1.y - $0.y) * (x - $0.x) / ($1.x - $0.x) }
    }
  }

  @Test func `Lines of one way lie side by side, and a line alone in its middle`() throws {
    let way = Self.points((0, 0), (200, 0))
    let alone = Self.bundles([(way, 0)])
    #expect(Self.heights(of: 0, in: alone, at: 100) == [0])
    let bundles = Self.bundles([(way, 0), (way.reversed(), 1), (way, 2)])
    let widths = bundles.strokes.map(\.width)
    #expect(bundles.strokes.map(\.line) == [0, 1, 2])
    let heights = try (0...2).map { line in
      let heights = Self.heights(of: line, in: bundles, at: 100)
      return try #require(heights.count == 1 ? heights.first : nil)
    }
    for (one, other) in [(0, 1), (1, 2)] {
      let distance = abs(heights[one] - heights[other])
      #expect(abs(distance - (widths[one] + widths[other]) / 2 - 0.7) < 0.1)
    }
  }

  @Test func `The sides of lines stay the same from chain to chain`() throws {
    let way = Self.points((0, 0), (400, 0))
    let bundles = Self.bundles([
      // The nodes lie from the middle to both ends, so that chains lead in both directions.
      (Self.points((200, 0), (0, 0)), 0), (Self.points((200, 0), (400, 0)), 0), (way, 0), (way, 1),
      // A third line that comes and goes.
      (Self.points((100, -60), (150, 0), (250, 0), (300, -60)), 2),
    ])
    let differences = try [50.0, 200, 350].map { x in
      try #require(Self.heights(of: 0, in: bundles, at: x).first)
        - #require(Self.heights(of: 1, in: bundles, at: x).first)
    }
    #expect(differences.allSatisfy { $0 > 0 } || differences.allSatisfy { $0 < 0 })
  }

  @Test func `A line has no gap where another one joins it, and reaches its end`() throws {
    let bundles = Self.bundles([
      (Self.points((0, 0), (400, 0)), 0), (Self.points((100, -60), (150, 0), (250, 0)), 1),
    ])
    for x in stride(from: 1.0, to: 399, by: 1) {
      #expect(!Self.heights(of: 0, in: bundles, at: x).isEmpty, "\(x)")
    }
    let ends = bundles.strokes.filter { $0.line == 1 }.flatMap(\.parts).flatMap(\.polyline)
    #expect((ends.map(\.x).max() ?? 0) > 247)
  }

  @Test func `A stop lies across its lines only`() throws {
    let way = Self.points((0, 0), (200, 0))
    let bundles = Self.bundles([(way, 0), (way, 1), (way, 2)])
    let place = MapVector(100, 3)
    let all = try #require(bundles.crossing(at: place, of: [0, 1, 2], reach: 12))
    let one = try #require(bundles.crossing(at: place, of: [1], reach: 12))
    #expect(all.from.distance(to: all.to) > 6)
    #expect(one.from == one.to && abs(one.from.x - 100) < 3)
    #expect(bundles.crossing(at: MapVector(100, 30), of: [0], reach: 12) == nil)
    #expect(bundles.crossing(at: place, of: [7], reach: 12) == nil)
    #expect(bundles.hasEnd(at: MapVector(1, 1), within: 5))
    #expect(!bundles.hasEnd(at: place, within: 5))
  }

  @Test func `A polyline is moved, shortened and simplified`() {
    let path = [MapVector(0, 0), MapVector(10, 0), MapVector(10, 10)]
    #expect(LineBundles.moved(path, by: 2).first == MapVector(0, 2))
    #expect(LineBundles.moved(path, by: 2).last == MapVector(8, 10))
    #expect(LineBundles.shortened(path, by: 12) == [MapVector(10, 2), MapVector(10, 10)])
    #expect(LineBundles.shortened(path, by: 99) == [MapVector(10, 10)])
    let straight = [MapVector(0, 0), MapVector(5, 0.1), MapVector(10, 0)]
    #expect(LineBundles.simplified(straight, tolerance: 0.5).count == 2)
    #expect(LineBundles.simplified(path, tolerance: 0.5) == path)
    #expect(LineBundles.smoothed(path).first == path.first)
  }
}
