import HoldfastMaps
import Testing

@Suite struct TileCoordinateTests {
  @Test(arguments: [(0, 0, 0), (1, 1, 0), (30, (1 << 30) - 1, (1 << 30) - 1)])
  func `A coordinate inside of its zoom level exists`(place: (Int, Int, Int)) throws {
    let coordinate = try TileCoordinate(z: place.0, x: place.1, y: place.2)
    #expect("\(coordinate)" == "\(place.0)/\(place.1)/\(place.2)")
  }

  @Test(arguments: [
    (-1, 0, 0), (31, 0, 0), (0, 1, 0), (0, 0, 1), (3, -1, 0), (3, 0, -1), (3, 8, 0), (3, 0, 8),
    (Int.max, 0, 0), (5, Int.min, Int.max),
  ])
  func `A coordinate outside of its zoom level is refused`(place: (Int, Int, Int)) {
    let error = #expect(throws: MapError.self) {
      try TileCoordinate(z: place.0, x: place.1, y: place.2)
    }
    #expect(error?.code == .invalidCoordinate)
  }

  @Test func `The tile of zoom level 0 covers the world of Web Mercator`() throws {
    let bounds = try TileCoordinate(z: 0, x: 0, y: 0).bounds
    #expect(bounds.west == -180 && bounds.east == 180)
    #expect(abs(bounds.north - 85.0511287798066) < 1e-9)
    #expect(abs(bounds.south + 85.0511287798066) < 1e-9)
  }

  @Test func `Rows are counted from the north`() throws {
    let north = try TileCoordinate(z: 1, x: 0, y: 0).bounds
    #expect(north.south == 0 && north.north > 85)
    #expect(north.west == -180 && north.east == 0)
  }
}
