/// The coding of a list of integers in few bytes.
///
/// The writer tries several forms and keeps the smallest, so that one coding serves stops in a row,
/// regular headways, travel times in half minutes, and values that are always the same. The length
/// of the list is not stored; whatever contains it knows it.
///
/// `docs/transit-format.md` describes the forms.
enum IntegerColumn {
  /// The first byte of a list.
  enum Form {
    static let packed: UInt8 = 0
    static let varints: UInt8 = 1
    static let deltas: UInt8 = 2
    static let repeats: UInt8 = 3
    static let dictionary: UInt8 = 4
  }

  /// The number of forms within each other.
  static let depth = 2

  /// Reads a list.
  ///
  /// - Parameters:
  ///   - count: The number of values, which the caller has bounded.
  ///   - reader: The reader, whose position moves behind the list.
  /// - Returns: As many values as `count` says.
  /// - Throws: ``DamagedBytes`` when the bytes are not such a list.
  static func read(
    _ count: Int, from reader: inout ByteReader
  ) throws(DamagedBytes) -> [Int64] {
    var values: [Int64] = []
    try extend(&values, by: count, of: count, from: &reader, depth)
    return values
  }

  /// Reads a list into an array, whose values it replaces and whose memory it uses again.
  static func read(
    _ count: Int, from reader: inout ByteReader, into values: inout [Int64]
  ) throws(DamagedBytes) {
    values.removeAll(keepingCapacity: true)
    try extend(&values, by: count, of: count, from: &reader, depth)
  }

  /// Reads a list, and appends its values to an array.
  static func extend(
    _ values: inout [Int64], by count: Int, from reader: inout ByteReader
  ) throws(DamagedBytes) {
    try extend(&values, by: count, of: count, from: &reader, depth)
  }

