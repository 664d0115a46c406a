import Holdfast
import HoldfastFiles

/// An examination of the header and metadata of an archive: what the specification demands, and what MapLibre Native does
/// with it.
///
/// MapLibre Native makes a TileJSON document of the metadata, in which some members come before what the header says.
///
/// - SeeAlso: `platform/default/src/mbgl/storage/pmtiles_file_source.cpp` of MapLibre Native
struct ArchiveExamination {
  private(set) var problems = ProblemList()

  private let header: PMTilesHeader
  private let json: JSONDocument?
  private let tiles: TileExamination

  /// Examines the header and the metadata of an archive whose tiles were read.
  init(
    _ header: PMTilesHeader, _ metadata: Metadata, _ tiles: TileExamination, _ order: ContentOrder
  ) {
    (self.header, json, self.tiles) = (header, metadata.json, tiles)
    problems.add(metadata.problems)
    examineTiles()
    examineMembers()
    examineBounds()
    examineCenter()
    examineZoomLevels()
    examineLayers()
    examineCounts(order)
  }

  // MARK: - Metadata

  /// The metadata, and what is wrong with it as a whole.
  struct Metadata {
    var json: JSONDocument?
    var problems = ProblemList()

    /// Reads the metadata of an archive.
    init(_ file: PMTilesFile) throws {
      let bytes: [UInt8]
      do {
        bytes = try file.metadata()
      } catch let error as MapError where error.code == .damaged {
        problems.add(.unreadableMetadata(error.message))
        return
      }
      do throws(JSONDocument.Fault) {
        guard
          !JSONDocument.hasMoreValues(
            than: TilesetLimits.jsonValueCount, String(decoding: bytes, as: UTF8.self))
        else { throw JSONDocument.Fault(reason: "it has too many values", offset: 0) }
        let document = try JSONDocument(bytes)
        guard document.root.isObject else {
          throw JSONDocument.Fault(reason: "it is another value", offset: 0)
        }
        json = document
      } catch {
        problems.add(.invalidMetadata(error.reason))
      }
    }

    /// The area in the metadata; `nil` when there is none, or no list of four numbers.
    var bounds: RendererBounds? {
      guard let json, let value = json.root.last("bounds"), value.isArray else { return nil }
      return RendererBounds(value, in: json)
    }
  }

  private func member(_ key: String) -> JSONDocument.Value? { json?.root.last(key) }

  private mutating func examineTiles() {
    if ![.gzip, .none].contains(header.tileCompression) {
      problems.add(.unusableCompression(header.tileCompression))
    }
    guard let found = tiles.format else { return }
    guard header.tileType != .unknown else {
      problems.add(.missingTileType)
      return
    }
    let foundType = PMTilesHeader.TileType(found)
    if foundType != header.tileType {
      let isDrawn = !header.tileType.mustBeNamed && !foundType.mustBeNamed
      problems.add(.wrongTileType(header.tileType, found: found, isDrawn: isDrawn))
    }
  }

  private mutating func examineMembers() {
    if member("tiles")?.isArray == true { problems.add(.otherTiles) }
    if member("scheme")?.text == "tms" { problems.add(.southernScheme) }
    if let encoding = member("encoding")?.text, encoding == "mlt", tiles.formats[.pbf] != nil {
      problems.add(.otherEncoding(encoding))
    }
    if let other = TileProjection.other(member(TileProjection.key)?.text) {
      problems.add(.otherProjection(other))
    }
    if let attribution = member("attribution"), attribution.text == nil {
      problems.add(.invalidAttribution(of: "The archive's metadata"))
    }
  }

  // MARK: - Area

  private mutating func examineBounds() {
    let stated = RendererBounds(header.bounds?.edges ?? header.degrees)
    if let value = member("bounds"), value.isArray {
      let bounds = json.flatMap { RendererBounds(value, in: $0) }
      if bounds?.isRefused != false {
        problems.add(.overridingMember("bounds", isDrawn: false))
      } else if bounds?.edges != stated?.edges {
        problems.add(.overridingMember("bounds", isDrawn: true))
      }
    } else if let stated {
      let text = header.degrees.map { "\($0)" }.joined(separator: ",")
      if stated.isRefused {
        problems.add(.invalidBounds(text, .refused))
      } else if stated.crossesAntimeridian {
        problems.add(.invalidBounds(text, .cutAtAntimeridian))
      } else if !stated.isOnEarth {
        problems.add(.invalidBounds(text, .drawn))
      }
    }
    let placement = tiles.placement
    if placement.looksCountedFromNorth {
      problems.add(.tilesFromSouth(placement))
    } else if placement.isBesideBounds {
      problems.add(.outsideBounds(placement, isCut: true))
    } else if !placement.zoomLevelsFromNorth.isEmpty {
      problems.add(.levelsFromNorth(placement.zoomLevelsFromNorth))
    } else if placement.insideCount < placement.comparedCount {
      problems.add(.partlyOutsideBounds(placement))
    }
  }

