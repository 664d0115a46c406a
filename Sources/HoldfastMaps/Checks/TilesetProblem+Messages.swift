import Holdfast
import HoldfastFiles

// Every sentence about a problem of a tileset. What they say that MapLibre Native does was seen with the
// versions that mapli 0.4.1 and pymgl 0.5.0 contain.

extension TilesetProblem {
  static func error(
    _ kind: Kind, _ message: String, at tile: TileCoordinate? = nil, count: Int = 1
  ) -> TilesetProblem {
    TilesetProblem(kind: kind, severity: .error, message: message, tile: tile, count: count)
  }

  static func warning(
    _ kind: Kind, _ message: String, at tile: TileCoordinate? = nil, count: Int = 1
  ) -> TilesetProblem {
    TilesetProblem(kind: kind, severity: .warning, message: message, tile: tile, count: count)
  }

  static func name(_ tile: TileCoordinate?) -> String {
    tile.map { "The tile \($0)" } ?? "A tile"
  }

  // MARK: - The file

  static func damaged(_ detail: String, count: Int) -> TilesetProblem {
    error(.damaged, "The database is damaged: \(detail).", count: count)
  }

  /// A part of the schema that readers of tiles evaluate.
  static func notEvaluated(_ reason: String) -> TilesetProblem {
    error(
      .notEvaluated, "The tables or views cannot be read with this version of SQLite: \(reason).")
  }

  /// A part of the schema that only a check evaluates.
  static func notChecked(_ reason: String) -> TilesetProblem {
    warning(
      .notEvaluated,
      "Constraints or indexes need what this version of SQLite lacks, and the file was not checked for "
        + "damage: \(reason).")
  }

  static func brokenConstraint(_ broken: BrokenConstraint) -> TilesetProblem {
    warning(
      .brokenConstraint,
      "\(broken), which is no damage: the tiles can be read.")
  }

  static var writeAheadLog: TilesetProblem {
    error(
      .writeAheadLog,
      "The file is in write-ahead-log mode, so that it cannot be opened in a folder that must not be "
        + "written, such as the app's bundle or a pack's.")
  }

  static func metadataColumns(_ names: [String]) -> TilesetProblem {
    warning(
      .metadataColumns,
      "The columns of 'metadata' are \(names.joined(separator: ", ")) instead of name, value; MapLibre "
        + "Native reads them by position, draws the tiles, and does not see what the metadata say.")
  }

  static var slowLookup: TilesetProblem {
    warning(.slowLookup, "No index helps enough to find a tile: each read passes over many.")
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
    warning(
      .duplicateTile,
      "\(name(tile)) exists twice: MapLibre Native draws the last row, and other readers choose "
        + "differently.", at: tile)
  }

  static func noBlob(_ tile: TileCoordinate?, type: String) -> TilesetProblem {
    error(.noBlob, "\(name(tile)) is of type \(type) instead of a blob.", at: tile)
  }

  static func nullTile(_ tile: TileCoordinate?) -> TilesetProblem {
    warning(
      .nullTile, "\(name(tile)) is NULL, which MapLibre Native shows as a blank tile.", at: tile)
  }

  static func lostContent(
    _ tile: TileCoordinate?, _ table: String, _ contents: String, count: Int
  ) -> TilesetProblem {
    error(
      .lostContent,
      "\(name(tile)) has a place in '\(table)' and no content in '\(contents)', and a map is blank there.",
      at: tile, count: count)
  }

  static func emptyTile(
    _ tile: TileCoordinate?, count: Int, areImages: Bool
  ) -> TilesetProblem {
    guard areImages else {
      return warning(
        .emptyTile, "\(name(tile)) has no bytes, which MapLibre Native shows as a blank tile.",
        at: tile, count: count)
    }
    return error(
      .emptyTile,
      "\(name(tile)) has no bytes, and MapLibre Native refuses the map because that is no image.",
      at: tile, count: count)
  }

  static func brokenCompression(
    _ tile: TileCoordinate?, _ compression: TileCompression, _ fault: InflationFault,
    inArchive: Bool
  ) -> TilesetProblem {
    error(
      .brokenCompression,
      "\(name(tile)) cannot be decompressed from \(compression) (\(fault)), "
        + (inArchive
          ? "and MapLibre Native refuses the map." : "which ends the app with MapLibre Native."),
      at: tile)
  }

  static func nestedCompression(
    _ tile: TileCoordinate?, _ outer: TileCompression, _ inner: TileCompression
  ) -> TilesetProblem {
    error(
      .nestedCompression,
      "\(name(tile)) is compressed twice, by \(inner) and then by \(outer), and MapLibre Native refuses "
        + "the map.", at: tile)
  }

