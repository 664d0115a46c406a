import Holdfast
import HoldfastFiles

/// A vector tile: its layers, as the Mapbox Vector Tile specification describes them.
///
/// The whole structure is read at once, and each feature when it is asked for, so that a hostile
/// tile takes no more memory than a small multiple of its length.
///
/// - SeeAlso: <https://github.com/mapbox/vector-tile-spec/tree/master/2.1>
package struct VectorTile: Sendable {
  /// The layers, in the order of the tile.
  package let layers: [VectorTileLayer]

  /// The first difference from the specification that does not keep a renderer from drawing.
  package let remark: VectorTileFault?

  /// Reads a tile.
  ///
  /// - Parameter bytes: The tile, decompressed.
  /// - Throws: ``VectorTileFault``.
  package init(_ bytes: [UInt8]) throws(VectorTileFault) {
    var layers: [VectorTileLayer] = []
    var names: Set<ExactText> = []
    var remark: VectorTileFault?
    var partCount = 0
    var reader = VectorTileReader(bytes)
    while let field = try reader.nextField() {
      guard field.number == 3 else {
        try reader.skip(field)
        continue
      }
      let layer = try VectorTileLayer(
        bytes, in: reader.range(field), partCount: &partCount, remark: &remark)
      guard names.insert(ExactText(layer.name)).inserted else { throw .repeatedLayer(layer.name) }
      layers.append(layer)
    }
    (self.layers, self.remark) = (layers, remark)
  }

  /// Reads every feature, and returns the first difference from the specification that does not
  /// keep a renderer from drawing.
  ///
  /// - Throws: ``VectorTileFault``.
  func examineFeatures() throws(VectorTileFault) -> VectorTileFault? {
    var remark = remark
    for layer in layers {
      for index in 0..<layer.featureCount { try layer.examineFeature(at: index, remark: &remark) }
    }
    return remark
  }
}
