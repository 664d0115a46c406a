import HoldfastFiles

/// A reader of the fields of a protocol buffer message, in the order of its bytes.
///
/// It knows the wire format only: which fields a message has, and their types, is up to the caller.
/// Bytes of any origin are read or end in a ``ProtobufFault``. Nothing is allocated for a length
/// before it is known that so many bytes follow, and nothing recurses.
///
/// - SeeAlso: <https://protobuf.dev/programming-guides/encoding/>
struct ProtobufReader {
  /// The encodings of a value.
  enum WireType: Int {
    case varint = 0
    case fixed64 = 1
    case lengthDelimited = 2
    case startGroup = 3
    case endGroup = 4
    case fixed32 = 5
  }

  /// The number and the encoding of a field, whose value follows.
  struct Field {
    let number: Int
    let type: WireType
    /// The number of bytes before the field.
    let offset: Int
  }

  private static let fieldNumbers: ClosedRange<UInt64> = 1...(1 << 29) - 1

  /// The groups within groups that other readers accept, too.
  private static let mostOpenGroups = ReadingLimit.openGroups.most

  private let bytes: [UInt8]
  /// The number of bytes before the next one to read.
  private(set) var offset: Int
  private let end: Int

  /// Prepares to read a message that consists of all bytes.
  init(_ bytes: [UInt8]) {
    (self.bytes, offset, end) = (bytes, 0, bytes.count)
  }

  private init(_ bytes: [UInt8], in range: Range<Int>) {
    (self.bytes, offset, end) = (bytes, range.lowerBound, range.upperBound)
  }

  /// Returns the next field; `nil` at the end of the message.
  ///
  /// The caller reads its value or skips it, before it asks for the next one.
  mutating func nextField() throws(ProtobufFault) -> Field? {
    guard offset < end else { return nil }
    let field = try tag()
    guard field.type != .endGroup else {
      throw ProtobufFault(.unopenedGroup(field: field.number), at: field.offset)
    }
    return field
  }

  // MARK: - Values of known fields

  /// Reads an integer, a Boolean value or an enumeration's number.
  mutating func integer(_ field: Field) throws(ProtobufFault) -> UInt64 {
    try expect(.varint, field)
    return try varint()
  }

  /// Reads an integer of 32 bits; as in all readers, the upper bits of a longer one are dropped.
  mutating func int32(_ field: Field) throws(ProtobufFault) -> Int32 {
    Int32(truncatingIfNeeded: try integer(field))
  }

  /// Reads a nonnegative integer of 32 bits; the upper bits of a longer one are dropped.
  mutating func uint32(_ field: Field) throws(ProtobufFault) -> UInt32 {
    UInt32(truncatingIfNeeded: try integer(field))
  }

  /// Reads a floating-point number of 32 bits.
  mutating func float(_ field: Field) throws(ProtobufFault) -> Float {
    try expect(.fixed32, field)
    let content = try next(4, from: offset)
    let bits = bytes[content].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return Float(bitPattern: bits)
  }

  /// Reads a text.
  ///
  /// Some servers write the name of a vehicle in another encoding; what is not UTF-8 in it is U+FFFD, so that all else
  /// in the message is known.
  mutating func text(_ field: Field) throws(ProtobufFault) -> String {
    try expect(.lengthDelimited, field)
    return String(decoding: bytes[try content()], as: UTF8.self)
  }

  /// Returns a reader of the message that is the field's value.
  mutating func message(_ field: Field) throws(ProtobufFault) -> ProtobufReader {
    try expect(.lengthDelimited, field)
    return ProtobufReader(bytes, in: try content())
  }

  private func expect(_ type: WireType, _ field: Field) throws(ProtobufFault) {
    guard field.type == type else {
      throw ProtobufFault(
        .unexpectedWireType(field.type.rawValue, field: field.number), at: field.offset)
    }
  }

  // MARK: - Unknown fields

  /// Reads past the value of a field.
  mutating func skip(_ field: Field) throws(ProtobufFault) {
    guard field.type == .startGroup else { return try skipValue(of: field) }
    var open = [field]
    while let innermost = open.last {
      guard offset < end else {
        throw ProtobufFault(.unclosedGroup(field: innermost.number), at: innermost.offset)
      }
      let next = try tag()
      switch next.type {
      case .startGroup:
        guard open.count < Self.mostOpenGroups else {
          throw ProtobufFault(.nestedGroups, at: next.offset)
        }
        open.append(next)
      case .endGroup:
        guard next.number == innermost.number else {
          throw ProtobufFault(.unopenedGroup(field: next.number), at: next.offset)
        }
        open.removeLast()
      case .varint, .fixed32, .fixed64, .lengthDelimited:
        try skipValue(of: next)
      }
    }
  }

  /// Reads past a value that is not a group.
  private mutating func skipValue(of field: Field) throws(ProtobufFault) {
    switch field.type {
    case .varint: _ = try varint()
    case .fixed64: _ = try next(8, from: offset)
    case .fixed32: _ = try next(4, from: offset)
    case .lengthDelimited: _ = try content()
    case .startGroup, .endGroup: break
    }
  }

  // MARK: - Bytes

  private mutating func tag() throws(ProtobufFault) -> Field {
    let start = offset
    let tag = try varint()
    let number = tag >> 3
    guard Self.fieldNumbers.contains(number) else {
      throw ProtobufFault(.invalidFieldNumber, at: start)
    }
    guard let type = WireType(rawValue: Int(tag & 7)) else {
      throw ProtobufFault(.invalidWireType(Int(tag & 7)), at: start)
    }
    return Field(number: Int(number), type: type, offset: start)
  }

  /// Reads a length and returns the places of so many bytes after it.
  private mutating func content() throws(ProtobufFault) -> Range<Int> {
    let start = offset
    return try next(try varint(), from: start)
  }

  private mutating func next(
    _ count: UInt64, from start: Int
  ) throws(ProtobufFault) -> Range<Int> {
    guard count <= UInt64(end - offset) else { throw ProtobufFault(.truncated, at: start) }
    let range = offset..<offset + Int(count)
    offset = range.upperBound
    return range
  }

  private mutating func varint() throws(ProtobufFault) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < end {
      let byte = bytes[offset]
      offset += 1
      // After nine bytes of seven bits, one bit is left.
      guard shift < 63 || byte <= 1 else { throw ProtobufFault(.overlongInteger, at: start) }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw ProtobufFault(.truncated, at: start)
  }
}
