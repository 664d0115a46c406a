/// A string as it is written in a JSON text.
struct JSONString {
  /// Where it is written, with its quotes.
  private(set) var range: Range<Int>

  /// The content, decoded.
  private(set) var decoded: [UInt8] = []

  /// Reads a string.
  ///
  /// The result is `nil` when it does not end, or is not spelled as JSON demands.
  ///
  /// - Parameters:
  ///   - bytes: A JSON text.
  ///   - start: Where the opening quote is.
  init?(_ bytes: [UInt8], at start: Int) {
    range = start..<start
    var position = start + 1
    // Most have no escapes, and are copied as a whole.
    while position < bytes.count, bytes[position] >= 0x20, bytes[position] != UInt8(ascii: "\""),
      bytes[position] != UInt8(ascii: "\\")
    {
      position += 1
    }
    decoded = Array(bytes[min(start + 1, position)..<position])
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        range = start..<position + 1
        return
      case UInt8(ascii: "\\"):
        guard let escape = Self.escape(bytes, at: position) else { return nil }
        decoded += escape.content
        position += escape.length
      case 0x00..<0x20:
        return nil
      default:
        decoded.append(byte)
        position += 1
      }
    }
    return nil
  }

  /// Returns where the characters at some places of the decoded content are written, so that a part
  /// of it can be replaced while the rest keeps its spelling.
  ///
  /// They are found by reading the string again: a place kept for each byte would take eight times
  /// the memory of the string.
  ///
  /// - Parameters:
  ///   - offsets: Places where a character begins, in ascending order; the end of the content is
  ///     written where the closing quote is.
  ///   - bytes: The JSON text of the string.
  /// - Returns: As many places in `bytes`.
  func places(ofDecoded offsets: [Int], in bytes: [UInt8]) -> [Int] {
    var position = range.lowerBound + 1
    var count = 0
    return offsets.map { offset in
      while count < offset {
        let escape = bytes[position] == UInt8(ascii: "\\") ? Self.escape(bytes, at: position) : nil
        count += escape?.content.count ?? 1
        position += escape?.length ?? 1
      }
      return position
    }
  }

  /// Returns where the spelling of a string that cannot be read goes wrong.
  static func faultyOffset(_ bytes: [UInt8], at start: Int) -> Int {
    var position = start + 1
    while position < bytes.count, bytes[position] >= 0x20 {
      if bytes[position] == UInt8(ascii: "\\") {
        guard let escape = escape(bytes, at: position) else { return position }
        position += escape.length
      } else {
        position += 1
      }
    }
    return position
  }

  private static func escape(
    _ bytes: [UInt8], at start: Int
  ) -> (content: [UInt8], length: Int)? {
    guard start + 1 < bytes.count else { return nil }
    switch bytes[start + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return ([bytes[start + 1]], 2)
    case UInt8(ascii: "b"): return ([0x08], 2)
    case UInt8(ascii: "f"): return ([0x0C], 2)
    case UInt8(ascii: "n"): return ([0x0A], 2)
    case UInt8(ascii: "r"): return ([0x0D], 2)
    case UInt8(ascii: "t"): return ([0x09], 2)
    case UInt8(ascii: "u"):
      guard let unit = unit(bytes, at: start) else { return nil }
      if let scalar = Unicode.Scalar(unit) { return (Array(String(scalar).utf8), 6) }
      // The second half of a pair; half a pair is no text.
      guard UTF16.isLeadSurrogate(unit), let second = self.unit(bytes, at: start + 6),
        UTF16.isTrailSurrogate(second)
      else { return nil }
      return (Array(String(decoding: [unit, second], as: UTF16.self).utf8), 12)
    default: return nil
    }
  }

  private static func unit(_ bytes: [UInt8], at start: Int) -> UInt16? {
    guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"),
      bytes[start + 1] == UInt8(ascii: "u")
    else { return nil }
    let digits = bytes[start + 2..<start + 6]
    guard digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }) else { return nil }
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  /// Returns text as it is written inside of the quotes of a string.
  static func escaped(_ text: String) -> [UInt8] {
    var escaped: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): escaped += [UInt8(ascii: "\\"), byte]
      case 0x00..<0x20:
        let digits = String(byte, radix: 16)
        escaped += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
      default: escaped.append(byte)
      }
    }
    return escaped
  }
}
