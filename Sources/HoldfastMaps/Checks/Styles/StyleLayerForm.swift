import Holdfast

/// The layers that MapLibre Native leaves out, because it cannot read a part of them.
///
/// It writes a line into its log, and draws the other layers.
///
/// - SeeAlso: <https://maplibre.org/maplibre-style-spec/layers/>
struct StyleLayerForm {
  /// Sentences about layers that no version draws.
  private(set) var refusals: [String] = []

  /// Sentences about layers that only newer versions draw.
  private(set) var warnings: [String] = []

  /// Examines the layers of a style.
  init(of style: MapStyle) {
    let document = style.document
    var names: Set<ExactText> = []
    for layer in document.root["layers"]?.elements ?? [] {
      let name = layer["id"]?.text
      // Found for a fault only, because counting lines reads everything before.
      var line: Int { document.line(of: layer) }
      func read(in version: RendererVersion) throws(StyleFault) {
        guard let name else { throw StyleFault(reason: "it has no 'id'") }
        guard !names.contains(ExactText(name)) else {
          throw StyleFault(reason: "another one has the same 'id'")
        }
        try Self.check(layer, document, version)
      }
      do throws(StyleFault) {
        try read(in: .newer)
        do throws(StyleFault) {
          try read(in: .older)
        } catch {
          warnings.append(StyleSentence.newLayer(name ?? "", line, error.reason))
        }
      } catch {
        refusals.append(StyleSentence.unreadLayer(name ?? "", line, error.reason))
      }
      if let name { names.insert(ExactText(name)) }
    }
  }

  private static func check(
    _ layer: JSONDocument.Value, _ document: JSONDocument, _ version: RendererVersion
  ) throws(StyleFault) {
    // What it shares with another layer is read there.
    if layer["ref"]?.text != nil { return }
    guard let type = layer["type"]?.text else { throw StyleFault(reason: "it has no 'type'") }
    guard let properties = StyleProperty.all[type],
      version == .newer || !StyleProperty.newTypes.contains(type)
    else {
      throw StyleFault(reason: "there is no type '\(type)'")
    }
    if type != "background", layer["source"]?.text == nil {
      throw StyleFault(reason: "it has no 'source'")
    }
    for key in ["minzoom", "maxzoom"] {
      if let zoom = layer[key], document.number(zoom) == nil {
        throw StyleFault(reason: "its '\(key)' is no number")
      }
    }
    if let name = layer["source-layer"], name.text == nil {
      throw StyleFault(reason: "its 'source-layer' is no text")
    }
    if let filter = layer["filter"] {
      do throws(StyleFault) {
        try FilterRules(version: version).check(StyleJSON(filter, in: document))
      } catch {
        throw StyleFault(reason: "its 'filter' cannot be read: \(error.reason)")
      }
    }
    for part in ["layout", "paint"] {
      guard let members = layer[part] else { continue }
      guard members.isObject else { throw StyleFault(reason: "its '\(part)' is no object") }
      for member in members.members {
        do throws(StyleFault) {
          try check(StyleJSON(member.value, in: document), member.key, properties, version)
        } catch {
          throw StyleFault(reason: "its '\(member.key)' cannot be read: \(error.reason)")
        }
      }
    }
  }

  private static func check(
    _ value: StyleJSON, _ name: String, _ properties: [String: StyleProperty],
    _ version: RendererVersion
  ) throws(StyleFault) {
    if name == "visibility" {
      guard value == .null || ["visible", "none"].contains(value.text) else {
        throw StyleFault(reason: "\(value.clipped) is not one of visible, none")
      }
      return
    }
    // Members of the layer itself, which may stand there.
    if ["minzoom", "maxzoom", "filter", "source-layer"].contains(name) { return }
    let transition = "-transition"
    if name.hasSuffix(transition), properties[String(name.dropLast(transition.count))] != nil {
      guard case .object = value else { throw StyleFault(reason: "it is no object") }
      return
    }
    guard let property = properties[name], version == .newer || !property.isNew else {
      throw StyleFault(reason: "there is no such property")
    }
    try StyleValueRules(property: property, version: version).check(value)
  }
}
