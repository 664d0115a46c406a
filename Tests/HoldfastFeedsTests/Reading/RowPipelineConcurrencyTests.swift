import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import HoldfastFeeds

@Suite struct RowPipelineConcurrencyTests {
  private struct Fault: Error, Equatable {}

  /// What the threads of a pipeline do with the file.
  private final class Record: Sendable {
    /// The number of times that the file was read, and of the reads that another one overlapped.
    let reads = Mutex((count: 0, running: 0, overlaps: 0))

    func source(_ file: CSVFile, failingAt failure: Int? = nil) -> ByteSource {
      let source = file.source
      return { buffer, range in
        let count = self.reads.withLock { reads in
          reads.count += 1
          reads.running += 1
          if reads.running > 1 { reads.overlaps += 1 }
          return reads.count
        }
        defer { self.reads.withLock { $0.running -= 1 } }
        if count == failure { throw Fault() }
        return try source(&buffer, range)
      }
    }
  }

  /// Rows of which some have quoted line ends, empty lines between them, and other flaws.
  private static func file(rows: Int, seed: UInt64) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    let values = ["1", "ab", "\"c\nd\"", "\"e\"\"\r\nf\"", "g\"", " h ", "", "\u{0}", "é", "\n"]
    var bytes: [UInt8] = []
    for row in 0..<rows {
      bytes += Array("\(row),\(values.randomElement(using: &random)!),x\n".utf8)
      if Int.random(in: 0..<50, using: &random) == 0 { bytes += [0xFF, 0x0A] }
    }
    return bytes
  }

  @Test(arguments: [0, 1, 2, 7])
  func `rows are those of one thread, in the file's order`(threads: Int) throws {
    for seed in 0..<4 as Range<UInt64> {
      let bytes = Self.file(rows: 3000, seed: seed)
      let expected = try CSVFile(bytes: bytes).rows()
      let record = Record()
      let file = CSVFile(bytes: bytes, size: 700)
      let pipeline = RowPipeline(
        CSVSplitter(size: file.size, record.source(file)), threads: threads
      ) { $0.count }
      var rows: [CSVFile.Row] = []
      while let part = try pipeline.next() {
        #expect(part.output == part.rows.count)
        rows += (0..<part.rows.count).map { CSVFile.Row(part.rows[$0]) }
      }
      #expect(rows == expected, "seed \(seed)")
      #expect(record.reads.withLock { $0.overlaps } == 0)
    }
  }

  @Test(arguments: [0, 3])
  func `an error comes after the rows before it`(threads: Int) throws {
    let record = Record()
    let file = CSVFile(bytes: Array(String(repeating: "a,b\n", count: 1000).utf8), size: 40)
    let pipeline = RowPipeline(
      CSVSplitter(size: file.size, record.source(file, failingAt: 21)), threads: threads
    ) { _ in }
    var rows = 0
    #expect(throws: Fault.self) {
      while let part = try pipeline.next() { rows += part.rows.count }
    }
    #expect(rows == 200)
    #expect(throws: Fault.self) { try pipeline.next() }
  }

  @Test func `the file is read only a few blocks ahead of the consumer`() throws {
    let record = Record()
    let file = CSVFile(bytes: Array(String(repeating: "a,b\n", count: 10_000).utf8), size: 40)
    let ready = DispatchSemaphore(value: 0)
    let pipeline = RowPipeline(CSVSplitter(size: file.size, record.source(file)), threads: 3) { _ in
      ready.signal()
    }
    // Two for each thread and two for the consumer are made without it.
    for _ in 0..<8 { ready.wait() }
    #expect(record.reads.withLock { $0.count } == 8)
    for taken in 1...20 {
      _ = try #require(try pipeline.next())
      ready.wait()
      #expect(record.reads.withLock { $0.count } <= 8 + taken)
    }
  }

  @Test func `a released pipeline has ended its threads`() throws {
    for consumed in [0, 1, 5] {
      let record = Record()
      let file = CSVFile(bytes: Array(String(repeating: "a,b\n", count: 10_000).utf8), size: 40)
      let activity = Activity()
      var pipeline: RowPipeline<Void>? = RowPipeline(
        CSVSplitter(size: file.size, record.source(file)), threads: 3
      ) { _ in activity.run() }
      for _ in 0..<consumed { _ = try #require(try pipeline?.next()) }
      pipeline = nil
      let (reads, runs) = (record.reads.withLock { $0.count }, activity.runs)
      #expect(activity.running == 0)
      #expect(record.reads.withLock { $0.running } == 0)
      // What a thread that was left behind would do meanwhile.
      _ = try CSVFile(bytes: Self.file(rows: 3000, seed: 1)).rows()
      #expect(record.reads.withLock { $0.count } == reads)
      #expect(activity.runs == runs)
    }
  }

  /// A count of the calls of a pipeline's closure.
  private final class Activity: Sendable {
    private let state = Mutex((runs: 0, running: 0))
    var runs: Int { state.withLock { $0.runs } }
    var running: Int { state.withLock { $0.running } }

    func run() {
      state.withLock { $0 = ($0.runs + 1, $0.running + 1) }
      state.withLock { $0.running -= 1 }
    }
  }

  @Test func `an error of the progress ends the reading of a large file`() throws {
    let folder = try Folder()
    var fixture = FeedFixture()
    fixture["shapes.txt"] = String(repeating: "a,b\n", count: 500_000)
    let url = try folder.write(fixture.archive().bytes, to: "feed.zip")
    var calls = 0
    #expect(throws: CancellationError.self) {
      try FeedReport.examine(url) { fraction in
        calls += 1
        if fraction > 0.5 { throw CancellationError() }
      }
    }
    #expect(calls > 2)
    // The archive was closed, and another reading of it is not disturbed.
    #expect(try FeedReport.examine(url).rows["shapes.txt"] == 499_999)
  }

  @Test func `blocks of a feed's file are handed over in order with their problems`() throws {
    let folder = try Folder()
    var fixture = FeedFixture()
    let rows = 100_000
    fixture["shapes.txt"] =
      "shape_id,x\n" + (0..<rows).map { $0 % 10_000 == 9999 ? ",\n" : "\($0),1\n" }.joined()
    let source = try FeedSource(at: try folder.write(fixture.archive().bytes, to: "feed.zip"))
    let file = try #require(source.files.first { $0.name == "shapes.txt" })
    let report = ReportBuilder(source)
    var reader = FeedRows(of: file, depth: .text, report: report, onRow: nil)
    try reader.open(in: source, FeedMeter { _ in })
    var numbers: [Int] = []
    var lines: [Int] = []
    try reader.forEachBlock({ block in
      (0..<block.count).filter { !block.isBlank($0) }.map { block[$0].integer(0) ?? -1 }
    }) { block, found in
      numbers += found
      lines += (0..<block.count).filter { !block.isBlank($0) }.map { block.line(of: $0) }
    }
    reader.close(needsRows: false)
    let expected = (0..<rows).filter { $0 % 10_000 != 9999 }
    #expect(numbers == expected)
    #expect(lines == expected.map { $0 + 2 })
    #expect(report.value.rows["shapes.txt"] == expected.count)
    let blank = report.value.problems.filter { $0.code == "empty_row" }
    #expect(blank.map(\.line) == (1...10).map { $0 * 10_000 + 1 })
  }
}