  static func severalMembers(_ tile: TileCoordinate?) -> TilesetProblem {
    error(
      .severalMembers,
      "\(name(tile)) is compressed in several members of gzip, of which MapLibre Native reads the first "
        + "only.", at: tile)
  }

  static func trailingBytes(_ tile: TileCoordinate?, count: Int) -> TilesetProblem {
    warning(
      .trailingBytes,
      "\(name(tile)) has \(count) bytes after the end of its compressed content, which MapLibre Native "
        + "ignores and other readers refuse.", at: tile)
  }

  static func otherCompression(
    _ tile: TileCoordinate?, _ compression: TileCompression
  ) -> TilesetProblem {
    guard compression == .zlib else {
      return warning(
        .otherCompression,
        "\(name(tile)) is not compressed, and MBTiles demands gzip for vector tiles; MapLibre Native "
          + "draws it.", at: tile)
    }
    return error(
      .otherCompression,
      "\(name(tile)) is compressed by zlib, and MBTiles demands gzip: only newer versions of MapLibre "
        + "Native draw it.", at: tile)
  }

  static func compressedImage(_ tile: TileCoordinate?, _ format: TileFormat) -> TilesetProblem {
    warning(
      .compressedImage,
      "\(name(tile)) is an image (\(format.rawValue)) that is compressed by gzip once more: MapLibre "
        + "Native draws it, and other readers show nothing.", at: tile)
  }

  static func brokenImage(
    _ tile: TileCoordinate?, _ format: TileFormat, because reason: String
  ) -> TilesetProblem {
    error(
      .brokenImage,
      "\(name(tile)) is an image (\(format.rawValue)) that is not whole: \(reason); MapLibre Native refuses "
        + "the map or shows less.", at: tile)
  }

  static func unknownFormat(
    _ tile: TileCoordinate?, beginning: [UInt8], declared: String?
  ) -> TilesetProblem {
    // Bytes that are no text are shown by their numbers.
    let isText = beginning.allSatisfy { $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A || $0 == 0x0D }
    let start =
      isText
      ? "'" + clipped(String(decoding: beginning, as: UTF8.self).filter { !$0.isNewline }, to: 24)
        + "'"
      : HexText.text(Array(beginning.prefix(8)))
    // RFC 8878, section 3.1.1: the magic number of zstd.
    let isZstandard = beginning.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
    let known = declared.map { TileFormat(declared: $0) != nil } ?? true
    return error(
      .unknownFormat,
      "\(name(tile)) is no PNG, JPEG, WebP or vector tile; it begins with \(start)"
        + (isZstandard ? ", as what is compressed by zstd" : "")
        + (known ? "." : ", and the format '\(clipped(declared ?? ""))' is not known."), at: tile)
  }

  static func mixedFormats(_ formats: [TileFormat: Int], areDrawn: Bool) -> TilesetProblem {
    let list = formats.map { "\($0.key.rawValue) (\($0.value))" }.sorted().joined(separator: ", ")
    return areDrawn
      ? warning(
        .mixedFormats, "The tiles have several formats: \(list); MapLibre Native draws them all.")
      : error(
        .mixedFormats,
        "The tiles have several formats: \(list), of which a source of MapLibre Native draws one kind "
          + "and refuses the other.")
  }

  static func unreadFormat(_ format: TileFormat, count: Int) -> TilesetProblem {
    error(
      .unreadFormat,
      "The tiles are MapLibre tiles (\(format.rawValue)), which only newer versions of MapLibre Native "
        + "draw, and which this check does not read.", count: count)
  }

  static func invalidVectorTile(
    _ tile: TileCoordinate?, _ fault: VectorTileFault
  ) -> TilesetProblem {
    error(
      .invalidVectorTile,
      "\(name(tile)) is no valid vector tile: \(fault); MapLibre Native refuses the map or shows less.",
      at: tile)
  }

  static func irregularVectorTile(
    _ tile: TileCoordinate?, _ fault: VectorTileFault
  ) -> TilesetProblem {
    warning(
      .irregularVectorTile,
      "\(name(tile)) does not follow the specification of vector tiles: \(fault); MapLibre Native draws "
        + "it.", at: tile)
  }
}

