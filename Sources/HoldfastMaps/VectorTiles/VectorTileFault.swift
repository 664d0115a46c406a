import HoldfastFiles

/// Something in which a vector tile differs from the specification.
///
/// The behavior of MapLibre Native was observed with its versions of 2025 and 2026.
///
/// - SeeAlso: <https://github.com/mapbox/vector-tile-spec/tree/master/2.1>
package enum VectorTileFault: Error, Hashable, Sendable {
  // MapLibre Native refuses the tile, or shows less of it.

  /// A part has fewer bytes than it says.
  case truncated
  /// An integer has more than 64 bits.
  case overlongInteger
  /// A field has no valid number or encoding.
  case noField
  /// A field has another encoding than it must.
  case otherType
  /// The tile has more parts than any real one.
  case tooManyParts
  /// A layer has no name, no version, or no extent.
  case missing(String, layer: String)
  /// Two layers have one name.
  case repeatedLayer(String)
  /// An attribute names a key or a value that its layer does not have, or a key without a value.
  case attribute(layer: String)
  /// A feature has no geometry, or one without any position.
  case noGeometry(layer: String)
  /// A geometry has a command that does not exist, or ends within one.
  case command(layer: String)
  /// A coordinate lies farther than MapLibre Native draws, or has more than 32 bits.
  case farCoordinate(layer: String)

  // MapLibre Native draws the tile.

  /// The version of a layer is not 1 or 2.
  case otherVersion(layer: String)
  /// A text is not UTF-8.
  case notUTF8(layer: String)
  /// A value of an attribute has no type, or several.
  case valueType(layer: String)
  /// A geometry is of a type that does not exist.
  case geometryType(layer: String)
  /// The commands of a geometry do not fit its type.
  case commandOrder(layer: String)

  /// Whether MapLibre Native draws the tile as if nothing were wrong.
  package var isDrawn: Bool {
    switch self {
    case .otherVersion, .notUTF8, .valueType, .geometryType, .commandOrder: true
    default: false
    }
  }
}

extension VectorTileFault: CustomStringConvertible {
  /// The end of a sentence about the tile, which describes the fault.
  package var description: String {
    switch self {
    case .truncated: "it breaks off"
    case .overlongInteger: "an integer has more than 64 bits"
    case .noField: "a field has no valid number or encoding"
    case .otherType: "a field has another encoding than the specification says"
    case .tooManyParts:
      "it has more than \(ReadingLimit.tileParts.most) layers, features, keys and values"
    case .missing(let field, let layer):
      field == "name" ? "a layer has no name" : "the layer '\(layer)' has no \(field)"
    case .repeatedLayer(let layer): "two layers are called '\(layer)'"
    case .attribute(let layer):
      "a feature of the layer '\(layer)' has a key or a value that the layer does not have"
    case .noGeometry(let layer):
      "a feature of the layer '\(layer)' has no geometry, or one without any position"
    case .command(let layer):
      "a geometry of the layer '\(layer)' has a command that does not exist, or ends within one"
    case .farCoordinate(let layer):
      "a geometry of the layer '\(layer)' goes more than four tiles far, and is left out"
    case .otherVersion(let layer): "the version of the layer '\(layer)' is neither 1 nor 2"
    case .notUTF8(let layer): "a text of the layer '\(layer)' is not UTF-8"
    case .valueType(let layer): "a value of the layer '\(layer)' does not have one type"
    case .geometryType(let layer):
      "a feature of the layer '\(layer)' has a type of geometry that does not exist"
    case .commandOrder(let layer):
      "a geometry of the layer '\(layer)' does not have the commands of its type"
    }
  }
}
