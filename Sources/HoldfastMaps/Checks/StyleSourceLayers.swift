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
  ///
  /// That is the vector source whose URL has the file's name or a placeholder, or the only vector
  /// source of the style.
  init(_ style: MapStyle, forFileNamed path: String?) {
    let document = style.document
    let name = path.map { FilePath($0).name }
    let vectors = (document.root["sources"]?.members ?? []).filter {
      $0.value["type"]?.text == "vector"
    }
    let named = vectors.filter { source in
      guard let url = source.value["url"]?.text else { return false }
      let last = url.split(separator: "/").last.flatMap { URLText.decoded(String($0)) }
      return TemplateString.opens(url) || last.map { ExactText($0) } == name.map { ExactText($0) }
    }
    let sources = named.isEmpty && vectors.count == 1 ? vectors : named
    let keys = Set(sources.map { ExactText($0.key) })
    for layer in document.root["layers"]?.elements ?? [] {
      guard let source = layer["source"]?.text, keys.contains(ExactText(source)) else { continue }
      uses.append(
        Use(
          layer: layer["id"]?.text ?? "", sourceLayer: layer["source-layer"]?.text ?? "",
          line: document.line(of: layer)))
    }
  }

  /// Returns what a map with the style does not show.
  func problems(of tiles: TileExamination, _ declared: [VectorLayer]) -> [TilesetProblem] {
    let names = Set(declared.map { ExactText($0.id) })
    // The layers of broken and of MapLibre tiles are not known.
    guard tiles.format == .pbf else { return [] }
    return uses.compactMap { use in
      let name = ExactText(use.sourceLayer)
      if tiles.layers.contains(name) { return nil }
      return names.contains(name)
        ? .emptySourceLayer(use) : .unknownSourceLayer(use, tiles.layers.sorted().map(\.text))
    }
  }
}