extension TilesetProblem {
  /// The consequence that a value of the metadata has in MapLibre Native.
  enum Consequence: Hashable {
    /// It ends the app.
    case ending
    /// It refuses the tileset.
    case refused
    /// It reads something else, and shows less.
    case misread
    /// It shows nothing.
    case nothing
    /// It shows less.
    case less
    /// It draws the tiles on this side of 180° only.
    case cutAtAntimeridian
    /// It draws the tiles, because it ignores the bounds.
    case acrossAntimeridian
    /// It reads a number at the beginning.
    case read(as: Int)
    /// It does not look at the value.
    case ignored
    /// It draws the tiles.
    case drawn
  }

  static func problem(
    _ kind: Kind, isDrawn: Bool, _ message: String
  ) -> TilesetProblem {
    isDrawn ? warning(kind, message) : error(kind, message)
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

  static func wrongFormat(
    declared: String, found: TileFormat, isDrawn: Bool
  ) -> TilesetProblem {
    problem(
      .wrongFormat, isDrawn: isDrawn,
      "The metadata says that the tiles are '\(clipped(declared))', and they are \(found.rawValue); "
        + (isDrawn
          ? "MapLibre Native draws them." : "newer versions of MapLibre Native draw nothing."))
  }

  static func otherEncoding(_ encoding: String) -> TilesetProblem {
    error(
      .otherEncoding,
      "The metadata says that the 'encoding' is '\(clipped(encoding))', and the tiles are pbf: newer "
        + "versions of MapLibre Native draw nothing.")
  }

  static func otherProjection(_ name: String) -> TilesetProblem {
    warning(
      .otherProjection,
      "The metadata says that the 'crs' is '\(clipped(name))': maps draw the tiles as of Web Mercator, and so in "
        + "another place, unless it is that of the bounds alone.")
  }

  static func overridingKey(_ key: String, isDrawn: Bool) -> TilesetProblem {
    problem(
      .overridingKey, isDrawn: isDrawn,
      "The metadata's 'json' has '\(key)', which MapLibre Native uses in place of what the rows say"
        + (isDrawn ? "." : ", so that it finds no tiles of this file, or other ones."))
  }

  static func invalidBounds(_ text: String, _ consequence: Consequence) -> TilesetProblem {
    let start = "The 'bounds' are '\(clipped(text))'"
    let instead = " instead of west, south, east, north in degrees"
    return switch consequence {
    case .acrossAntimeridian:
      warning(
        .invalidBounds,
        start + ", which lie across 180°: MapLibre Native ignores those of vector tiles, and other "
          + "readers may refuse them.")
    case .cutAtAntimeridian:
      error(
        .invalidBounds,
        start + ", which lie across 180°: MapLibre Native draws nothing on the other side.")
    case .misread:
      error(.invalidBounds, start + instead + ", and MapLibre Native draws only a part of the map.")
    case .drawn:
      warning(.invalidBounds, start + instead + "; MapLibre Native draws the map.")
    default: error(.invalidBounds, start + instead + ", and MapLibre Native refuses the map.")
    }
  }

  static var missingBounds: TilesetProblem {
    warning(.missingBounds, "The metadata has no 'bounds'.")
  }

  static func invalidCenter(_ text: String) -> TilesetProblem {
    warning(
      .invalidCenter,
      "The 'center' is '\(clipped(text))' instead of longitude, latitude, zoom level.")
  }

  static func invalidZoom(
    _ name: String, _ text: String, _ consequence: Consequence
  ) -> TilesetProblem {
    let start = "The '\(name)' is '\(clipped(text))' instead of a zoom level from 0 to 30"
    return switch consequence {
    case .read(let number):
      warning(.invalidZoom, start + "; MapLibre Native reads \(number).")
    case .ignored:
      warning(
        .invalidZoom, start + "; MapLibre Native uses those of the tiles, because one is missing.")
    case .ending: error(.invalidZoom, start + ", which ends the app with MapLibre Native.")
    default: error(.invalidZoom, start + ", and MapLibre Native refuses the map.")
    }
  }

  static func invalidScale(_ text: String, readAs number: Double?) -> TilesetProblem {
    let consequence =
      switch number {
      case nil: ", which ends the app with MapLibre Native."
      case let number? where !number.isFinite:
        ", and MapLibre Native refuses the map or ends the app."
      default: "; MapLibre Native reads its beginning."
      }
    return problem(
      .invalidScale, isDrawn: number?.isFinite == true,
      "The 'scale' is '\(clipped(text))' instead of a number" + consequence)
  }

  static func wrongZoom(
    declared: (Int, Int), found: (Int, Int), _ consequence: Consequence
  ) -> TilesetProblem {
    let facts =
      "The metadata says that there are the zoom levels \(declared.0) to \(declared.1), and there are "
      + "\(found.0) to \(found.1)"
    return switch consequence {
    case .nothing: error(.wrongZoom, facts + ": MapLibre Native shows nothing.")
    case .less:
      warning(.wrongZoom, facts + ": MapLibre Native shows nothing from \(found.1 + 1) on.")
    default: warning(.wrongZoom, facts + ".")
    }
  }

  static func missingZoomLevel(_ levels: [Int], isReplaced: Bool) -> TilesetProblem {
    warning(
      .missingZoomLevel,
      "There are no tiles at zoom level \(levels.map(String.init).joined(separator: ", ")), and tiles "
        + "above and below; MapLibre Native "
        + (isReplaced ? "enlarges those above." : "shows nothing there."))
  }

  /// - Parameter json: The row `json`: `nil` when there is none, otherwise why it is no JSON, if it is none.
  /// - Returns: A warning.
  static func missingVectorLayers(_ json: String??) -> TilesetProblem {
    let sentence =
      switch json {
      case nil: "The metadata has no 'json', which says the 'vector_layers'."
      case .some(nil): "The metadata's 'json' has no 'vector_layers'."
      case .some(let reason?):
        "The metadata's 'json', which says the 'vector_layers', is no JSON (\(reason))."
      }
    return warning(.missingVectorLayers, sentence)
  }

  static func duplicateName(_ name: String) -> TilesetProblem {
    warning(.duplicateName, "The metadata has several values of '\(clipped(name))'.")
  }

  static func undeclaredLayer(_ names: [String]) -> TilesetProblem {
    warning(
      .undeclaredLayer,
      "The tiles have layers that 'vector_layers' does not name: \(list(names)).", at: nil,
      count: names.count)
  }

  static func absentLayer(_ names: [String]) -> TilesetProblem {
    warning(
      .absentLayer, "No tile has layers that 'vector_layers' names: \(list(names)).", at: nil,
      count: names.count)
  }

  // MARK: - Places

  static func rowsFromNorth(_ placement: TilePlacement, isCut: Bool) -> TilesetProblem {
    let place = placement.comparedCount > 0 ? "outside of the 'bounds'" : "far from the 'center'"
    return problem(
      .rowsFromNorth, isDrawn: !isCut,
      "The tiles lie \(place), and their mirror images do not: the rows look like XYZ, counted from the "
        + "north, and MBTiles counts them from the south. MapLibre Native shows nothing where the "
        + "metadata say that the map is.")
  }

  static func levelsFromNorth(_ zoomLevels: [Int]) -> TilesetProblem {
    warning(
      .rowsFromNorth,
      "The tiles of some zoom levels (\(zoomLevels.map(String.init).joined(separator: ", "))) lie outside of the 'bounds', and their "
        + "mirror images do not: their rows look counted from the other side. MapLibre Native shows nothing there."
    )
  }

  static func outsideBounds(_ placement: TilePlacement, isCut: Bool) -> TilesetProblem {
    problem(
      .outsideBounds, isDrawn: !isCut,
      "All tiles lie outside of the 'bounds'; MapLibre Native "
        + (isCut
          ? "shows nothing." : "ignores those of vector tiles, and other renderers show nothing."))
  }

  static func partlyOutsideBounds(_ placement: TilePlacement) -> TilesetProblem {
    warning(
      .outsideBounds,
      "Of \(placement.comparedCount) tiles, \(placement.comparedCount - placement.insideCount) lie "
        + "outside of the 'bounds'; MapLibre Native does not draw these.")
  }

  static func emptyCenter(_ text: String) -> TilesetProblem {
    warning(
      .emptyCenter,
      "The 'center' is '\(clipped(text))', where there is no tile: a map that begins there is blank."
    )
  }

  // MARK: - Names

  static func wrongName(_ path: String?, _ format: TilesetFileFormat) -> TilesetProblem? {
    guard let reason = path.flatMap({ format.wrongName(of: FilePath($0)) }) else { return nil }
    return error(.wrongName, "\(reason).")
  }

  // MARK: - Texts

  static func list(_ names: [String]) -> String {
    let shown = names.prefix(8).map { "'\(clipped($0))'" }.joined(separator: ", ")
    return names.isEmpty ? "none" : names.count > 8 ? shown + " and others" : shown
  }

  /// Returns the beginning of a value, which may be megabytes long.
  static func clipped(_ text: String, to count: Int = 60) -> String {
    // Not characters, one of which may have any length.
    let start = text.unicodeScalars.prefix(count)
    return String(start) + (start.endIndex < text.endIndex ? "…" : "")
  }
}
