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

  /// The second, third and fourth letter of each anchor.
  private static let letters = LetterSearch(StoredPath.anchors.map { ($0[1], $0[2], $0[3]) })

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
    var start = 0
    while start < bytes.count {
      let places = letters.places(in: bytes, from: start)
      if hasText(bytes, before: places) { return true }
      start = places.upperBound
    }
    return false
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
