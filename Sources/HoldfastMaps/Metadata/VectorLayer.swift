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
    let document: JSONDocument
    do throws(JSONDocument.Fault) {
      document = try JSONDocument(Array(text.utf8))
    } catch {
      // Text that is not JSON has no layers.
      return nil
    }
    guard let list = document.root.last("vector_layers"), list.isArray else { return nil }
    return list.elements.compactMap { layer in
      guard let id = layer.last("id")?.text else { return nil }
      let fields = (layer.last("fields")?.members ?? []).compactMap { field in
        field.value.text.map { (field.key, $0) }
      }
      return VectorLayer(
        id: id, fields: Dictionary(fields) { _, last in last },
        summary: layer.last("description")?.text,
        minimumZoom: document.integer(layer.last("minzoom")),
        maximumZoom: document.integer(layer.last("maxzoom")))
    }
  }
}
