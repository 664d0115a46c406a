/// The text in a blob, as far as paths are sought in it.
///
/// WebKit stores the texts of web pages in UTF-16, and apps serialize messages, in which texts lie between bytes that
/// are none.
enum BlobText {
  /// Returns the texts in which a path may be: those whose end is certain, and all that is left.
  static func find(in bytes: [UInt8]) -> [String] {
    guard StoredPath.mayBeIn(bytes) else { return rest(of: bytes).map { [$0] } ?? [] }
    var left = bytes
    var texts: [String] = []
    for range in FramedText.ranges(in: bytes) {
      texts.append(String(decoding: bytes[range], as: UTF8.self))
      for place in range { left[place] = 0 }
    }
    if let rest = rest(of: left) { texts.append(rest) }
    return texts
  }

  /// Returns bytes as one text, if a path may be in it.
  ///
  /// Bytes that are no text become control characters, which end a path.
  private static func rest(of bytes: [UInt8]) -> String? {
    if StoredPath.mayBeIn(bytes) {
      return String(validating: bytes, as: UTF8.self)
        ?? separated(String(decoding: bytes, as: UTF8.self))
    }
    for start in 0...1 {
      for isBigEndian in [false, true] {
        let text = separated(utf16(bytes.dropFirst(start), isBigEndian: isBigEndian))
        if StoredPath.mayBeIn(Array(text.utf8)) { return text }
      }
    }
    return nil
  }

  /// Returns the text of bytes in UTF-16; an odd byte at the end is left out.
  static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String {
    let (high, low) = isBigEndian ? (0, 1) : (1, 0)
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map {
      UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + low])
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static func separated(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\u{FFFD}" ? "\0" : $0 }))
  }
}
