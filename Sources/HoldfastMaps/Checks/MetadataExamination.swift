import Holdfast

/// An examination of the metadata: what the specification demands, and what MapLibre Native does
/// with them.
struct MetadataExamination {
  private(set) var problems = ProblemList()

  private let renderer: RendererMetadata
  private let metadata: TilesetMetadata
  private let tiles: TileExamination

  private var json: JSONDocument? { renderer.json }

  /// The encoding that counts: of two members of one name the first one, and those of `json` come first.
  private var encoding: String? {
    json?.root["encoding"].map(\.text) ?? metadata["encoding"]
  }

  /// Examines the metadata of a tileset whose tiles were read.
  init(_ renderer: RendererMetadata, _ tiles: TileExamination) {
    (self.renderer, self.tiles) = (renderer, tiles)
    metadata = renderer.metadata
    if metadata.name == nil { problems.add(.missingName) }
    examineFormat()
    examineKeys()
    examineBounds()
    examineCenter()
    examineZoomLevels()
    examineScale()
    examineLayers()
    let names = Dictionary(grouping: metadata.entries.map { ExactText($0.name) }, by: \.self)
    if let name = names.filter({ $0.value.count > 1 }).keys.min() {
      problems.add(.duplicateName(name.text))
    }
  }

  // MARK: - Format

  private mutating func examineFormat() {
    guard let declared = metadata.format else {
      problems.add(.missingFormat(tiles.format))
      return
    }
    guard let known = TileFormat(declared: declared), let found = tiles.format, known != found
    else { return }
    let isNamed = !PMTilesHeader.TileType(found).mustBeNamed || encoding == found.rawValue
    let isDrawn = isNamed && !PMTilesHeader.TileType(known).mustBeNamed
    problems.add(.wrongFormat(declared: declared, found: found, isDrawn: isDrawn))
  }

  /// Looks for members of `json` that lead a renderer elsewhere.
  private mutating func examineKeys() {
    let isVector = tiles.formats[.pbf] != nil
    if isVector, let encoding, encoding == "mlt" { problems.add(.otherEncoding(encoding)) }
    if let other = TileProjection.other(metadata[TileProjection.key]) {
      problems.add(.otherProjection(other))
    }
    guard let root = json?.root else { return }
    if root["tiles"] != nil { problems.add(.overridingKey("tiles", isDrawn: false)) }
    if let attribution = root["attribution"] {
      if let text = attribution.text {
        let isOther = metadata["attribution"].map { !$0.utf8.elementsEqual(text.utf8) } ?? false
        if isOther { problems.add(.overridingKey("attribution", isDrawn: true)) }
      } else {
        problems.add(.invalidAttribution(of: "The metadata's 'json'"))
      }
    }
    if root["scheme"]?.text == "tms" { problems.add(.overridingKey("scheme", isDrawn: false)) }
  }

  // MARK: - Area

  private mutating func examineBounds() {
    if metadata["bounds"] == nil { problems.add(.missingBounds) } else { examineBoundsRow() }
    if json?.root["bounds"] != nil {
      let bounds = renderer.jsonBounds
      if bounds?.isRefused != false {
        problems.add(.overridingKey("bounds", isDrawn: false))
      } else if bounds?.edges != renderer.rowBounds?.edges {
        problems.add(.overridingKey("bounds", isDrawn: true))
      }
    }
    let (placement, isCut) = (tiles.placement, renderer.isCutByBounds)
    if placement.looksCountedFromNorth {
      problems.add(.rowsFromNorth(placement, isCut: isCut && placement.isBesideBounds))
    } else if placement.isBesideBounds {
      problems.add(.outsideBounds(placement, isCut: isCut))
    } else if !placement.zoomLevelsFromNorth.isEmpty {
      problems.add(.levelsFromNorth(placement.zoomLevelsFromNorth))
    } else if isCut, placement.insideCount < placement.comparedCount {
      problems.add(.partlyOutsideBounds(placement))
    }
  }

  private mutating func examineBoundsRow() {
    let text = metadata["bounds"] ?? ""
    guard let bounds = renderer.rowBounds, bounds.areFinite else {
      problems.add(.invalidBounds(text, .refused))
      return
    }
    // Those in `json` are used instead.
    let isCut = renderer.isCutByBounds && json?.root["bounds"] == nil
    if isCut, bounds.isRefused {
      problems.add(.invalidBounds(text, .refused))
    } else if isCut, !bounds.areNumbers {
      problems.add(.invalidBounds(text, .misread))
    } else if bounds.crossesAntimeridian, bounds.areNumbers, bounds.south <= bounds.north {
      problems.add(.invalidBounds(text, isCut ? .cutAtAntimeridian : .acrossAntimeridian))
    } else if bounds.isRefused || !bounds.areNumbers || !bounds.isOnEarth || metadata.bounds == nil
    {
      // Other readers, as this library, know no other text, such as one with a comma at its end.
      problems.add(.invalidBounds(text, .drawn))
    }
  }

