import Holdfast
import HoldfastFiles

/// The sources of a style that take the tiles of one tileset for what they are not.
struct StyleSourceTypes {
  /// A source that a layer of the style draws.
  struct Use: Hashable {
    var source: String
    var type: String
    var line: Int

    /// The type that a source of the other kind of tiles has.
    var other: String { type == "vector" ? "raster" : "vector" }
  }

  private(set) var uses: [Use] = []

  /// Finds the sources that are the tileset and whose type is not that of its tiles.
  ///
  /// - Parameters:
  ///   - style: The style.
  ///   - path: The path of the tileset, by which the style may name it.
  ///   - areImages: Whether the tiles are images.
  init(_ style: MapStyle, forFileNamed path: String?, areImages: Bool) {
    let document = style.document
    // MapLibre Native reads no tile of a source that no layer draws.
    let drawn = Set(
      (document.root["layers"]?.elements ?? [])
        .filter { $0["layout"]?["visibility"]?.text != "none" }
        .compactMap { $0["source"]?.text.map { ExactText($0) } })
    for source in document.root["sources"]?.members ?? [] {
      guard let type = source.value["type"]?.text, (type == "vector") == areImages,
        ["vector", "raster", "raster-dem"].contains(type), drawn.contains(ExactText(source.key)),
        StyleSourceLayers.isTileset(source.value, forFileNamed: path)
      else { continue }
      uses.append(Use(source: source.key, type: type, line: document.line(of: source.value)))
    }
  }

  /// The sources, as problems of the tileset.
  var problems: [TilesetProblem] { uses.map(TilesetProblem.otherSourceType) }
}

extension TileExamination {
  /// Whether all tiles are images, or none is; `nil` when that is not known.
  var areImages: Bool? {
    let kinds = Set(formats.keys.map(\.isImage))
    return kinds.count == 1 ? kinds.first : nil
  }
}
