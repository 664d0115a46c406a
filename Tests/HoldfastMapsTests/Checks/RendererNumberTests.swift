import Testing

@testable import HoldfastMaps

/// How MapLibre Native reads texts of the metadata, by C++'s functions.
@Suite struct RendererNumberTests {
  @Test(
    arguments: [
      ("3", 3), ("3.0", 3), (" 2", 2), ("2x", 2), ("-1", -1), ("+7", 7), ("007", 7), ("", nil),
      ("x", nil), ("-", nil), ("99999999999", nil), ("1e3", 1),
    ] as [(String, Int?)])
  func `An integer is read as std::stoi reads it`(text: String, number: Int?) {
    #expect(RendererNumber.integer(text) == number)
  }

  @Test(
    arguments: [
      ("1", 1), ("1x", 1), ("-1.5", -1.5), (".5", 0.5), ("5.", 5), ("\n 1e2", 100), ("1e", 1),
      ("1e-", 1), ("2e-1z", 0.2), ("big", nil), ("", nil), (".", nil), ("-", nil),
      ("1e999", .infinity),
      ("INF", .infinity), ("-infinity", -.infinity), ("in", nil),
    ] as [(String, Double?)])
  func `A number is read as std::stod reads it`(text: String, number: Double?) {
    #expect(RendererNumber.real(text) == number)
  }

  @Test func `Edges that are no numbers are refused`() throws {
    #expect(RendererNumber.real("nan")?.isNaN == true)
    for text in ["nan,nan,nan,nan", "-180,-85,inf,85", "-1e999,-85,180,85"] {
      let bounds = try #require(RendererBounds(text))
      #expect(!bounds.areFinite && bounds.isRefused)
    }
  }

  @Test func `Bounds have four parts, and a part that is no number is 0`() throws {
    for text in ["", "1,2,3", "1,2,3,4,5", ",,,"] { #expect(RendererBounds(text) == nil) }
    #expect(RendererBounds("1, 2,3 ,4,")?.edges == [1, 2, 3, 4])
    let letters = try #require(RendererBounds("a,b,c,4x"))
    #expect(letters.edges == [0, 0, 0, 4] && !letters.areNumbers)
    let crossing = try #require(RendererBounds("170,-20,-170,20"))
    #expect(crossing.crossesAntimeridian && crossing.isRefused && crossing.isOnEarth)
  }

  @Test func `An area across 180° has tiles on both sides`() throws {
    for text in ["170,-20,-170,20", "170,-20,190,20", "-190,-20,-170,20"] {
      let bounds = try #require(RendererBounds(text))
      let side = (0..<8).map { column in
        bounds.touches(TileCoordinate(unchecked: 3, column, 3).bounds)
      }
      #expect(side == [true, false, false, false, false, false, false, true], "\(text)")
      #expect(!bounds.touches(TileCoordinate(unchecked: 3, 0, 0).bounds))
    }
  }
}
