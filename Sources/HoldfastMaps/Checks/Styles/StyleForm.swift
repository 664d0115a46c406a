/// What MapLibre Native does not draw of a style, whatever the tiles and files are.
package struct StyleForm {
  /// Sentences about what it never draws: URLs that are not those of a tileset, layers that it cannot read, and
  /// sources that are none.
  package let faults: [String]

  /// Sentences about layers for newer versions, and about what it does not read.
  package let remarks: [String]

  /// Examines a style.
  package init(of style: MapStyle) {
    let (document, layers) = (style.document, StyleLayerForm(of: style))
    let imports = document.root["imports"]?.elements ?? []
    let urls = StyleRules.wrongURLs(document).map { reference, right in
      StyleSentence.wrongURL(
        reference.value.text ?? "", at: reference.place, document.line(of: reference.value), right)
    }
    faults =
      (imports.isEmpty ? [] : [StyleSentence.imports]) + urls + layers.refusals
      + StyleLayerSources(of: style).refusals
    let unread = ["fog", "lights", "models", "projection", "sky", "terrain"].filter {
      guard let value = document.root[$0], !document.isNull(value) else { return false }
      return (value["type"] ?? value["name"])?.text != "mercator"
    }
    remarks = (unread.isEmpty ? [] : [StyleSentence.unread(unread)]) + layers.warnings
  }
}
