import Holdfast
import HoldfastFiles

/// The layers of vector tiles that a style draws from one tileset.
struct StyleSourceLayers {
  /// A layer of the style, and the layer of the tiles that it draws.
  struct Use: Hashable {
    var layer: String
    var sourceLayer: String
    var line: Int
  }

  private(set) var uses: [Use] = []

  /// Finds the layers whose source is the tileset.
  init(_ style: MapStyle, forFileNamed path: String?) {
    let document = style.document
    let keys = Self.sources(of: style, forFileNamed: path)
    for layer in document.root["layers"]?.elements ?? [] {
      guard let source = layer["source"]?.text, keys.contains(ExactText(source)) else { continue }
      uses.append(
        Use(
          layer: layer["id"]?.text ?? "", sourceLayer: layer["source-layer"]?.text ?? "",
          line: document.line(of: layer)))
    }
  }

  /// Returns the names of the vector sources that are the tileset: those whose URL has the file's name or a placeholder
  /// for its format, or the only vector source of the style.
  static func sources(of style: MapStyle, forFileNamed path: String?) -> Set<ExactText> {
    let vectors = (style.document.root["sources"]?.members ?? []).filter {
      $0.value["type"]?.text == "vector"
    }
    let named = vectors.filter { isTileset($0.value, forFileNamed: path) }
    let sources = named.isEmpty && vectors.count == 1 ? vectors : named
    return Set(sources.map { ExactText($0.key) })
  }

  /// Returns whether the URL of a source has a file's name, or a placeholder for its format.
  static func isTileset(_ source: JSONDocument.Value, forFileNamed path: String?) -> Bool {
    guard let url = source["url"]?.text ?? source["tiles"]?.elements.first?.text else {
      return false
    }
    let file = path.map { FilePath($0) }
    if TemplateString.opens(url) {
      // Other placeholders stand for other files.
      guard TilesetURL.hasTileset(url) else { return false }
      let other = file.flatMap { file in TilesetURL(url).flatMap { $0.scheme.other(for: file) } }
      return other == nil
    }
    let last = url.split(separator: "/").last.flatMap { URLText.decoded(String($0)) }
    return last.map { ExactText($0) } == file.map { ExactText($0.name) }
  }

  /// Returns what a map with the style does not show.
  func problems(of tiles: TileExamination, _ declared: [VectorLayer]) -> [TilesetProblem] {
    let names = Set(declared.map { ExactText($0.id) })
    // The layers of broken and of MapLibre tiles are not known, nor all of far too many.
    guard tiles.format == .pbf, !tiles.hasMoreLayers else { return [] }
    return uses.compactMap { use in
      let name = ExactText(use.sourceLayer)
      if tiles.layers.contains(name) { return nil }
      return names.contains(name)
        ? .emptySourceLayer(use) : .unknownSourceLayer(use, tiles.layers.sorted().map(\.text))
    }
  }
}
