import HoldfastTestSupport
import Testing

@testable import HoldfastMaps

@Suite struct PMTilesDirectoryTests {
  typealias Entry = PMTilesDirectory.Entry

  @Test func `What is written is read`() throws {
    var random = SeededRandom()
    for count in [1, 2, 100, 5000] {
      var entries: [Entry] = []
      var (tileID, end): (UInt64, UInt64) = (0, 0)
      for _ in 0..<count {
        tileID += .random(in: 1...1_000_000, using: &random)
        let length = UInt32.random(in: 1...100_000, using: &random)
        // Now and then an earlier place, or one after a gap.
        let offset =
          UInt64.random(in: 0...3, using: &random) == 0 ? .random(in: 0...end, using: &random) : end
        let run: UInt32 = .random(in: 0...5, using: &random)
        entries.append(Entry(tileID: tileID, runLength: run, offset: offset, length: length))
        tileID += UInt64(run)
        end = offset + UInt64(length)
      }
      #expect(try PMTilesDirectory(PMTilesDirectory(entries).bytes).entries == entries)
    }
  }

  @Test func `A tile is found in its run only`() {
    let directory = PMTilesDirectory([
      Entry(tileID: 5, runLength: 3, offset: 0, length: 1),
      Entry(tileID: 10, runLength: 1, offset: 1, length: 1),
      Entry(tileID: 100, runLength: 0, offset: 0, length: 9),
    ])
    #expect([4, 8, 9, 11, 99].allSatisfy { directory.entry(for: $0) == nil })
    #expect([5, 6, 7].allSatisfy { directory.entry(for: $0)?.tileID == 5 })
    #expect(directory.entry(for: 10)?.offset == 1)
    // A directory may know any later tile.
    #expect(directory.entry(for: 100)?.isDirectory == true)
    #expect(directory.entry(for: .max)?.isDirectory == true)
  }

  /// Each with the number of entries first.
  @Test(
    arguments: [
      ([], "cut off"), ([0], "no entries"), ([2, 1, 1], "2 entries in 3 bytes"),
      ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2], "64 bits"),
      ([2, 1, 0, 1, 1, 1, 1, 1, 1], "order"), ([1, 1, 0, 0, 1], "a directory has no bytes"),
      ([1, 1, 1, 1, 0], "no place"), ([1, 1, 1, 1, 1, 9], "follows"),
      ([1, 1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 1], "bytes of an entry"),
    ] as [([UInt8], String)])
  func `What the specification excludes is refused`(_ bytes: [UInt8], _ reason: String) {
    let fault = #expect(throws: PMTilesFault.self) { try PMTilesDirectory(bytes) }
    #expect(fault?.reason.contains(reason) == true, "\(String(describing: fault))")
  }

  @Test func `More entries than a root may have are in leaf directories, which know each tile`()
    throws
  {
    var entries: [Entry] = []
    for number in 0..<30_000 {
      let (offset, length) = (UInt64(number * 131 % 9973), UInt32(number % 977 + 1))
      entries.append(
        Entry(tileID: UInt64(number * 7), runLength: 2, offset: offset, length: length))
    }
    let (root, leaves) = PMTilesWriter.directories(entries)
    #expect(root.count <= PMTilesHeader.rootByteCount - PMTilesHeader.byteCount)
    #expect(!leaves.isEmpty)
    let (small, none) = PMTilesWriter.directories(Array(entries.prefix(50)))
    #expect(none.isEmpty && small.count < 1000)
  }
}
