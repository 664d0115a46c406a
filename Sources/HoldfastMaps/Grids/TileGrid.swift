public import Foundation
import Holdfast

/// An interaction grid of a tileset: which feature lies where in a tile, and the data of the features.
///
/// ```swift
/// if let grid = try await tileset.grid(at: coordinate) {
///   let shape = try UTFGrid(json: inflate(grid.data, grid.compression))
///   let name = shape.key(column: 32, row: 16)
///   let json = name.flatMap { grid.json(forKey: $0) }
/// }
/// ```
///
/// - SeeAlso: <https://github.com/mapbox/mbtiles-spec/blob/master/1.3/spec.md>, "Grids"
public struct TileGrid: Hashable, Sendable {
  /// The data of a feature.
  public struct KeyData: Hashable, Sendable {
    /// The feature's key in the grid.
    public let key: String
    /// The feature's data, a JSON object.
    public let json: String
  }

  /// The grid as stored: JSON, usually compressed; see ``UTFGrid``.
  public let data: Data

  /// The data of the grid's features, sorted by the bytes of their keys.
  public let keys: [KeyData]

  /// How ``data`` is compressed.
  public var compression: TileCompression { TileCompression(firstBytesOf: data) }

  /// Returns the data of a feature.
  ///
  /// - Parameter key: The feature's key in the grid.
  /// - Returns: A JSON object; `nil` when the tileset has none.
  public func json(forKey key: String) -> String? {
    keys.first { $0.key.utf8.elementsEqual(key.utf8) }?.json
  }

  /// Reads a grid.
  ///
  /// The result is `nil` when the tileset has none there, or no grids at all.
  init?(_ coordinate: TileCoordinate, _ db: Database) throws {
    let place: StatementArguments = [coordinate.z, coordinate.x, coordinate.tileRow]
    let condition = "WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?"
    guard try Self.exists("grids", db),
      let data = try Data.fetchOne(db, sql: "SELECT grid FROM grids \(condition)", arguments: place)
    else { return nil }
    self.data = data
    guard try Self.exists("grid_data", db) else {
      keys = []
      return
    }
    // Sorted here, because SQLite would sort what is too much before it is counted.
    keys = try TilesetLimits.pairs(
      "the data of the grid \(coordinate)", db,
      sql: "SELECT CAST(key_name AS TEXT), CAST(key_json AS TEXT) FROM grid_data \(condition)",
      arguments: place
    ).compactMap { key, json in json.map { KeyData(key: key, json: $0) } }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  private static func exists(_ name: String, _ db: Database) throws -> Bool {
    try db.tableExists(name) || db.viewExists(name)
  }
}
