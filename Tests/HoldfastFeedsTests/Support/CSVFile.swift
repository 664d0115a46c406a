@testable import HoldfastFeeds

/// The bytes of a CSV file, read as a feed's file is.
struct CSVFile {
  /// A row, independent of the block in which it was read.
  struct Row: Equatable {
    var line: Int
    var values: [[UInt8]]
    var flaws: [CSVFlaw]
    var isPadded: Bool

    init(_ record: CSVRecord) {
      line = record.line
      values = (0..<record.count).map { Array(record.bytes($0)) }
      flaws = Array(record.flaws)
      isPadded = record.isPadded
    }
  }

  var bytes: [UInt8]
  /// The positions at which the system returns fewer bytes than asked for.
  var cuts: [Int] = []
  /// The length of a block.
  var size = 256 << 10

  var source: ByteSource {
    let bounds = Set(cuts.filter { $0 < bytes.count } + [bytes.count]).sorted()
    var start = 0
    return { buffer, range in
      let end = bounds.first { $0 > start } ?? bytes.count
      let count = min(end - start, range.count)
      buffer.replaceSubrange(range.prefix(count), with: bytes[start..<(start + count)])
      start += count
      return count
    }
  }

  func records() throws -> (records: [CSVRecord], dialect: CSVDialect) {
    var splitter = CSVSplitter(size: size, source)
    var parser = CSVParser()
    var records: [CSVRecord] = []
    var dialect = CSVDialect()
    while var block = try splitter.next() {
      let rows = parser.parse(&block)
      dialect.add(rows.dialect)
      records += (0..<rows.count).map { rows[$0] }
      if rows.isCutOff { break }
    }
    return (records, dialect)
  }

  func rows() throws -> [Row] { try records().records.map(Row.init) }
}
