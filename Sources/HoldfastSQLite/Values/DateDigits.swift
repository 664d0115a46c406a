/// Writes the numbers of a date with leading zeros.
@safe
struct DateDigits {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private var count = 0

  /// Returns the text that the closure writes.
  ///
  /// - Parameters:
  ///   - capacity: The number of characters that have room.
  ///   - body: Appends numbers and separators.
  /// - Returns: What was appended, in its order.
  static func text(capacity: Int, _ body: (inout DateDigits) -> Void) -> String {
    unsafe String(unsafeUninitializedCapacity: capacity) { bytes in
      var digits = unsafe DateDigits(bytes)
      body(&digits)
      return digits.count
    }
  }

  private init(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    unsafe self.bytes = bytes
  }

  mutating func append(_ separator: Unicode.Scalar) {
    unsafe bytes[count] = UInt8(ascii: separator)
    count += 1
  }

  mutating func append(_ number: Int, width: Int) {
    var rest = number
    for position in stride(from: count + width - 1, through: count, by: -1) {
      unsafe bytes[position] = 0x30 + UInt8(truncatingIfNeeded: rest.magnitude % 10)
      rest /= 10
    }
    guard number < 0 || rest > 0 else { return count += width }
    // No calendar has such a number, but components may.
    let digits = String(number)
    for _ in 0..<max(0, width - digits.utf8.count) { append("0") }
    for scalar in digits.unicodeScalars { append(scalar) }
  }

  mutating func append(_ day: CivilDate) {
    append(day.year, width: 4)
    append("-")
    append(day.month, width: 2)
    append("-")
    append(day.day, width: 2)
  }
}
