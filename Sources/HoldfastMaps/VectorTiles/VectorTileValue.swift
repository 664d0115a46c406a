/// The value of an attribute of a vector tile's feature.
package enum VectorTileValue: Hashable, Sendable {
  case text(String)
  case real(Double)
  case integer(Int64)
  case unsigned(UInt64)
  case bool(Bool)

  /// Reads a value; of several, the last one.
  ///
  /// - Returns: The value, and whether it is one of the types that the specification lists;
  ///   `nil` in place of none.
  static func read(
    _ bytes: [UInt8], in range: Range<Int>, layer: String, remark: inout VectorTileFault?
  ) throws(VectorTileFault) -> VectorTileValue? {
    var value: VectorTileValue?
    var count = 0
    var reader = VectorTileReader(bytes, in: range)
    while let field = try reader.nextField() {
      switch field.number {
      case 1:
        let text = try reader.range(field)
        value = .text(VectorTileLayer.text(bytes, in: text, layer: layer, remark: &remark))
      case 2:
        let bits = try reader.fixed(field, .fixed32)
        value = .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
      case 3: value = .real(Double(bitPattern: try reader.fixed(field, .fixed64)))
      case 4: value = .integer(Int64(bitPattern: try reader.number(field)))
      case 5: value = .unsigned(try reader.number(field))
      case 6:
        let number = try reader.number(field)
        value = .integer(Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1))
      case 7: value = .bool(try reader.number(field) != 0)
      default:
        try reader.skip(field)
        continue
      }
      count += 1
    }
    // "Each message in the values field … MUST have exactly one" (section 4.1, "value").
    if count != 1 { remark = remark ?? .valueType(layer: layer) }
    return value
  }
}
