/// The metadata, as MapLibre Native reads them: it makes a TileJSON document of the rows, in which the
/// members of the row `json` come first and win over rows of the same names.
///
/// - SeeAlso: `platform/default/src/mbgl/storage/mbtiles_file_source.cpp` of MapLibre Native
struct RendererMetadata {
  let metadata: TilesetMetadata

  /// The content of the row `json`, if it is a JSON object.
  let json: JSONDocument?

  init(_ metadata: TilesetMetadata) {
    self.metadata = metadata
    json = metadata["json"].flatMap { text in
      // What is not JSON has no members.
      guard let document = try? JSONDocument(Array(text.utf8)) else { return nil }
      return document.root.isObject ? document : nil
    }
  }

  /// The area of the row `bounds`; `nil` when it does not have four parts.
  var rowBounds: RendererBounds? { metadata["bounds"].flatMap(RendererBounds.init) }

  /// The area in `json`; `nil` when it is not a list of four numbers.
  var jsonBounds: RendererBounds? {
    guard let json, let value = json.root["bounds"] else { return nil }
    return RendererBounds(value, in: json)
  }

  /// The area that counts; `nil` for edges that are no numbers.
  var bounds: RendererBounds? {
    (jsonBounds ?? rowBounds).flatMap { $0.areFinite ? $0 : nil }
  }

  /// Whether tiles outside of the area are not drawn: MapLibre Native forgets the row for the one
  /// format that it knows to be vector tiles.
  var isCutByBounds: Bool { metadata["format"] != "pbf" || json?.root["bounds"] != nil }
}
