/// Conversions between bytes and hexadecimal text.
package enum HexText {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Returns the value of a digit of either case; `nil` when the byte is not a digit.
  package static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Decodes a text of two digits per byte; `nil` when it contains anything else.
  static func bytes(_ text: String) -> [UInt8]? {
    guard text.utf8.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let first = rest.popFirst(), let second = rest.popFirst() {
      guard let high = digit(first), let low = digit(second) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// Encodes bytes as two lower-case digits each.
  package static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
