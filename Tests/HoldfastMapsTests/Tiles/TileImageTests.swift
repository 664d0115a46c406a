import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastMaps

@Suite struct TileImageTests {
  private static let png = CompressedBytes.png(side: 8)

  /// Tables, a frame of 8 × 8 gray pixels, and a scan with a stuffed byte and a restart marker.
  private static let jpeg = jpeg([0xFF, 0xE0, 0, 4, 1, 2], tables, frame(), scan)

  private static func frame(
    _ marker: UInt8 = 0xC0, bits: UInt8 = 8, height: UInt8 = 8, width: UInt8 = 8, colors: UInt8 = 1
  ) -> [UInt8] {
    [0xFF, marker, 0, 11, bits, 0, height, 0, width, colors, 1, 0x11, 0]
  }

  private static let scan: [UInt8] = [0xFF, 0xDA, 0, 4, 0, 0, 1, 0xFF, 0, 2, 0xFF, 0xD3, 3]

  /// Returns a JPEG of parts between its beginning and its end.
  private static func jpeg(_ parts: [UInt8]...) -> [UInt8] {
    [0xFF, 0xD8] + Array(parts.joined()) + [0xFF, 0xD9]
  }

  /// A key frame of 8 × 8 pixels that is shown, whose first part has two bytes.
  private static let lossy: [UInt8] = [0x50, 0, 0, 0x9D, 0x01, 0x2A, 8, 0, 8, 0, 1, 2]

  /// The header of 8 × 8 pixels.
  private static let lossless: [UInt8] = [0x2F, 7, 0xC0, 1, 0]

  private static let webP = webP(("VP8 ", lossy))

  private static func webP(_ chunks: (String, [UInt8])...) -> [UInt8] {
    var body: [UInt8] = []
    for (name, data) in chunks {
      body += Array(name.utf8)
      body += [UInt8(data.count), 0, 0, 0]
      body += data + [UInt8](repeating: 0, count: data.count % 2)
    }
    let length: [UInt8] = [UInt8(4 + body.count), 0, 0, 0]
    return Array("RIFF".utf8) + length + Array("WEBP".utf8) + body
  }

  /// The header of WebP that other chunks may follow.
  private static func extended(flags: UInt8 = 0, side: UInt8 = 8) -> (String, [UInt8]) {
    ("VP8X", [flags, 0, 0, 0, side - 1, 0, 0, side - 1, 0, 0])
  }

  private func fault(_ bytes: [UInt8]) throws -> String? {
    let format = try #require(TileFormat(imageWithFirstBytes: bytes))
    return TileImage.fault(in: bytes, format, with: ZlibInflater())
  }

  @Test(arguments: [png, jpeg, webP])
  func `An image is whole, also with bytes after it, and cut anywhere it is not`(
    image: [UInt8]
  ) throws {
    #expect(try fault(image) == nil)
    #expect(try fault(image + [0, 1, 2]) == nil)
    for count in 12..<image.count {
      #expect(try fault(Array(image.prefix(count))) == "it breaks off", "\(count)")
    }
  }

  @Test func `A changed pixel of a PNG is found by its checksum`() throws {
    var image = Self.png
    let pixels = try #require(image.firstRange(of: Array("IDAT".utf8)))
    image[pixels.upperBound + 12] ^= 1
    #expect(try fault(image) == "the checksum of its chunk IDAT is wrong")
    image = Self.png
    image[12] = UInt8(ascii: "X")
    #expect(try fault(image) == "it does not begin with a header")
  }

  private static let header: [UInt8] = [0, 0, 0, 8, 0, 0, 0, 8, 8, 2, 0, 0, 0]
  private static let rows = repeatElement([UInt8](repeating: 0, count: 25), count: 8).flatMap(
    \.self)

