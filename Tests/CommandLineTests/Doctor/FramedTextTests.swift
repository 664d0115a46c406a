import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// A path in a blob ends where the format says, and not at the next byte that is no letter.
@Suite struct FramedTextTests {
  private static let path = StoredPathTests.device + "/Documents/a b.m4b"
  private static let bytes = Array(path.utf8)
  private static let count = UInt8(bytes.count)
  private static let longPath = path + String(repeating: "x", count: 200)

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// What stands before the path, and after it.
  static let formats: [String: ([UInt8], [UInt8])] = [
    "JSONB": ([0xCC, count + 14] + text("Gpath") + [0xC7, count], text("Gsize") + [0x13, 0x35]),
    "MessagePack": ([0x82, 0xA4] + text("path") + [0xD9, count], [0xA4] + text("size") + [5]),
    "CBOR": ([0xA2, 0x64] + text("path") + [0x78, count], text("dsize") + [5]),
    "Protocol Buffers": ([0x0A, count], text("2") + [0x01, 0x41]),
    "BSON": (
      [0x02] + text("path") + [0, count + 1, 0, 0, 0],
      [0x00, 0x10] + text("n") + [0, 5, 0, 0, 0, 0]
    ),
    "pickle": ([0x80, 4, 0x8C, count], text("q.")),
  ]

  @Test(arguments: formats.keys.sorted()) func theLengthBeforeAPathEndsIt(format: String) throws {
    let (before, after) = try #require(Self.formats[format])
    let texts = BlobText.find(in: before + Self.bytes + after)
    #expect(texts.first == Self.path)
    #expect(texts.dropFirst().allSatisfy { StoredPath.all(in: $0).isEmpty })
  }

  @Test func aLengthMayHaveSeveralBytes() {
    let bytes = Self.text(Self.longPath)
    let (low, high) = (UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8))
    for before in [
      [0x0A, low | 0x80, UInt8(bytes.count >> 7)], [0xDA, high, low], [0x58, low, high, 0, 0],
      [0xDB, 0, 0, high, low],
    ] as [[UInt8]] {
      #expect(BlobText.find(in: before + bytes + Self.text("Gsize")).first == Self.longPath)
    }
  }

  @Test func aURLIsFramedToo() {
    let url = Self.text("file://" + StoredPathTests.device + "/Documents/a%20b.m4b")
    let texts = BlobText.find(in: [0x0A, UInt8(url.count)] + url + Self.text("Gsize"))
    #expect(texts.first == String(decoding: url, as: UTF8.self))
  }

  /// All bytes of JSONB may be those of letters.
  @Test func jsonbWithoutOtherBytesThanLettersIsNoPlainText() {
    let path = Self.path + String(repeating: "y", count: 138 - Self.bytes.count)
    let content = [0xC7, 0x8A] + Self.text(path) + Self.text("Gsize")
    let texts = BlobText.find(in: [0xCB, UInt8(content.count)] + content)
    #expect(texts.first == path)
  }

  @Test func aByteBeforeAPathInPlainTextIsNoLength() {
    let text = "z\(Self.path), and so on, which is longer than the letter before it would say"
    #expect(BlobText.find(in: Self.text(text)) == [text])
  }
}
