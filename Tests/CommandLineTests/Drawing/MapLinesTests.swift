import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct MapLinesTests {
  private static func points(_ pairs: (Int, Int)...) -> [MapFrame.Point] {
    pairs.map { MapFrame.Point(x: $0.0, y: $0.1) }
  }

  @Test func `Trips on the same piece are one line, in either direction`() {
    var lines = MapLines()
    let way = Self.points((0, 0), (100, 0), (100, 100))
    lines.add(way, layer: 1, color: "FF0000", tripCount: 7)
    let back: [MapFrame.Point] = way.reversed()
    let end = Self.points((100, 0), (100, 100))
    lines.add(back, layer: 1, color: "FF0000", tripCount: 9)
    lines.add(end, layer: 1, color: "00FF00", tripCount: 1)
    #expect(lines.count == 3)
    let drawn = lines.lines()
    #expect(drawn.map(\.style.color) == ["FF0000", "00FF00"])
    #expect(drawn[0].lines.count == 1 && drawn[0].lines[0].count == 3)
    // The busier line is wider, and below the other one.
    #expect(drawn[0].style.width > drawn[1].style.width)
  }

  @Test func `Each piece is drawn once, and the order of ways does not matter`() throws {
    var random = SeededRandom(seed: 7)
    let ways = (1...60).map { _ in
      (1...8).map { _ in
        MapFrame.Point(
          x: Int.random(in: 0...8, using: &random) * 100,
          y: Int.random(in: 0...8, using: &random) * 100)
      }
    }
    func drawn(_ ways: [[MapFrame.Point]]) -> (text: String, pieces: Int, count: Int) {
      var lines = MapLines()
      for way in ways { lines.add(way, layer: 1, color: "000000", tripCount: 1) }
      let all = lines.lines().flatMap(\.lines)
      let pieces = all.flatMap { zip($0, $0.dropFirst()).map { Set([$0, $1]) } }
      #expect(Set(pieces).count == pieces.count)
      return (SVGText.path(all), pieces.count, lines.count)
    }
    let once = drawn(ways)
    #expect(once.pieces == once.count)
    #expect(drawn(ways.shuffled(using: &random).map { $0.reversed() }).text == once.text)
  }

  @Test func `A stop without a position interrupts the line`() {
    var lines = MapLines()
    var way: [MapFrame.Point?] = Self.points((0, 0), (100, 0))
    way.append(nil)
    way += Self.points((300, 0), (400, 0))
    lines.add(way, layer: 1, color: "000000", tripCount: 1)
    #expect(lines.count == 2)
  }

  @Test func `The number of pieces is bounded`() {
    var lines = MapLines()
    for row in 0..<300 {
      let way = (0..<300).map { MapFrame.Point(x: $0 * 20, y: row * 20) }
      lines.add(way, layer: 1, color: "000000", tripCount: 1)
    }
    #expect(lines.count <= 40_000 && lines.count > 10_000)
    #expect(lines.grid > 5)
  }

  @Test func `Markup and control characters of a feed are text`() {
    #expect(
      SVGText.escaped("</text><script>&\"'\u{0}\u{1B}\u{202E}\u{FFFF}\n")
        == "&lt;/text&gt;&lt;script&gt;&amp;&quot;&#39; ")
    #expect(SVGText.path([Self.points((10, 20), (5, 30), (5, 10))]) == "M10 20l-5 10 0-20")
  }
}
