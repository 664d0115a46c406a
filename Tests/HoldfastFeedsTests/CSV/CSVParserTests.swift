import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastFeeds

@Suite struct CSVParserTests {
  private struct Row: Equatable {
    var line: Int
    var values: [String]
    var flaws: [CSVFlaw.Kind] = []

    init(_ line: Int, _ values: [String], _ flaws: [CSVFlaw.Kind] = []) {
      (self.line, self.values, self.flaws) = (line, values, flaws)
    }
  }

  private static func read(
    _ bytes: [UInt8], cuts: [Int] = [], size: Int = 256 << 10
  ) throws -> ([CSVRecord], CSVDialect) {
    try CSVFile(bytes: bytes, cuts: cuts, size: size).records()
  }

  private static func rows(_ text: String) throws -> [Row] { try rows(Array(text.utf8)) }

  private static func rows(
    _ bytes: [UInt8], cuts: [Int] = [], size: Int = 256 << 10
  ) throws -> [Row] {
    try read(bytes, cuts: cuts, size: size).0.map { record in
      Row(record.line, (0..<record.count).map(record.text), record.flaws.map(\.kind))
    }
  }

  @Test(arguments: [
    ("", []),
    ("\n\r\n\r \t\n", []),
    ("a,b\n1,2\n", [Row(1, ["a", "b"]), Row(2, ["1", "2"])]),
    ("a,b\n1,2", [Row(1, ["a", "b"]), Row(2, ["1", "2"])]),
    ("a\r\nb\rc\n", [Row(1, ["a"]), Row(2, ["b"]), Row(3, ["c"])]),
    ("a\r\r\nb", [Row(1, ["a"]), Row(3, ["b"])]),
    ("\u{FEFF}a,b", [Row(1, ["a", "b"])]),
    ("a,,\n,", [Row(1, ["a", "", ""]), Row(2, ["", ""])]),
    (" a , \"b\" ,\tc", [Row(1, ["a", "b", "c"])]),
    ("\"a,b\",\"c\"\"d\",\"\"\"\"", [Row(1, ["a,b", "c\"d", "\""])]),
    ("\"\"\nx", [Row(1, [""]), Row(2, ["x"])]),
    ("\" a \"", [Row(1, ["a"])]),
    (
      "\"a\nb\r\nc\rd\",e\nf",
      [Row(1, ["a\nb\r\nc\rd", "e"], [.lineBreak]), Row(5, ["f"])]
    ),
    ("a\"b,c", [Row(1, ["a\"b", "c"], [.strayQuote])]),
    ("\"a\"b\"c,d", [Row(1, ["\"a\"b\"c", "d"], [.strayQuote])]),
    (
      "x\n1,\"a,\"\"b\r\nc\n",
      [Row(1, ["x"]), Row(2, ["1", "a,\"b"], [.unterminatedQuote]), Row(3, ["c"])]
    ),
    (
      "\"a\nb\",\"c\nd", [Row(1, ["a\nb", "c"], [.lineBreak, .unterminatedQuote]), Row(3, ["d"])]
    ),
  ])
  private func readsTheDialect(text: String, expected: [Row]) throws {
    #expect(try Self.rows(text) == expected)
  }

  @Test func reportsTheDialectOfTheFile() throws {
    let text = "\u{FEFF}a,b\r\n1, 2\n\n3 ,4\n"
    let dialect = try Self.read(Array(text.utf8)).1
    #expect(dialect.hasByteOrderMark)
    #expect(dialect.lineEnds == [.CRLF: 1, .LF: 2])
    #expect(dialect.blankLines == 1)
    #expect(dialect.paddedRows == 2)
    #expect(dialect.firstPaddedLine == 2)
  }