  private mutating func examineCenter() {
    guard let text = metadata["center"] else { return }
    if metadata.center == nil {
      problems.add(.invalidCenter(text))
    } else if tiles.placement.hasCenterBelowTiles(areImages: tiles.hasImages)
      || tiles.placement.hasEmptyCenter && !tiles.placement.looksCountedFromNorth
    {
      problems.add(.emptyCenter(text))
    }
  }

  // MARK: - Zoom levels

  private mutating func examineZoomLevels() {
    let texts = [("minzoom", metadata["minzoom"]), ("maxzoom", metadata["maxzoom"])]
    // "minzoom_ptr == end() || maxzoom_ptr == end()": then those of the rows count.
    let areUsed = !texts.contains { $0.1 == nil }
    var stated: [Int?] = []
    for (name, text) in texts {
      let number = text.flatMap(RendererNumber.integer)
      if let text {
        let isRefused = number.map { !(0...255).contains($0) } ?? true
        if areUsed, isRefused {
          problems.add(.invalidZoom(name, text, number == nil ? .ending : .refused))
        } else if Int(text).map({ (0...TileCoordinate.maximumZoom).contains($0) }) != true {
          problems.add(.invalidZoom(name, text, areUsed ? .read(as: number ?? 0) : .ignored))
        }
      }
      stated.append(areUsed ? number : nil)
    }
    for (index, name) in ["minzoom", "maxzoom"].enumerated() {
      guard let json, let value = json.root[name] else { continue }
      guard let real = json.number(value), (0...255).contains(real) else {
        problems.add(.overridingKey(name, isDrawn: false))
        continue
      }
      // "static_cast<uint8_t>(*minzoom)"
      let number = Int(real)
      if let other = stated[index], other != number {
        problems.add(.overridingKey(name, isDrawn: true))
      }
      stated[index] = number
    }
    compareZoomLevels(stated)
  }

  private mutating func compareZoomLevels(_ stated: [Int?]) {
    let levels = tiles.placement.zoomLevels
    guard let first = levels.min(), let last = levels.max() else { return }
    let declared = (stated[0] ?? first, stated[1] ?? last)
    let found = (first, last)
    // An image that is missing is replaced by the part of a larger one, and a vector tile is not.
    let isReplaced = tiles.hasImages
    if declared.0 > declared.1 || declared.1 < first || declared.0 > last {
      problems.add(.wrongZoom(declared: declared, found: found, .nothing))
    } else if declared.1 > last, !isReplaced {
      problems.add(.wrongZoom(declared: declared, found: found, .less))
    } else if declared != found {
      problems.add(.wrongZoom(declared: declared, found: found, .drawn))
    }
    let missing = (first...last).filter { !levels.contains($0) }
    if !missing.isEmpty { problems.add(.missingZoomLevel(missing, isReplaced: isReplaced)) }
  }

  private mutating func examineScale() {
    guard let text = metadata["scale"], Double(text)?.isFinite != true else { return }
    problems.add(.invalidScale(text, readAs: RendererNumber.real(text)))
  }

  // MARK: - Layers

  private mutating func examineLayers() {
    guard let format = tiles.format, !format.isImage else { return }
    let json = metadata["json"]
    guard let layers = json.flatMap({ VectorLayer.layers(inJSON: $0) }) else {
      problems.add(.missingVectorLayers(json.map { Self.faultOfJSON($0) }))
      return
    }
    // Which layers a MapLibre tile has is not known.
    if format == .pbf { problems.add(tiles.problems(ofDeclaredLayers: layers)) }
  }

  /// Returns why a text cannot be read as JSON; `nil` if it can.
  private static func faultOfJSON(_ text: String) -> String? {
    do throws(JSONDocument.Fault) {
      _ = try JSONDocument(Array(text.utf8))
      return nil
    } catch {
      return error.reason
    }
  }
}

extension TileExamination {
  /// Returns how the layers of vector tiles differ from those that the metadata names.
  func problems(ofDeclaredLayers layers: [VectorLayer]) -> ProblemList {
    var problems = ProblemList()
    let declared = Set(layers.map { ExactText($0.id) })
    let surplus = self.layers.subtracting(declared)
    if !surplus.isEmpty { problems.add(.undeclaredLayer(surplus.sorted().map(\.text))) }
    let absent = declared.subtracting(self.layers)
    if !hasMoreLayers, !absent.isEmpty { problems.add(.absentLayer(absent.sorted().map(\.text))) }
    return problems
  }
}
