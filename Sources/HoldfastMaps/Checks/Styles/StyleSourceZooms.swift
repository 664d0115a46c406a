import HoldfastFiles

/// The zoom levels that a style's vector sources state for a tileset, which MapLibre Native uses instead of the tileset's.
struct StyleSourceZooms {
  /// A source that states zoom levels.
  struct Use: Hashable {
    var source: String
    var line: Int
    var first: Int?
    var last: Int?
  }

  private(set) var uses: [Use] = []

  /// Finds the sources that are the tileset.
  ///
  /// - Parameters:
  ///   - style: The style.
  ///   - path: The path of the tileset, by which the style may name it.
  init(_ style: MapStyle, forFileNamed path: String?) {
    let document = style.document
    for source in document.root["sources"]?.members ?? []
    where source.value["type"]?.text == "vector"
      && StyleSourceLayers.isTileset(source.value, forFileNamed: path)
    {
      func level(_ key: String) -> Int? {
        source.value[key].flatMap(document.number).map { Int(max(0, min($0, 255))) }
      }
      uses.append(
        Use(
          source: source.key, line: document.line(of: source.value), first: level("minzoom"),
          last: level("maxzoom")))
    }
  }

  /// Returns what a map with the style does not show.
  func problems(of zoomLevels: Set<Int>) -> [TilesetProblem] {
    guard let first = zoomLevels.min(), let deepest = zoomLevels.max() else { return [] }
    return uses.compactMap { use in
      guard let last = use.last, last > deepest || last < first else { return nil }
      let isBlank = last < first || (use.first ?? first) > deepest
      return .sourceZoom(use, found: (first, deepest), isBlank: isBlank)
    }
  }
}
