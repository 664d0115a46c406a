/// The layers of a style that cannot draw their source, and the sources that are none.
///
/// - SeeAlso: <https://maplibre.org/maplibre-style-spec/sources/>
struct StyleLayerSources {
  /// Sentences about them, in the order of the layers.
  private(set) var refusals: [String] = []

  private static let features: Set = ["vector", "geojson"]

  /// The types of the sources that a layer of each type draws.
  private static let drawable: [String: Set<String>] = [
    "fill": features, "line": features, "symbol": features, "circle": features,
    "heatmap": features, "fill-extrusion": features, "raster": ["raster", "image", "video"],
    "hillshade": ["raster-dem"], "color-relief": ["raster-dem"],
  ]

  /// The members of which a source of each type needs one.
  private static let contents: [String: [String]] = [
    "vector": ["url", "tiles"], "raster": ["url", "tiles"], "raster-dem": ["url", "tiles"],
    "geojson": ["data"], "image": ["url"], "video": ["urls"],
  ]

  /// Examines a style.
  init(of style: MapStyle) {
    let (root, document) = (style.document.root, style.document)
    var named: Set<String> = []
    for layer in root["layers"]?.elements ?? [] {
      guard let type = layer["type"]?.text, let name = layer["source"]?.text,
        let source = root["sources"]?[name]
      else { continue }
      let sourceType = source["type"]?.text
      guard let sourceType, let members = Self.contents[sourceType],
        members.contains(where: { Self.isContent(source[$0]) })
      else {
        if named.insert(name).inserted {
          refusals.append(StyleSentence.noSource(name, sourceType, document.line(of: source)))
        }
        continue
      }
      if let types = Self.drawable[type], !types.contains(sourceType) {
        refusals.append(
          StyleSentence.unfitLayer(
            layer["id"]?.text ?? "", type, of: name, sourceType, document.line(of: layer)))
      }
    }
  }

  private static func isContent(_ value: JSONDocument.Value?) -> Bool {
    guard let value else { return false }
    return value.text != nil || value.isArray || value.isObject
  }
}

extension MapStyle {
  /// Sentences about layers that cannot draw their source.
  package var unfitLayers: [String] { StyleLayerSources(of: self).refusals }
}
