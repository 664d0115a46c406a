import HoldfastMaps
import HoldfastTestSupport
import Testing

@Suite struct TileIDTests {
  /// The first numbers of the specification's table.
  @Test(arguments: [
    (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
    (12, 3423, 1763, 19_078_479),
  ])
  func `A tile has the number of the specification`(_ z: Int, _ x: Int, _ y: Int, _ id: UInt64)
    throws
  {
    let coordinate = try TileCoordinate(z: z, x: x, y: y)
    #expect(coordinate.tileID == id)
    #expect(TileCoordinate(tileID: id) == coordinate)
  }

  @Test func `Consecutive numbers of a zoom level are neighbors, and each tile has one`() throws {
    for zoom in 1...6 {
      let first = try TileCoordinate(z: zoom, x: 0, y: 0).tileID
      var last: TileCoordinate?
      for number in 0..<UInt64(1 << (2 * zoom)) {
        let coordinate = try #require(TileCoordinate(tileID: first + number))
        #expect(coordinate.z == zoom && coordinate.tileID == first + number)
        if let last {
          #expect(abs(last.x - coordinate.x) + abs(last.y - coordinate.y) == 1)
        }
        last = coordinate
      }
    }
  }

  @Test func `The deepest tiles have numbers, and what is past them has none`() throws {
    var random = SeededRandom()
    let side = 1 << TileCoordinate.maximumZoom
    for _ in 0..<1000 {
      let coordinate = try TileCoordinate(
        z: TileCoordinate.maximumZoom, x: .random(in: 0..<side, using: &random),
        y: .random(in: 0..<side, using: &random))
      #expect(TileCoordinate(tileID: coordinate.tileID) == coordinate)
    }
    let last = try #require(TileCoordinate(tileID: ((1 << 62) - 1) / 3 - 1))
    #expect(last.z == TileCoordinate.maximumZoom)
    #expect(TileCoordinate(tileID: .max) == nil)
  }
}
