import HoldfastFiles

/// What servers and tools give in place of a feed message in the binary format.
enum ForeignMessage {
  /// An object or a list in JSON, as some servers write GTFS-Realtime.
  case json
  /// A page, a compressed message, or a pointer to one.
  case substitute(SubstituteContent)
  /// A zip archive, such as the feed of the timetable.
  case archive
  /// Any other text in ASCII, such as a refusal or a message that is written out for people.
  case text

  /// The number of bytes that show text; those of a message have a control character sooner.
  private static let textByteCount = 64

  /// Recognizes it by the first bytes; the result is `nil` for any other content.
  init?(_ bytes: [UInt8]) {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let first = text.prefix(4096).first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      self = .json
    } else if let content = SubstituteContent(bytes.prefix(SubstituteContent.byteCount)) {
      self = .substitute(content)
    } else if bytes.starts(with: Array("PK\u{3}\u{4}".utf8)) {
      self = .archive
    } else {
      let isText = text.prefix(Self.textByteCount).allSatisfy {
        (0x20..<0x7F).contains($0) || [0x09, 0x0A, 0x0D].contains($0)
      }
      guard isText, first != nil else { return nil }
      self = .text
    }
  }
}
