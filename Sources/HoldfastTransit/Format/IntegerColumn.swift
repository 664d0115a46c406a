/// The coding of a list of integers in few bytes.
///
/// The writer tries several forms and keeps the smallest, so that one coding serves stops in a row,
/// regular headways, travel times in half minutes, and values that are always the same. The length
/// of the list is not stored; whatever contains it knows it.
///
/// `docs/transit-format.md` describes the forms.
enum IntegerColumn {
  private enum Form {
    static let packed: UInt8 = 0
    static let varints: UInt8 = 1
    static let deltas: UInt8 = 2
    static let repeats: UInt8 = 3
    static let dictionary: UInt8 = 4
  }

  /// The number of forms within each other.
  private static let depth = 2

  // MARK: - Encoding

  /// Appends a list.
  static func append(_ values: [Int64], to writer: inout ByteWriter) {
    writer.append(contentsOf: encode(values, depth))
  }

  /// Appends a list whose values differ little from one to the next, without trying the other forms.
  static func append(steady values: [Int64], to writer: inout ByteWriter) {
    if values.count < 2 { return append(values, to: &writer) }
    writer.append(contentsOf: deltas(values, 1))
  }

  private static func encode(_ values: [Int64], _ depth: Int) -> [UInt8] {
    guard !values.isEmpty else { return [] }
    let spread = Spread(values)
    var best = packed(values, spread)
    // Nothing is smaller than one value for all.
    guard spread.divisor > 0, values.count > 1 else { return best }
    let keep = { (form: [UInt8]?) in
      if let form, form.count < best.count { best = form }
    }
    keep(varints(values, shorterThan: best.count))
    guard depth > 0 else { return best }
    keep(deltas(values, depth))
    keep(repeats(values, depth))
    // An index has at least one bit, so that only wide values become shorter.
    if values.count >= 8, spread.width > 2 { keep(dictionary(values, depth)) }
    return best
  }

  /// The smallest value, and what all others differ by from it.
  private struct Spread {
    let least: Int64
    /// The greatest common divisor of the differences; 0 if all values are equal.
    let divisor: UInt64
    /// The number of bits of the largest quotient.
    let width: Int

    init(_ values: [Int64]) {
      var (least, greatest) = (values[0], values[0])
      for value in values {
        if value < least { least = value }
        if value > greatest { greatest = value }
      }
      var divisor: UInt64 = 0
      for value in values where divisor != 1 {
        var (one, other) = (UInt64(bitPattern: value &- least), divisor)
        while other != 0 { (one, other) = (other, one % other) }
        divisor = one
      }
      self.least = least
      self.divisor = divisor
      let largest = divisor == 0 ? 0 : UInt64(bitPattern: greatest &- least) / divisor
      width = UInt64.bitWidth - largest.leadingZeroBitCount
    }
  }

