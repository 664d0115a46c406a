import Holdfast
import HoldfastFiles

/// An examination of the rows of tiles, one after the other.
struct TileExamination {
  private(set) var problems = ProblemList()

  /// The entries of an archive that cannot be read.
  private(set) var unreadable = ProblemList()

  /// The number of rows.
  private(set) var tileCount = 0

  /// The formats of the tiles, and how many tiles have each.
  private(set) var formats: [TileFormat: Int] = [:]

  /// The names of the layers that vector tiles have.
  private(set) var layers: Set<ExactText> = []

  /// Whether there are others, whose names have too many bytes to be kept.
  private(set) var hasMoreLayers = false

  private(set) var placement: TilePlacement

  /// The format that the metadata names.
  private let declared: String?

  /// The header, which says how the tiles of an archive are compressed; `nil` for MBTiles.
  private let header: PMTilesHeader?

  /// The examinations that find the texts of styles, one for each.
  private(set) var labels: [LabelExamination] = []

  /// The needs of the labels of each style.
  private(set) var needs: [LabelNeeds] = []

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
    needs = styles.map { _ in LabelNeeds() }
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

  /// Adds what was found in a batch.
  mutating func add(_ result: TileReading.Result) {
    layers.formUnion(result.layers)
    hasMoreLayers = hasMoreLayers || result.hasMoreLayers
    for (index, later) in result.needs.enumerated() { needs[index].add(later: later) }
    var findings = result.findings.makeIterator()
    for item in result.items {
      let tile = add(item)
      switch item.content {
      case .bytes: if let finding = findings.next() { add(finding, at: tile) }
      case .null: problems.add(.nullTile(tile))
      case .otherType(let type): problems.add(.noBlob(tile, type: type))
      case .unreadable(let reason): unreadable.add(.unreadableTile(tile, because: reason))
      case .known, .atOtherZoom: break
      }
    }
  }

  /// Counts the tiles of an item, and adds where they are.
  private mutating func add(_ item: TileBatch.Item) -> TileCoordinate? {
    switch item.place {
    case .tile(let tile):
      tileCount += 1
      // A blank tile is none: there is nothing to see.
      if case .null = item.content { return tile }
      placement.add(tile)
      return tile
    case .illegal(let place):
      tileCount += 1
      problems.add(.illegalCoordinate(place))
      return nil
    case .entry(let entry):
      tileCount += Int(entry.runLength)
      if !placement.add(tilesFrom: entry.tileID, count: UInt64(entry.runLength)) {
        problems.add(.illegalTileID(entry.tileID))
      }
      return TileCoordinate(tileID: entry.tileID)
    }
  }

  /// Returns the place of a zoom level, a column and a row; `nil` when there is no such tile.
  static func coordinate(_ place: [DatabaseValue]) -> TileCoordinate? {
    let numbers = place.compactMap(Int.fromDatabaseValue)
    guard numbers.count == 3 else { return nil }
    return TileCoordinate(zoomLevel: numbers[0], tileColumn: numbers[1], tileRow: numbers[2])
  }

  /// Adds what was found in a tile.
  mutating func add(_ finding: TileFinding, at tile: TileCoordinate?) {
    if finding.laterByteCount > 0 { problems.add(.severalMembers(tile)) }
    if finding.trailingByteCount > 0 {
      problems.add(.trailingBytes(tile, count: finding.trailingByteCount))
    }
    switch finding.kind {
    case .empty:
      emptyCount += 1
      firstEmpty = firstEmpty ?? tile
    case .image(let format):
      formats[format, default: 0] += 1
      examine(finding.compression, of: format, at: tile)
    case .brokenImage(let format, let reason):
      formats[format, default: 0] += 1
      problems.add(.brokenImage(tile, format, because: reason))
    case .vector(let remark, let fault):
      formats[.pbf, default: 0] += 1
      examine(finding.compression, of: .pbf, at: tile)
      if let remark { problems.add(.irregularVectorTile(tile, remark)) }
      if let fault { problems.add(.invalidVectorTile(tile, fault)) }
    case .mapLibreTile: formats[.mlt, default: 0] += 1
    case .brokenVector(let fault):
      formats[.pbf, default: 0] += 1
      problems.add(
        fault.isDrawn ? .irregularVectorTile(tile, fault) : .invalidVectorTile(tile, fault))
    case .brokenCompression(let fault):
      problems.add(
        .brokenCompression(tile, finding.compression, fault, inArchive: header != nil))
    case .nested(let inner):
      problems.add(.nestedCompression(tile, finding.compression, inner))
    case .other(let beginning):
      if declared.flatMap({ TileFormat(declared: $0) }) == .mlt {
        formats[.mlt, default: 0] += 1
      } else {
        problems.add(.unknownFormat(tile, beginning: beginning, declared: declared))
      }
    }
  }

  private mutating func examine(
    _ compression: TileCompression, of format: TileFormat, at tile: TileCoordinate?
  ) {
    switch header?.tileCompression {
    case nil where format.isImage:
      if compression == .gzip { problems.add(.compressedImage(tile, format)) }
      if compression == .zlib { problems.add(.otherCompression(tile, .zlib)) }
    case nil:
      // "pbf ... refers to gzip-compressed vector tile data" (MBTiles 1.3).
      if compression != .gzip {
        problems.add(.otherCompression(tile, compression))
      }
    case .gzip:
      if compression != .gzip {
        problems.add(.otherThanHeader(tile, compression, header: .gzip, isDrawn: true))
      }
    case .none?:
      if compression != .none {
        problems.add(.otherThanHeader(tile, compression, header: .none, isDrawn: false))
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
          // In an archive, MapLibre Native looks at the length of an entry, and not for an image.
          areImages: header == nil && (hasImages || formats.isEmpty && isDeclaredImage)))
    }
  }
}

extension TileContent {
  /// Returns what is wrong with the tile, as sentences; nothing about the tileset's other tiles.
  package func problems(at tile: TileCoordinate) -> [String] {
    var examination = TileExamination(RendererMetadata(TilesetMetadata(entries: [])))
    examination.add(TileFinding(self), at: tile)
    examination.finish()
    return examination.problems.problems.filter { $0.kind != .noTiles }.map(\.message)
  }
}
