/// A text in UTF-16 that begins with a byte order mark, and becomes UTF-8 part by part.
struct UTF16Text {
  private let isBigEndian: Bool
  /// The bytes of a letter that is not complete.
  private var rest: [UInt8] = []

  /// Reads the mark; `nil` when bytes do not begin with one.
  init?(markOf bytes: ArraySlice<UInt8>) {
    if bytes.starts(with: [0xFF, 0xFE]) {
      isBigEndian = false
    } else if bytes.starts(with: [0xFE, 0xFF]) {
      isBigEndian = true
    } else {
      return nil
    }
  }

  /// Returns the next bytes as UTF-8; a letter that is not complete follows with those after them.
  mutating func utf8(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let all = rest + bytes
    var count = all.count & ~1
    // The second half of a pair of surrogates may be in the next part.
    if count > 0, all[isBigEndian ? count - 2 : count - 1] & 0xFC == 0xD8 { count -= 2 }
    rest = Array(all[count...])
    return Array(BlobText.utf16(all[..<count], isBigEndian: isBigEndian).utf8)
  }
}
