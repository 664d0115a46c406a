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

  private static let formats = [
    "JSONB", "MessagePack", "CBOR", "Protocol Buffers", "BSON", "pickle", "WebKit",
  ]

  /// Returns a path, less than 240 bytes long, as a format has it, with what stands before it and after it.
  private static func framed(_ path: String, _ format: String) -> [UInt8] {
    let count = UInt8(path.utf8.count)
    let (before, after): ([UInt8], [UInt8]) =
      switch format {
      case "JSONB":
        ([0xCC, count + 14] + text("Gpath") + [0xC7, count], text("Gsize") + [0x13, 0x35])
      case "MessagePack":
        ([0x82, 0xA4] + text("path") + [0xD9, count], [0xA4] + text("size") + [5])
      case "CBOR": ([0xA2, 0x64] + text("path") + [0x78, count], text("dsize") + [5])
      case "Protocol Buffers":
        (count < 0x80 ? [0x0A, count] : [0x0A, count, 1], text("2") + [0x01, 0x41])
      case "BSON":
        (
          [0x02] + text("path") + [0, count + 1, 0, 0, 0],
          [0x00, 0x10] + text("n") + [0, 5, 0, 0, 0, 0]
        )
      case "pickle": ([0x80, 4, 0x8C, count], text("q."))
      default: ([0x10, count, 0, 0, 0x80], text("q") + [0x10])
      }
    return before + text(path) + after
  }

  @Test(
    arguments: formats,
    [
      "", "/private", "file:///private", "file://localhost",
      "capacitor://localhost/_capacitor_file_",
    ])
  func theLengthBeforeAPathEndsIt(format: String, head: String) throws {
    for name in ["a b.m4b", "The Count of Monte Cristo.m4b"] {
      let path = "\(head)\(StoredPathTests.device)/Documents/\(name)"
      let texts = BlobText.find(in: Self.framed(path, format) + Self.text("GauthorwDumas") + [0x01])
      #expect(texts.first == path)
      #expect(texts.dropFirst().allSatisfy { StoredPath.all(in: $0).isEmpty })
    }
  }

  /// A letter before the folder is none, of whatever it is the last one.
  @Test(arguments: ["/private", "file://localhost", "x://localhost/_capacitor_file_", "/Users/ann"])
  func aLetterBeforeTheFolderIsNoLength(head: String) {
    let path = "\(head)\(StoredPathTests.device)/Documents/The Count of Monte Cristo.m4b"
    #expect(BlobText.find(in: [0x01] + Self.text(path) + [0x01]).count == 1)
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
