/// Bytes in the formats of gzip and zlib, with their checksums and without any compression.
///
/// It shares no code with what decompresses them.
///
/// - SeeAlso: RFC 1950, RFC 1951 section 3.2.4, RFC 1952
public enum CompressedBytes {
  /// Returns bytes as one member of gzip.
  public static func gzip(_ content: [UInt8]) -> [UInt8] {
    [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + stored(content) + number(crc32(content))
      + number(UInt32(truncatingIfNeeded: content.count))
  }

  /// Returns bytes as zlib writes them.
  public static func zlib(_ content: [UInt8]) -> [UInt8] {
    [0x78, 0x01] + stored(content) + number(adler32(content)).reversed()
  }

  /// Returns a red image in PNG, whose side is a number of pixels less than 80.
  ///
  /// - SeeAlso: <https://www.w3.org/TR/png-3/>
  public static func png(side: UInt8) -> [UInt8] {
    // Without a filter, each pixel red, green and blue.
    var row: [UInt8] = [0]
    for _ in 0..<side { row += [255, 0, 0] }
    let rows = repeatElement(row, count: Int(side)).flatMap(\.self)
    var image: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    image += pngChunk("IHDR", [0, 0, 0, side, 0, 0, 0, side, 8, 2, 0, 0, 0])
    image += pngChunk("IDAT", zlib(rows))
    return image + pngChunk("IEND", [])
  }

  /// Returns a part of a PNG, with its length and its checksum.
  public static func pngChunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let typed = Array(type.utf8) + content
    let length = number(UInt32(content.count)).reversed()
    return length + typed + number(crc32(typed)).reversed()
  }

  private static func stored(_ content: [UInt8]) -> [UInt8] {
    var blocks: [UInt8] = []
    var rest = content[...]
    repeat {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(block.count)
      let length = UInt16(block.count)
      blocks.append(rest.isEmpty ? 1 : 0)
      for value in [length, ~length] { blocks += [UInt8(value & 0xFF), UInt8(value >> 8)] }
      blocks += block
    } while !rest.isEmpty
    return blocks
  }

  private static func number(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) }
  }

  private static func crc32(_ content: [UInt8]) -> UInt32 {
    ~content.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in
        value >> 1 ^ (value & 1 == 0 ? 0 : 0xEDB8_8320)
      }
    }
  }

  private static func adler32(_ content: [UInt8]) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in content {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    return high << 16 | low
  }
}
