import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastMaps

@Suite struct TileFormatTests {
  /// A layer of 11 bytes in the first way of writing them, and its name.
  private static let mapLibreTile: [UInt8] = [11, 1, 6] + Array("places".utf8) + [0, 0, 0]

  @Test(
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
      ([0xFF, 0xD8, 0xFF, 0xE0], .jpg),
      (Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WEBP".utf8), .webp),
      (CompressedBytes.gzip(VectorTileBytes.tile()), .pbf),
      (CompressedBytes.zlib(VectorTileBytes.tile()), .pbf), ([0x1A, 2, 0x0A, 0], .pbf),
      (CompressedBytes.gzip([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), .png),
      (mapLibreTile, .mlt), (CompressedBytes.gzip(mapLibreTile), .mlt),
      // A layer of 120 bytes makes it begin like zlib.
      ([120, 1, 6] + mapLibreTile.dropFirst(3) + Array(repeating: 0, count: 109), .mlt),
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
      [0x1F, 0x8B, 8], [0x78, 0x9C, 1], [11, 2, 6], [11, 1, 20, 65], [11, 1, 2, 0xFF, 0xFF],
      CompressedBytes.gzip(Array("<html>".utf8)), CompressedBytes.gzip([]), [0x1A, 200], [0x1A],
      [0x1A, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80], [0x1A, 0],
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

  @Test func `The metadata name formats in several ways`() {
    for (name, format) in [
      ("PBF", .pbf), ("image/jpeg", .jpg), ("jpeg", .jpg), ("application/x-protobuf", .pbf),
      ("application/vnd.maplibre-vector-tile", .mlt), ("mlt", .mlt), ("avif", nil), ("", nil),
    ] as [(String, TileFormat?)] {
      #expect(TileFormat(declared: name) == format, "\(name)")
    }
  }
}
