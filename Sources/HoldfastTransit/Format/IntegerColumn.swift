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
    guard let coding = smallest(values, depth, below: .max) else { return }
    write(coding.form, to: &writer)
  }

  /// Appends a list whose values differ little from one to the next, without trying the other forms.
  static func append(steady values: [Int64], to writer: inout ByteWriter) {
    guard values.count > 1, let rest = smallest(differences(values), 0, below: .max) else {
      return append(values, to: &writer)
    }
    write(.deltas(values[0], rest), to: &writer)
  }

  /// A form of a list, and the number of its bytes, which are not written before the form is chosen.
  private struct Coding {
    indirect enum Form {
      case packed([Int64], Spread)
      case varints([Int64])
      case deltas(Int64, Coding)
      case repeats(Int, Coding, Coding)
      case dictionary(Int, Coding, Coding)
    }

    var size: Int
    var form: Form
  }

  /// The number of bytes that no list takes less than.
  private static let leastSize = 3

  /// Returns the smallest form; `nil` if there is no value, or none has fewer bytes than a limit.
  private static func smallest(
    _ values: [Int64], _ depth: Int, below limit: Int
  ) -> Coding? {
    guard !values.isEmpty else { return nil }
    let spread = Spread(values)
    var limit = limit
    var best: Coding?
    func keep(_ coding: Coding) {
      if coding.size < limit { (best, limit) = (coding, coding.size) }
    }
    keep(Coding(size: packedSize(values.count, spread), form: .packed(values, spread)))
    // Nothing is smaller than one value for all.
    guard spread.divisor > 0, values.count > 1 else { return best }
    if let size = varintsSize(values, below: limit) {
      keep(Coding(size: size, form: .varints(values)))
    }
    guard depth > 0 else { return best }
    let ownSize = 1 + signedSize(values[0])
    if ownSize + leastSize < limit,
      let rest = smallest(differences(values), depth - 1, below: limit - ownSize)
    {
      keep(Coding(size: ownSize + rest.size, form: .deltas(values[0], rest)))
    }
    if let coding = repeats(values, depth, below: limit) { keep(coding) }
    // An index has at least one bit, so that only wide values become shorter.
    if values.count >= 8, spread.width > 2,
      let coding = dictionary(values, spread, depth, below: limit)
    {
      keep(coding)
    }
    return best
  }

  /// The smallest value, and what all others differ by from it.
  private struct Spread {
    let least: Int64
    /// The greatest common divisor of the differences; 0 if all values are equal.
    let divisor: UInt64
    /// The number of bits of the largest quotient.
    let width: Int
    /// The difference of the greatest value and the least one.
    let range: UInt64

    init(_ values: [Int64]) {
      var (least, greatest) = (values[0], values[0])
      for value in values {
        if value < least { least = value }
        if value > greatest { greatest = value }
      }
      var divisor: UInt64 = 0
      var previous = least
      // Values mostly repeat the one before, and division takes long.
      for value in values where value != previous {
        previous = value
        if divisor == 1 { break }
        var (one, other) = (UInt64(bitPattern: value &- least), divisor)
        while other != 0 { (one, other) = (other, one % other) }
        divisor = one
      }
      self.least = least
      self.divisor = divisor
      range = UInt64(bitPattern: greatest &- least)
      let largest = divisor == 0 ? 0 : range / divisor
      width = UInt64.bitWidth - largest.leadingZeroBitCount
    }
  }

  private static func packedSize(_ count: Int, _ spread: Spread) -> Int {
    let head = 2 + signedSize(spread.least)
    return spread.width == 0
      ? head : head + unsignedSize(spread.divisor) + (count * spread.width + 7) / 8
  }

  private static func varintsSize(_ values: [Int64], below limit: Int) -> Int? {
    var size = 1
    for value in values {
      size += signedSize(value)
      if size >= limit { return nil }
    }
    return size
  }

  private static func differences(_ values: [Int64]) -> [Int64] {
    var differences: [Int64] = []
    differences.reserveCapacity(values.count - 1)
    for index in values.indices.dropFirst() {
      differences.append(values[index] &- values[index - 1])
    }
    return differences
  }

  private static func repeats(_ values: [Int64], _ depth: Int, below limit: Int) -> Coding? {
    // One value for all is packed, so that there are at least two.
    guard 2 + 2 * leastSize < limit else { return nil }
    var runs = 1
    for index in values.indices.dropFirst() where values[index] != values[index - 1] { runs += 1 }
    guard runs * 2 <= values.count else { return nil }
    var (distinct, lengths): ([Int64], [Int64]) = ([], [])
    distinct.reserveCapacity(runs)
    lengths.reserveCapacity(runs)
    for value in values {
      if distinct.last == value {
        lengths[lengths.count - 1] += 1
      } else {
        distinct.append(value)
        lengths.append(1)
      }
    }
    return pair(distinct, lengths, depth, below: limit) { .repeats(runs, $0, $1) }
  }

  private static func dictionary(
    _ values: [Int64], _ spread: Spread, _ depth: Int, below limit: Int
  ) -> Coding? {
    guard 2 + 2 * leastSize < limit,
      let (distinct, indices) = spread.range <= 16 * values.count
        ? indicesByTable(values, spread) : indicesByOrder(values)
    else { return nil }
    return pair(distinct, indices, depth, below: limit) { .dictionary(distinct.count, $0, $1) }
  }

  /// Returns the different values, sorted, and the index of each value among them; `nil` if more
  /// than half of the values are different.
  ///
  /// It has an entry for each number between the least and the greatest value.
  private static func indicesByTable(
    _ values: [Int64], _ spread: Spread
  ) -> (distinct: [Int64], indices: [Int64])? {
    var table = [Int32](repeating: -1, count: Int(spread.range) + 1)
    var count = 0
    for value in values where table[Int(value &- spread.least)] < 0 {
      table[Int(value &- spread.least)] = 0
      count += 1
    }
    guard count * 2 <= values.count else { return nil }
    var distinct: [Int64] = []
    distinct.reserveCapacity(count)
    for offset in table.indices where table[offset] == 0 {
      table[offset] = Int32(distinct.count)
      distinct.append(spread.least &+ Int64(offset))
    }
    return (distinct, values.map { Int64(table[Int($0 &- spread.least)]) })
  }

  /// Returns the same as ``indicesByTable(_:_:)``, of values that are far apart.
  private static func indicesByOrder(
    _ values: [Int64]
  ) -> (distinct: [Int64], indices: [Int64])? {
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
    return (distinct, indices)
  }

  /// Returns a form that is two lists, of which the first one's length is stored.
  private static func pair(
    _ first: [Int64], _ second: [Int64], _ depth: Int, below limit: Int,
    _ form: (Coding, Coding) -> Coding.Form
  ) -> Coding? {
    let ownSize = 1 + unsignedSize(UInt64(first.count))
    guard
      let first = smallest(first, depth - 1, below: limit - ownSize - leastSize),
      let second = smallest(second, depth - 1, below: limit - ownSize - first.size)
    else { return nil }
    return Coding(size: ownSize + first.size + second.size, form: form(first, second))
  }

  private static func unsignedSize(_ value: UInt64) -> Int {
    max(1, (UInt64.bitWidth - value.leadingZeroBitCount + 6) / 7)
  }

  private static func signedSize(_ value: Int64) -> Int {
    unsignedSize(ByteWriter.zigzag(value))
  }

  private static func write(_ form: Coding.Form, to writer: inout ByteWriter) {
    switch form {
    case .packed(let values, let spread):
      writer.append(Form.packed)
      writePacked(values, spread, to: &writer)
    case .varints(let values):
      writer.append(Form.varints)
      for value in values { writer.append(signed: value) }
    case .deltas(let first, let rest):
      writer.append(Form.deltas)
      writer.append(signed: first)
      write(rest.form, to: &writer)
    case .repeats(let count, let first, let second):
      writer.append(Form.repeats)
      writer.append(count: count)
      write(first.form, to: &writer)
      write(second.form, to: &writer)
    case .dictionary(let count, let first, let second):
      writer.append(Form.dictionary)
      writer.append(count: count)
      write(first.form, to: &writer)
      write(second.form, to: &writer)
    }
  }

  private static func writePacked(
    _ values: [Int64], _ spread: Spread, to writer: inout ByteWriter
  ) {
    writer.append(signed: spread.least)
    writer.append(UInt8(spread.width))
    guard spread.width > 0 else { return }
    writer.append(unsigned: spread.divisor)
    var (bits, used): (UInt64, Int) = (0, 0)
    for value in values {
      let difference = UInt64(bitPattern: value &- spread.least)
      let quotient = spread.divisor == 1 ? difference : difference / spread.divisor
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