  /// Returns a PNG of chunks, whose checksums are right.
  private static func png(_ chunks: (String, [UInt8])...) -> [UInt8] {
    chunks.reduce([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      $0 + CompressedBytes.pngChunk($1.0, $1.1)
    }
  }

  /// MapLibre Native drew the first ones, and refused the others.
  @Test(
    arguments: [
      (png(("IHDR", header), ("IDAT", zlib(rows)), ("IEND", [])), nil),
      (png(("IHDR", header), ("IDAT", zlib(rows + [1, 2])), ("IEND", [])), nil),
      (
        png(
          ("IHDR", header), ("IDAT", Array(zlib(rows)[..<9])), ("IDAT", Array(zlib(rows)[9...])),
          ("IEND", [])), nil
      ),
      (
        png(
          ("IHDR", [0, 0, 0, 8, 0, 0, 0, 8, 1, 3, 0, 0, 0]), ("PLTE", [0, 0, 0]),
          ("IDAT", zlib([UInt8](repeating: 0, count: 16))), ("IEND", [])), nil
      ),
      // Seven images of 1, 1, 2, 4, 8, 16 and 32 pixels, in 15 rows.
      (
        png(
          ("IHDR", [0, 0, 0, 8, 0, 0, 0, 8, 8, 0, 0, 0, 1]),
          ("IDAT", zlib([UInt8](repeating: 0, count: 64 + 15))), ("IEND", [])), nil
      ),
      (
        png(
          ("IHDR", [0, 0, 0, 8, 0, 0, 0, 8, 8, 0, 0, 0, 1]),
          ("IDAT", zlib([UInt8](repeating: 0, count: 64 + 14))), ("IEND", [])), "pixels are missing"
      ),
      (
        png(("IHDR", header), ("IDAT", zlib(rows.dropLast())), ("IEND", [])), "pixels are missing"
      ),
      (
        png(
          ("IHDR", header), ("IDAT", Array(zlib(rows)[..<9])), ("tEXt", []),
          ("IDAT", Array(zlib(rows)[9...])), ("IEND", [])), "its pixels cannot be decompressed"
      ),
      (
        png(("IHDR", header), ("IDAT", zlib([5] + rows.dropFirst())), ("IEND", [])),
        "a row of its pixels has a filter that does not exist"
      ),
      (
        png(("IHDR", [0, 0, 0, 0] + header.dropFirst(4)), ("IDAT", []), ("IEND", [])),
        "it has no pixels"
      ),
      (
        png(("IHDR", [0, 0, 0x40, 1] + header.dropFirst(4)), ("IDAT", []), ("IEND", [])),
        "it has 16385 × 8 pixels, and a side may have 16384"
      ),
      (
        png(("IHDR", header.dropLast(5) + [8, 1, 0, 0, 0]), ("IDAT", []), ("IEND", [])),
        "its header is not valid"
      ),
      (
        png(("IHDR", header.dropLast(5) + [3, 2, 0, 0, 0]), ("IDAT", []), ("IEND", [])),
        "its header is not valid"
      ),
      (
        png(("IHDR", header), ("IHDR", header), ("IEND", [])), "its header is not valid"
      ),
      (
        png(("IHDR", header.dropLast(5) + [8, 3, 0, 0, 0]), ("IDAT", []), ("IEND", [])),
        "it has no palette"
      ),
      (
        png(("IHDR", header), ("ABCD", []), ("IDAT", zlib(rows)), ("IEND", [])),
        "its chunk ABCD is not known"
      ),
      (
        png(("IHDR", header), ("1234", []), ("IDAT", zlib(rows)), ("IEND", [])),
        "a chunk has no name"
      ),
    ] as [([UInt8], String?)])
  func `A PNG has a header, all pixels and nothing that is not known`(
    image: [UInt8], expected: String?
  ) throws {
    #expect(try fault(image) == expected)
  }

  private static func zlib(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    CompressedBytes.zlib(Array(bytes))
  }

  @Test(arguments: ["IHDR", "IDAT", "IEND", "tEXt"])
  func `A wrong checksum counts in chunks that are needed`(name: String) throws {
    var image = Self.png(
      ("IHDR", Self.header), ("tEXt", [1]), ("IDAT", Self.zlib(Self.rows)), ("IEND", []))
    let chunk = try #require(image.firstRange(of: Array(name.utf8)))
    let length = Int(image[chunk.lowerBound - 1]) + Int(image[chunk.lowerBound - 2]) << 8
    image[chunk.upperBound + length] ^= 1
    #expect(
      try fault(image) == (name == "tEXt" ? nil : "the checksum of its chunk \(name) is wrong"))
  }

