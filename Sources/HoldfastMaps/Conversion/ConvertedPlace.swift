/// Where the tiles of a new tileset are, as it says: its area and its first view.
struct ConvertedPlace {
  /// The area: what the tileset says, cut to the part that is kept, or else the area of its tiles.
  private(set) var bounds: GeographicBounds?

  /// The first view: the tileset's own if it is in the area, or else the middle, or a tile near it.
  private(set) var center: MapCenter?

  /// Sentences about what a map draws otherwise than from the tileset that was read.
  private(set) var changes: [String] = []

  private let tiles: ConvertedTiles
  private let format: TilesetFileFormat

  /// - Parameters:
  ///   - tiles: The tiles, which were read.
  ///   - selection: What was kept of them.
  ///   - format: The format of the new file.
  init(of tiles: ConvertedTiles, in selection: TileSelection, for format: TilesetFileFormat) {
    (self.tiles, self.format) = (tiles, format)
    setBounds(selection.bounds)
    setCenter()
    compareZoomLevels(selection.zoomLevels)
  }

  // MARK: - Area

  private mutating func setBounds(_ selection: GeographicBounds?) {
    let stated = tiles.source.description.bounds
    bounds = Self.intersection(stated ?? deepestBounds, selection)
    guard let area = bounds, tiles.source.isArchive != (format == .pmtiles) || stated == nil else {
      return
    }
    let count = countOutside(area)
    guard count > 0 else { return }
    if stated == nil {
      // Bounds that were not said would cut off what was drawn.
      if format == .pmtiles { bounds = Self.intersection(allBounds, selection) }
      return
    }
    let text = area.edges.map { "\($0)" }.joined(separator: ",")
    let which = count == 1 ? "1 tile lies" : "\(count) tiles lie"
    changes.append(
      format == .pmtiles
        ? """
        \(which) outside of the bounds \(text). MapLibre Native ignores the bounds of MBTiles and cuts off what is \
        outside of those of PMTiles: correct the bounds of the source if these tiles are to be drawn.
        """
        : """
        \(which) outside of the bounds \(text). MapLibre Native cuts them off in PMTiles and draws them in MBTiles, \
        whose bounds it ignores: extract the area if they are not to be drawn.
        """)
  }

  private static func intersection(
    _ whole: GeographicBounds?, _ part: GeographicBounds?
  ) -> GeographicBounds? {
    guard let whole, let part else { return whole ?? part }
    return GeographicBounds(
      west: max(whole.west, part.west), south: max(whole.south, part.south),
      east: min(whole.east, part.east), north: min(whole.north, part.north))
      ?? part
  }

  /// The area that all zoom levels cover, as MBTiles demands.
  private var deepestBounds: GeographicBounds? {
    guard let deepest = tiles.zoomLevels?.upperBound else { return nil }
    return bounds(ofTilesFrom: TileCoordinate.firstTileID(ofZoom: deepest))
  }

  private var allBounds: GeographicBounds? { bounds(ofTilesFrom: 0) }

  private func bounds(ofTilesFrom first: UInt64) -> GeographicBounds? {
    var edges: GeographicBounds?
    for run in tiles.runs.reversed() {
      guard run.tileID + UInt64(run.count) > first else { break }
      let start = max(run.tileID, first)
      _ = TileSquare.visit(from: start, count: run.tileID + UInt64(run.count) - start) { square in
        edges = edges.map { $0.union(square.tile.bounds) } ?? square.tile.bounds
      }
    }
    return edges
  }

  /// Returns the number of tiles that have no part of an area.
  private func countOutside(_ area: GeographicBounds) -> Int {
    // The edges of the projection; farther ones are not needed.
    let world = TileCoordinate(unchecked: 0, 0, 0).bounds
    if area.west <= world.west, area.east >= world.east, area.south <= world.south + 0.1,
      area.north >= world.north - 0.1
    {
      return 0
    }
    var placement = TilePlacement(bounds: RendererBounds(area.edges), center: nil)
    for run in tiles.runs {
      // All of them have a place, because they were selected by it.
      _ = placement.add(tilesFrom: run.tileID, count: UInt64(run.count))
    }
    return placement.comparedCount - placement.insideCount
  }

  // MARK: - View

  private mutating func setCenter() {
    let stated = tiles.source.description.center
    guard let bounds, let zoomLevels = tiles.zoomLevels else {
      center = stated
      return
    }
    if let stated, zoomLevels.contains(stated.zoom),
      (bounds.west...bounds.east).contains(stated.longitude),
      (bounds.south...bounds.north).contains(stated.latitude)
    {
      center = stated
      return
    }
    center = view(of: bounds, zoomLevels)
    if let stated, let center {
      changes.append(
        "The center \(Self.text(stated)) is not in the area and the zoom levels of the new file, and becomes \(Self.text(center))."
      )
    }
  }

  /// Returns the middle of an area if a tile is there, or else of the part of a tile that is kept: the next one in the
  /// order of the archive.
  private func view(of bounds: GeographicBounds, _ zoomLevels: ClosedRange<Int>) -> MapCenter? {
    guard let middle = TilesetCoverage.center(of: bounds, zoomLevels) else { return nil }
    let wanted = TileCoordinate(containing: middle, zoom: middle.zoom).tileID
    let nearest = tiles.runs.lazy
      .map { min(max(wanted, $0.tileID), $0.tileID + UInt64($0.count) - 1) }
      .min { $0.distance(to: wanted).magnitude < $1.distance(to: wanted).magnitude }
    guard let nearest, nearest != wanted, let tile = TileCoordinate(tileID: nearest) else {
      return middle
    }
    let part = Self.intersection(bounds, tile.bounds)
    return TilesetCoverage.center(of: part, tile.z...tile.z)
  }

  private static func text(_ center: MapCenter) -> String {
    "\(center.longitude),\(center.latitude),\(center.zoom)"
  }

  // MARK: - Zoom levels

  private mutating func compareZoomLevels(_ selection: ClosedRange<Int>?) {
    guard let found = tiles.zoomLevels else { return }
    let stated = tiles.source.description.statedZoomLevels
    // Without a statement the zoom levels of the tiles count.
    var (first, last) = (stated.first ?? found.lowerBound, stated.last ?? found.upperBound)
    if let selection {
      (first, last) = (max(first, selection.lowerBound), min(last, selection.upperBound))
    }
    guard first != found.lowerBound || last != found.upperBound else { return }
    changes.append(
      """
      The zoom levels are those of the tiles, \(found.lowerBound) to \(found.upperBound), where the source says \
      \(first) to \(last): a map looks for tiles and enlarges them at other zoom levels than before.
      """)
  }
}
