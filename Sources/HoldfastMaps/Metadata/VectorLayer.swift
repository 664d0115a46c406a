import Foundation

/// A layer of vector tiles, as the tileset's metadata describes it.
///
/// - SeeAlso: TileJSON 3.0.0, "vector_layers"
public struct VectorLayer: Hashable, Sendable, Codable {
  /// The layer's name, which styles refer to as `source-layer`.
  public var id: String
  /// The attributes of the features, and the type of each in words.
  public var fields: [String: String]
  /// A description of the layer.
  public var summary: String?
  /// The first zoom level that has the layer.
  public var minimumZoom: Int?
  /// The last zoom level that has the layer.
  public var maximumZoom: Int?

  private enum CodingKeys: String, CodingKey {
    case id, fields
    case summary = "description"
    case minimumZoom = "minzoom"
    case maximumZoom = "maxzoom"
  }

  /// Creates a layer.
  public init(
    id: String, fields: [String: String] = [:], summary: String? = nil, minimumZoom: Int? = nil,
    maximumZoom: Int? = nil
  ) {
    self.id = id
    self.fields = fields
    self.summary = summary
    self.minimumZoom = minimumZoom
    self.maximumZoom = maximumZoom
  }

  /// Returns the layers of the value of `json` in a tileset's metadata.
  ///
  /// Members of a layer other than its name are ignored when they are of another type, because
  /// tools write them in several ways.
  ///
  /// - Returns: `nil` when it is not JSON or has no list of layers.
  static func layers(inJSON text: String) -> [VectorLayer]? {
    // What is not JSON has no layers.
    guard
      let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
      let list = object["vector_layers"] as? [Any]
    else { return nil }
    return list.compactMap { element in
      guard let layer = element as? [String: Any], let id = layer["id"] as? String else {
        return nil
      }
      return VectorLayer(
        id: id,
        fields: (layer["fields"] as? [String: Any] ?? [:]).compactMapValues { $0 as? String },
        summary: layer["description"] as? String,
        minimumZoom: layer["minzoom"] as? Int, maximumZoom: layer["maxzoom"] as? Int)
    }
  }
}
