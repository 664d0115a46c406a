/// A number of an object, or none, for each object of a binary property list, in three bytes.
struct ObjectNumbers {
  /// The greatest number of objects that can be numbered.
  static let mostObjects = Int(none)

  private static let none: UInt32 = 0xFF_FFFF

  private var low: [UInt16]
  private var high: [UInt8]

  /// Creates the numbers of as many objects; there is none yet.
  ///
  /// - Parameter count: The number of objects, at most ``mostObjects``.
  init(count: Int) {
    low = [UInt16](repeating: .max, count: count)
    high = [UInt8](repeating: .max, count: count)
  }

  /// The number of an object, less than ``mostObjects``, or `nil`.
  subscript(object: Int) -> Int? {
    get {
      let number = UInt32(high[object]) << 16 | UInt32(low[object])
      return number == Self.none ? nil : Int(number)
    }
    set {
      let number = newValue.map { UInt32($0) } ?? Self.none
      low[object] = UInt16(truncatingIfNeeded: number)
      high[object] = UInt8(truncatingIfNeeded: number >> 16)
    }
  }
}