  private static func packed(_ values: [Int64], _ spread: Spread) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(Form.packed)
    writer.append(signed: spread.least)
    writer.append(UInt8(spread.width))
    guard spread.width > 0 else { return writer.bytes }
    writer.append(unsigned: spread.divisor)
    var (bits, used): (UInt64, Int) = (0, 0)
    for value in values {
      let quotient = UInt64(bitPattern: value &- spread.least) / spread.divisor
      bits |= quotient << UInt64(used)
      let taken = UInt64.bitWidth - used
      used += spread.width
      guard used >= UInt64.bitWidth else { continue }
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        writer.append(UInt8(truncatingIfNeeded: bits >> shift))
      }
      used -= UInt64.bitWidth
      // A shift by all 64 bits gives 0, because Swift's shifts are not those of the processor.
      bits = quotient >> UInt64(taken)
    }
    while used > 0 {
      writer.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      used -= 8
    }
    return writer.bytes
  }

  private static func varints(_ values: [Int64], shorterThan limit: Int) -> [UInt8]? {
    var writer = ByteWriter()
    writer.append(Form.varints)
    for value in values {
      writer.append(signed: value)
      if writer.bytes.count >= limit { return nil }
    }
    return writer.bytes
  }

  private static func deltas(_ values: [Int64], _ depth: Int) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(Form.deltas)
    writer.append(signed: values[0])
    var differences: [Int64] = []
    differences.reserveCapacity(values.count - 1)
    for index in values.indices.dropFirst() {
      differences.append(values[index] &- values[index - 1])
    }
    writer.append(contentsOf: encode(differences, depth - 1))
    return writer.bytes
  }

  private static func repeats(_ values: [Int64], _ depth: Int) -> [UInt8]? {
    var distinct: [Int64] = []
    var lengths: [Int64] = []
    for value in values {
      if distinct.last == value {
        lengths[lengths.count - 1] += 1
      } else {
        guard (distinct.count + 1) * 2 <= values.count else { return nil }
        distinct.append(value)
        lengths.append(1)
      }
    }
    var writer = ByteWriter()
    writer.append(Form.repeats)
    writer.append(count: distinct.count)
    writer.append(contentsOf: encode(distinct, depth - 1))
    writer.append(contentsOf: encode(lengths, depth - 1))
    return writer.bytes
  }

  private static func dictionary(_ values: [Int64], _ depth: Int) -> [UInt8]? {
    var distinct: [Int64] = []
    for value in values.sorted() where distinct.last != value {
      guard (distinct.count + 1) * 2 <= values.count else { return nil }
      distinct.append(value)
    }
    var indices: [Int64] = []
    indices.reserveCapacity(values.count)
    for value in values {
      var (low, high) = (0, distinct.count)
      while low < high {
        let middle = (low + high) / 2
        if distinct[middle] < value { low = middle + 1 } else { high = middle }
      }
      indices.append(Int64(low))
    }
    var writer = ByteWriter()
    writer.append(Form.dictionary)
    writer.append(count: distinct.count)
    writer.append(contentsOf: encode(distinct, depth - 1))
    writer.append(contentsOf: encode(indices, depth - 1))
    return writer.bytes
  }

  // MARK: - Decoding

  /// Reads a list.
  ///
  /// - Parameters:
  ///   - count: The number of values, which the caller has bounded.
  ///   - reader: The reader, whose position moves behind the list.
  /// - Returns: The values.
  /// - Throws: ``DamagedBytes`` when the bytes are not such a list.
  static func read(
    _ count: Int, from reader: inout ByteReader
  ) throws(DamagedBytes) -> [Int64] {
    try read(count, from: &reader, depth)
  }

  /// Reads a list of integers of another type; values that it cannot have are an error.
  static func read<Value: FixedWidthInteger>(
    _ type: Value.Type, _ count: Int, from reader: inout ByteReader
  ) throws(DamagedBytes) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    for value in try read(count, from: &reader) {
      guard let value = Value(exactly: value) else { throw DamagedBytes() }
      values.append(value)
    }
    return values
  }

  private static func read(
    _ count: Int, from reader: inout ByteReader, _ depth: Int
  ) throws(DamagedBytes) -> [Int64] {
    guard count > 0 else { return [] }
    let form = try reader.byte()
    guard form <= Form.varints || depth > 0 else { throw DamagedBytes() }
    switch form {
    case Form.packed: return try readPacked(count, from: &reader)
    case Form.varints:
      var values: [Int64] = []
      for _ in 0..<count { values.append(try reader.signed()) }
      return values
    case Form.deltas:
      var value = try reader.signed()
      var values = [value]
      values.reserveCapacity(count)
      for difference in try read(count - 1, from: &reader, depth - 1) {
        value &+= difference
        values.append(value)
      }
      return values
    case Form.repeats: return try readRepeats(count, from: &reader, depth)
    case Form.dictionary:
      let distinct = try read(
        try reader.count(upTo: count), from: &reader, depth - 1)
      var values: [Int64] = []
      values.reserveCapacity(count)
      for index in try read(count, from: &reader, depth - 1) {
        guard index >= 0, index < distinct.count else { throw DamagedBytes() }
        values.append(distinct[Int(index)])
      }
      return values
    default: throw DamagedBytes()
    }
  }

  private static func readPacked(
    _ count: Int, from reader: inout ByteReader
  ) throws(DamagedBytes) -> [Int64] {
    let least = try reader.signed()
    let width = Int(try reader.byte())
    guard width > 0 else { return Array(repeating: least, count: count) }
    guard width <= UInt64.bitWidth else { throw DamagedBytes() }
    let divisor = try reader.unsigned()
    let bytes = try reader.bytes((count * width + 7) / 8)
    var values: [Int64] = []
    values.reserveCapacity(count)
    let mask = UInt64.max >> UInt64(UInt64.bitWidth - width)
    var bits: UInt64 = 0
    var available = 0
    var next = bytes.startIndex
    for _ in 0..<count {
      var value = bits
      if available < width {
        // At most eight bytes complete a value; what is left of the last one begins the next.
        var filled = available
        var rest: UInt64 = 0
        while filled < width {
          let byte = UInt64(bytes[next])
          next += 1
          value |= byte << UInt64(filled)
          rest = byte
          filled += 8
        }
        available = filled - width
        bits = available == 0 ? 0 : rest >> UInt64(8 - available)
      } else {
        available -= width
        bits >>= UInt64(width)
      }
      values.append(least &+ Int64(bitPattern: (value & mask) &* divisor))
    }
    return values
  }

  private static func readRepeats(
    _ count: Int, from reader: inout ByteReader, _ depth: Int
  ) throws(DamagedBytes) -> [Int64] {
    let distinctCount = try reader.count(upTo: count)
    let distinct = try read(distinctCount, from: &reader, depth - 1)
    let lengths = try read(distinctCount, from: &reader, depth - 1)
    var values: [Int64] = []
    values.reserveCapacity(count)
    for (value, length) in zip(distinct, lengths) {
      guard length > 0, length <= count - values.count else { throw DamagedBytes() }
      values.append(contentsOf: repeatElement(value, count: Int(length)))
    }
    guard values.count == count else { throw DamagedBytes() }
    return values
  }
}
