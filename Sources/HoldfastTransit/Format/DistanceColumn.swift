/// The coding of distances and degrees: decimal fractions as integers, if that is exact.
enum DistanceColumn {
  /// The mark for values that are stored as the bits of IEEE 754 numbers.
  private static let bits: UInt8 = 0xFF
  private static let powers: [Double] = [
    1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
  ]

  static func append(_ values: [Double], to writer: inout ByteWriter) {
    append(values, to: &writer) { IntegerColumn.append($0, to: &$1) }
  }

  /// Appends values that differ little from one to the next.
  static func append(steady values: [Double], to writer: inout ByteWriter) {
    append(values, to: &writer) { IntegerColumn.append(steady: $0, to: &$1) }
  }

  private static func append(
    _ values: [Double], to writer: inout ByteWriter, _ column: ([Int64], inout ByteWriter) -> Void
  ) {
    for (digits, power) in powers.enumerated() {
      guard let integers = integers(values, power) else { continue }
      writer.append(UInt8(digits))
      return column(integers, &writer)
    }
    writer.append(bits)
    IntegerColumn.append(values.map { Int64(bitPattern: $0.bitPattern) }, to: &writer)
  }

  /// Returns the values times a power of ten, if dividing by it gives exactly the values again.
  private static func integers(_ values: [Double], _ power: Double) -> [Int64]? {
    var integers: [Int64] = []
    integers.reserveCapacity(values.count)
    for value in values {
      let integer = (value * power).rounded()
      // Up to here each integer has its own floating-point number.
      guard abs(integer) < 0x1p53, integer / power == value else { return nil }
      integers.append(Int64(integer))
    }
    return integers
  }

  static func read(
    _ count: Int, from reader: inout ByteReader
  ) throws(DamagedBytes) -> [Double] {
    let digits = try reader.byte()
    let integers = try IntegerColumn.read(count, from: &reader)
    if digits == bits {
      return integers.map { Double(bitPattern: UInt64(bitPattern: $0)) }
    }
    guard Int(digits) < powers.count else { throw DamagedBytes() }
    return integers.map { Double($0) / powers[Int(digits)] }
  }
}
