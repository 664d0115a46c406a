/// A feature of a tile, as expressions and filters see it.
struct StyleFeature {
  /// The attributes.
  var attributes: [String: StyleJSON]

  /// The type of the geometry: "Point", "LineString" or "Polygon"; `nil` when it is not known.
  var geometryType: String?

  init(_ attributes: [String: StyleJSON] = [:], geometryType: String? = nil) {
    (self.attributes, self.geometryType) = (attributes, geometryType)
  }
}

extension StyleJSON {
  /// Creates the value of an attribute.
  init(_ value: VectorTileValue?) {
    switch value {
    case .text(let text): self = .text(text)
    case .real(let number): self = .number(number)
    case .integer(let number): self = .number(Double(number))
    case .unsigned(let number): self = .number(Double(number))
    case .bool(let value): self = .bool(value)
    case nil: self = .null
    }
  }
}
