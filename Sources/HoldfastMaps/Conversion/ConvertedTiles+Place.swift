extension ConvertedTiles {
  /// The area of the tiles: what the tileset says, cut to the part that is kept, or else that of the deepest tiles.
  func bounds(in selection: GeographicBounds?) -> GeographicBounds? {
    let whole = source.description.bounds ?? deepestBounds
    guard let whole, let selection else { return whole ?? selection }
    return GeographicBounds(
      west: max(whole.west, selection.west), south: max(whole.south, selection.south),
      east: min(whole.east, selection.east), north: min(whole.north, selection.north))
      ?? selection
  }

  /// The first view: that of the tileset if it is in the area, or else the middle.
  func center(in bounds: GeographicBounds?) -> MapCenter? {
    guard let bounds, let zoomLevels else { return source.description.center }
    if let center = source.description.center, zoomLevels.contains(center.zoom),
      (bounds.west...bounds.east).contains(center.longitude),
      (bounds.south...bounds.north).contains(center.latitude)
    {
      return center
    }
    return MapCenter(
      longitude: (bounds.west + bounds.east) / 2, latitude: (bounds.south + bounds.north) / 2,
      zoom: (zoomLevels.lowerBound + zoomLevels.upperBound) / 2)
  }

  private var deepestBounds: GeographicBounds? {
    guard let deepest = zoomLevels?.upperBound else { return nil }
    var edges: GeographicBounds?
    for run in runs.reversed() {
      guard run.tileID >= TileCoordinate.firstTileID(ofZoom: deepest) else { break }
      for number in 0..<UInt64(run.count) {
        guard let tile = TileCoordinate(tileID: run.tileID + number)?.bounds else { continue }
        edges = edges.map { $0.union(tile) } ?? tile
      }
    }
    return edges
  }
}
