/// The images of sprites that the layers of a style name.
struct StyleImages {
  /// The names of images.
  private(set) var names: Set<String>

  private static let patterns = [
    "line-pattern", "fill-pattern", "fill-extrusion-pattern", "background-pattern",
  ]

  /// Finds the images that layers name.
  ///
  /// - Parameters:
  ///   - document: The style.
  ///   - drawn: Further images, which layers draw by the attributes of features.
  init(in document: JSONDocument, drawn: Set<String>) {
    names = drawn
    for layer in document.root["layers"]?.elements ?? []
    where layer["layout"]?["visibility"]?.text != "none" {
      for member in (layer["layout"]?.members ?? []) + (layer["paint"]?.members ?? [])
      where member.key == "icon-image" || Self.patterns.contains(member.key) {
        // An icon that depends on features was evaluated for them.
        let found =
          member.key == "icon-image"
          ? [member.value.text].compactMap(\.self)
          : StyleOperator.constants(in: StyleJSON(member.value, in: document))
        names.formUnion(found.filter { !$0.isEmpty && !$0.contains("{") })
      }
    }
  }

  /// Returns the names that belong to a sprite, as they stand in it, sorted.
  ///
  /// - Parameter sprite: The sprite's name; `nil` for the one without a prefix.
  /// - Returns: The names without the prefix of the sprite; empty when there is no such sprite.
  func names(ofSprite sprite: String?) -> [String] {
    names.compactMap { name -> String? in
      let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
      // Images of several sprites are named `id:image`; images of "default" may be named without it.
      let isPrefixed = parts.count == 2
      guard isPrefixed ? parts[0] == sprite : sprite == nil || sprite == "default" else {
        return nil
      }
      return isPrefixed ? parts[1] : name
    }.sorted()
  }
}
