import HoldfastFiles

/// A layer of a vector tile.
package struct VectorTileLayer: Sendable {
  /// The name, which styles refer to as `source-layer`.
  package let name: String

  /// The version of the specification that the layer follows.
  package let version: UInt64

  /// The width and height of the tile, in the units of the layer's coordinates.
  package let extent: UInt64

  /// The number of features.
  package var featureCount: Int { features.count }

  /// The coordinates that MapLibre Native draws; see ``drawnCoordinates(extent:)``.
  private let drawnCoordinates: ClosedRange<Int64>

  private let bytes: [UInt8]
  private let keys: [String]
  private let values: [VectorTileValue?]
  private let features: [Range<UInt32>]

  /// Reads a layer.
  ///
  /// - Parameters:
  ///   - bytes: The tile.
  ///   - range: The layer's bytes.
  ///   - partCount: The number of parts that were read so far in the tile.
  ///   - remark: The first difference from the specification that is drawn nevertheless.
  /// - Throws: ``VectorTileFault``.
  init(
    _ bytes: [UInt8], in range: Range<Int>, partCount: inout Int, remark: inout VectorTileFault?
  ) throws(VectorTileFault) {
    self.bytes = bytes
    var (name, version, extent): (Range<Int>?, UInt64?, UInt64?) = (nil, nil, nil)
    var features: [Range<UInt32>] = []
    var keyRanges: [Range<UInt32>] = []
    var valueRanges: [Range<UInt32>] = []
    var reader = VectorTileReader(bytes, in: range)
    while let field = try reader.nextField() {
      partCount += 1
      guard partCount <= ReadingLimit.tileParts.most else { throw .tooManyParts }
      switch field.number {
      case 1: name = try reader.range(field)
      case 2: features.append(Self.short(try reader.range(field)))
      case 3: keyRanges.append(Self.short(try reader.range(field)))
      case 4: valueRanges.append(Self.short(try reader.range(field)))
      case 5: extent = try reader.number(field) & 0xFFFF_FFFF
      case 15: version = try reader.number(field) & 0xFFFF_FFFF
      default: try reader.skip(field)
      }
    }
    guard let name else { throw .missing("name", layer: "") }
    let title = Self.text(bytes, in: name, layer: "", remark: &remark)
    guard let version else { throw .missing("version", layer: title) }
    // The schema has a default of 4096, and MapLibre Native demands the field.
    guard let extent, extent > 0 else { throw .missing("extent", layer: title) }
    if version != 1, version != 2 { remark = remark ?? .otherVersion(layer: title) }
    var keys: [String] = []
    keys.reserveCapacity(keyRanges.count)
    for range in keyRanges {
      keys.append(Self.text(bytes, in: Self.long(range), layer: title, remark: &remark))
    }
    var values: [VectorTileValue?] = []
    values.reserveCapacity(valueRanges.count)
    for range in valueRanges {
      values.append(
        try VectorTileValue.read(bytes, in: Self.long(range), layer: title, remark: &remark))
    }
    (self.name, self.version, self.extent) = (title, version, extent)
    (self.keys, self.values, self.features) = (keys, values, features)
    drawnCoordinates = Self.drawnCoordinates(extent: extent)
  }

  /// Returns the coordinates of which MapLibre Native draws features: it makes them 8192 to a tile, in 16 bits.
  ///
  /// These are about four tiles in each direction. It leaves out a feature with others, such as a polygon that was
  /// not cut at the edge of its tile.
  ///
  /// - SeeAlso: `include/mapbox/vector_tile.hpp` of mapbox/vector-tile, "paths outside valid range of coordinate_type"
  static func drawnCoordinates(extent: UInt64) -> ClosedRange<Int64> {
    let unit = Double(extent) / 8192
    // The last ones that are rounded to such a number, away from zero.
    let last = (32_767.5 * unit).rounded(.up) - 1
    let first = (-32_768.5 * unit).rounded(.down) + 1
    return Int64(first)...Int64(last)
  }

  /// Half of a range's memory is enough, because a tile is shorter than 4 GiB.
  private static func short(_ range: Range<Int>) -> Range<UInt32> {
    UInt32(clamping: range.lowerBound)..<UInt32(clamping: range.upperBound)
  }

  private static func long(_ range: Range<UInt32>) -> Range<Int> {
    Int(range.lowerBound)..<Int(range.upperBound)
  }

  /// Returns a text, in which bytes that are not UTF-8 are replaced.
  static func text(
    _ bytes: [UInt8], in range: Range<Int>, layer: String, remark: inout VectorTileFault?
  ) -> String {
    if let text = String(validating: bytes[range], as: UTF8.self) { return text }
    remark = remark ?? .notUTF8(layer: layer)
    return String(decoding: bytes[range], as: UTF8.self)
  }

  // MARK: - Features

  /// The fields of a feature, before its attributes and its geometry are read.
  private struct Feature {
    var id: UInt64?
    var tags: Range<Int>?
    var type: UInt64 = 0
    var geometry: Range<Int>?
  }

  private func feature(at index: Int) throws(VectorTileFault) -> Feature {
    var feature = Feature()
    var reader = VectorTileReader(bytes, in: Self.long(features[index]))
    while let field = try reader.nextField() {
      switch field.number {
      case 1: feature.id = try reader.number(field)
      case 2: feature.tags = try reader.range(field)
      case 3: feature.type = try reader.number(field)
      case 4: feature.geometry = try reader.range(field)
      default: try reader.skip(field)
      }
    }
    return feature
  }

  /// Calls a closure with the places of each attribute's key and value.
  private func readTags(
    _ range: Range<Int>?, _ body: (Int, Int) -> Void
  ) throws(VectorTileFault) {
    guard let range else { return }
    var reader = VectorTileReader(bytes, in: range)
    while !reader.isAtEnd {
      let key = try reader.varint()
      guard !reader.isAtEnd, key < UInt64(keys.count) else { throw .attribute(layer: name) }
      let value = try reader.varint()
      guard value < UInt64(values.count) else { throw .attribute(layer: name) }
      body(Int(key), Int(value))
    }
  }

  /// Reads a feature, and throws what keeps a renderer from drawing it.
  ///
  /// - Parameters:
  ///   - index: The place of the feature in the layer.
  ///   - remark: The first difference from the specification that is drawn nevertheless.
  /// - Throws: ``VectorTileFault``.
  func examineFeature(
    at index: Int, remark: inout VectorTileFault?
  ) throws(VectorTileFault) {
    let feature = try feature(at: index)
    try readTags(feature.tags) { _, _ in }
    var commands = try self.commands(of: feature, remark: &remark)
    while let step = try commands.next() {
      switch step {
      case .move(let point), .line(let point):
        guard drawnCoordinates.contains(Int64(point.x)), drawnCoordinates.contains(Int64(point.y))
        else { throw .farCoordinate(layer: name) }
      case .close: break
      }
    }
    guard commands.hasPoint else { throw .noGeometry(layer: name) }
    if !commands.isRegular { remark = remark ?? .commandOrder(layer: name) }
  }

  private func commands(
    of feature: Feature, remark: inout VectorTileFault?
  ) throws(VectorTileFault) -> VectorTileCommands {
    guard let geometry = feature.geometry, !geometry.isEmpty else {
      throw .noGeometry(layer: name)
    }
    let type = VectorTileGeometry.Kind(rawValue: feature.type)
    if type == nil { remark = remark ?? .geometryType(layer: name) }
    return VectorTileCommands(bytes, in: geometry, type: type ?? .unknown, layer: name)
  }

  /// Returns the type of a feature's geometry, as a number, and its attributes.
  ///
  /// - Parameter index: The place of the feature in the layer.
  /// - Returns: The type and the attributes, in the order of the tile.
  /// - Throws: ``VectorTileFault``.
  func attributes(
    at index: Int
  ) throws(VectorTileFault) -> (type: UInt64, [VectorTileFeature.Attribute]) {
    let feature = try feature(at: index)
    var attributes: [VectorTileFeature.Attribute] = []
    try readTags(feature.tags) { key, value in
      attributes.append(VectorTileFeature.Attribute(key: keys[key], value: values[value]))
    }
    return (feature.type, attributes)
  }

  /// Returns a feature.
  ///
  /// - Parameter index: The place of the feature in the layer.
  /// - Returns: The feature, with its attributes and its geometry.
  /// - Throws: ``VectorTileFault``.
  package func readFeature(at index: Int) throws(VectorTileFault) -> VectorTileFeature {
    let feature = try feature(at: index)
    var attributes: [VectorTileFeature.Attribute] = []
    try readTags(feature.tags) { key, value in
      attributes.append(VectorTileFeature.Attribute(key: keys[key], value: values[value]))
    }
    var remark: VectorTileFault?
    var commands = try self.commands(of: feature, remark: &remark)
    return VectorTileFeature(
      id: feature.id, attributes: attributes,
      geometry: try VectorTileGeometry(&commands, feature.type))
  }
}

/// A feature of a layer of a vector tile.
package struct VectorTileFeature: Hashable, Sendable {
  /// An attribute of a feature.
  package struct Attribute: Hashable, Sendable {
    package var key: String
    /// The value; `nil` for one without a type.
    package var value: VectorTileValue?
  }

  package var id: UInt64?
  /// The attributes, in the order of the tile.
  package var attributes: [Attribute]
  package var geometry: VectorTileGeometry
}
