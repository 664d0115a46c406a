import Foundation
import Holdfast
import HoldfastMaps
import HoldfastTestSupport
import Testing

/// What is expected of one of the shared tilesets.
private struct Expectation: Sendable, CustomTestStringConvertible {
  var name: String
  var tileCount = 0
  var format: TileFormat?
  var compression = TileCompression.none
  var schema = TilesetSchema.normalized
  var zoomLevels: ClosedRange<Int>?
  var problems: [TilesetProblem.Kind] = []
  var gridCount = 0
  /// The error for a file that is refused.
  var refusal: MapError.Code?

  var testDescription: String { name }
}

private let expectations = [
  Expectation(name: "corrupt.mbtiles", refusal: .invalidTileset),
  Expectation(
    name: "corrupt_null_tile.mbtiles", tileCount: 285, format: .png, zoomLevels: 0...4,
    problems: [.nullTile, .missingFormat]),
  Expectation(
    name: "geography-class-jpg.mbtiles", tileCount: 5, format: .jpg, zoomLevels: 0...1,
    problems: [.missingFormat], gridCount: 5),
  Expectation(
    name: "geography-class-png-no-bounds.mbtiles", tileCount: 5, format: .png, zoomLevels: 0...1,
    problems: [.missingFormat, .missingBounds], gridCount: 5),
  Expectation(
    name: "geography-class-png.mbtiles", tileCount: 5, format: .png, zoomLevels: 0...1,
    problems: [.missingFormat], gridCount: 5),
  Expectation(
    name: "geography-class-webp.mbtiles", tileCount: 5, format: .webp, zoomLevels: 0...1,
    problems: [.missingFormat], gridCount: 5),
  Expectation(
    name: "iburn-2022.mbtiles", tileCount: 34, format: .pbf, compression: .gzip, schema: .flat,
    zoomLevels: 4...14),
  Expectation(
    name: "iburn-2024.mbtiles", tileCount: 33, format: .pbf, compression: .gzip,
    zoomLevels: 4...14),
  Expectation(
    name: "iburn-2025.mbtiles", tileCount: 20, format: .pbf, compression: .gzip,
    zoomLevels: 4...14),
  Expectation(name: "incomplete.mbtiles", refusal: .invalidTileset),
  Expectation(
    name: "invalid-tile-format.mbtiles", tileCount: 2, zoomLevels: 0...1,
    // Its rows are counted from the north, too.
    problems: [.unknownFormat, .rowsFromNorth, .slowLookup, .missingFormat]),
  Expectation(name: "invalid.mbtiles", refusal: .invalidTileset),
  Expectation(name: "not.mbtiles", refusal: .invalidTileset),
  Expectation(
    name: "one_tile.mbtiles", tileCount: 2, format: .png, zoomLevels: 0...1,
    problems: [.missingFormat]),
  Expectation(
    name: "plain_1.mbtiles", tileCount: 285, format: .png, zoomLevels: 0...4,
    problems: [.missingFormat]),
  Expectation(
    name: "plain_4.mbtiles", tileCount: 269, format: .png, zoomLevels: 0...4,
    problems: [.missingFormat], gridCount: 269),
  Expectation(
    name: "twolayers.mbtiles", tileCount: 554, format: .pbf, compression: .gzip, schema: .flat,
    zoomLevels: 0...14),
  Expectation(
    name: "unindexed.mbtiles", tileCount: 285, format: .png, zoomLevels: 0...4,
    problems: [.slowLookup, .missingFormat]),
  Expectation(
    name: "utf8grid.mbtiles", tileCount: 1, format: .png, zoomLevels: 0...0,
    problems: [.missingFormat], gridCount: 1),
  Expectation(
    name: "with spaces.mbtiles",
    problems: [.noTiles, .missingName, .missingFormat, .missingBounds]),
  Expectation(
    name: "world_cities.mbtiles", tileCount: 196, format: .pbf, compression: .gzip, schema: .flat,
    zoomLevels: 0...6),
  Expectation(
    name: "world_cities_missing_center.mbtiles", tileCount: 196, format: .pbf, compression: .gzip,
    schema: .flat, zoomLevels: 0...6),
]

@Suite(.enabled(if: SharedMaps.arePresent, SharedMaps.absence)) struct SharedTilesetTests {
  @Test func `Every shared tileset has an expected outcome`() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: SharedMaps.tilesets.path(percentEncoded: false))
    #expect(files.sorted() == expectations.map(\.name).sorted())
  }

  @Test(arguments: expectations)
  fileprivate func `A shared tileset is read as plain SQL reads it, or refused with a reason`(
    expected: Expectation
  ) throws {
    let url = SharedMaps.tileset(expected.name)
    if let code = expected.refusal {
      let error = #expect(throws: MapError.self) { try Tileset(at: url) }
      #expect(error?.code == code)
      #expect(error?.advice != nil)
      return
    }
    let tileset = try Tileset(at: url)
    #expect(tileset.schema == expected.schema)
    let coverage = try tileset.coverage()
    #expect(coverage.format == expected.format)
    #expect(coverage.compression == expected.compression)
    #expect(coverage.zoomLevels == expected.zoomLevels)
    #expect((coverage.bounds != nil && coverage.center != nil) == (expected.tileCount > 0))

    let report = try tileset.check()
    #expect(report.tileCount == expected.tileCount)
    #expect(report.problems.map(\.kind) == expected.problems)

    try compareTiles(tileset, url, expected)
  }

  private func compareTiles(_ tileset: Tileset, _ url: URL, _ expected: Expectation) throws {
    let queue = try DatabaseQueue(readOnlyFileAt: url, isNeverModified: true)
    try queue.read { db in
      let tiles = try Row.fetchAll(
        db, sql: "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles")
      #expect(tiles.count == expected.tileCount)
      for tile in tiles {
        let place = try coordinate(tile)
        #expect(try tileset.tile(at: place)?.data == tile.decode(Data?.self, atIndex: 3))
      }
      let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master")
      guard tables.contains("grids") else {
        #expect(expected.gridCount == 0)
        return
      }
      let grids = try Row.fetchAll(
        db, sql: "SELECT zoom_level, tile_column, tile_row, grid FROM grids")
      #expect(grids.count == expected.gridCount)
      var keyCount = 0
      for grid in grids {
        let place = try coordinate(grid)
        let found = try #require(try tileset.grid(at: place))
        #expect(found.data == (try grid.decode(Data.self, atIndex: 3)))
        #expect(found.compression == .zlib)
        let keys = try Row.fetchAll(
          db,
          sql: """
            SELECT key_name, key_json FROM grid_data
            WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?
            """,
          arguments: [place.z, place.x, (1 << place.z) - 1 - place.y])
        #expect(found.keys.count == keys.count)
        keyCount += keys.count
        for key in keys {
          let name: String = try key.decode(atIndex: 0)
          #expect(found.json(forKey: name) == (try key.decode(String.self, atIndex: 1)))
        }
      }
      #expect((keyCount > 0) == (expected.gridCount > 0))
    }
  }

  private func coordinate(_ row: Row) throws -> TileCoordinate {
    let z: Int = try row.decode(atIndex: 0)
    let tileRow: Int = try row.decode(atIndex: 2)
    return try TileCoordinate(z: z, x: row.decode(atIndex: 1), y: (1 << z) - 1 - tileRow)
  }
}
