extension TilesetProblem {
  static func unknownSourceLayer(
    _ use: StyleSourceLayers.Use, _ layers: [String]
  ) -> TilesetProblem {
    error(
      .unknownSourceLayer,
      "The style's layer '\(clipped(use.layer))', in line \(use.line), draws the layer "
        + "'\(clipped(use.sourceLayer))', which no tile has; the tiles have \(list(layers)).")
  }

  static func emptySourceLayer(_ use: StyleSourceLayers.Use) -> TilesetProblem {
    warning(
      .emptySourceLayer,
      "The style's layer '\(clipped(use.layer))', in line \(use.line), draws the layer "
        + "'\(clipped(use.sourceLayer))', which 'vector_layers' names and no tile has.")
  }

  static func otherSourceType(_ use: StyleSourceTypes.Use) -> TilesetProblem {
    let tiles = use.type == "vector" ? "images" : "vector tiles"
    return error(
      .otherSourceType,
      "The style's source '\(clipped(use.source))', in line \(use.line), has the type "
        + "'\(use.type)', and the tiles are \(tiles), which MapLibre Native refuses to draw so: "
        + "write the type '\(use.other)'.")
  }

  static func sourceZoom(
    _ use: StyleSourceZooms.Use, found: (Int, Int), isBlank: Bool
  ) -> TilesetProblem {
    let levels = [use.first.map { "'minzoom' \($0)" }, use.last.map { "'maxzoom' \($0)" }]
    let stated = levels.compactMap(\.self).joined(separator: " and ")
    return problem(
      .wrongZoom, isDrawn: !isBlank,
      "The style's source '\(clipped(use.source))', in line \(use.line), has \(stated), and the "
        + "tiles have the zoom levels \(found.0) to \(found.1): MapLibre Native shows nothing"
        + (isBlank ? "." : " from \(found.1 + 1) on.")
        + " Leave it out, and the tileset's own count.")
  }
}
