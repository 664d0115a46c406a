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

  /// The number of bytes of each text that are sought.
  private static let length = 9

  /// How far behind a byte the end of a text can be, at least; 0 where it may be the end.
  private static let shifts: [UInt8] = {
    var shifts = [UInt8](repeating: UInt8(length), count: 256)
    for text in texts {
      for (index, byte) in text.prefix(length).enumerated() {
        shifts[Int(byte)] = min(shifts[Int(byte)], UInt8(length - 1 - index))
      }
    }
    return shifts
  }()

  /// Looks for paths in the values of a database.
  ///
  /// - Parameters:
  ///   - file: A database file without a log and a journal, which is not encrypted.
  ///   - pageSize: The length of its pages, in bytes.
  /// - Returns: Whether there may be one; `false` is certain.
  /// - Throws: The number of the system's error.
  static func mayFindPaths(in file: FilePath, pageSize: Int) throws(Errno) -> Bool {
    guard pageSize >= 512 else { return true }
    let opened = try SystemCalls.openFile(file.text, for: .readPlain)
    let pageCount = try SystemCalls.status(of: opened).byteCount / Int64(pageSize)
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    var place: Int64 = 0
    while let start = try SystemCalls.seekData(opened, from: place) {
      let count = try SystemCalls.readBytes(opened, into: &buffer)
      if count == 0 { break }
      // The data between holes may begin within a page, and a page that ends early is damaged.
      guard start.isMultiple(of: Int64(pageSize)), count.isMultiple(of: pageSize) else {
        return true
      }
      for page in stride(from: 0, to: count, by: pageSize) {
        let bytes = buffer[page..<page + pageSize]
        if mayFindPaths(in: bytes, pageCount: pageCount) { return true }
      }
      place = start + Int64(count)
    }
    return false
  }

  /// Returns whether a page has a text, or the rest of one that began on another page.
  private static func mayFindPaths(in page: ArraySlice<UInt8>, pageCount: Int64) -> Bool {
    var end = page.startIndex + length - 1
    while end < page.endIndex {
      let shift = shifts[Int(page[end])]
      if shift > 0 {
        end += Int(shift)
        continue
      }
      let found = page[(end - length + 1)...]
      if texts.contains(where: { found.starts(with: $0) }) { return true }
      end += 1
    }
    // The rest of a value is on a page that begins with the number of the next one, or with 0.
    let next = page.prefix(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    guard next <= pageCount else { return false }
    let rest = page.dropFirst(4)
    return texts.contains { text in
      (1..<text.count).contains { rest.starts(with: text.suffix($0)) }
    }
  }
}
