/// The words of a SQL text, wherever they are: in comments, in quotes and in texts too.
///
/// They are known by hashes only, so that a text is looked through in a fraction of the time that its tokens take.
struct SQLWords: Sequence, IteratorProtocol {
  struct Word {
    /// The hash of the word with small letters from A to Z; see ``SQLWords/hash(_:)``.
    let hash: UInt64
    let isBeforePeriod: Bool
  }

  private let bytes: ContiguousArray<UInt8>
  private var index = 0

  init(_ sql: String) {
    bytes = ContiguousArray(sql.utf8)
  }

  mutating func next() -> Word? {
    while index < bytes.count, isMark || !SQLTokens.isNamePart(bytes[index]) {
      index += isMark ? 3 : 1
    }
    guard index < bytes.count else { return nil }
    var hash = Self.emptyHash
    while index < bytes.count, SQLTokens.isNamePart(bytes[index]) {
      hash = Self.hash(hash, followedBy: bytes[index])
      index += 1
    }
    return Word(
      hash: hash, isBeforePeriod: index < bytes.count && bytes[index] == UInt8(ascii: "."))
  }

  /// Whether a byte order mark comes next, which is white space before a word.
  private var isMark: Bool {
    bytes[index] == 0xEF && bytes[index...].starts(with: "\u{FEFF}".utf8)
  }

  /// Returns the hash of a word; `nil` for a name that is not one word, and is written in quotes.
  static func hash(_ name: String) -> UInt64? {
    guard !name.utf8.starts(with: "\u{FEFF}".utf8), !name.isEmpty,
      name.utf8.allSatisfy(SQLTokens.isNamePart)
    else { return nil }
    return name.utf8.reduce(emptyHash) { hash($0, followedBy: $1) }
  }

  // FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/
  private static let emptyHash: UInt64 = 0xcbf2_9ce4_8422_2325

  @inline(__always)
  private static func hash(_ hash: UInt64, followedBy byte: UInt8) -> UInt64 {
    let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    return (hash ^ UInt64(isCapital ? byte | 0x20 : byte)) &* 0x100_0000_01b3
  }
}
