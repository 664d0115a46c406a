import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastMaps

@Suite struct TileImageTests {
  private static let png = CompressedBytes.png(side: 8)

  /// A scan with a stuffed byte and a restart marker, between the parts that every image has.
  private static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xDA, 0, 4, 0, 0]
    + [1, 0xFF, 0, 2, 0xFF, 0xD3, 3, 0xFF, 0xD9]

  private static let webP: [UInt8] =
    Array("RIFF".utf8) + [16, 0, 0, 0] + Array("WEBPVP8 ".utf8) + [4, 0, 0, 0, 1, 2, 3, 4]

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
    #expect(try fault(image) == "its pixels cannot be decompressed")
    image = Self.png
    image[12] = UInt8(ascii: "X")
    #expect(try fault(image) == "it does not begin with a header")
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
