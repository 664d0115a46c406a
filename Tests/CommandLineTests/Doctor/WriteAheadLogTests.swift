import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct WriteAheadLogTests {
  /// A log that SQLite wrote: four commits, the first of two frames.
  private static let log = Result {
    let copy = try ContainerCopy()
    try copy.copyOpen(
      "tmp/a.sqlite", suffixes: ["-wal"], journalMode: "WAL", "CREATE TABLE u (a)",
      "INSERT INTO u VALUES (1)")
    return Array(try Data(contentsOf: copy.url("tmp/a.sqlite-wal")))
  }

  private static let frame = WriteAheadLog.frameHeaderByteCount + 4096

  private func read(_ bytes: [UInt8]) -> WriteAheadLog {
    var log = WriteAheadLog(header: Array(bytes.prefix(32)))
    for start in stride(from: 32, to: bytes.count, by: Self.frame) {
      log.read(frame: Array(bytes[start..<min(start + Self.frame, bytes.count)]))
    }
    return log
  }

  @Test func aLogOfSQLiteIsWhole() throws {
    let bytes = try Self.log.get()
    let log = read(bytes)
    #expect(log.firstBreak == nil)
    #expect(log.pageByteCount == 4096)
    #expect(log.validFrameCount == (bytes.count - 32) / Self.frame)
    #expect(log.committedFrameCount == log.validFrameCount)
  }

  @Test func everyChangedByteOfAFrameBreaksTheChain() throws {
    let bytes = try Self.log.get()
    for place in [0, 3, 4, 8, 15, 16, 20, 24, 2000, Self.frame - 1] {
      var damaged = bytes
      damaged[32 + 2 * Self.frame + place] ^= 1
      #expect(read(damaged).firstBreak == .frame(3), "\(place)")
      #expect(read(damaged).validFrameCount == 2)
    }
  }

  @Test func framesOfAnEarlierUseAreNoBreak() throws {
    var bytes = try Self.log.get()
    for start in stride(from: 32 + 2 * Self.frame, to: bytes.count, by: Self.frame) {
      bytes[start + 8] ^= 1
    }
    #expect(read(bytes).firstBreak == nil)
    #expect(read(bytes).validFrameCount == 2)
  }

  @Test func aHoleEndsTheLog() throws {
    var bytes = try Self.log.get()
    bytes.replaceSubrange(
      (32 + 2 * Self.frame)..<(32 + 3 * Self.frame),
      with: [UInt8](repeating: 0, count: Self.frame))
    #expect(read(bytes).firstBreak == nil)
    #expect(read(bytes).hasEnded)
  }

  @Test func framesOfATransactionThatWasRolledBackAreNoBreak() throws {
    let copy = try ContainerCopy()
    try copy.copyOpen(
      "tmp/a.sqlite", suffixes: ["-wal"], journalMode: "WAL", "BEGIN", "UPDATE t SET a = 'x' || a",
      "ROLLBACK", "INSERT INTO t VALUES ('later')")
    let bytes = Array(try Data(contentsOf: copy.url("tmp/a.sqlite-wal")))
    let log = read(bytes)
    #expect(log.firstBreak == nil)
    #expect(log.committedFrameCount == log.validFrameCount)
    // The rolled back frames are still there.
    #expect(log.validFrameCount < (bytes.count - 32) / Self.frame)
    #expect(read(bytes.dropLast(100)).firstBreak == nil)
  }

  @Test func aFrameThatIsCutIsABreak() throws {
    let bytes = try Self.log.get()
    #expect(read(Array(bytes.prefix(32 + Self.frame + 100))).firstBreak == .end(afterFrame: 1))
    #expect(read(Array(bytes.prefix(32 + Self.frame))).firstBreak == nil)
  }

  @Test func everyChangedByteOfTheHeaderIsABreak() throws {
    let bytes = try Self.log.get()
    for place in 0..<32 {
      var damaged = bytes
      damaged[place] ^= 0x10
      #expect(read(damaged).firstBreak == .header, "\(place)")
    }
    #expect(read(Array(bytes.prefix(20))).firstBreak == .header)
  }

  @Test func aZeroedJournalIsNotHot() {
    #expect(!RollbackJournal(header: [UInt8](repeating: 0, count: 28)).isHot)
    #expect(!RollbackJournal(header: []).isHot)
  }
}
