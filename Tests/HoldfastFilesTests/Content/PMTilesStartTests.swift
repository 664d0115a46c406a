import HoldfastFiles
import Testing

@Suite struct PMTilesStartTests {
  /// The beginning of an archive of version 1 or 2, whose numbers are in the order of little-endian.
  private static func old(
    _ version: UInt8, metadata: UInt32, entries: UInt16 = 1, first: Character = "{"
  ) -> [UInt8] {
    let length = (0..<4).map { UInt8(truncatingIfNeeded: metadata >> (8 * $0)) }
    let count = (0..<2).map { UInt8(truncatingIfNeeded: entries >> (8 * $0)) }
    return Array("PM".utf8) + [version, 0] + length + count + Array(String(first).utf8)
  }

  @Test(
    arguments: [
      (Array("PMTiles\u{3}".utf8), 3), (Array("PMTiles\u{4}".utf8), 4), (Array("PMTiles".utf8), 0),
      (old(1, metadata: 2), 1), (old(2, metadata: 2), 2), (old(2, metadata: 140_625), 2),
      (old(2, metadata: 140_625, entries: 21_845), 2),
    ] as [([UInt8], Int)])
  func anArchiveHasAVersion(bytes: [UInt8], version: Int) {
    #expect(PMTilesStart.version(in: bytes) == version)
    #expect(PMTilesStart.version(in: bytes + [0, 1, 2]) == version)
  }

  /// Other files begin with the two letters, too: of these, the header of 512,000 bytes would have no room.
  @Test(
    arguments: [
      [], Array("PM\u{1}\0".utf8), Array("PMTile".utf8), Array("PM\u{1}\0 a text".utf8),
      old(0, metadata: 2), old(3, metadata: 2), old(2, metadata: 0),
      old(2, metadata: 2, first: "x"), old(2, metadata: 512_000), old(2, metadata: .max),
      old(1, metadata: 140_626, entries: 21_845), old(2, metadata: 2).dropLast(),
    ] as [[UInt8]])
  func anotherFileHasNone(bytes: [UInt8]) {
    #expect(PMTilesStart.version(in: bytes) == nil)
  }
}
