import Holdfast
import HoldfastFiles

/// A string of a style that refers to files.
struct StyleReference {
  enum Kind {
    /// A sprite: two files, whose endings the renderer adds.
    case sprite
    /// Glyphs or any other file.
    case file
  }

  var kind: Kind
  var value: JSONDocument.Value
  /// The names of the members that lead to it, such as `sources.composite.url`.
  var place: String
}

/// The rules that a style must follow, so that a renderer of maps can use it.
enum StyleRules {
  typealias Visitor = (JSONDocument.Value, String) throws(MapError) -> Void

  /// Checks what every style has, before anything is replaced.
  static func check(_ document: JSONDocument) throws(MapError) {
    let root = document.root
    guard root.isObject else { throw .notAStyle(because: "it is no JSON object", line: 1) }
    try checkKeys(root, document, at: "")
    guard let version = root["version"], document.bytes[version.range].elementsEqual("8".utf8)
    else { throw .notAStyle(because: "its 'version' is not 8", line: 1) }
    guard let sources = root["sources"], sources.isObject else {
      throw .notAStyle(because: "it has no 'sources'", line: 1)
    }
    guard let layers = root["layers"], layers.isArray else {
      throw .notAStyle(because: "it has no 'layers'", line: 1)
    }
    let names = Set(sources.members.map { ExactText($0.key) })
    for layer in layers.elements {
      guard let source = layer["source"]?.text, !names.contains(ExactText(source)) else { continue }
      let id = layer["id"]?.text ?? "without an id"
      throw .notAStyle(
        because: "the layer '\(id)' refers to the source '\(source)', which does not exist",
        line: document.line(of: layer))
    }
  }

  /// Refuses keys with placeholders, and keys that occur twice, of which readers choose different
  /// ones.
  private static func checkKeys(
    _ value: JSONDocument.Value, _ document: JSONDocument, at place: String
  ) throws(MapError) {
    var keys: Set<ExactText> = []
    for member in value.members {
      // Found for an error only, because counting lines reads everything before.
      var line: Int { JSONDocument.line(of: member.keyRange.lowerBound, in: document.bytes) }
      if TemplateString.opens(member.key) { throw .placeholderInKey(member.key, line: line) }
      guard keys.insert(ExactText(member.key)).inserted else {
        throw .notAStyle(because: "the key '\(place)\(member.key)' occurs twice", line: line)
      }
      try checkKeys(member.value, document, at: "\(place)\(member.key).")
    }
    for element in value.elements { try checkKeys(element, document, at: place) }
  }

  /// Calls a closure with each value and its place.
  static func visit(_ document: JSONDocument, _ visitor: Visitor) throws(MapError) {
    try visit(document.root, at: "", visitor)
  }

  private static func visit(
    _ value: JSONDocument.Value, at place: String, _ visitor: Visitor
  ) throws(MapError) {
    try visitor(value, place)
    for member in value.members {
      try visit(
        member.value, at: place.isEmpty ? member.key : "\(place).\(member.key)", visitor)
    }
    for (index, element) in value.elements.enumerated() {
      try visit(element, at: "\(place)[\(index)]", visitor)
    }
  }

  /// Returns the strings that may name files: the sprite, the glyphs, and what sources refer to.
  static func assetReferences(_ document: JSONDocument) -> [StyleReference] {
    let root = document.root
    var references: [StyleReference] = []
    func add(_ kind: StyleReference.Kind, _ value: JSONDocument.Value?, _ place: String) {
      guard let value, value.text != nil else { return }
      references.append(StyleReference(kind: kind, value: value, place: place))
    }
    add(.sprite, root["sprite"], "sprite")
    // "An array of {id: ..., url: ...} pairs": several sprites.
    for (index, element) in (root["sprite"]?.elements ?? []).enumerated() {
      add(.sprite, element["url"], "sprite[\(index)].url")
    }
    add(.file, root["glyphs"], "glyphs")
    for source in root["sources"]?.members ?? [] {
      let place = "sources.\(source.key)"
      for key in ["url", "data"] { add(.file, source.value[key], "\(place).\(key)") }
      for key in ["urls", "tiles"] {
        for (index, element) in (source.value[key]?.elements ?? []).enumerated() {
          add(.file, element, "\(place).\(key)[\(index)]")
        }
      }
    }
    return references
  }

  /// Returns the URLs of tiles that have the path of a tileset and are not the URL of one, with the right one.
  static func wrongURLs(_ document: JSONDocument) -> [(reference: StyleReference, right: String)] {
    let tiled = (document.root["sources"]?.members ?? []).filter {
      ["vector", "raster", "raster-dem"].contains($0.value["type"]?.text ?? "")
    }
    let places = tiled.map { "sources.\($0.key)." }
    return assetReferences(document).compactMap { reference in
      guard places.contains(where: { reference.place.utf8.starts(with: $0.utf8) }),
        let right = reference.value.text.flatMap(TilesetURL.correction)
      else { return nil }
      return (reference, right)
    }
  }

  /// Checks that each `mbtiles://` and `pmtiles://file://` source of a rendered document is one of the given files, in
  /// the format that the scheme reads.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - files: The tilesets for which it is rendered.
  /// - Throws: ``MapError`` with `.wrongSource`, `.unusablePath` or `.invalidStyle`.
  static func checkSources(_ bytes: [UInt8], _ files: [FilePath]) throws(MapError) {
    let document: JSONDocument
    do {
      document = try JSONDocument(bytes)
    } catch {
      throw .notJSON(error, line: JSONDocument.line(of: error.offset, in: bytes))
    }
    for reference in assetReferences(document) {
      guard let url = reference.value.text, let location = TilesetURL(url) else { continue }
      // As MapLibre does: decoded once, and the path must be absolute before that.
      guard location.rest.utf8.first == UInt8(ascii: "/"),
        let path = URLText.decoded(location.rest)
      else { throw .relativePath(location.rest, scheme: location.scheme.rawValue) }
      // MapLibre cuts off the path of a tile in MBTiles there.
      if location.scheme == .mbtiles, path.utf8.contains(UInt8(ascii: "?")) {
        throw .questionMark(path)
      }
      guard let file = files.first(where: { $0.text.utf8.elementsEqual(path.utf8) }) else {
        throw .wrongSource(
          url, at: reference.place, expected: files.map(\.name), location.scheme.template)
      }
      if let other = location.scheme.other(for: file) {
        throw .wrongScheme(url, at: reference.place, file.name, other.template)
      }
    }
  }
}
