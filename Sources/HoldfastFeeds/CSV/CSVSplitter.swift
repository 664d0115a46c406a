/// Whole rows of a CSV file that are not parsed yet.
struct CSVBlock: Sendable {
  var bytes: [UInt8]
  /// The index of the first byte to be parsed: 3 after a byte order mark, otherwise 0.
  var start = 0
  /// The offset of the first byte in the file.
  var offset: Int
  /// The physical line on which the first row starts.
  var firstLine: Int
  /// The number of fields of the file's first line; `nil` if the block is not from a file.
  var columnCount: Int?
  /// Whether the file is UTF-16, and its order of bytes; such a file is not read.
  var utf16IsBigEndian: Bool?
}

/// A closure that fills a part of an array of bytes, and returns the number of bytes; 0 at the end.
package typealias ByteSource = (_ buffer: inout [UInt8], _ range: Range<Int>) throws -> Int

/// A division of a CSV file into blocks of whole rows, which can be parsed independently.
///
/// A line end inside quotes does not end a row, so the blocks are found one after the other. It
/// costs a small part of the parsing.
struct CSVSplitter {
  private static let usualSize = 256 << 10

  private let read: ByteSource
  private let size: Int
  /// The start of a row whose end has not been read yet.
  private var rest: [UInt8] = []
  private var offset = 0
  private var line = 1
  private var isAtStart = true
  private var columnCount: Int?
  /// Whether there is no further block.
  private(set) var isAtEnd = false

  /// Creates a splitter of the bytes that a closure returns.
  ///
  /// - Parameters:
  ///   - size: The length of a block in bytes, unless a single row is longer.
  ///   - read: A closure that returns the bytes.
  init(size: Int = usualSize, _ read: @escaping ByteSource) {
    self.size = size
    self.read = read
  }

  /// Returns the next block; `nil` at the end.
  mutating func next() throws -> CSVBlock? {
    if isAtEnd { return nil }
    // The first four bytes tell the encoding.
    var bytes = [UInt8](repeating: 0, count: max(isAtStart ? 4 : 1, size, rest.count))
    bytes.replaceSubrange(..<rest.count, with: rest)
    var filled = rest.count
    var start = 0
    while true {
      while filled < bytes.count, !isAtEnd {
        let count = try read(&bytes, filled..<bytes.count)
        filled += count
        isAtEnd = count == 0
      }
      if isAtStart {
        isAtStart = false
        let head = bytes.prefix(min(filled, 4))
        if let isBigEndian = Self.utf16IsBigEndian(head) {
          isAtEnd = true
          return CSVBlock(bytes: [], offset: 0, firstLine: 1, utf16IsBigEndian: isBigEndian)
        }
        start = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      }
      if isAtEnd { return filled == 0 ? nil : block(&bytes, start..<filled, filled) }
      if let end = Self.endOfLastRow(&bytes, start..<filled) {
        return block(&bytes, start..<end, filled)
      }
      // A carriage return at the end may belong to the row.
      if filled - start > CSVParser.longestRow + 1 {
        isAtEnd = true
        return block(&bytes, start..<filled, filled)
      }
      bytes += [UInt8](repeating: 0, count: bytes.count)
    }
  }

  /// Returns the rows of a range as a block, and keeps the bytes after them.
  private mutating func block(
    _ bytes: inout [UInt8], _ range: Range<Int>, _ filled: Int
  ) -> CSVBlock {
    rest = Array(bytes[range.upperBound..<filled])
    bytes.removeLast(bytes.count - range.upperBound)
    let (lines, columns) = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      guard let bytes = unsafe CSVBytes(buffer) else { return (0, columnCount) }
      return (bytes.lineCount(range), columnCount ?? bytes.fieldCountOfFirstLine(range))
    }
    columnCount = columns
    defer {
      offset += range.upperBound
      line += lines
    }
    return CSVBlock(
      bytes: bytes, start: range.lowerBound, offset: offset, firstLine: line, columnCount: columns)
  }

  private static func endOfLastRow(_ bytes: inout [UInt8], _ range: Range<Int>) -> Int? {
    unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      unsafe CSVBytes(buffer)?.endOfLastRow(range)
    }
  }

  private static func utf16IsBigEndian(_ head: ArraySlice<UInt8>) -> Bool? {
    // A header is ASCII, so UTF-16 without a byte order mark is recognized by its NUL bytes.
    let isNul = head.map { $0 == 0 }
    if head.starts(with: [0xFE, 0xFF]) || isNul == [true, false, true, false] { return true }
    if head.starts(with: [0xFF, 0xFE]) || isNul == [false, true, false, true] { return false }
    return nil
  }
}
