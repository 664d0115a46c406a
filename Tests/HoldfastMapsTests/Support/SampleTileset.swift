import Foundation
import Holdfast
import HoldfastMaps

/// A small tileset that a test makes.
struct SampleTileset {
  /// How the tiles are stored.
  enum Layout: CaseIterable {
    case flat, flatWithHash, normalized, shallow, otherView
  }

  /// An image of one pixel.
  static let png = Data([
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D,
    0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01,
    0x08, 0x06, 0x00, 0x00, 0x00, 0x1F, 0x15, 0xC4, 0x89, 0x00, 0x00, 0x00,
    0x0D, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x60, 0x60, 0x60, 0x60,
    0x00, 0x00, 0x00, 0x05, 0x00, 0x01, 0xA5, 0xF6, 0x45, 0x40, 0x00, 0x00,
    0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
  ])

  var layout = Layout.flat
  var metadata: [(String, String?)] = [
    ("name", "Lantern Fair"), ("format", "png"), ("bounds", "-10,-20,30,40"), ("minzoom", "0"),
    ("maxzoom", "1"),
  ]

  /// The tiles by zoom level, column and row of the file (from the south), and their SQL literals.
  var tiles: [(Int, Int, Int, DatabaseValue)] = [
    (0, 0, 0, SampleTileset.png.databaseValue),
    (1, 0, 0, (SampleTileset.png + [4]).databaseValue),
    (1, 1, 1, (SampleTileset.png + [5]).databaseValue),
  ]

  /// SQL that runs after the tables are filled.
  var sql = ""

  func write(to url: URL) throws {
    let queue = try DatabaseQueue(path: url.path(percentEncoded: false))
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE metadata (name TEXT, value TEXT); \(tables)")
      for (name, value) in metadata {
        try db.execute(sql: "INSERT INTO metadata VALUES (?, ?)", arguments: [name, value])
      }
      for (number, tile) in tiles.enumerated() {
        try insert(tile, number, db)
      }
      try db.execute(sql: sql)
    }
    try queue.close()
  }

  private var tables: String {
    let columns = "zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER"
    let index = "(zoom_level, tile_column, tile_row)"
    let select = "zoom_level, tile_column, tile_row, tile_data"
    return switch layout {
    case .flat:
      "CREATE TABLE tiles (\(columns), tile_data BLOB); CREATE INDEX i ON tiles \(index)"
    case .flatWithHash:
      """
      CREATE TABLE tiles_with_hash (\(columns), tile_data BLOB, tile_hash TEXT);
      CREATE INDEX i ON tiles_with_hash \(index);
      CREATE VIEW tiles AS SELECT \(select) FROM tiles_with_hash
      """
    case .normalized, .shallow:
      """
      CREATE TABLE \(map) (\(columns), \(id) TEXT); CREATE INDEX i ON \(map) \(index);
      CREATE TABLE \(images) (\(id) TEXT PRIMARY KEY, tile_data BLOB);
      CREATE VIEW tiles AS SELECT \(select) FROM \(map) JOIN \(images) USING (\(id))
      """
    case .otherView:
      """
      CREATE TABLE content (z INTEGER, x INTEGER, y INTEGER, d BLOB);
      CREATE VIEW tiles AS
      SELECT z AS zoom_level, x AS tile_column, y AS tile_row, d AS tile_data FROM content
      """
    }
  }

  private var map: String { layout == .shallow ? "tiles_shallow" : "map" }
  private var images: String { layout == .shallow ? "tiles_data" : "images" }
  private var id: String { layout == .shallow ? "tile_data_id" : "tile_id" }

  private func insert(
    _ tile: (Int, Int, Int, DatabaseValue), _ number: Int, _ db: Database
  ) throws {
    let place: StatementArguments = [tile.0, tile.1, tile.2, tile.3]
    switch layout {
    case .flat: try db.execute(sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)", arguments: place)
    case .flatWithHash:
      try db.execute(
        sql: "INSERT INTO tiles_with_hash VALUES (?, ?, ?, ?, 'h')", arguments: place)
    case .normalized, .shallow:
      try db.execute(
        sql: "INSERT INTO \(map) VALUES (?, ?, ?, ?)",
        arguments: [tile.0, tile.1, tile.2, "\(number)"])
      try db.execute(
        sql: "INSERT INTO \(images) VALUES (?, ?)", arguments: ["\(number)", tile.3])
    case .otherView:
      try db.execute(sql: "INSERT INTO content VALUES (?, ?, ?, ?)", arguments: place)
    }
  }
}
