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
  /// Feed messages behind their lengths, as streams have them; the first one's length has some bytes.
  case delimited(messageCount: Int, lengthByteCount: Int)

  /// The number of bytes that show text; those of a message have a control character sooner.
  private static let textByteCount = 64

  /// Recognizes it by the first bytes; the result is `nil` for any other content.
  init?(_ bytes: [UInt8]) {
    if let delimited = Self.delimited(bytes) {
      self = delimited
      return
    }
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

  /// Recognizes a feed message behind its length, and those that follow.
  private static func delimited(_ bytes: [UInt8]) -> ForeignMessage? {
    guard let first = message(at: 0, in: bytes) else { return nil }
    do throws(ProtobufFault) {
      _ = try FeedMessageDecoder([UInt8](bytes[first]), limits: FeedMessageDecoder.Limits())
    } catch {
      return nil
    }
    var (end, count) = (first.upperBound, 1)
    while let next = message(at: end, in: bytes) { (end, count) = (next.upperBound, count + 1) }
    // The last one of several may be cut off.
    guard end == bytes.count || count > 1 else { return nil }
    return .delimited(messageCount: count, lengthByteCount: first.lowerBound)
  }

  /// Returns the places of as many bytes as the length says that begins at an offset; `nil` if there are fewer.
  private static func message(at start: Int, in bytes: [UInt8]) -> Range<Int>? {
    var (length, offset) = (0, start)
    // The largest message has a length of four bytes.
    for place in 0..<4 where offset < bytes.count {
      let byte = bytes[offset]
      length |= Int(byte & 0x7F) << (7 * place)
      offset += 1
      guard byte >= 0x80 else {
        return length > 0 && length <= bytes.count - offset ? offset..<offset + length : nil
      }
    }
    return nil
  }
}
