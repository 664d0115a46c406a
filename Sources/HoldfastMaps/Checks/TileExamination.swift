import Holdfast
import HoldfastFiles

/// What a check learns from the rows of tiles, one after the other.
struct TileExamination {
  private(set) var problems = ProblemList()

  /// The number of rows.
  private(set) var tileCount = 0

  /// The formats of the tiles, and how many tiles have each.
  private(set) var formats: [TileFormat: Int] = [:]

  /// The names of the layers that vector tiles have.
  private(set) var layers: Set<ExactText> = []

  private(set) var placement: TilePlacement

  /// The format that the metadata names.
  private let declared: String?

  /// What says how the tiles of an archive are compressed; `nil` for MBTiles.
  private let header: PMTilesHeader?

  /// What finds the texts of styles, each its own.
  private(set) var labels: [LabelExamination] = []

  private let inflater = ZlibInflater()
  private var emptyCount = 0
  private var firstEmpty: TileCoordinate?

  init(_ metadata: RendererMetadata) {
    declared = metadata.metadata.format
    header = nil
    placement = TilePlacement(bounds: metadata.bounds, center: metadata.metadata.center)
  }

  /// Prepares to read the tiles of an archive.
  init(_ header: PMTilesHeader, bounds: RendererBounds?) {
    declared = header.tileType == .unknown ? nil : header.tileType.format
    self.header = header
    // An archive that says nothing has zeros.
    let isSaid = header.firstView.map { $0.longitude != 0 || $0.latitude != 0 } ?? false
    placement = TilePlacement(bounds: bounds, center: isSaid ? header.firstView : nil)
  }

  /// Prepares to find the texts of styles.
  ///
  /// - Parameters:
  ///   - styles: The styles.
  ///   - path: The path of the tileset, by which a style may name it.
  ///   - deepest: The zoom level whose tiles are drawn at all deeper ones, too; `nil` when it is not known.
  mutating func findTexts(of styles: [MapStyle], forFileNamed path: String?, deepest: Int?) {
    labels = styles.map { style in
      let sources = StyleSourceLayers.sources(of: style, forFileNamed: path)
      return LabelExamination(
        StyleLabel.all(in: style.document).filter { sources.contains(ExactText($0.source)) },
        deepest: deepest)
    }
  }

  /// The only format of all tiles; `nil` when there are several or none.
  var format: TileFormat? { formats.count == 1 ? formats.keys.first : nil }

  /// Whether some tiles are images.
  var hasImages: Bool { formats.keys.contains(where: \.isImage) }

  /// Reads a row.
  ///
  /// - Parameters:
  ///   - place: The zoom level, the column and the row.
  ///   - value: The tile.
  mutating func examine(_ place: [DatabaseValue], _ value: DatabaseValue) {
    tileCount += 1
    let tile = Self.coordinate(place)
    if let tile {
      // A blank tile is none: there is nothing to see.
      if !value.isNull { placement.add(tile) }
    } else {
      problems.add(.illegalCoordinate(place))
    }
    guard case .blob(let data) = value.storage else {
      problems.add(value.isNull ? .nullTile(tile) : .noBlob(tile, type: value.typeName))
      return
    }
    examine(TileContent([UInt8](data), with: inflater), at: tile)
  }

  /// Reads the tiles of an entry of an archive.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - content: Its bytes; `nil` for those that were examined with another entry.
  mutating func examine(_ entry: PMTilesDirectory.Entry, _ content: [UInt8]?) {
    tileCount += Int(entry.runLength)
    if !placement.add(tilesFrom: entry.tileID, count: UInt64(entry.runLength)) {
      problems.add(.illegalTileID(entry.tileID))
    }
    guard let content else { return }
    examine(TileContent(content, with: inflater), at: TileCoordinate(tileID: entry.tileID))
  }

  static func coordinate(_ place: [DatabaseValue]) -> TileCoordinate? {
    // Not text: a map compares with integers.
    let numbers = place.compactMap { $0.typeName == "text" ? nil : Int.fromDatabaseValue($0) }
    guard numbers.count == 3 else { return nil }
    return TileCoordinate(zoomLevel: numbers[0], tileColumn: numbers[1], tileRow: numbers[2])
  }

