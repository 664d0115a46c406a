/// The images of sprites that the layers of a style name as they are, without an expression.
struct StyleImages {
  /// The names, each with the first layer that has it.
  private(set) var layers: [String: String] = [:]

  private static let properties = [
    "icon-image", "line-pattern", "fill-pattern", "fill-extrusion-pattern", "background-pattern",
  ]

  init(in document: JSONDocument) {
    for layer in document.root["layers"]?.elements ?? [] {
      for member in (layer["layout"]?.members ?? []) + (layer["paint"]?.members ?? [])
      where Self.properties.contains(member.key) {
        guard let name = member.value.text, !name.isEmpty, !name.contains("{") else { continue }
        layers[name] = layers[name] ?? layer["id"]?.text ?? ""
      }
    }
  }

  /// Returns the names of a sprite that are not among its images, sorted.
  ///
  /// - Parameters:
  ///   - sprite: The sprite's name; `nil` for the one without a prefix.
  ///   - images: The names of its images.
  /// - Returns: The names, as they stand in the sprite.
  func missing(ofSprite sprite: String?, among images: Set<String>) -> [String] {
    layers.keys.compactMap { name -> String? in
      let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
      // Images of several sprites are named `id:image`; images of "default" may be named without it.
      let isPrefixed = parts.count == 2
      guard isPrefixed ? parts[0] == sprite : sprite == nil || sprite == "default" else {
        return nil
      }
      let own = isPrefixed ? parts[1] : name
      return images.contains(own) ? nil : own
    }.sorted()
  }
}