  private mutating func examineCenter() {
    guard let center = header.firstView else { return }
    let placement = tiles.placement
    // Writers that know no zoom level leave 0.
    let isBelow = center.zoom > 0 && placement.hasCenterBelowTiles(areImages: tiles.hasImages)
    guard isBelow || placement.hasEmptyCenter && !placement.looksCountedFromNorth else { return }
    problems.add(.emptyCenter("\(center.longitude),\(center.latitude),\(center.zoom)"))
  }

  // MARK: - Zoom levels

  private mutating func examineZoomLevels() {
    let own = (header.minimumZoom, header.maximumZoom)
    let first = zoomLevel("minzoom", own.0)
    let last = zoomLevel("maxzoom", own.1)
    let levels = tiles.placement.zoomLevels
    guard let found = levels.min(), let deepest = levels.max() else { return }
    // A tile beyond the header's zoom levels is not looked for, whatever the metadata says.
    let drawn = levels.filter { own.0 <= $0 && $0 <= own.1 }
    let reached = (drawn.min() ?? 256, drawn.max() ?? -1)
    if first > last || last < reached.0 || first > reached.1 {
      problems.add(.wrongZoom(declared: (first, last), found: (found, deepest), .nothing))
    } else if last > reached.1, !tiles.hasImages {
      problems.add(.wrongZoom(declared: (first, last), found: (found, reached.1), .less))
    } else if (first, last) != (found, deepest) {
      problems.add(.wrongZoom(declared: (first, last), found: (found, deepest), .drawn))
    }
    let missing = (found...deepest).filter { !levels.contains($0) }
    if !missing.isEmpty {
      problems.add(.missingZoomLevel(missing, isReplaced: tiles.hasImages))
    }
  }

  /// Returns the zoom level that counts: a number in the metadata, or a text that begins like one, or else the header's.
  private mutating func zoomLevel(_ key: String, _ own: Int) -> Int {
    guard let json, let value = member(key) else { return own }
    let number: Int
    if let text = value.text {
      // `atoi`, which takes 0 for what is no number.
      number = RendererNumber.integer(text) ?? 0
    } else if let real = json.number(value) {
      guard let whole = Int(exactly: real.rounded(.down)), (0...255).contains(whole) else {
        problems.add(.overridingMember(key, isDrawn: false))
        return own
      }
      number = whole
    } else {
      return own
    }
    if !(0...255).contains(number) {
      problems.add(.overridingMember(key, isDrawn: false))
      return own
    }
    if number != own { problems.add(.overridingMember(key, isDrawn: true)) }
    return number
  }

  // MARK: - Layers

  private mutating func examineLayers() {
    guard let format = tiles.format, !format.isImage, let json else { return }
    guard
      let layers = VectorLayer.layers(inJSON: String(decoding: json.bytes, as: UTF8.self))
    else {
      problems.add(.missingLayersOfArchive)
      return
    }
    if format == .pbf { problems.add(tiles.problems(ofDeclaredLayers: layers)) }
  }

  // MARK: - Counts

  private mutating func examineCounts(_ order: ContentOrder) {
    if header.hasImpossibleLength { problems.add(.impossibleLength) }
    guard order.isComplete else { return }
    for (item, declared, found) in [
      ("tiles", header.addressedTileCount, tiles.tileCount),
      ("entries for tiles", header.tileEntryCount, order.entryCount),
      ("different tiles", header.tileContentCount, order.contentCount ?? -1),
    ] where declared != 0 && found >= 0 && declared != UInt64(found) {
      problems.add(.wrongCount(item, declared: declared, found: found))
    }
    if header.isClustered, !order.isClustered { problems.add(.notClustered) }
  }
}

extension PMTilesHeader.TileType {
  /// Whether MapLibre Native takes tiles for those of this type only if they are called so, and then all of them.
  var mustBeNamed: Bool {
    switch self {
    case .mlt: true
    case .mvt, .png, .jpeg, .webp, .avif, .unknown: false
    }
  }
}
