/// The form of GeoJSON, as MapLibre Native reads it: one fault anywhere, and nothing of it is drawn.
///
/// - SeeAlso: RFC 7946
enum GeoJSONForm {
  /// Returns what is wrong with GeoJSON, as the end of a sentence; `nil` when it is read.
  static func fault(in document: JSONDocument) -> String? {
    fault(in: document.root, document)
  }

  /// Returns what is wrong with GeoJSON that is a value of a document.
  static func fault(in value: JSONDocument.Value, _ document: JSONDocument) -> String? {
    do throws(StyleFault) {
      guard value.isObject else { throw StyleFault(reason: "it is no JSON object") }
      guard let type = value["type"]?.text else { throw StyleFault(reason: "it has no 'type'") }
      switch type {
      case "FeatureCollection":
        guard let features = value["features"], features.isArray else {
          throw StyleFault(reason: "its 'features' are no list")
        }
        for feature in features.elements { try check(feature: feature, document) }
      case "Feature": try check(feature: value, document)
      default: try check(geometry: value, document)
      }
      return nil
    } catch {
      return error.reason
    }
  }

  private static func check(
    feature: JSONDocument.Value, _ document: JSONDocument
  ) throws(StyleFault) {
    // Found for a fault only, because counting lines reads everything before.
    var place: String { "the feature in line \(document.line(of: feature))" }
    guard feature["type"]?.text == "Feature" else {
      throw StyleFault(reason: "\(place) does not have the type 'Feature'")
    }
    guard let geometry = feature["geometry"] else {
      throw StyleFault(reason: "\(place) has no 'geometry'")
    }
    if !document.isNull(geometry) { try check(geometry: geometry, document) }
    if let id = feature["id"], id.text == nil, document.number(id) == nil {
      throw StyleFault(reason: "\(place) has an 'id' that is no text and no number")
    }
    if let properties = feature["properties"], !properties.isObject, !document.isNull(properties) {
      throw StyleFault(reason: "\(place) has 'properties' that are no object")
    }
  }

  private static func check(
    geometry: JSONDocument.Value, _ document: JSONDocument
  ) throws(StyleFault) {
    var place: String { "the geometry in line \(document.line(of: geometry))" }
    guard geometry.isObject else { throw StyleFault(reason: "\(place) is no object") }
    guard let type = geometry["type"]?.text else {
      throw StyleFault(reason: "\(place) has no 'type'")
    }
    if type == "GeometryCollection" {
      guard let parts = geometry["geometries"], parts.isArray else {
        throw StyleFault(reason: "\(place) has no list 'geometries'")
      }
      for part in parts.elements { try check(geometry: part, document) }
      return
    }
    guard let shape = shapes[type] else {
      throw StyleFault(reason: "there is no type '\(String(type.unicodeScalars.prefix(40)))'")
    }
    guard let coordinates = geometry["coordinates"],
      isList(coordinates, depth: shape.depth, leastCount: shape.leastCount, document)
    else {
      throw StyleFault(reason: "\(place) does not have the 'coordinates' of a '\(type)'")
    }
  }

  /// How many lists lie around the positions of each type, and how many positions the innermost has at least.
  private static let shapes: [String: (depth: Int, leastCount: Int)] = [
    "Point": (0, 1), "MultiPoint": (1, 0), "LineString": (1, 2), "MultiLineString": (2, 2),
    "Polygon": (2, 1), "MultiPolygon": (3, 1),
  ]

  private static func isList(
    _ value: JSONDocument.Value, depth: Int, leastCount: Int, _ document: JSONDocument
  ) -> Bool {
    guard value.isArray else { return false }
    let elements = value.elements
    if depth == 0 {
      return elements.count >= 2
        && elements.prefix(2).allSatisfy { document.number($0) != nil }
    }
    return (depth > 1 || elements.count >= leastCount)
      && elements.allSatisfy {
        isList($0, depth: depth - 1, leastCount: leastCount, document)
      }
  }
}
