import Holdfast

/// How a tileset stores its tiles behind the name `tiles`.
///
/// MBTiles prescribes only what can be read, so the file may be arranged in any way. Three
/// arrangements are known.
///
/// - SeeAlso: <https://maplibre.org/martin/mbtiles-schema/>
public enum TilesetSchema: String, Hashable, Sendable {
  /// One table `tiles`.
  case flat
  /// A view on the table `tiles_with_hash`.
  case flatWithHash = "flat-with-hash"
  /// A view that joins coordinates with contents, so that equal tiles are stored once.
  case normalized
  /// A view on anything else.
  case other

  /// Whether a row of `tiles` is found by integers, as readers look for a tile: texts in a column of texts are, and texts
  /// in a column without a type are not.
  static let isFoundSQL = ["zoom_level", "tile_column", "tile_row"].map {
    // "+" is without the affinity of the cast, as a number that is bound.
    "\($0) = +CAST(\($0) AS INTEGER)"
  }.joined(separator: " AND ")

  /// Reads the schema of a database; it must have `tiles`.
  init(_ db: Database) throws {
    let names = try String.fetchAll(
      db,
      sql: """
        SELECT CASE type WHEN 'table' THEN lower(name) ELSE type || ' ' || lower(name) END
        FROM sqlite_master WHERE type IN ('table', 'view')
        """)
    func has(_ tables: String...) -> Bool { tables.allSatisfy(names.contains) }
    // The two pairs of names: TileMill's, and the one of later tools.
    let isNormalized = has("map", "images") || has("tiles_shallow", "tiles_data")
    self =
      has("tiles")
      ? .flat
      : has("tiles_with_hash")
        ? .flatWithHash
        : isNormalized
          ? .normalized
          : .other
  }
}
