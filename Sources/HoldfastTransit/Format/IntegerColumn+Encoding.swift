extension IntegerColumn {
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
}
