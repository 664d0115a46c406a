import HoldfastFiles

/// The search for what paths into containers have in common, in the bytes of a whole database file.
///
/// It is much quicker than a search in each value, and most databases have no such path.
///
/// - SeeAlso: <https://www.sqlite.org/fileformat2.html>, "Cell Payload Overflow Pages"
struct PathScan {
  /// The anchors of ``StoredPath`` as they are stored: in UTF-8, and in UTF-16 with either byte first.
  private static let texts: [[UInt8]] = StoredPath.anchors.flatMap { anchor in
    // Without a zero byte at its end or beginning it is the same in both orders.
    [anchor, Array(anchor.flatMap { [$0, 0] }.dropLast())]
  }

  /// The second, third and fourth letter of an anchor.
  private struct Key {
    let bytes: (UInt8, UInt8, UInt8)

    init(of anchor: [UInt8]) { bytes = (anchor[1], anchor[2], anchor[3]) }

    /// Returns the places at which three blocks have the letters of the key.
    func places(_ first: ByteBlock, _ second: ByteBlock, _ third: ByteBlock) -> ByteBlock.Places {
      first.places(of: bytes.0).intersection(second.places(of: bytes.1))
        .intersection(third.places(of: bytes.2))
    }
  }

  private static let keys = StoredPath.anchors.map(Key.init)

  private let pageSize: Int
  private let pageCount: Int64

  /// Whether a value that was read may have such a path; `false` is certain.
  private(set) var mayFindPaths: Bool

  /// Prepares to read a database file without a log and a journal, which is not encrypted.
  ///
  /// - Parameters:
  ///   - pageSize: The length of its pages, in bytes.
  ///   - fileByteCount: The length of the file, in bytes.
  init(pageSize: Int, fileByteCount: Int64) {
    self.pageSize = pageSize
    mayFindPaths = pageSize < 512
    pageCount = fileByteCount / Int64(max(pageSize, 512))
  }

  /// Reads a part of the file; those that have only zeros may be left out.
  ///
  /// - Parameters:
  ///   - bytes: The part.
  ///   - start: Its place in the file.
  mutating func read(_ bytes: Span<UInt8>, at start: Int64) {
    guard !mayFindPaths else { return }
    // The data between holes may begin within a page, and a page that ends early is damaged.
    mayFindPaths =
      !start.isMultiple(of: Int64(pageSize)) || !bytes.count.isMultiple(of: pageSize)
      || Self.hasText(bytes) || Self.hasRest(bytes, pageSize: pageSize, pageCount: pageCount)
  }

  /// Returns whether one of the texts is in some pages.
  private static func hasText(_ bytes: Span<UInt8>) -> Bool {
    let keys = keys
    var start = 0
    // The last of the bytes that are compared are four behind the block.
    while start + ByteBlock.byteCount + 4 <= bytes.count {
      let end = start + ByteBlock.byteCount
      if mayHaveText(bytes, at: start, keys), hasText(bytes, before: start..<end) { return true }
      start = end
    }
    return hasText(bytes, before: start..<bytes.count)
  }

  /// Returns whether the second letter of a text may be at one of sixteen places; `false` is certain.
  private static func mayHaveText(_ bytes: Span<UInt8>, at start: Int, _ keys: [Key]) -> Bool {
    let first = ByteBlock(bytes, at: start)
    let second = ByteBlock(bytes, at: start + 1)
    let third = ByteBlock(bytes, at: start + 2)
    let fifth = ByteBlock(bytes, at: start + 4)
    var places = ByteBlock.Places()
    for key in keys {
      // In UTF-8, and in UTF-16, of which every other byte is zero.
      places = places.union(key.places(first, second, third))
        .union(key.places(first, third, fifth))
    }
    return !places.isEmpty
  }

  /// Returns whether one of the texts has its second letter in a range, and so begins up to two bytes before.
  private static func hasText(_ bytes: Span<UInt8>, before seconds: Range<Int>) -> Bool {
    (max(seconds.lowerBound - 2, 0)..<seconds.upperBound).contains { start in
      texts.contains { begin(bytes.extracting(start...), with: $0[...]) }
    }
  }

  /// Returns whether one of some pages begins with the rest of a text that began on another page.
  private static func hasRest(_ bytes: Span<UInt8>, pageSize: Int, pageCount: Int64) -> Bool {
    for start in stride(from: 0, to: bytes.count, by: pageSize) {
      // The rest of a value is on a page that begins with the number of the next one, or with 0.
      let next = (start..<start + 4).reduce(Int64(0)) { $0 << 8 | Int64(bytes[$1]) }
      guard next <= pageCount else { continue }
      let rest = bytes.extracting((start + 4)..<(start + pageSize))
      for text in texts {
        if (1..<text.count).contains(where: { begin(rest, with: text[$0...]) }) { return true }
      }
    }
    return false
  }

  /// Returns whether bytes begin with a text.
  private static func begin(_ bytes: Span<UInt8>, with text: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= text.count else { return false }
    var index = 0
    for byte in text {
      if bytes[index] != byte { return false }
      index += 1
    }
    return true
  }
}
