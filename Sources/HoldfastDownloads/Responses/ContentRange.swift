/// The value of the field `Content-Range`: which bytes of how many a response contains.
///
/// - SeeAlso: RFC 9110, section 14.4.
struct ContentRange: Hashable {
  /// The bytes, from the first to the one after the last; `nil` when none were sent, as with the
  /// status 416.
  var bytes: Range<Int64>?

  /// The length of the complete content; `nil` when the server does not know it.
  var total: Int64?

  /// Whether the bytes are certainly not the complete content.
  var isPart: Bool {
    guard let bytes else { return false }
    return bytes.lowerBound > 0 || bytes.upperBound < total ?? 0
  }

  init(bytes: Range<Int64>?, total: Int64?) {
    self.bytes = bytes
    self.total = total
  }

  /// Parses `bytes 0-99/1234`, `bytes 0-99/*` or `bytes */1234`; `nil` for anything else.
  init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
    guard sides.count == 2 else { return nil }
    if sides[1] != "*" {
      guard let total = Int64(digits: sides[1]) else { return nil }
      self.total = total
    }
    if sides[0] == "*" {
      if total == nil { return nil }
      return
    }
    let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Int64(digits: ends[0]), let last = Int64(digits: ends[1]),
      first <= last, last < total ?? .max
    else { return nil }
    bytes = first..<(last + 1)
  }
}

extension ResponseHead {
  /// The range that a response names; `nil` for none, and for one that cannot be read.
  var contentRange: ContentRange? { field("Content-Range").flatMap { ContentRange($0) } }
}

extension Int64 {
  /// Parses decimal digits alone: no sign, no spaces.
  init?(digits text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(text)
  }
}
