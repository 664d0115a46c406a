/// The numbers of GTFS in borrowed bytes, in their usual forms; `nil` for any other form.
enum FastNumbers {
  /// The powers of ten that floating-point numbers represent exactly.
  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  /// Returns up to nine digits as a number.
  static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int32? {
    guard text.count > 0, text.count < 10 else { return nil }
    var number: Int32 = 0
    for index in 0..<text.count {
      let digit = unsafe text[index] &- 0x30
      guard digit < 10 else { return nil }
      number = number &* 10 &+ Int32(digit)
    }
    return number
  }

  /// Returns `HH:MM:SS` or `H:MM:SS` in seconds.
  static func seconds(_ text: UnsafeBufferPointer<UInt8>) -> Int32? {
    let count = text.count
    guard count == 8 || count == 7 else { return nil }
    guard unsafe text[count - 3] == 0x3A, unsafe text[count - 6] == 0x3A else { return nil }
    let ones = unsafe text[count - 7] &- 0x30
    let tens = unsafe count == 8 ? text[0] &- 0x30 : 0
    guard tens < 10, ones < 10,
      let minutes = unsafe sixty(text[count - 5], text[count - 4]),
      let seconds = unsafe sixty(text[count - 2], text[count - 1])
    else { return nil }
    return (Int32(tens) * 10 + Int32(ones)) * 3600 + minutes * 60 + seconds
  }

  @inline(__always) private static func sixty(_ ten: UInt8, _ one: UInt8) -> Int32? {
    let (ten, one) = (ten &- 0x30, one &- 0x30)
    return ten < 6 && one < 10 ? Int32(ten) * 10 + Int32(one) : nil
  }

  /// Returns a decimal number, rounded as the standard library rounds it.
  static func decimal(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    unsafe shortDecimal(text) ?? DecimalField.value(of: text)
  }

  /// Returns a number of up to 15 digits: the quotient of two numbers that are represented exactly,
  /// which is rounded once.
  ///
  /// - SeeAlso: W. D. Clinger, "How to Read Floating Point Numbers Accurately", 1990.
  private static func shortDecimal(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    guard text.count > 0, text.count <= 16 else { return nil }
    var number: Int64 = 0
    var digits = 0
    var point: Int?
    for index in 0..<text.count {
      let byte = unsafe text[index]
      let digit = byte &- 0x30
      if digit < 10 {
        number = number * 10 + Int64(digit)
        digits += 1
      } else if byte == 0x2E, point == nil, digits > 0 {
        point = digits
      } else {
        return nil
      }
    }
    let fraction = digits - (point ?? digits)
    guard digits > 0, digits <= 15, point == nil || fraction > 0 else { return nil }
    return Double(number) / powers[fraction]
  }
}
