import Holdfast

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
    "heatmap": features, "fill-extrusion": features, "raster": ["raster", "image"],
    "hillshade": ["raster-dem"], "color-relief": ["raster-dem"],
  ]

  /// Examines a style.
  init(of style: MapStyle) {
    let (root, document) = (style.document.root, style.document)
    var named: Set<ExactText> = []
    for layer in root["layers"]?.elements ?? [] {
      guard let name = layer["source"]?.text, let source = root["sources"]?[name] else { continue }
      if let flaw = Self.flaw(of: source, document) {
        if named.insert(ExactText(name)).inserted {
          refusals.append(StyleSentence.noSource(name, document.line(of: source), flaw))
        }
        continue
      }
      if let type = layer["type"]?.text, let types = Self.drawable[type],
        let sourceType = source["type"]?.text, !types.contains(sourceType)
      {
        refusals.append(
          StyleSentence.unfitLayer(
            layer["id"]?.text ?? "", type, of: name, sourceType, document.line(of: layer)))
      }
    }
  }

  /// Returns why MapLibre Native makes no source of a value, as the end of a sentence; `nil` for a source.
  private static func flaw(of source: JSONDocument.Value, _ document: JSONDocument) -> String? {
    guard let type = source["type"]?.text else { return "it has no type" }
    switch type {
    case "vector", "raster", "raster-dem":
      if type != "vector", let size = source["tileSize"],
        !isNumber(size, in: 0...Double(UInt16.max), document)
      {
        return "its 'tileSize' is no number"
      }
      if source["url"] == nil || type == "vector" {
        for key in ["minzoom", "maxzoom"] {
          if let zoom = source[key], !isNumber(zoom, in: 0...Double(UInt8.max), document) {
            return "its '\(key)' is no zoom level"
          }
        }
      }
      guard let url = source["url"] else { return flaw(ofTiles: source, document) }
      return url.text == nil ? "its 'url' is no text" : nil
    case "geojson":
      guard let data = source["data"] else { return "it has no 'data'" }
      if data.text != nil { return nil }
      return GeoJSONForm.fault(in: data, document).map { "its 'data' is no GeoJSON: \($0)" }
    case "image":
      guard source["url"]?.text != nil else { return "it has no 'url'" }
      let corners = source["coordinates"]?.elements ?? []
      let areCorners =
        corners.count == 4
        && corners.allSatisfy {
          $0.elements.count >= 2 && document.number($0.elements[0]) != nil
            && isNumber($0.elements[1], in: -90...90, document)
        }
      return areCorners ? nil : "its 'coordinates' are not four corners"
    default: return "MapLibre Native has no sources of the type '\(type)'"
    }
  }

  /// Returns why a source without a URL is none.
  private static func flaw(
    ofTiles source: JSONDocument.Value, _ document: JSONDocument
  ) -> String? {
    guard let tiles = source["tiles"] else { return "it has no 'url' and no 'tiles'" }
    guard !tiles.elements.isEmpty, tiles.elements.allSatisfy({ $0.text != nil }) else {
      return "its 'tiles' are no list of URLs"
    }
    if let attribution = source["attribution"], attribution.text == nil {
      return "its 'attribution' is no text"
    }
    guard let value = source["bounds"] else { return nil }
    let bounds = value.elements.compactMap(document.number)
    let isArea = value.elements.count == 4 && bounds.count == 4 && bounds[0] <= bounds[2]
    return isArea && bounds[1] <= bounds[3] ? nil : "its 'bounds' are not west, south, east, north"
  }

  private static func isNumber(
    _ value: JSONDocument.Value, in range: ClosedRange<Double>, _ document: JSONDocument
  ) -> Bool {
    document.number(value).map(range.contains) ?? false
  }
}
