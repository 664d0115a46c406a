/// Bytes of vector tiles that a test makes, right ones and wrong ones.
///
/// - SeeAlso: <https://github.com/mapbox/vector-tile-spec/tree/master/2.1>
public enum VectorTileBytes {
  /// The commands of a square that covers a tile whose extent is 4096.
  public static let square: [UInt64] = [9, 0, 0, 26, 8192, 0, 0, 8192, 8191, 0, 15]

  /// Returns an integer of a variable length.
  public static func varint(_ number: UInt64) -> [UInt8] {
    number < 128 ? [UInt8(number)] : [UInt8(number & 127) | 128] + varint(number >> 7)
  }

  /// Returns a field that has a number.
  public static func number(_ field: UInt64, _ value: UInt64) -> [UInt8] {
    varint(field << 3) + varint(value)
  }

  /// Returns a field that has bytes.
  public static func bytes(_ field: UInt64, _ content: [UInt8]) -> [UInt8] {
    varint(field << 3 | 2) + varint(UInt64(content.count)) + content
  }

  /// Returns a feature of a layer; what is `nil` is left out.
  public static func feature(
    id: UInt64? = nil, tags: [UInt64] = [], type: UInt64? = 3, geometry: [UInt64]? = square
  ) -> [UInt8] {
    var content: [UInt8] = []
    if let id { content += number(1, id) }
    if !tags.isEmpty { content += bytes(2, tags.flatMap(varint)) }
    if let type { content += number(3, type) }
    if let geometry { content += bytes(4, geometry.flatMap(varint)) }
    return content
  }

  /// Returns a layer of a tile; what is `nil` is left out.
  public static func layer(
    _ name: String? = "places", version: UInt64? = 2, extent: UInt64? = 4096,
    features: [[UInt8]] = [feature()], keys: [String] = [], values: [[UInt8]] = []
  ) -> [UInt8] {
    var content: [UInt8] = []
    if let name { content += bytes(1, Array(name.utf8)) }
    for feature in features { content += bytes(2, feature) }
    for key in keys { content += bytes(3, Array(key.utf8)) }
    for value in values { content += bytes(4, value) }
    if let extent { content += number(5, extent) }
    if let version { content += number(15, version) }
    return content
  }

  /// Returns a tile.
  public static func tile(_ layers: [UInt8]...) -> [UInt8] {
    (layers.isEmpty ? [layer()] : layers).flatMap { bytes(3, $0) }
  }
}
