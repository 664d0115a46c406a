import HoldfastFiles

// The sentences about PMTiles archives. What they say that MapLibre Native does was seen with the version that
// mapli 0.4.1 contains, or is in the change log of its releases for iOS.

extension TilesetProblem {
  static func damagedArchive(_ sentence: String) -> TilesetProblem { error(.damaged, sentence) }

  static func unreadableTile(_ tile: TileCoordinate?, because reason: String) -> TilesetProblem {
    error(.damaged, "\(name(tile)) cannot be read from the archive: \(reason).", at: tile)
  }

  static var repeatedContent: TilesetProblem {
    error(
      .damaged,
      "The directories of the archive refer to the same bytes again and again, so that it has more tiles "
        + "than can be examined.")
  }

  static func illegalTileID(_ tileID: UInt64) -> TilesetProblem {
    error(
      .illegalCoordinate,
      "The archive has a tile of the number \(tileID), which lies below zoom level "
        + "\(TileCoordinate.maximumZoom), where none can be.")
  }

  // MARK: - Compression

  static func otherThanHeader(
    _ tile: TileCoordinate?, _ compression: TileCompression,
    header: PMTilesHeader.Compression, isDrawn: Bool
  ) -> TilesetProblem {
    let facts =
      (compression == .none
        ? "\(name(tile)) is not compressed" : "\(name(tile)) is compressed by \(compression)")
      + ", and the archive's header says '\(header.name)': "
    return isDrawn
      ? warning(
        .otherCompression, facts + "newer versions of MapLibre Native draw it, others may not.",
        at: tile)
      : error(.otherCompression, facts + "MapLibre Native refuses the map.", at: tile)
  }

  static func unusableCompression(_ compression: PMTilesHeader.Compression) -> TilesetProblem {
    error(
      .otherCompression,
      "The archive's header says that the tiles are compressed by '\(compression.name)', and MapLibre "
        + "Native draws archives with 'gzip' or 'none' only.")
  }

  // MARK: - What the archive says of itself

  static func invalidMetadata(_ reason: String) -> TilesetProblem {
    warning(
      .invalidMetadata,
      "The archive's metadata is no JSON object (\(reason)); MapLibre Native draws the tiles, without "
        + "their attribution.")
  }

  static func unreadableMetadata(_ sentence: String) -> TilesetProblem {
    error(.invalidMetadata, sentence + " MapLibre Native refuses the map.")
  }

  static func overridingMember(_ key: String, isDrawn: Bool) -> TilesetProblem {
    problem(
      .overridingKey, isDrawn: isDrawn,
      "The archive's metadata has '\(key)', which MapLibre Native uses in place of the header's"
        + (isDrawn ? "." : ", so that it refuses the map or shows less of it."))
  }

  static var otherTiles: TilesetProblem {
    error(
      .overridingKey,
      "The archive's metadata has 'tiles', where MapLibre Native looks for tiles instead of in this file."
    )
  }

  static var southernScheme: TilesetProblem {
    warning(
      .overridingKey,
      "The archive's metadata has 'scheme' tms, which MapLibre Native for iOS obeys before version 6.14, "
        + "and shows tiles at the wrong place.")
  }

  static func invalidAttribution(of place: String) -> TilesetProblem {
    error(
      .invalidMetadata,
      "\(place) has an 'attribution' that is no text, and MapLibre Native refuses the map."
    )
  }

  static func wrongTileType(
    _ declared: PMTilesHeader.TileType, found: TileFormat, isDrawn: Bool
  ) -> TilesetProblem {
    problem(
      .wrongFormat, isDrawn: isDrawn,
      "The archive's header says that the tiles are '\(declared.name)', and they are \(found.rawValue); "
        + "MapLibre Native \(isDrawn ? "draws them" : "draws nothing").")
  }

  static var missingTileType: TilesetProblem {
    warning(.missingFormat, "The archive's header does not say what its tiles are.")
  }

  static var missingLayersOfArchive: TilesetProblem {
    warning(
      .missingVectorLayers,
      "The archive's metadata has no 'vector_layers', which PMTiles demands for vector tiles.")
  }

  static func tilesFromSouth(_ placement: TilePlacement) -> TilesetProblem {
    let place = placement.comparedCount > 0 ? "outside of the 'bounds'" : "far from the 'center'"
    return problem(
      .rowsFromNorth, isDrawn: !placement.isBesideBounds,
      "The tiles lie \(place), and their mirror images do not: the rows look counted from the south, and "
        + "PMTiles counts them from the north. MapLibre Native shows nothing where the header says that "
        + "the map is.")
  }

  static func wrongCount(_ item: String, declared: UInt64, found: Int) -> TilesetProblem {
    warning(
      .wrongCount,
      "The archive's header says that there are \(declared) \(item), and there are \(found).")
  }

  static var impossibleLength: TilesetProblem {
    warning(
      .wrongCount,
      "The archive's header has a length of its tiles that no file has, as of older versions of tilemaker; MapLibre "
        + "Native draws them, and tools that copy the archive in parts may not.")
  }

  static var notClustered: TilesetProblem {
    warning(
      .notClustered,
      "The archive's header says that the tiles lie in the order of their numbers, and they do not; "
        + "MapLibre Native draws them, and tools that read in that order may not.")
  }
}