  @Test(arguments: [
    // The offset counts bytes in the file, including a byte order mark and doubled quotes.
    ("a,b\nc,d\0e\n", CSVFlaw.Kind.nul, 1, 7),
    ("\u{FEFF}a\n\"x\"\"y\0\"", .nul, 0, 10),
    ("a,  b\0", .nul, 1, 5),
  ])
  func reportsThePositionOfAByte(text: String, kind: CSVFlaw.Kind, field: Int, offset: Int) throws {
    let flaws = try Self.read(Array(text.utf8)).0.flatMap(\.flaws)
    #expect(flaws == [CSVFlaw(kind: kind, field: field, offset: offset)])
    #expect(Array(text.utf8)[offset] == 0)
  }

  @Test(
    arguments: [
      [0xF8], [0xC3], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC0, 0xAF],
      [0x9C, 0xA0],
    ] as [[UInt8]])
  func findsInvalidUTF8(bytes: [UInt8]) throws {
    let file = Array("é,a\n".utf8) + Array("ü,x".utf8) + bytes + Array("y\n".utf8)
    let records = try Self.read(file).0
    #expect(records.flatMap(\.flaws) == [CSVFlaw(kind: .invalidUTF8, field: 1, offset: 9)])
    #expect(records[1].line == 2)
  }

  @Test(
    arguments: [
      ([0xFE, 0xFF, 0, 0x61], true), ([0xFF, 0xFE, 0x61, 0], false), ([0, 0x61, 0, 0x2C], true),
      ([0x61, 0, 0x2C, 0], false),
    ] as [([UInt8], Bool)])
  func recognizesUTF16(bytes: [UInt8], isBigEndian: Bool) throws {
    for cut in 0..<4 {
      let rows = try Self.rows(bytes + [0x0A, 0x0A], cuts: [cut])
      #expect(rows == [Row(1, [], [.utf16(isBigEndian: isBigEndian)])])
    }
  }

  @Test(arguments: ["\"", ",", "\"\" ", "\"\"\"", "x", " "])
  func refusesAnEndlessRow(repeated: String) throws {
    let start = Array((repeated == "\"" ? "\"\",\"" : "").utf8)
    let pattern = Array(repeated.utf8)
    // An endless source: only the limit on a row's length stops the reading.
    var count = 0
    var splitter = CSVSplitter { buffer, range in
      for index in range {
        buffer[index] =
          count < start.count ? start[count] : pattern[(count - start.count) % pattern.count]
        count += 1
      }
      return range.count
    }
    var parser = CSVParser()
    var block = try #require(try splitter.next())
    let rows = parser.parse(&block)
    #expect(rows.count == 1)
    #expect(rows.isCutOff)
    #expect(rows[0].flaws.contains { $0.kind == .tooLong })
    #expect(count < 4 * CSVParser.longestRow)
    #expect(try splitter.next() == nil)
  }

  @Test(arguments: [0, 1])
  func theLimitOnARowIsExact(surplus: Int) throws {
    let long = String(repeating: "x", count: CSVParser.longestRow - 2 + surplus)
    for size in [1 << 10, 1 << 22] {
      let rows = try CSVFile(bytes: Array("a\n\(long),y\nb\n".utf8), size: size).rows()
      #expect(rows.count == (surplus > 0 ? 2 : 3))
      #expect(rows[1].flaws.map(\.kind) == (surplus > 0 ? [.tooLong] : []))
      #expect(rows[1].values.map(\.count) == [long.count, surplus > 0 ? 0 : 1])
    }
  }

  @Test(arguments: [0, 1])
  func theLimitOnFieldsIsExact(surplus: Int) throws {
    let commas = String(repeating: ",", count: CSVParser.mostFields - 1 + surplus)
    let rows = try CSVFile(bytes: Array("\(commas)x\nb\n".utf8)).rows()
    #expect(rows.count == (surplus > 0 ? 1 : 2))
    #expect(
      rows[0].flaws
        == (surplus > 0 ? [CSVFlaw(kind: .tooLong, field: CSVParser.mostFields)] : []))
  }

  @Test func blocksAndReadsCanEndAnywhere() throws {
    let text = "\u{FEFF}id, \"näme\" ,x\r\n1,\"a\"\"b\r\nc\",\"d\" e\r2,é\"f,\n\n3,\"open\r\n"
    let bytes = Array(text.utf8)
    let whole = CSVFile(bytes: bytes)
    let rows = try whole.rows()
    let dialect = try whole.records().dialect
    #expect(rows.count == 4)
    for size in 1...bytes.count {
      for cut in 0...bytes.count {
        let cutFile = CSVFile(bytes: bytes, cuts: [cut, cut + 1], size: size)
        #expect(try cutFile.rows() == rows, "size \(size), cut at \(cut)")
        #expect(try cutFile.records().dialect == dialect, "size \(size), cut at \(cut)")
      }
    }
  }

  @Test func aSequenceOfUTF8IsNotContinuedInTheNextField() throws {
    let flaws = try Self.read(Array("a,".utf8) + [0xC3, 0x2C, 0xA9, 0x0A]).0.flatMap(\.flaws)
    #expect(flaws == [CSVFlaw(kind: .invalidUTF8, field: 1, offset: 2)])
  }

  @Test func theOffsetOfAByteAfterAClosingQuoteIsThatInTheFile() throws {
    let flaws = try Self.read(Array("\"ab\"c\0\n".utf8)).0.flatMap(\.flaws)
    #expect(
      flaws == [
        CSVFlaw(kind: .strayQuote, field: 0), CSVFlaw(kind: .nul, field: 0, offset: 5),
      ])
  }

  @Test func unusualRowsAreThoseThatAReportNames() throws {
    let text = "1,2\n,\n3\n4,5,6\n\"7\"x,8\n,9\n10,11\n"
    var splitter = CSVSplitter(CSVFile(bytes: Array(text.utf8)).source)
    var parser = CSVParser()
    var block = try #require(try splitter.next())
    #expect(parser.parse(&block).unusualRows(columns: 2) == [1, 2, 3, 4])
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func anyBytesAreReadAsByTheReferenceReader(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let alphabet = Array("ab,\",\"\n\r \t".utf8)
    for _ in 0..<200 {
      let length = Int.random(in: 0...40, using: &random)
      let bytes = (0..<length).map { _ in alphabet.randomElement(using: &random)! }
      let cuts = (0..<3).map { _ in Int.random(in: 0...max(1, length), using: &random) }
      let size = Int.random(in: 1...40, using: &random)
      let expected = SlowCSV.rows(bytes)
      let rows = try Self.rows(bytes, cuts: cuts, size: size).map(\.values)
      #expect(
        rows == expected, "seed \(seed): \(String(decoding: bytes, as: UTF8.self).debugDescription)"
      )
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func writtenFieldsAreReadBack(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let alphabet = Array("aé漢🚋,\"\n\r -")
    for _ in 0..<50 {
      let rows = (0..<4).map { _ in
        (0..<3).map { _ in
          let value = String(
            (0..<Int.random(in: 0...6, using: &random)).map { _ in
              alphabet.randomElement(using: &random)!
            })
          return value.trimmingCharacters(in: [" "])
        }
      }
      let text = rows.map { row in
        row.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",") + "\r\n"
      }.joined()
      #expect(try Self.rows(text).map(\.values) == rows, "seed \(seed)")
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func randomBytesNeverTrap(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<100 {
      let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let whole = try CSVFile(bytes: bytes).rows()
      let size = Int.random(in: 1...50, using: &random)
      let pieces = try CSVFile(bytes: bytes, cuts: Array(0..<bytes.count), size: size).rows()
      #expect(whole == pieces, "seed \(seed)")
      for flaw in whole.flatMap(\.flaws) where flaw.kind == .nul {
        #expect(try bytes[#require(flaw.offset)] == 0, "seed \(seed)")
      }
    }
  }
}
