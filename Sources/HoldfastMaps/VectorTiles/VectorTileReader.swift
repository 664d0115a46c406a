/// A reader of the fields of a vector tile, in the order of its bytes.
///
/// It knows the wire format of protocol buffers only. Bytes of any origin are read or end in a
/// ``VectorTileFault``; nothing is allocated for a length, and nothing recurses.
///
/// - SeeAlso: <https://protobuf.dev/programming-guides/encoding/>
struct VectorTileReader {
  /// The encodings of a value that vector tiles have; MapLibre Native refuses groups, too.
  enum WireType: UInt64 {
    case varint = 0
    case fixed64 = 1
    case bytes = 2
    case fixed32 = 5
  }

  /// The number and the encoding of a field, whose value follows.
  struct Field {
    var number: UInt64
    var type: WireType
  }

  private let bytes: [UInt8]
  private var offset: Int
  private let end: Int

  /// Prepares to read a part of a tile, by default all of it.
  init(_ bytes: [UInt8], in range: Range<Int>? = nil) {
    self.bytes = bytes
    offset = range?.lowerBound ?? 0
    end = range?.upperBound ?? bytes.count
  }

  var isAtEnd: Bool { offset >= end }

  /// Returns the next field; `nil` at the end.
  ///
  /// The caller reads its value or skips it.
  mutating func nextField() throws(VectorTileFault) -> Field? {
    guard !isAtEnd else { return nil }
    let key = try varint()
    guard (1...(1 << 29) - 1).contains(key >> 3), let type = WireType(rawValue: key & 7) else {
      throw .noField
    }
    return Field(number: key >> 3, type: type)
  }

  /// Reads a number of a field.
  mutating func number(_ field: Field) throws(VectorTileFault) -> UInt64 {
    guard field.type == .varint else { throw .otherType }
    return try varint()
  }

  /// Reads the value of a field that has bytes, and returns their places.
  mutating func range(_ field: Field) throws(VectorTileFault) -> Range<Int> {
    guard field.type == .bytes else { throw .otherType }
    return try take(try varint())
  }

  /// Reads a number of four or eight bytes, the lowest first.
  mutating func fixed(_ field: Field, _ type: WireType) throws(VectorTileFault) -> UInt64 {
    guard field.type == type else { throw .otherType }
    return bytes[try take(type == .fixed64 ? 8 : 4)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads past the value of a field.
  mutating func skip(_ field: Field) throws(VectorTileFault) {
    switch field.type {
    case .varint: _ = try varint()
    case .fixed64: _ = try take(8)
    case .fixed32: _ = try take(4)
    case .bytes: _ = try take(try varint())
    }
  }

  /// Reads an integer of a variable length.
  mutating func varint() throws(VectorTileFault) -> UInt64 {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while offset < end {
      let byte = bytes[offset]
      offset += 1
      // After nine bytes of seven bits, one bit is left.
      guard shift < 63 || byte <= 1 else { throw .overlongInteger }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw .truncated
  }

  private mutating func take(_ count: UInt64) throws(VectorTileFault) -> Range<Int> {
    guard count <= UInt64(end - offset) else { throw .truncated }
    let range = offset..<offset + Int(count)
    offset = range.upperBound
    return range
  }
}
