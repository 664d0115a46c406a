import HoldfastFiles

/// The text of a URL whose rest is the path of a file, as renderers of maps read it.
///
/// `Foundation.URL` is not used, because it normalizes: the renderer compares bytes.
struct URLText {
  /// The bytes that are not escaped: RFC 3986's unreserved ones, and the slash between names.
  private static let plain = Set("/-._~".utf8)

  /// Returns a text escaped for a place in a URL's path.
  ///
  /// Braces are escaped too, which MapLibre would replace as it replaces `{z}`.
  static func escaped(_ text: String, keepingSlashes: Bool = true) -> String {
    var escaped: [UInt8] = []
    for byte in text.utf8 {
      let isPlain =
        plain.contains(byte) || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte)
      if isPlain && (keepingSlashes || byte != UInt8(ascii: "/")) {
        escaped.append(byte)
      } else {
        escaped.append(UInt8(ascii: "%"))
        escaped += [byte >> 4, byte & 0x0F].map { Array("0123456789ABCDEF".utf8)[Int($0)] }
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  /// Returns a text with its escapes decoded once.
  ///
  /// - Returns: `nil` when an escape is not complete, or the result is not UTF-8.
  static func decoded(_ text: some StringProtocol) -> String? {
    var decoded: [UInt8] = []
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "%") else {
        decoded.append(bytes[index])
        index += 1
        continue
      }
      guard index + 3 <= bytes.count,
        bytes[index + 1..<index + 3].allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
        let byte = UInt8(String(decoding: bytes[index + 1..<index + 3], as: UTF8.self), radix: 16)
      else { return nil }
      decoded.append(byte)
      index += 3
    }
    return String(validating: decoded, as: UTF8.self)
  }

  /// Returns what follows a scheme such as `mbtiles`; `nil` when the text does not begin with it.
  static func path(of text: String, scheme: String) -> String? {
    let prefix = Array("\(scheme)://".utf8)
    guard text.utf8.starts(with: prefix) else { return nil }
    return String(decoding: text.utf8.dropFirst(prefix.count), as: UTF8.self)
  }

  /// Returns whether a text is the end of a path, without a scheme.
  ///
  /// - SeeAlso: RFC 3986, section 4.2
  static func isRelative(_ text: String) -> Bool {
    let first = text.utf8.prefix { !"/?#".utf8.contains($0) }
    return !first.contains(UInt8(ascii: ":"))
  }

  /// Returns whether a text begins like a URL with an authority or a path.
  static func hasScheme(_ text: some Sequence<UInt8>) -> Bool {
    var isFirst = true
    var iterator = text.makeIterator()
    while let byte = iterator.next() {
      let isLetter = (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      if isLetter || !isFirst && ((0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)) {
        isFirst = false
        continue
      }
      return !isFirst && byte == UInt8(ascii: ":") && iterator.next() == UInt8(ascii: "/")
        && iterator.next() == UInt8(ascii: "/")
    }
    return false
  }
}
