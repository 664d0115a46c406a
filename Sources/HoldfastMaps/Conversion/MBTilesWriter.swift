import Foundation
import Holdfast
import HoldfastFiles

/// Writes tiles into an MBTiles file, in which equal tiles are one row.
///
/// - SeeAlso: <https://github.com/mapbox/mbtiles-spec/blob/master/1.3/spec.md>
struct MBTilesWriter {
  private var tiles: ConvertedTiles
  private let selection: TileSelection
  private let path: FilePath

  private static let schema = """
    PRAGMA application_id = 0x4d504258;
    CREATE TABLE metadata (name TEXT NOT NULL PRIMARY KEY, value TEXT);
    CREATE TABLE images (tile_id INTEGER PRIMARY KEY, tile_data BLOB NOT NULL);
    CREATE TABLE map (
      zoom_level INTEGER NOT NULL, tile_column INTEGER NOT NULL, tile_row INTEGER NOT NULL,
      tile_id INTEGER NOT NULL REFERENCES images (tile_id),
      PRIMARY KEY (zoom_level, tile_column, tile_row)
    ) WITHOUT ROWID;
    CREATE VIEW tiles AS
      SELECT map.zoom_level, map.tile_column, map.tile_row, images.tile_data
      FROM map JOIN images ON images.tile_id = map.tile_id;
    """

  init(_ tiles: ConvertedTiles, of selection: TileSelection, at path: FilePath) {
    (self.tiles, self.selection, self.path) = (tiles, selection, path)
  }

  /// Writes the file.
  mutating func run(_ progress: (Double) throws -> Void) throws -> TilesetConversion.Report {
    let queue = try DatabaseQueue(path: path.text, configuration: .forUnpublishedFile)
    let place = try queue.write { db in
      try db.execute(sql: Self.schema)
      let statement = try db.makeStatement(
        sql: "INSERT INTO images (tile_id, tile_data) VALUES (?, ?)")
      var number: Int64 = 0
      try tiles.readAll(in: selection, progress) { bytes in
        number += 1
        try statement.execute(number, Data(bytes))
      }
      try writeMap(db)
      let place = ConvertedPlace(of: tiles, in: selection, for: .mbtiles)
      try writeMetadata(db, place)
      return place
    }
    try queue.close()
    return TilesetConversion.Report(
      tileCount: tiles.tileCount, contentCount: tiles.contents.count, losses: tiles.losses,
      changes: place.changes)
  }

  private func writeMetadata(_ db: Database, _ place: ConvertedPlace) throws {
    var rows = tiles.source.description.rows(
      zoomLevels: tiles.zoomLevels, bounds: place.bounds, center: place.center)
    if !rows.contains(where: { $0.name == "name" }) {
      // MBTiles demands one.
      rows.append(TilesetDescription.Text(name: "name", value: tiles.source.path.name))
    }
    let statement = try db.makeStatement(
      sql: "INSERT OR REPLACE INTO metadata (name, value) VALUES (?, ?)")
    for row in rows { try statement.execute(row.name, row.value) }
  }

  private func writeMap(_ db: Database) throws {
    let statement = try db.makeStatement(sql: "INSERT INTO map VALUES (?, ?, ?, ?)")
    for run in tiles.runs {
      for number in 0..<UInt64(run.count) {
        guard let coordinate = TileCoordinate(tileID: run.tileID + number) else { continue }
        try statement.execute(
          Int64(coordinate.z), Int64(coordinate.x), Int64(coordinate.tileRow),
          Int64(run.content + 1))
      }
    }
  }
}
