import HoldfastTestSupport
import Testing

@testable import HoldfastFeeds

@Suite struct CSVSplitterTests {
  private static let rows = [
    "a,b\n", "c,d\r\n", "e\r", "\"f\ng\",1\n", "\"h\r\ni\"\"\nj\"\"\",2\r\n", "k\",\"\nl\"\n",
    " \t\"m\n n\" ,3\n", "\"m \"n\" o\",4\n",
    "o\"\n", "\"\"\n", "\"\"\"\n\"\"\"\r", ",\"p\r\"\n", "é\u{0},\"q,\n\",\n", " ,\n",
  ].map { Array($0.utf8) }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `blocks are whole rows, although line ends may be quoted`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var bytes: [UInt8] = []
    // The line of each row by its offset.
    var lines: [Int: Int] = [:]
    var line = 1
    for _ in 0..<200 {
      let row = Self.rows.randomElement(using: &random)!
      lines[bytes.count] = line
      bytes += row
      line += String(decoding: row, as: UTF8.self).count { $0.isNewline }
    }
    lines[bytes.count] = line
    let longest = Self.rows.map(\.count).max()!
    for size in [1, 2, 5, 16, 64, 1000] {
      var splitter = CSVSplitter(size: size, CSVFile(bytes: bytes).source)
      var offset = 0
      var blocks = 0
      while let block = try splitter.next() {
        #expect(block.offset == offset, "seed \(seed), size \(size)")
        #expect(block.firstLine == lines[offset], "seed \(seed), size \(size)")
        #expect(block.bytes == Array(bytes[offset..<(offset + block.bytes.count)]))
        #expect(block.bytes.count <= max(size, 2 * longest + 4))
        offset += block.bytes.count
        blocks += 1
      }
      #expect(offset == bytes.count)
      #expect(blocks >= bytes.count / max(size, 2 * longest + 4))
    }
  }

  @Test func `a byte order mark is skipped in the first block only`() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = mark + Array("a\n".utf8) + mark + Array("b\n".utf8)
    let file = CSVFile(bytes: bytes, size: 5)
    #expect(try file.records().dialect.hasByteOrderMark)
    #expect(try file.rows().map(\.values) == [[Array("a".utf8)], [mark + Array("b".utf8)]])
  }
}
