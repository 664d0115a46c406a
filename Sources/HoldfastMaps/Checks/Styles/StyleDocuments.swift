import Foundation
import HoldfastFiles

/// The JSON files of a folder to which a style refers: the indexes of its sprites, descriptions of tilesets, and GeoJSON.
///
/// Each is what the style takes it for, or is refused, whatever its name.
struct StyleDocuments {
  /// Sentences about what keeps a map from being shown, or from being shown whole.
  private(set) var refusals: [String] = []

  private let folder: AssetFolder

  /// The kind of file that a style takes another one for.
  private enum Kind {
    case sprite, tileJSON, geoJSON
  }

  /// Examines the files that a folder has.
  init(of style: MapStyle, in folder: AssetFolder) {
    self.folder = folder
    let sources = style.document.root["sources"]?.members ?? []
    for reference in StyleRules.assetReferences(style.document) {
      guard let text = reference.value.text, !TemplateString.opens(text),
        let asset = URLText.path(of: text, scheme: "asset"),
        let names = AssetFolder.names(asset.utf8[...])
      else { continue }
      switch reference.kind {
      case .sprite:
        for ending in [".json", "@2x.json"] {
          if let place = folder.place(of: names, endings: [ending]) {
            examine(place, ending, .sprite, reference.place)
          }
        }
      case .file:
        let source = sources.first {
          reference.place == "sources.\($0.key).url" || reference.place == "sources.\($0.key).data"
        }
        guard let kind = source.flatMap({ Self.kind(ofSourceOf: $0.value["type"]?.text) }),
          let place = folder.place(of: names, endings: [""])
        else { continue }
        examine(place, "", kind, reference.place)
      }
    }
  }

  private static func kind(ofSourceOf type: String?) -> Kind? {
    switch type {
    case "vector", "raster", "raster-dem": .tileJSON
    case "geojson": .geoJSON
    default: nil
    }
  }

  private mutating func examine(
    _ names: [String], _ ending: String, _ kind: Kind, _ reference: String
  ) {
    let path = names.joined(separator: "/") + ending
    do throws(JSONDocument.Fault) {
      let document = try folder.document(of: names, ending)
      let flaw =
        switch kind {
        case .sprite: document.root.isObject ? nil : "it is no JSON object"
        case .tileJSON: Self.tileJSONFlaw(document.root)
        case .geoJSON: GeoJSONForm.fault(in: document)
        }
      if let flaw { refuse(path, kind, reference, flaw) }
    } catch {
      refuse(path, kind, reference, error.reason)
    }
  }

  private mutating func refuse(_ path: String, _ kind: Kind, _ reference: String, _ flaw: String) {
    switch kind {
    case .sprite: refusals.append(StyleSentence.noSpriteIndex(path, at: reference, flaw))
    case .tileJSON: refusals.append(StyleSentence.noTileJSON(path, at: reference, flaw))
    case .geoJSON: refusals.append(StyleSentence.noGeoJSON(path, at: reference, flaw))
    }
  }

  /// - SeeAlso: <https://github.com/mapbox/tilejson-spec/tree/master/3.0.0>
  private static func tileJSONFlaw(_ root: JSONDocument.Value) -> String? {
    guard root.isObject else { return "it is no JSON object" }
    guard let tiles = root["tiles"], tiles.isArray else { return "it has no list 'tiles'" }
    guard !tiles.elements.isEmpty else { return "its list 'tiles' is empty" }
    for tile in tiles.elements {
      guard let url = tile.text else { return "its list 'tiles' has something that is no text" }
      if TilesetURL(url) != nil || url.utf8.starts(with: "file://".utf8) {
        return "its 'tiles' have a path that no device has, and nothing replaces it"
      }
    }
    return nil
  }
}
