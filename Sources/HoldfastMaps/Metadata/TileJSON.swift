public import Foundation

/// A description of a tileset in TileJSON 3.0.0, for renderers of maps.
///
/// - SeeAlso: <https://github.com/mapbox/tilejson-spec/tree/master/3.0.0>
public struct TileJSON: Hashable, Sendable, Codable {
  /// The version of TileJSON.
  public private(set) var tilejson = "3.0.0"
  /// The addresses of tiles, with `{z}`, `{x}` and `{y}`.
  public var tiles: [String]
  /// The layers of vector tiles; `nil` for images.
  public var vectorLayers: [VectorLayer]?
  /// The credit that a map must show.
  public var attribution: String?
  /// The area: west, south, east, north.
  public var bounds: [Double]?
  /// The first view: longitude, latitude, zoom level.
  public var center: [Double]?
  /// A description of the content.
  public var summary: String?
  /// The addresses of interaction grids.
  public var grids: [String]?
  /// A legend, as HTML.
  public var legend: String?
  /// The last zoom level with tiles.
  public var maximumZoom: Int?
  /// The first zoom level with tiles.
  public var minimumZoom: Int?
  /// The tileset's name.
  public var name: String?
  /// How rows are counted: always from the north.
  public private(set) var scheme = "xyz"
  /// A template for the data of grids, in Mustache.
  public var template: String?
  /// The version of the content, such as `1.0.0`.
  public var version: String?

  private enum CodingKeys: String, CodingKey {
    case tilejson, tiles, attribution, bounds, center, grids, legend, name, scheme, template,
      version
    case vectorLayers = "vector_layers"
    case summary = "description"
    case maximumZoom = "maxzoom"
    case minimumZoom = "minzoom"
  }

  /// Creates the description of a tileset.
  ///
  /// - Parameters:
  ///   - metadata: What its file says of itself.
  ///   - coverage: What it covers.
  ///   - tiles: The addresses of tiles, with `{z}`, `{x}` and `{y}`.
  public init(_ metadata: TilesetMetadata, _ coverage: TilesetCoverage, tiles: [String]) {
    self.tiles = tiles
    let layers = metadata.vectorLayers
    // "vector_layers" is required for vector tiles, and has no meaning for images.
    vectorLayers = coverage.format.map { !$0.isImage } == true ? layers : nil
    attribution = metadata.attribution
    bounds = coverage.bounds?.edges
    center = coverage.center.map { [$0.longitude, $0.latitude, Double($0.zoom)] }
    summary = metadata.summary
    legend = metadata["legend"].flatMap { $0.isEmpty ? nil : $0 }
    minimumZoom = coverage.zoomLevels?.lowerBound
    maximumZoom = coverage.zoomLevels?.upperBound
    name = metadata.name
    template = metadata["template"].flatMap { $0.isEmpty ? nil : $0 }
    version = metadata.version.flatMap(Self.version)
  }

  /// The JSON, with sorted keys, so that equal descriptions have equal bytes.
  public var data: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self)
    }
  }

  /// Returns the version as three numbers; MBTiles also writes a plain number.
  private static func version(_ text: String) -> String? {
    let numbers = text.utf8.split(
      separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard (1...3).contains(numbers.count),
      numbers.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    return text + String(repeating: ".0", count: 3 - numbers.count)
  }
}
