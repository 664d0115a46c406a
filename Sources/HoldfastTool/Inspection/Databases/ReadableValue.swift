import Foundation
import HoldfastFiles

/// A value in a form that people read.
struct ReadableValue: Equatable {
  let kind: BlobKind
  let byteCount: Int
  let text: String

  /// The greatest number of bytes that are shown as a dump.
  private static let mostDumped = 64 << 10

  /// Reads bytes; what is not what it looks like is dumped.
  init(_ bytes: Data) {
    let kind = BlobKind(bytes.prefix(64), count: bytes.count)
    let text: String?
    switch kind {
    case .bplist: text = PropertyListText.text(of: bytes)
    case .json: text = JSONIndentation.text(of: bytes)
    case .text, .plist: text = String(bytes: bytes, encoding: .utf8)
    case .uuid: text = Self.uuid(bytes)
    default: text = nil
    }
    (self.kind, byteCount) = (kind, bytes.count)
    self.text = text ?? Self.dump(bytes.prefix(Self.mostDumped))
  }

  private static func uuid(_ bytes: Data) -> String {
    let digits = HexText.text([UInt8](bytes)).uppercased()
    let ends = [8, 12, 16, 20, 32]
    return zip([0] + ends, ends).map { start, end in
      String(digits.dropFirst(start).prefix(end - start))
    }.joined(separator: "-")
  }

  /// Returns lines of 16 bytes: offset, digits and characters, as `hexdump -C` prints them.
  static func dump(_ bytes: Data) -> String {
    let bytes = [UInt8](bytes)
    return stride(from: 0, to: bytes.count, by: 16).map { start in
      let line = bytes[start..<min(start + 16, bytes.count)]
      let offset = String(start, radix: 16)
      let digits = line.map { HexText.text([$0]) }.joined(separator: " ")
      let characters = line.map { (0x20..<0x7F).contains($0) ? String(UnicodeScalar($0)) : "." }
      return String(repeating: "0", count: max(0, 8 - offset.count)) + offset + "  "
        + digits + String(repeating: " ", count: max(0, 49 - digits.count)) + characters.joined()
    }.joined(separator: "\n")
  }
}