  /// Reads a list, and appends its first values to an array.
  static func extend(
    _ values: inout [Int64], by wanted: Int, of count: Int, from reader: inout ByteReader
  ) throws(DamagedBytes) {
    if wanted > 0 {
      try extend(&values, by: wanted, of: count, from: &reader, depth)
    } else {
      try skip(count, in: &reader)
    }
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

  /// Moves the reader behind a list whose values do not matter.
  static func skip(_ count: Int, in reader: inout ByteReader) throws(DamagedBytes) {
    try skip(count, in: &reader, depth)
  }

  private static func skip(
    _ count: Int, in reader: inout ByteReader, _ depth: Int
  ) throws(DamagedBytes) {
    guard count > 0 else { return }
    let form = try reader.byte()
    guard form <= Form.varints || depth > 0 else { throw DamagedBytes() }
    switch form {
    case Form.packed:
      _ = try reader.unsigned()
      let width = Int(try reader.byte())
      guard width > 0 else { return }
      guard width <= UInt64.bitWidth else { throw DamagedBytes() }
      _ = try reader.unsigned()
      _ = try reader.bytes((count * width + 7) / 8)
    case Form.varints:
      for _ in 0..<count { _ = try reader.unsigned() }
    case Form.deltas:
      _ = try reader.unsigned()
      try skip(count - 1, in: &reader, depth - 1)
    case Form.repeats:
      let distinct = try reader.count(upTo: count)
      try skip(distinct, in: &reader, depth - 1)
      try skip(distinct, in: &reader, depth - 1)
    case Form.dictionary:
      try skip(try reader.count(upTo: count), in: &reader, depth - 1)
      try skip(count, in: &reader, depth - 1)
    default: throw DamagedBytes()
    }
  }

  /// Appends the first values of a list, of which at least one is wanted, if it has any.
  private static func extend(
    _ values: inout [Int64], by wanted: Int, of count: Int, from reader: inout ByteReader,
    _ depth: Int
  ) throws(DamagedBytes) {
    guard count > 0 else { return }
    let form = try reader.byte()
    guard form <= Form.varints || depth > 0 else { throw DamagedBytes() }
    let start = values.count
    switch form {
    case Form.packed: try extendPacked(&values, by: wanted, of: count, from: &reader)
    case Form.varints:
      for _ in 0..<wanted { values.append(try reader.signed()) }
      for _ in wanted..<count { _ = try reader.unsigned() }
    case Form.deltas:
      var value = try reader.signed()
      values.reserveCapacity(start + wanted)
      values.append(value)
      guard wanted > 1 else { return try skip(count - 1, in: &reader, depth - 1) }
      try extend(&values, by: wanted - 1, of: count - 1, from: &reader, depth - 1)
      var sums = values.mutableSpan
      for index in start + 1..<start + wanted {
        value &+= sums[index]
        sums[index] = value
      }
    case Form.repeats:
      try extendByRepeats(&values, by: wanted, of: count, from: &reader, depth)
    case Form.dictionary:
      // The different values first, which are removed when those of the list have taken their places.
      let distinct = try reader.count(upTo: count)
      try extend(&values, by: distinct, of: distinct, from: &reader, depth - 1)
      try extend(&values, by: wanted, of: count, from: &reader, depth - 1)
      var list = values.mutableSpan
      for index in start + distinct..<start + distinct + wanted {
        let number = list[index]
        guard number >= 0, number < distinct else { throw DamagedBytes() }
        list[index] = list[start + Int(number)]
      }
      values.removeSubrange(start..<start + distinct)
    default: throw DamagedBytes()
    }
  }

  private static func extendPacked(
    _ values: inout [Int64], by wanted: Int, of count: Int, from reader: inout ByteReader
  ) throws(DamagedBytes) {
    let least = try reader.signed()
    let width = Int(try reader.byte())
    let start = values.count
    guard width > 0 else {
      append(zeros: wanted, to: &values)
      var list = values.mutableSpan
      for index in start..<list.count { list[index] = least }
      return
    }
    guard width <= UInt64.bitWidth else { throw DamagedBytes() }
    let divisor = try reader.unsigned()
    let bytes = try reader.bytes((count * width + 7) / 8)
    append(zeros: wanted, to: &values)
    var list = values.mutableSpan
    unpack(bytes.span, width, least, divisor, to: &list, from: start)
  }

  /// Appends zeros, whose places other values then take.
  private static func append(zeros count: Int, to values: inout [Int64]) {
    var rest = count
    // To copy some takes less than to write each.
    while rest > 0 {
      values += zeros.prefix(rest)
      rest -= zeros.count
    }
  }

  private static let zeros = [Int64](repeating: 0, count: 1024)

  /// Takes packed numbers, of which each value is a multiple more than the least one, from an index on.
  private static func unpack(
    _ bytes: Span<UInt8>, _ width: Int, _ least: Int64, _ divisor: UInt64,
    to list: inout MutableSpan<Int64>, from start: Int
  ) {
    let mask = UInt64.max >> UInt64(UInt64.bitWidth - width)
    guard width <= 56 else {
      for index in start..<list.count {
        let bit = (index - start) * width
        var number: UInt64 = 0
        for byte in bit / 8...(bit + width - 1) / 8 {
          number |= UInt64(bytes[byte]) << (8 * byte - bit)
        }
        list[index] = least &+ Int64(bitPattern: (number & mask) &* divisor)
      }
      return
    }
    let width = UInt64(width)
    var (bits, available, next) = (UInt64(0), UInt64(0), 0)
    for index in start..<list.count {
      while available < width {
        bits |= UInt64(bytes[next]) &<< available
        next &+= 1
        available &+= 8
      }
      list[index] = least &+ Int64(bitPattern: (bits & mask) &* divisor)
      bits &>>= width
      available &-= width
    }
  }

  private static func extendByRepeats(
    _ values: inout [Int64], by wanted: Int, of count: Int, from reader: inout ByteReader,
    _ depth: Int
  ) throws(DamagedBytes) {
    let distinct = try reader.count(upTo: count)
    // The values that repeat, and then their lengths, which are removed at the end.
    let start = values.count
    try extend(&values, by: distinct, of: distinct, from: &reader, depth - 1)
    try extend(&values, by: distinct, of: distinct, from: &reader, depth - 1)
    var (next, left) = (values.count, count)
    append(zeros: wanted, to: &values)
    var list = values.mutableSpan
    for index in start..<start + distinct {
      let (value, length) = (list[index], list[index + distinct])
      guard length > 0, length <= left else { throw DamagedBytes() }
      left -= Int(length)
      let end = min(next + Int(length), list.count)
      for place in next..<end { list[place] = value }
      next = end
    }
    guard left == 0 else { throw DamagedBytes() }
    values.removeSubrange(start..<start + 2 * distinct)
  }
}
