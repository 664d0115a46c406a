import Testing

@testable import HoldfastMaps

@Suite struct TilePlacementTests {
  /// Between Greenland and Newfoundland: in the tile 3/2/2.
  private let bounds = RendererBounds("-85,45,-50,62")
  private let center = MapCenter(longitude: -67, latitude: 50, zoom: 3)

  private func placement(
    _ tiles: (Int, Int, Int)..., bounds: RendererBounds? = nil, center: MapCenter? = nil
  ) -> TilePlacement {
    var placement = TilePlacement(bounds: bounds, center: center)
    for tile in tiles { placement.add(TileCoordinate(unchecked: tile.0, tile.1, tile.2)) }
    return placement
  }

  @Test func `The tile of a point is the one in which it lies`() {
    for zoom in [0, 1, 3, 14, 30] {
      for (longitude, latitude) in [(-119.2, 40.78), (180, 89), (-180, -90), (0, 0), (103.8, 1.3)] {
        guard let point = MapCenter(longitude: longitude, latitude: latitude, zoom: zoom) else {
          continue
        }
        let bounds = TileCoordinate(containing: point, zoom: zoom).bounds
        #expect(bounds.west <= longitude && longitude <= bounds.east)
        let clamped = min(max(latitude, -85.0511), 85.0511)
        #expect(bounds.south - 1e-3 <= clamped && clamped <= bounds.north + 1e-3)
      }
    }
  }

  @Test func `Tiles in the bounds and at the center are where they belong`() {
    let placement = placement((0, 0, 0), (1, 0, 0), (3, 2, 2), bounds: bounds, center: center)
    #expect(placement.comparedCount == 2 && placement.insideCount == 2)
    #expect(!placement.looksCountedFromNorth && !placement.isBesideBounds)
    #expect(!placement.hasEmptyCenter)
    #expect(placement.zoomLevels == [0, 1, 3])
  }

  @Test func `Rows from the north are recognized by the bounds, or else by the center`() {
    #expect(placement((3, 2, 5), bounds: bounds).looksCountedFromNorth)
    #expect(placement((3, 2, 5), center: center).looksCountedFromNorth)
    // Elsewhere in both readings.
    #expect(!placement((3, 7, 5), bounds: bounds).looksCountedFromNorth)
    #expect(!placement((3, 7, 5), center: center).looksCountedFromNorth)
    // Neither bounds nor center: nothing to compare with.
    #expect(!placement((3, 2, 5)).looksCountedFromNorth)
    // The same in both readings, as around the equator.
    let equator = RendererBounds("-85,-62,-50,62")
    #expect(!placement((3, 2, 5), (3, 2, 2), bounds: equator).looksCountedFromNorth)
  }

  @Test func `Zoom levels that are counted from the other side are told from others`() {
    let mixed = placement((2, 1, 1), (3, 2, 5), (4, 4, 5), bounds: bounds)
    #expect(mixed.zoomLevelsFromNorth == [3] && !mixed.looksCountedFromNorth)
    #expect(placement((3, 2, 5), bounds: bounds).zoomLevelsFromNorth.isEmpty)
    #expect(placement((2, 1, 1), (3, 7, 5), bounds: bounds).zoomLevelsFromNorth.isEmpty)
  }

  @Test func `A center is empty where no tile is near at its level or at the nearest one`() {
    #expect(placement((3, 6, 6), center: center).hasEmptyCenter)
    #expect(!placement((3, 3, 3), center: center).hasEmptyCenter)
    #expect(placement((3, 2, 2), (5, 30, 30), center: center).hasEmptyCenter == false)
    #expect(placement((5, 30, 30), center: center).hasEmptyCenter)
    // The tile of zoom level 0 shows everything.
    #expect(!placement((0, 0, 0), center: center).hasEmptyCenter)
    #expect(!placement(center: center).hasEmptyCenter)
    // The center is at zoom level 3, where neither is drawn, or only images are.
    let below = [placement((5, 16, 16), center: center), placement((4, 8, 8), center: center)]
    #expect(below.map { $0.hasCenterBelowTiles(areImages: false) } == [true, true])
    #expect(below.map { $0.hasCenterBelowTiles(areImages: true) } == [true, false])
    #expect(!placement((3, 3, 3), center: center).hasCenterBelowTiles(areImages: false))
  }

  @Test func `Tiles that all lie elsewhere are beside the bounds`() {
    #expect(placement((3, 7, 7), bounds: bounds).isBesideBounds)
    #expect(!placement((3, 7, 7), (3, 2, 2), bounds: bounds).isBesideBounds)
    #expect(!placement((0, 0, 0), bounds: bounds).isBesideBounds)
  }
}
