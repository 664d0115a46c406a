import Foundation
import Holdfast
import HoldfastMaps
import HoldfastTestSupport
import Testing

@Suite struct TilesetReportTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func report(_ sample: SampleTileset) throws -> TilesetReport {
    let url = folder.file("\(UUID()).mbtiles")
    try sample.write(to: url)
    return try Tileset(at: url).check()
  }

  @Test func `A tileset that follows the specification has no problems`() async throws {
    let url = folder.file("a.mbtiles")
    try SampleTileset().write(to: url)
    let report = try await Tileset(at: url).check()
    #expect(report.problems.isEmpty && report.isUsable && report.tileCount == 3)
  }

  private static let png = SampleTileset.png.databaseValue

  @Test(
    arguments: [
      (.noTiles, .error, SampleTileset(tiles: [])),
      (.noBlob, .error, SampleTileset(tiles: [(0, 0, 0, png), (1, 0, 0, "text")])),
      (.nullTile, .warning, SampleTileset(tiles: [(0, 0, 0, png), (1, 0, 0, .null)])),
      (.illegalCoordinate, .error, SampleTileset(sql: "UPDATE tiles SET tile_row = 2")),
      (.illegalCoordinate, .error, SampleTileset(sql: "UPDATE tiles SET tile_column = 'x'")),
      (.illegalCoordinate, .error, SampleTileset(sql: "UPDATE tiles SET tile_row = NULL")),
      (.duplicateTile, .warning, SampleTileset(sql: "INSERT INTO tiles SELECT * FROM tiles")),
      (
        .mixedFormats, .error,
        SampleTileset(tiles: [(0, 0, 0, png), (1, 0, 0, SampleTileset.vector.databaseValue)])
      ),
      (.wrongFormat, .warning, SampleTileset().changing(["format": "jpg"])),
      (
        .unknownFormat, .error,
        SampleTileset(sql: "UPDATE tiles SET tile_data = x'FFFF' WHERE zoom_level = 0")
      ),
      (
        .metadataColumns, .warning,
        SampleTileset(
          sql: """
            ALTER TABLE metadata RENAME TO m;
            CREATE VIEW metadata AS SELECT rowid AS id, name, value FROM m
            """)
      ),
      (
        .invalidBounds, .error,
        SampleTileset(sql: "UPDATE metadata SET value = '1,2,3' WHERE name = 'bounds'")
      ),
      (
        .invalidZoom, .error,
        SampleTileset(sql: "UPDATE metadata SET value = 'x' WHERE name = 'minzoom'")
      ),
      (.invalidScale, .error, SampleTileset(sql: "INSERT INTO metadata VALUES ('scale', 'big')")),
      (.invalidCenter, .warning, SampleTileset(sql: "INSERT INTO metadata VALUES ('center', '1')")),
      (
        .wrongZoom, .warning,
        SampleTileset(sql: "UPDATE metadata SET value = '9' WHERE name = 'maxzoom'")
      ),
      (.slowLookup, .warning, SampleTileset(sql: "DROP INDEX i")),
      (
        .slowLookup, .warning,
        SampleTileset(sql: "DROP INDEX i; CREATE INDEX z ON tiles (zoom_level)")
      ),
      (
        .slowLookup, .warning,
        SampleTileset(
          layout: .normalized,
          sql: """
            DROP VIEW tiles; CREATE TABLE c AS SELECT * FROM images;
            CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data
              FROM map JOIN c USING (tile_id)
            """)
      ),
      (.missingName, .warning, SampleTileset(sql: "DELETE FROM metadata WHERE name = 'name'")),
      (.missingFormat, .warning, SampleTileset(sql: "DELETE FROM metadata WHERE name = 'format'")),
      (.missingBounds, .warning, SampleTileset(sql: "DELETE FROM metadata WHERE name = 'bounds'")),
      (.duplicateName, .warning, SampleTileset(sql: "INSERT INTO metadata VALUES ('name', 'b')")),
    ] as [(TilesetProblem.Kind, TilesetProblem.Severity, SampleTileset)])
  func `A problem is found and weighed`(
    kind: TilesetProblem.Kind, severity: TilesetProblem.Severity, sample: SampleTileset
  ) throws {
    let report = try report(sample)
    let problem = try #require(report.problems.first { $0.kind == kind }, "\(report.problems)")
    #expect(problem.severity == severity)
    #expect(report.isUsable == (severity == .warning))
    #expect(problem.message.hasSuffix("."))
  }

  @Test func `A problem of many tiles is reported once, with their number and the first one`()
    throws
  {
    let report = try report(
      SampleTileset(tiles: [(1, 0, 1, .null), (1, 1, 1, .null), (1, 1, 0, Self.png)]))
    let problem = try #require(report.problems.first { $0.kind == .nullTile })
    #expect(problem.count == 2)
    #expect(try problem.tile == TileCoordinate(z: 1, x: 0, y: 0))
    #expect(problem.message.contains("1/0/0"))
  }

  /// The view joins the places with the contents, and leaves out what has none.
  @Test(arguments: [SampleTileset.Layout.normalized, .shallow])
  func `Places without a content are counted, and contents without a place are not`(
    layout: SampleTileset.Layout
  ) throws {
    let names =
      layout == .normalized
      ? ("map", "images", "tile_id") : ("tiles_shallow", "tiles_data", "tile_data_id")
    var sample = SampleTileset()
    sample.layout = layout
    sample.sql = "INSERT INTO \(names.1) VALUES ('of no place', x'00')"
    #expect(try report(sample).problems.isEmpty)
    sample.sql = """
      DELETE FROM \(names.1) WHERE \(names.2) = '1';
      UPDATE \(names.0) SET \(names.2) = NULL WHERE \(names.2) = '2'
      """
    let report = try report(sample)
    let problem = try #require(report.problems.first { $0.kind == .lostContent })
    #expect(problem.severity == .error && problem.count == 2 && problem.tile?.z == 1)
    #expect(problem.message.contains("place in '\(names.0)' and no content in '\(names.1)'"))
  }

  /// A place may be that of a UTFGrid alone.
  @Test func `A place with a grid alone lacks no content`() throws {
    var sample = SampleTileset()
    sample.layout = .normalized
    sample.sql = """
      ALTER TABLE map ADD COLUMN grid_id TEXT;
      UPDATE map SET tile_id = NULL, grid_id = 'g' WHERE tile_id = '1'
      """
    #expect(try !report(sample).problems.contains { $0.kind == .lostContent })
  }

  /// No index of texts serves numbers.
  @Test func `Each place is looked up once where its key is a number and the content's a text`()
    throws
  {
    var sample = SampleTileset()
    sample.layout = .normalized
    sample.sql = """
      DROP VIEW tiles;
      DROP TABLE map;
      CREATE TABLE map (zoom_level, tile_column, tile_row, tile_id INTEGER);
      CREATE VIEW tiles AS
      SELECT zoom_level, tile_column, tile_row, tile_data FROM map JOIN images USING (tile_id);
      WITH RECURSIVE number(n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM number WHERE n < 19999)
      INSERT INTO map SELECT 16, n / 200, n % 200, n FROM number;
      DELETE FROM images WHERE tile_id <> '1';
      INSERT INTO images SELECT map.tile_id, images.tile_data FROM map, images WHERE map.tile_id > 9
      """
    #expect(try report(sample).problems.first { $0.kind == .lostContent }?.count == 9)
  }

  /// An app's own tables may have the names.
  @Test func `Tables that no view of tiles joins are no tileset's`() throws {
    let own = "CREATE TABLE map (zoom_level); CREATE TABLE images (a); INSERT INTO map VALUES (1)"
    #expect(try report(SampleTileset(sql: own)).problems.isEmpty)
  }

  @Test func `Damage is a problem, and the rest is examined nevertheless`() throws {
    let url = folder.file("damaged.mbtiles")
    // One page per table, index and many tiles.
    try SampleTileset(
      sql: """
        INSERT INTO tiles WITH n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 63)
        SELECT 6, i, 0, randomblob(3000) FROM n; DELETE FROM metadata WHERE name = 'name'
        """
    ).write(to: url)
    var bytes = try Data(contentsOf: url)
    let page = 4096
    for start in stride(from: bytes.count / 2 / page * page, to: bytes.count - page, by: page) {
      bytes.replaceSubrange(start..<start + page, with: Data(repeating: 0xEE, count: page))
    }
    try bytes.write(to: url)
    let report = try Tileset(at: url).check()
    #expect(report.problems.first?.kind == .damaged && !report.isUsable)
    #expect(report.problems.contains { $0.kind == .missingName })
  }

  /// Changes the schema so that it says what the rows do not follow, or needs what only an app has.
  private static func schema(_ old: String, _ new: String) -> String {
    """
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, '\(old)', '\(new)')
    """
  }

  @Test func `Rows that break a constraint are no damage`() throws {
    let report = try report(
      SampleTileset(
        sql: "INSERT INTO metadata VALUES ('a', NULL), ('b', NULL);"
          + Self.schema("value TEXT", "value TEXT NOT NULL")))
    #expect(report.problems.map(\.kind) == [.brokenConstraint])
    #expect(report.isUsable)
    #expect(
      report.problems.first?.message
        == "2 rows of 'metadata' break the constraint that 'value' is not NULL, which is no damage: the "
        + "tiles can be read.")
  }

  @Test func `What only another version can evaluate is no damage`() throws {
    let index = SampleTileset(
      sql: "CREATE INDEX n ON metadata (name);" + Self.schema("name TEXT", "name TEXT COLLATE mine")
    )
    let problem = try #require(try report(index).problems.first)
    #expect(problem.kind == .notEvaluated && problem.severity == .warning)
    #expect(problem.message.contains("no such collation sequence: mine"))
    // A part of the schema that SQLite cannot even read.
    let url = folder.file("foreign.mbtiles")
    try SampleTileset(
      sql: "CREATE VIEW v AS SELECT count(*) FROM metadata;"
        + Self.schema("count(*)", "group_concat(name ORDER BY name)")
    ).write(to: url)
    let error = #expect(throws: MapError.self) { try Tileset(at: url) }
    #expect(error?.code == .notEvaluated)
  }

  @Test func `Tiles can be read while a check runs`() async throws {
    let url = folder.file("a.mbtiles")
    try SampleTileset().write(to: url)
    let tileset = try Tileset(at: url)
    // A reader holds the tileset's own connection during the whole check.
    let report = try tileset.readerHolding { try tileset.check() }
    #expect(report.tileCount == 3)
  }
}

extension Tileset {
  /// Runs a closure inside of a read on the tileset's connection.
  fileprivate func readerHolding<Value>(_ body: () throws -> Value) throws -> Value {
    try reader.read { _ in try body() }
  }
}