  private static let tables: [UInt8] = [0xFF, 0xDB, 0, 3, 0]

  /// MapLibre Native drew the first ones, and refused the others.
  @Test(
    arguments: [
      (jpeg(tables, frame(), scan), nil), (jpeg(tables, frame(0xC2, colors: 3), scan, scan), nil),
      (jpeg(tables, frame(colors: 4), scan), nil),
      (jpeg(frame(), scan), "its pixels have no header, or no tables"),
      (jpeg(tables, frame()), "it has no pixels"),
      (jpeg(tables, frame(bits: 12), scan), "it has 1 colors of 12 bits"),
      (jpeg(tables, frame(colors: 2), scan), "it has 2 colors of 8 bits"),
      (
        jpeg(tables, frame(0xC3), scan),
        "it is lossless or in several resolutions, which is not read"
      ),
    ] as [([UInt8], String?)])
  func `A JPEG has a frame, tables and a scan`(image: [UInt8], expected: String?) throws {
    #expect(try fault(image + [0]) == expected)
  }

  /// MapLibre Native drew the first ones, and the others as nothing.
  @Test(
    arguments: [
      (webP(("VP8 ", lossy)), nil), (webP(("VP8L", lossless)), nil),
      (webP(extended(), ("ICCP", [1]), ("VP8 ", lossy)), nil),
      (webP(extended(flags: 2), ("ANIM", [1])), "it is an animation"),
      (webP(extended(side: 9), ("VP8L", lossless)), "its header is not valid"),
      (webP(("ABCD", [1, 2])), "it has no pixels"), (webP(extended()), "it has no pixels"),
      (webP(("VP8 ", [UInt8](repeating: 0, count: 12))), "its header is not valid"),
      (webP(("VP8 ", [0x51] + lossy.dropFirst())), "its header is not valid"),
      (webP(("VP8 ", [0xF0, 1] + lossy.dropFirst(2))), "its header is not valid"),
      (webP(("VP8 ", lossy.prefix(6) + [0, 0, 8, 0])), "it has no pixels"),
      (webP(("VP8L", [0x2F, 7, 0xC0, 1, 0x20])), "its header is not valid"),
      (webP(("VP8L", [0x2E, 7, 0xC0, 1, 0])), "its header is not valid"),
    ] as [([UInt8], String?)])
  func `A WebP has the header of one image`(image: [UInt8], expected: String?) throws {
    #expect(try fault(image) == expected)
  }

  @Test func `A part of a WebP lies in it whole`() throws {
    var image = Self.webP
    image[16] += 1
    #expect(try fault(image) == "it breaks off")
    image = Self.webP
    image[4] -= 2
    #expect(try fault(image) == "it breaks off")
  }

  @Test(.enabled(if: SharedMaps.arePresent, SharedMaps.absence), arguments: ["png", "jpg", "webp"])
  func `A cut tile of a real tileset is an error that names it`(format: String) throws {
    let folder = try TemporaryDirectory()
    let tileset = try Tileset(at: SharedMaps.tileset("geography-class-\(format).mbtiles"))
    let coordinate = try TileCoordinate(z: 0, x: 0, y: 0)
    let tile = try #require(try tileset.tile(at: coordinate)).data
    for (name, data, isWhole) in [
      ("whole", tile, true), ("half", tile.prefix(tile.count / 2), false),
      ("end", tile.dropLast(3), false),
    ] {
      var sample = SampleTileset(tiles: [(0, 0, 0, Data(data).databaseValue)])
      sample.metadata = [
        ("name", "n"), ("format", format), ("bounds", "-180,-85,180,85"), ("minzoom", "0"),
        ("maxzoom", "0"),
      ]
      let url = folder.file("\(name).mbtiles")
      try sample.write(to: url)
      let problems = try Tileset(at: url).check().problems
      #expect(problems.isEmpty == isWhole, "\(name) \(problems.map(\.message))")
      #expect(isWhole || problems.first?.kind == .brokenImage && problems.first?.tile == coordinate)
    }
  }
}