  /// Looks at a tile.
  mutating func examine(_ content: TileContent, at tile: TileCoordinate?) {
    if content.laterByteCount > 0 { problems.add(.severalMembers(tile)) }
    if content.trailingByteCount > 0 {
      problems.add(.trailingBytes(tile, count: content.trailingByteCount))
    }
    switch content.kind {
    case .empty:
      emptyCount += 1
      firstEmpty = firstEmpty ?? tile
    case .image(let format):
      formats[format, default: 0] += 1
      examineCompression(of: content, format, at: tile)
    case .brokenImage(let format, let reason):
      formats[format, default: 0] += 1
      problems.add(.brokenImage(tile, format, because: reason))
    case .vector(let vectorTile):
      formats[.pbf, default: 0] += 1
      examineCompression(of: content, .pbf, at: tile)
      for layer in vectorTile.layers {
        layers.insert(ExactText(layer.name))
        guard let tile else { continue }
        for index in labels.indices { labels[index].examine(layer, atZoom: tile.z) }
      }
      do throws(VectorTileFault) {
        let remark = try vectorTile.examineFeatures()
        if let remark { problems.add(.irregularVectorTile(tile, remark)) }
      } catch {
        problems.add(.invalidVectorTile(tile, error))
      }
    case .mapLibreTile: formats[.mlt, default: 0] += 1
    case .brokenVector(let fault):
      formats[.pbf, default: 0] += 1
      problems.add(
        fault.isDrawn ? .irregularVectorTile(tile, fault) : .invalidVectorTile(tile, fault))
    case .brokenCompression(let fault):
      problems.add(
        .brokenCompression(tile, content.compression, fault, inArchive: header != nil))
    case .nested(let inner):
      problems.add(.nestedCompression(tile, content.compression, inner))
    case .other(let beginning):
      if declared.flatMap({ TileFormat(declared: $0) }) == .mlt {
        formats[.mlt, default: 0] += 1
      } else {
        problems.add(.unknownFormat(tile, beginning: beginning, declared: declared))
      }
    }
  }

  private mutating func examineCompression(
    of content: TileContent, _ format: TileFormat, at tile: TileCoordinate?
  ) {
    switch header?.tileCompression {
    case nil where format.isImage:
      if content.compression == .gzip { problems.add(.compressedImage(tile, format)) }
      if content.compression == .zlib { problems.add(.otherCompression(tile, .zlib)) }
    case nil:
      // "pbf ... refers to gzip-compressed vector tile data" (MBTiles 1.3).
      if content.compression != .gzip {
        problems.add(.otherCompression(tile, content.compression))
      }
    case .gzip:
      if content.compression != .gzip {
        problems.add(.otherThanHeader(tile, content.compression, header: .gzip, isDrawn: true))
      }
    case .none?:
      if content.compression != .none {
        problems.add(.otherThanHeader(tile, content.compression, header: .none, isDrawn: false))
      }
    // No tile is drawn, whatever it is, and the examination of the header says so.
    case .unknown, .brotli, .zstd: break
    }
  }

  /// Adds what is known only when all rows were read.
  mutating func finish() {
    if tileCount == 0 { problems.add(.noTiles) }
    if formats.count > 1 {
      // Images of several formats lie in one raster source.
      problems.add(.mixedFormats(formats, areDrawn: formats.keys.allSatisfy(\.isImage)))
    }
    if let count = formats[.mlt] { problems.add(.unreadFormat(.mlt, count: count)) }
    if emptyCount > 0 {
      let isDeclaredImage = declared.flatMap { TileFormat(declared: $0) }?.isImage ?? false
      problems.add(
        .emptyTile(
          firstEmpty, count: emptyCount,
          areImages: hasImages || formats.isEmpty && isDeclaredImage))
    }
  }
}

extension TileContent {
  /// Returns what is wrong with the tile, as sentences; nothing about the tileset's other tiles.
  package func problems(at tile: TileCoordinate) -> [String] {
    var examination = TileExamination(RendererMetadata(TilesetMetadata(entries: [])))
    examination.examine(self, at: tile)
    examination.finish()
    return examination.problems.problems.filter { $0.kind != .noTiles }.map(\.message)
  }
}
