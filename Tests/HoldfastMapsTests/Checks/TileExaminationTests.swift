import Foundation
import Holdfast
import HoldfastMaps
import HoldfastTestSupport
import Testing

/// What a check says of the content of tiles; MapLibre Native drew those with warnings, and no others.
@Suite struct TileExaminationTests {
  private typealias Bytes = VectorTileBytes
  private typealias Case = (TilesetProblem.Kind, TilesetProblem.Severity, [UInt8])

  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func report(_ sample: SampleTileset) throws -> TilesetReport {
    let url = folder.file("\(UUID()).mbtiles")
    try sample.write(to: url)
    return try Tileset(at: url).check()
  }

  private static let tile = Bytes.tile()
  private static let gzip = CompressedBytes.gzip(tile)
  private static let png: [UInt8] = Array(SampleTileset.png)

  private static func with(_ bytes: [UInt8], _ offset: Int) -> [UInt8] {
    var bytes = bytes
    bytes[bytes.count - offset] ^= 1
    return bytes
  }

  @Test(
    arguments: [
      (.brokenCompression, .error, gzip.dropLast(12)),
      (.brokenCompression, .error, gzip.dropLast(1)),
      (.brokenCompression, .error, with(gzip, 8)), (.brokenCompression, .error, with(gzip, 1)),
      (.brokenCompression, .error, [0x1F, 0x8B]),
      (.nestedCompression, .error, CompressedBytes.gzip(gzip)),
      (.nestedCompression, .error, CompressedBytes.gzip(CompressedBytes.zlib(tile))),
      (.nestedCompression, .error, CompressedBytes.zlib(gzip)),
      (.severalMembers, .error, gzip + gzip),
      (
        .severalMembers, .error,
        CompressedBytes.gzip(Array(tile.prefix(9))) + CompressedBytes.gzip(Array(tile.dropFirst(9)))
      ),
      (.trailingBytes, .warning, gzip + [0, 0, 0]), (.otherCompression, .warning, tile),
      (.otherCompression, .error, CompressedBytes.zlib(tile)),
      (.unknownFormat, .error, CompressedBytes.gzip(Array("<html>404</html>".utf8))),
      (.unknownFormat, .error, Array("<html>404</html>".utf8)),
      (.unknownFormat, .error, Array("Not Found".utf8)),
      (.unknownFormat, .error, Array("{\"message\":\"Not Found\"}".utf8)),
      (.unknownFormat, .error, Array("GIF89a".utf8)),
      // Fields that vector tiles do not have.
      (.unknownFormat, .error, Bytes.number(20, 3)),
      (.invalidVectorTile, .error, CompressedBytes.gzip(tile.dropLast(3))),
      (.invalidVectorTile, .error, Array(tile.dropLast(3))),
      (.invalidVectorTile, .error, CompressedBytes.gzip(Bytes.tile(Bytes.layer(version: nil)))),
      (
        .irregularVectorTile, .warning,
        CompressedBytes.gzip(Bytes.tile(Bytes.layer(version: 3)))
      ),
      (.emptyTile, .warning, []), (.emptyTile, .warning, CompressedBytes.gzip([])),
    ] as [Case])
  func `A tile is read to its end`(
    kind: TilesetProblem.Kind, severity: TilesetProblem.Severity, bytes: [UInt8]
  ) throws {
    let report = try report(.ofVectorTile(bytes))
    let problem = try #require(report.problems.first { $0.kind == kind }, "\(report.problems)")
    #expect(problem.severity == severity && problem.count == 1)
    if kind != .emptyTile { #expect(problem.message.contains("0/0/0")) }
    #expect(report.isUsable == (severity == .warning), "\(report.problems)")
  }

  @Test func `A tile that is right has no problem, whether it is stored or compressed`() throws {
    #expect(try report(.ofVectorTile()).problems == [])
    // Two members, of which the second is empty, as bgzip ends its files.
    #expect(try report(.ofVectorTile(Self.gzip + CompressedBytes.gzip([]))).problems == [])
  }

  @Test func `What is in place of a tile is quoted`() throws {
    let html = try report(.ofVectorTile(CompressedBytes.gzip(Array("<html>404</html>".utf8))))
    #expect(html.problems.first?.message.contains("'<html>404</html>'") == true)
    let zstd = try report(.ofVectorTile([0x28, 0xB5, 0x2F, 0xFD, 0, 1]))
    #expect(zstd.problems.first?.message.contains("zstd") == true && !zstd.isUsable)
    let bytes = try report(.ofVectorTile([0xFF, 0xFE, 0], ["format": "image/heic"]))
    #expect(bytes.problems.first?.message.contains("fffe00") == true)
    #expect(bytes.problems.first?.message.contains("image/heic") == true)
  }

  @Test func `Images that are compressed once more are images`() throws {
    for (bytes, isUsable) in [
      (CompressedBytes.gzip(Self.png), true), (CompressedBytes.zlib(Self.png), false),
    ] {
      let sample = SampleTileset(tiles: [(0, 0, 0, Data(bytes).databaseValue)])
        .changing(["maxzoom": "0"])
      let report = try report(sample)
      #expect(report.problems.map(\.kind) == [isUsable ? .compressedImage : .otherCompression])
      #expect(report.isUsable == isUsable)
      let url = folder.file("\(UUID()).mbtiles")
      try sample.write(to: url)
      let coverage = try Tileset(at: url).coverage()
      #expect(coverage.format == .png && coverage.compression != .none)
    }
  }

  @Test func `An image without bytes is refused, and a vector tile without bytes is blank`() throws
  {
    let report = try report(
      SampleTileset(tiles: [
        (0, 0, 0, Self.png.databaseValue), (1, 0, 0, Data().databaseValue),
        (1, 1, 0, Data().databaseValue),
      ]))
    let problem = try #require(report.problems.first)
    #expect(problem.kind == .emptyTile && problem.severity == .error && problem.count == 2)
    let only = try self.report(SampleTileset(tiles: [(0, 0, 0, Data().databaseValue)]))
    #expect(only.problems.first?.kind == .emptyTile && !only.isUsable)
  }

  @Test func `MapLibre tiles are named, whether they are compressed or not`() throws {
    let tile: [UInt8] = [11, 1, 6] + Array("places".utf8) + [0, 0, 0]
    for bytes in [tile, CompressedBytes.gzip(tile), [9, 9, 9]] {
      let report = try report(
        .ofVectorTile(bytes, ["format": "application/vnd.maplibre-vector-tile"]))
      #expect(report.problems.map(\.kind) == [.unreadFormat], "\(report.problems)")
      #expect(report.problems.first?.message.contains("MapLibre tiles (mlt)") == true)
    }
  }

  @Test func `Formats may be mixed if all are images`() throws {
    // Tables, a frame of one gray pixel, a scan.
    let parts: [[UInt8]] = [
      [0xFF, 0xD8, 0xFF, 0xDB, 0, 3, 0], [0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0],
      [0xFF, 0xDA, 0, 2, 1, 0xFF, 0xD9],
    ]
    let jpg = Array(parts.joined()).databaseValue
    let images = try report(
      SampleTileset(tiles: [(0, 0, 0, Self.png.databaseValue), (1, 0, 0, jpg)]))
    #expect(images.problems.map(\.kind) == [.mixedFormats] && images.isUsable)
  }
}

extension [UInt8] {
  fileprivate var databaseValue: DatabaseValue { Data(self).databaseValue }
}
