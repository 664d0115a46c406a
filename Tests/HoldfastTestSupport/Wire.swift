/// The bytes of protocol buffer fields, written field by field.
package enum Wire {
  package static func varint(_ value: UInt64) -> [UInt8] {
    var (bytes, value): ([UInt8], UInt64) = ([], value)
    while value >= 0x80 {
      bytes.append(UInt8(value & 0x7F) | 0x80)
      value >>= 7
    }
    return bytes + [UInt8(value)]
  }

  package static func tag(_ number: Int, _ type: Int) -> [UInt8] {
    varint(UInt64(number) << 3 | UInt64(type))
  }

  /// A negative number has ten bytes, as everywhere.
  package static func number(_ field: Int, _ value: Int) -> [UInt8] {
    tag(field, 0) + varint(UInt64(bitPattern: Int64(value)))
  }

  package static func bytes(_ field: Int, _ content: [UInt8]) -> [UInt8] {
    tag(field, 2) + varint(UInt64(content.count)) + content
  }

  package static func text(_ field: Int, _ text: String) -> [UInt8] {
    bytes(field, Array(text.utf8))
  }

  package static func message(_ field: Int, _ fields: [UInt8]...) -> [UInt8] {
    bytes(field, fields.flatMap(\.self))
  }

  package static func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }

  package static let header = message(1, text(1, "2.0"))

  /// An entity with a trip update of these fields, except for its trip.
  package static func entity(_ fields: [UInt8]..., tripID: String = "T") -> [UInt8] {
    message(2, text(1, "e"), message(3, message(1, text(1, tripID)), fields.flatMap(\.self)))
  }
}
