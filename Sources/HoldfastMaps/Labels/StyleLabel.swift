/// A layer of a style that writes texts, or draws images by the attributes of features.
struct StyleLabel: Sendable {
  /// The fonts of a layer that names none.
  ///
  /// - SeeAlso: <https://maplibre.org/maplibre-style-spec/layers/#text-font>, "Defaults to"
  static let defaultFonts = ["Open Sans Regular", "Arial Unicode MS Regular"]

  var layer: String
  var line: Int
  var source: String
  var sourceLayer: String
  var zoomLevels: Range<Double>
  private var filter: StyleJSON?
  private var field: StyleJSON
  private var icon: StyleJSON?
  private var fonts: StyleJSON?
  private var transform: StyleJSON?

  /// Whether MapLibre Native writes texts from top to bottom that allow it.
  let mayBeVertical: Bool

  /// The parts of the layer's expressions that decide about its glyphs and are not evaluated.
  let unknown: [StyleJSON]

  /// The attributes that decide about the texts; `nil` when they are not known.
  let attributes: [String]?

  /// Finds the layers of a style that are visible, and write texts or draw images by attributes.
  static func all(in document: JSONDocument) -> [StyleLabel] {
    (document.root["layers"]?.elements ?? []).compactMap { StyleLabel($0, document) }
  }

  private init?(_ layer: JSONDocument.Value, _ document: JSONDocument) {
    guard layer["type"]?.text == "symbol", let layout = layer["layout"],
      layout["visibility"]?.text != "none"
    else { return nil }
    field = layout["text-field"].map { StyleJSON($0, in: document) } ?? .null
    // A constant name is found without features.
    icon = layout["icon-image"].map { StyleJSON($0, in: document) }
      .flatMap { $0.text?.utf8.contains(UInt8(ascii: "{")) == false ? nil : $0 }
    let writes = field != .text("") && field != .null
    guard writes || icon != nil else { return nil }
    self.layer = layer["id"]?.text ?? ""
    line = document.line(of: layer)
    source = layer["source"]?.text ?? ""
    sourceLayer = layer["source-layer"]?.text ?? ""
    let first = layer["minzoom"].flatMap(document.number) ?? 0
    let last = layer["maxzoom"].flatMap(document.number) ?? 25
    zoomLevels = first..<max(first, last)
    filter = layer["filter"].map { StyleJSON($0, in: document) }
    fonts = layout["text-font"].map { StyleJSON($0, in: document) }
    transform = layout["text-transform"].map { StyleJSON($0, in: document) }
    mayBeVertical = Self.mayBeVertical(layout, document)
    unknown =
      StyleOperator.unknownTexts(in: field) + (fonts.map(StyleOperator.unknownFonts) ?? [])
    attributes = Self.attributes(of: [filter, field, icon, fonts, transform].compactMap(\.self))
  }

  /// - SeeAlso: <https://maplibre.org/maplibre-style-spec/layers/#text-writing-mode>
  private static func mayBeVertical(
    _ layout: JSONDocument.Value, _ document: JSONDocument
  ) -> Bool {
    let placement = layout["symbol-placement"]
    // Along a line, unless texts stay upright; at a point, if it is asked for.
    if let placement, placement.text != "point",
      !["viewport", "viewport-glyph"].contains(layout["text-rotation-alignment"]?.text)
    {
      return true
    }
    let modes = layout["text-writing-mode"].map { document.bytes[$0.range] }
    return ["line", "line-center"].contains(placement?.text) == false
      && modes.map { String(decoding: $0, as: UTF8.self).contains("vertical") } ?? false
  }

  /// Returns whether the layer is drawn from tiles of a zoom level.
  ///
  /// - Parameters:
  ///   - zoom: The zoom level of the tiles.
  ///   - isDeepest: Whether the tiles are also drawn at all deeper zoom levels.
  /// - Returns: Whether one of the zoom levels at which they are drawn is one of the layer's.
  func isDrawn(fromZoom zoom: Int, isDeepest: Bool) -> Bool {
    guard zoomLevels.upperBound > Double(zoom) else { return false }
    return isDeepest || zoomLevels.lowerBound < Double(zoom + 1)
  }

  /// Returns whether the filter may let a feature through.
  func draws(_ feature: StyleFeature) -> Bool {
    StyleFilter(expression: StyleExpression(feature)).mayPass(filter)
  }

  /// Returns the names of the images that the layer may draw for a feature.
  func images(of feature: StyleFeature) -> [String] {
    icon.map(StyleExpression(feature).imageNames) ?? []
  }

  /// Returns the texts that the layer may write for a feature, each with its fonts.
  func texts(of feature: StyleFeature) -> [(text: String, fonts: [String])] {
    let expression = StyleExpression(feature)
    let stacks = fonts.map(expression.fontStacks) ?? [Self.defaultFonts]
    return expression.labelTexts(field).flatMap { text in
      transformed(text.text, expression).flatMap { written in
        (text.fonts.map { [$0] } ?? stacks).map { (written, $0) }
      }
    }
  }

  private func transformed(_ text: String, _ expression: StyleExpression) -> [String] {
    guard let transform else { return [text] }
    switch expression.value(transform)?.text {
    case "uppercase": return [text.uppercased()]
    case "lowercase": return [text.lowercased()]
    case "none": return [text]
    // One of them, but which is not known.
    default: return [text, text.uppercased(), text.lowercased()]
    }
  }

  /// Returns all attributes that values name; `nil` when the name of one is computed.
  private static func attributes(of values: [StyleJSON]) -> [String]? {
    var names: Set<String> = []
    var rest = values
    while let value = rest.popLast() {
      switch value {
      case .text(let text):
        // A key of an older filter, or a text with tokens.
        names.insert(text)
        for part in text.split(separator: "{") {
          names.insert(String(part.prefix { $0 != "}" }))
        }
      case .array(let elements):
        let name = value.operation?.name
        if name == "properties" || name == "get" && (elements.count < 2 || elements[1].text == nil)
        {
          return nil
        }
        rest += elements
      case .object(let members): rest += members.values
      case .null, .bool, .number: break
      }
    }
    return names.sorted()
  }
}
