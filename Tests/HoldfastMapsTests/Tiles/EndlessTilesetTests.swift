import Foundation
import Holdfast
import HoldfastMaps
import HoldfastTestSupport
import Testing

/// Tilesets with a view that has rows without end, or values without measure.
@Suite(.timeLimit(.minutes(5))) struct EndlessTilesetTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func open(_ sample: SampleTileset) throws -> Tileset {
    let url = folder.file("a.mbtiles")
    try sample.write(to: url)
    return try Tileset(at: url)
  }

  private static let numbers =
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"

  private static func metadata(_ view: String) -> SampleTileset {
    SampleTileset(sql: "DROP TABLE metadata; CREATE VIEW metadata AS \(view)")
  }

  private static func tiles(_ view: String) -> SampleTileset {
    SampleTileset(sql: "DROP TABLE tiles; CREATE VIEW tiles AS \(view)")
  }

  @Test(arguments: [
    "\(numbers) SELECT 'a' name, x value FROM c",
    "\(numbers) SELECT 'a' name, hex(zeroblob(100000)) value FROM c",
    "\(numbers) SELECT NULL name, hex(zeroblob(100000)) value FROM c",
    "\(numbers) SELECT 'a' name, x value FROM c WHERE x < 0",
    "\(numbers) SELECT 'a' name, sum(x) value FROM c",
    "\(numbers) SELECT 'a' name, x value FROM c LIMIT 10001",
    "\(numbers) SELECT NULL name, x value FROM c LIMIT 10001",
    "SELECT 'a' name, hex(zeroblob(40000000)) value",
    "SELECT 'a' name, hex(zeroblob(12000000)) value",
  ])
  func `Metadata without end is refused when the tileset is opened`(view: String) throws {
    let error = #expect(throws: MapError.self) { try open(Self.metadata(view)) }
    #expect(error?.advice != nil && [.invalidTileset, .damaged].contains(error?.code))
  }

  @Test func `Tiles without end are refused where they are read`() async throws {
    let view = """
      \(Self.numbers)
      SELECT 0 zoom_level, x + 9 tile_column, 0 tile_row, zeroblob(1000) tile_data FROM c;
      DELETE FROM metadata WHERE name IN ('minzoom', 'maxzoom', 'bounds', 'center')
      """
    let tileset = try open(Self.tiles(view))
    let place = try TileCoordinate(z: 0, x: 0, y: 0)
    var errors: [MapError?] = []
    errors.append(await #expect(throws: MapError.self) { try await tileset.tile(at: place) })
    // The limit ends with the read, awaited or not.
    try await Self.countToMany(tileset)
    errors.append(await #expect(throws: MapError.self) { try await tileset.check() })
    errors.append(await #expect(throws: MapError.self) { try await tileset.coverage() })
    errors.append(Self.error { try tileset.tile(at: place) })
    errors.append(Self.error { try tileset.check() })
    for error in errors {
      #expect(error?.code == .invalidTileset && error?.message.contains("steps") == true)
    }
    try await Self.countToMany(tileset)
  }

  /// Makes more steps than lie between two looks at a limit.
  private static func countToMany(_ tileset: Tileset) async throws {
    let count = try await tileset.reader.unsafeRead { db in
      try Int.fetchOne(db, sql: "\(numbers) SELECT count(*) FROM (SELECT x FROM c LIMIT 10000)")
    }
    #expect(count == 10_000)
  }

  /// SQLite 3.40 takes `json_valid` for unsafe in a schema that is not trusted.
  @Test func `A tileset whose schema calls functions of SQLite is sound`() async throws {
    let tileset = try open(
      SampleTileset(
        sql: "CREATE TABLE e (p TEXT CHECK (json_valid(p)), q AS (json_extract(p, '$.k')))"))
    #expect(try await tileset.tile(at: TileCoordinate(z: 0, x: 0, y: 0)) != nil)
  }

  @Test func `A tile that is longer than any is refused`() async throws {
    let tileset = try open(
      Self.tiles(
        "SELECT 0 zoom_level, 0 tile_column, 0 tile_row, zeroblob(70000000) tile_data"))
    let error = await #expect(throws: MapError.self) {
      try await tileset.tile(at: TileCoordinate(z: 0, x: 0, y: 0))
    }
    #expect(error?.code == .damaged)
  }

  private static func error(_ body: () throws -> some Any) -> MapError? {
    #expect(throws: MapError.self) { _ = try body() }
  }

  @Test func `The data of a grid without end is refused`() throws {
    let tileset = try open(
      SampleTileset(
        sql: """
          CREATE TABLE grids (zoom_level, tile_column, tile_row, grid);
          INSERT INTO grids VALUES (0, 0, 0, x'00');
          CREATE VIEW grid_data AS \(Self.numbers)
          SELECT 0 zoom_level, 0 tile_column, 0 tile_row, hex(zeroblob(100000)) || x key_name,
            'a' key_json FROM c
          """))
    let error = #expect(throws: MapError.self) {
      try tileset.grid(at: TileCoordinate(z: 0, x: 0, y: 0))
    }
    #expect(error?.code == .invalidTileset)
  }

  @Test func `A tileset of many tiles is read and checked within its steps`() throws {
    let tileset = try open(
      SampleTileset(
        layout: .otherView,
        sql: """
          DELETE FROM content;
          WITH RECURSIVE c(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM c WHERE x < 65535)
          INSERT INTO content SELECT 8, x & 255, x >> 8, x'89504E470D0A1A0A' FROM c;
          UPDATE metadata SET value = '8' WHERE name IN ('minzoom', 'maxzoom')
          """))
    #expect(try tileset.check().tileCount == 65_536)
    // Without an index the whole table is read for one tile.
    #expect(try tileset.tile(at: TileCoordinate(z: 8, x: 255, y: 0)) != nil)
  }
}
