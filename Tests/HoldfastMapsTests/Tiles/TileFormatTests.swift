import Foundation
import HoldfastMaps
import Testing

@Suite struct TileFormatTests {
  @Test(
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
      ([0xFF, 0xD8, 0xFF, 0xE0], .jpg),
      (Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WEBP".utf8), .webp),
      ([0x1F, 0x8B, 8], .pbf), ([0x78, 0x9C, 1], .pbf), ([0x1A, 2, 0x0A, 0], .pbf),
      ([0x1A, 0x80, 1] + Array(repeating: 0, count: 128), .pbf),
    ] as [([UInt8], TileFormat)])
  func `The first bytes tell the format`(bytes: [UInt8], format: TileFormat) {
    #expect(TileFormat(firstBytesOf: Data(bytes)) == format)
    // Data that is part of other data has other indices.
    #expect(TileFormat(firstBytesOf: (Data([7, 7]) + bytes).dropFirst(2)) == format)
  }

  @Test(
    arguments: [
      [], [0x89], [0xFF, 0xFF, 0xFF, 0xFF], Array("RIFF1234WAVE".utf8), Array("{}".utf8),
      [0x1A, 200], [0x1A], [0x1A, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80], [0x1A, 0],
    ] as [[UInt8]])
  func `Other bytes are of no known format`(bytes: [UInt8]) {
    #expect(TileFormat(firstBytesOf: Data(bytes)) == nil)
  }

  @Test func `gzip and zlib are told from plain content`() {
    #expect(TileCompression(firstBytesOf: Data([0x1F, 0x8B])) == .gzip)
    for level in [0x01, 0x5E, 0x9C, 0xDA] as [UInt8] {
      #expect(TileCompression(firstBytesOf: Data([0x78, level])) == .zlib)
    }
    #expect(TileCompression(firstBytesOf: Data([0x78, 0x9D])) == .none)
    #expect(TileCompression(firstBytesOf: Data([0x1F])) == .none)
    #expect(TileCompression(firstBytesOf: Data("{\"".utf8)) == .none)
  }
}
