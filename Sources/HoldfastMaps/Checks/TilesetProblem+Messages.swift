import Holdfast

// Every sentence about a problem of a tileset.

extension TilesetProblem {
  private static func error(
    _ kind: Kind, _ message: String, at tile: TileCoordinate? = nil, count: Int = 1
  ) -> TilesetProblem {
    TilesetProblem(kind: kind, severity: .error, message: message, tile: tile, count: count)
  }

  private static func warning(
    _ kind: Kind, _ message: String, at tile: TileCoordinate? = nil
  ) -> TilesetProblem {
    TilesetProblem(kind: kind, severity: .warning, message: message, tile: tile, count: 1)
  }

  private static func name(_ tile: TileCoordinate?) -> String {
    tile.map { "The tile \($0)" } ?? "A tile"
  }

  // MARK: - The file

  static func damaged(_ detail: String, count: Int) -> TilesetProblem {
    error(.damaged, "The database is damaged: \(detail).", count: count)
  }

  static func metadataColumns(_ names: [String]) -> TilesetProblem {
    error(
      .metadataColumns,
      "The columns of 'metadata' are \(names.joined(separator: ", ")) instead of name, value, and "
        + "MapLibre reads them by position.")
  }

  static var slowLookup: TilesetProblem {
    warning(.slowLookup, "No index helps to find a tile, so that each read passes over all tiles.")
  }

  // MARK: - Tiles

  static var noTiles: TilesetProblem { error(.noTiles, "There are no tiles.") }

  static func illegalCoordinate(_ place: [DatabaseValue]) -> TilesetProblem {
    error(
      .illegalCoordinate,
      "A tile lies at zoom_level, tile_column, tile_row = "
        + place.map(\.description).joined(separator: ", ") + ", where none can be.")
  }

  static func duplicateTile(_ tile: TileCoordinate?) -> TilesetProblem {
    error(.duplicateTile, "\(name(tile)) exists twice, and readers choose differently.", at: tile)
  }

  static func noBlob(_ tile: TileCoordinate?, type: String) -> TilesetProblem {
    error(.noBlob, "\(name(tile)) is of type \(type) instead of a blob.", at: tile)
  }

  static func nullTile(_ tile: TileCoordinate?) -> TilesetProblem {
    warning(.nullTile, "\(name(tile)) is NULL, and counts as missing.", at: tile)
  }

  static func unknownFormat(_ tile: TileCoordinate?) -> TilesetProblem {
    error(.unknownFormat, "\(name(tile)) is no PNG, JPEG, WebP or vector tile.", at: tile)
  }

  static func mixedFormats(_ formats: [TileFormat: Int]) -> TilesetProblem {
    let list = formats.map { "\($0.key.rawValue) (\($0.value))" }.sorted()
    return error(
      .mixedFormats, "The tiles have several formats: \(list.joined(separator: ", ")).")
  }

  static func otherCompression(
    _ tile: TileCoordinate?, _ compression: TileCompression
  ) -> TilesetProblem {
    let found = compression == .none ? "not compressed" : "compressed by \(compression)"
    return warning(
      .otherCompression, "\(name(tile)) is \(found), and vector tiles are compressed by gzip.",
      at: tile)
  }

  // MARK: - Metadata

  static var missingName: TilesetProblem {
    warning(.missingName, "The metadata has no 'name'.")
  }

  static func missingFormat(_ found: TileFormat?) -> TilesetProblem {
    warning(
      .missingFormat,
      "The metadata has no 'format'" + (found.map { ", and the tiles are \($0.rawValue)." } ?? "."))
  }

  static func wrongFormat(declared: TileFormat, found: TileFormat) -> TilesetProblem {
    error(
      .wrongFormat,
      "The metadata says that the tiles are \(declared.rawValue), and they are \(found.rawValue).")
  }

  static func invalidBounds(_ text: String) -> TilesetProblem {
    error(
      .invalidBounds,
      "The 'bounds' are '\(clipped(text))' instead of west, south, east, north in degrees.")
  }

  static var missingBounds: TilesetProblem {
    warning(.missingBounds, "The metadata has no 'bounds'.")
  }

  static func invalidCenter(_ text: String) -> TilesetProblem {
    warning(
      .invalidCenter,
      "The 'center' is '\(clipped(text))' instead of longitude, latitude, zoom level.")
  }

  static func invalidZoom(_ name: String, _ text: String) -> TilesetProblem {
    error(.invalidZoom, "The '\(name)' is '\(clipped(text))' instead of a zoom level from 0 to 30.")
  }

  static func invalidScale(_ text: String) -> TilesetProblem {
    error(.invalidScale, "The 'scale' is '\(clipped(text))' instead of a number.")
  }

  static func wrongZoom(
    declared: (Int, Int), found: (Int, Int)
  ) -> TilesetProblem {
    warning(
      .wrongZoom,
      "The metadata says that there are the zoom levels \(declared.0) to \(declared.1), and there "
        + "are \(found.0) to \(found.1).")
  }

  static var missingVectorLayers: TilesetProblem {
    warning(.missingVectorLayers, "The metadata's 'json' has no 'vector_layers'.")
  }

  static func duplicateName(_ name: String) -> TilesetProblem {
    warning(.duplicateName, "The metadata has several values of '\(clipped(name))'.")
  }

  /// Returns the beginning of a value, which may be megabytes long.
  private static func clipped(_ text: String) -> String {
    // Not characters, one of which may have any length.
    let start = text.unicodeScalars.prefix(60)
    return String(start) + (start.endIndex < text.endIndex ? "…" : "")
  }
}
