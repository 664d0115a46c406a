/// Decimal numbers in a feed's text, read without making a text of them.
enum DecimalField {
  private static let powers: [Double] = [
    1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  /// Returns a number, rounded as the standard library rounds it; `nil` if it is none.
  static func value(of bytes: [UInt8], _ range: Range<Int>) -> Double? {
    var index = range.lowerBound
    var isNegative = false
    if index < range.upperBound, bytes[index] == 0x2D || bytes[index] == 0x2B {
      isNegative = bytes[index] == 0x2D
      index += 1
    }
    var digits: Int64 = 0
    var count = 0
    var point = -1
    while index < range.upperBound {
      let byte = bytes[index]
      if byte >= 0x30, byte <= 0x39, count < 15 {
        digits = digits * 10 + Int64(byte - 0x30)
        count += 1
      } else if byte == 0x2E, point < 0 {
        point = count
      } else {
        return value(of: bytes[range])
      }
      index += 1
    }
    guard count > 0 else { return nil }
    // Both are exact, so that the quotient is the nearest number.
    let value = Double(digits) / powers[point < 0 ? 0 : count - point]
    return isNegative ? -value : value
  }

  /// Returns a number in any form that GTFS allows, also with an exponent; `nil` if it is none.
  static func value(of digits: some Collection<UInt8>) -> Double? {
    // Swift also parses "nan", "inf" and "0x1p3", which GTFS does not allow.
    let isPlain = digits.allSatisfy {
      ($0 >= 0x30 && $0 <= 0x39) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0)
    }
    guard isPlain, let number = Double(String(decoding: digits, as: UTF8.self)), number.isFinite
    else { return nil }
    return number
  }

  /// Returns a whole number from 0 on; `nil` if it is none.
  static func number(of bytes: [UInt8], _ range: Range<Int>) -> Int64? {
    var range = range
    if let first = range.first, bytes[first] == 0x2B { range.removeFirst() }
    guard !range.isEmpty else { return nil }
    var number: Int64 = 0
    for index in range {
      let byte = bytes[index]
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      let (tenfold, over) = number.multipliedReportingOverflow(by: 10)
      let (sum, overAgain) = tenfold.addingReportingOverflow(Int64(byte - 0x30))
      if over || overAgain { return nil }
      number = sum
    }
    return number
  }
}
