/// The failure of decoding: the bytes are not what the writer writes.
struct DamagedBytes: Error {}

/// A reader of numbers and texts in the bytes of a blob.
///
/// The bytes may be anything: a number that does not fit and an end that comes too early are errors.
struct ByteReader {
  private let bytes: [UInt8]
  private var position: Int
  /// The index after the last byte that belongs to the blob.
  private let limit: Int

  init(_ bytes: [UInt8]) {
    self.init(bytes, in: 0..<bytes.count)
  }

  /// Creates a reader of a blob that lies among other bytes.
  init(_ bytes: [UInt8], in range: Range<Int>) {
    (self.bytes, position, limit) = (bytes, range.lowerBound, range.upperBound)
  }

  /// Checks that everything was read.
  func end() throws(DamagedBytes) {
    guard position == limit else { throw DamagedBytes() }
  }

  mutating func byte() throws(DamagedBytes) -> UInt8 {
    guard position < limit else { throw DamagedBytes() }
    defer { position += 1 }
    return bytes[position]
  }

  /// Returns the next bytes.
  mutating func bytes(_ count: Int) throws(DamagedBytes) -> ArraySlice<UInt8> {
    guard count >= 0, count <= limit - position else { throw DamagedBytes() }
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// Returns a number of groups of seven bits, the lowest first; all but the last have bit 7 set.
  mutating func unsigned() throws(DamagedBytes) -> UInt64 {
    let first = try byte()
    // Most numbers are small.
    guard first & 0x80 != 0 else { return UInt64(first) }
    var value = UInt64(first & 0x7F)
    var shift = 7
    while true {
      let group = try byte()
      let bits = UInt64(group & 0x7F)
      guard shift < 63 || shift == 63 && bits <= 1 else { throw DamagedBytes() }
      value |= bits << UInt64(shift)
      if group & 0x80 == 0 { return value }
      shift += 7
    }
  }

  /// Returns a signed number, stored as an unsigned one: 0, -1, 1, -2, 2 and so on.
  mutating func signed() throws(DamagedBytes) -> Int64 {
    let value = try unsigned()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// Returns a number of elements, which is not larger than a limit.
  ///
  /// A few bytes may stand for any number of equal elements, so that the limit, and not the size of
  /// the blob, bounds the memory.
  mutating func count(upTo limit: Int) throws(DamagedBytes) -> Int {
    let value = try unsigned()
    guard value <= UInt64(limit) else { throw DamagedBytes() }
    return Int(value)
  }
}

/// A writer of the bytes that ``ByteReader`` reads.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ byte: UInt8) {
    bytes.append(byte)
  }

  mutating func append(contentsOf more: some Sequence<UInt8>) {
    bytes.append(contentsOf: more)
  }

  mutating func append(unsigned value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func append(count: Int) {
    append(unsigned: UInt64(count))
  }

  mutating func append(signed value: Int64) {
    append(unsigned: Self.zigzag(value))
  }

  /// Returns a number that is small if the absolute value of another one is small.
  static func zigzag(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: (value << 1) ^ (value >> 63))
  }
}
