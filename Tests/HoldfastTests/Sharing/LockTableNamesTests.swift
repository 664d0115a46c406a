import HoldfastFiles
import Testing

@testable import Holdfast

/// The names of SQLite's locks, derived from byte ranges.
@Suite struct LockTableNamesTests {
  /// The lock of one byte, defined a second time.
  private static func name(
    _ byte: Int64, of part: LockTable.Part, _ mode: LockTable.Mode
  ) -> LockTable.Name {
    switch (part, byte) {
    case (.database, 1_073_741_824): .pending
    case (.database, 1_073_741_825): .reserved
    case (.database, 1_073_741_826...1_073_742_335): mode == .write ? .exclusive : .shared
    case (.sharedMemory, 120): .walWrite
    case (.sharedMemory, 121): .checkpoint
    case (.sharedMemory, 122): .recover
    case (.sharedMemory, 123...127): .readMark(Int(byte - 123))
    case (.sharedMemory, 128): .deadManSwitch
    default: .bytes
    }
  }

  private static let ends: [LockTable.Part: [Int64]] = [
    .database: [
      0, 1_073_741_822, 1_073_741_823, 1_073_741_824, 1_073_741_825, 1_073_741_826, 1_073_741_827,
      1_073_742_000, 1_073_742_334, 1_073_742_335, 1_073_742_336, 1_073_742_337, .max,
    ],
    .sharedMemory: [0] + Array(118...130) + [.max],
    .other: [0, 1, 120, 1_073_741_824, .max],
  ]

  @Test(
    arguments: [LockTable.Part.database, .sharedMemory, .other], [LockTable.Mode.read, .write])
  func everyRangeIsDividedIntoTheLocksOfSQLite(part: LockTable.Part, mode: LockTable.Mode) throws {
    let ends = try #require(Self.ends[part])
    for first in ends {
      for last in ends where last >= first {
        let pieces = part.pieces(of: first...last, mode)
        // In order, without gaps or overlaps.
        #expect(pieces.first?.bytes.lowerBound == first && pieces.last?.bytes.upperBound == last)
        for (one, next) in zip(pieces, pieces.dropFirst()) {
          #expect(one.bytes.upperBound + 1 == next.bytes.lowerBound)
          #expect(one.name != next.name)
        }
        for piece in pieces where piece.name != .exclusive {
          #expect(Self.name(piece.bytes.lowerBound, of: part, mode) == piece.name)
          #expect(Self.name(piece.bytes.upperBound, of: part, mode) == piece.name)
          #expect(piece.name != .pending || piece.bytes.count == 1)
        }
        for piece in pieces where piece.name == .exclusive {
          let isWhole = piece.bytes.lowerBound == 1_073_741_824
          #expect(isWhole || Self.name(piece.bytes.lowerBound, of: part, mode) == .exclusive)
          #expect(Self.name(piece.bytes.upperBound, of: part, mode) == .exclusive)
        }
      }
    }
  }

  private static func names(
    _ part: LockTable.Part, _ bytes: ClosedRange<Int64>, _ mode: LockTable.Mode
  ) -> [LockTable.Name] {
    part.pieces(of: bytes, mode).map(\.name)
  }

  @Test func theStatesOfTheDatabaseHaveTheirNames() {
    let pending: Int64 = 0x4000_0000
    #expect(Self.names(.database, pending + 2...pending + 511, .read) == [.shared])
    #expect(Self.names(.database, pending + 1...pending + 1, .write) == [.reserved])
    // The kernel merges adjacent ranges of one process.
    #expect(Self.names(.database, pending...pending + 1, .write) == [.pending, .reserved])
    #expect(Self.names(.database, pending...pending + 511, .write) == [.exclusive])
    #expect(Self.names(.database, pending...pending, .read) == [.pending])
    // A hot journal is rolled back without RESERVED.
    #expect(Self.names(.database, pending + 2...pending + 511, .write) == [.exclusive])
  }

  @Test func theStatesOfTheWriteAheadLogHaveTheirNames() {
    #expect(Self.names(.sharedMemory, 120...120, .write) == [.walWrite])
    #expect(Self.names(.sharedMemory, 120...121, .write) == [.walWrite, .checkpoint])
    #expect(Self.names(.sharedMemory, 120...122, .write) == [.walWrite, .checkpoint, .recover])
    #expect(
      Self.names(.sharedMemory, 124...127, .write) == (1...4).map { LockTable.Name.readMark($0) })
    #expect(Self.names(.sharedMemory, 127...128, .read) == [.readMark(4), .deadManSwitch])
  }

  @Test func aLockOnAWholeFileIsOneLock() throws {
    let lock = KernelLock(
      owner: .flock, isWaiting: true, isExclusive: true, processIdentifier: 7, device: 0, inode: 0,
      bytes: 0...Int64.max)
    let locks = LockTable.Lock.locks(lock, on: FilePath("/a/b.db"), .database)
    #expect(
      locks == [
        LockTable.Lock(
          processIdentifier: 7, processName: nil, file: "b.db", name: .file, mode: .write,
          bytes: 0...Int64.max, isWaiting: true)
      ])
    #expect(locks.first?.description == "process 7: FILE, write, on b.db, waiting")
  }

  @Test func namesAreThoseOfTheSQLiteDocumentation() {
    let names: [LockTable.Name] = [
      .pending, .reserved, .shared, .exclusive, .walWrite, .checkpoint, .recover, .readMark(3),
      .deadManSwitch, .file, .bytes,
    ]
    #expect(
      names.map(\.description) == [
        "PENDING", "RESERVED", "SHARED", "EXCLUSIVE", "WAL WRITE", "CHECKPOINT", "RECOVER",
        "READ mark 3", "DMS", "FILE", "BYTES",
      ])
  }
}
