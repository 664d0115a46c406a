import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastMaps

@Suite struct VectorTileScanTests {
  private typealias Bytes = VectorTileBytes

  /// Returns the names of the layers of a tile that the scan accepts; `nil` for any other.
  private static func names(_ bytes: [UInt8]) -> [String]? {
    var scan = VectorTileScan()
    guard scan.accepts(bytes.span) else { return nil }
    return scan.names.map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  private static let rich = Bytes.tile(
    Bytes.layer(
      features: [
        Bytes.feature(id: 1, tags: [0, 0, 1, 1]), Bytes.feature(type: 1, geometry: [9, 2, 2]),
        Bytes.feature(type: 1, geometry: [17, 2, 2, 3, 300]),
        Bytes.feature(type: 2, geometry: [9, 2, 2, 18, 3, 3, 200, 300]),
        Bytes.feature(
          type: 3, geometry: [9, 2, 2, 18, 6, 0, 0, 6, 15, 9, 1, 1, 18, 6, 0, 0, 6, 15]),
      ], keys: ["a", "é😀"],
      values: [Bytes.number(5, 1), Bytes.bytes(1, Array("Straße".utf8))]),
    Bytes.layer("roads"))

  @Test func `Sound tiles are accepted`() throws {
    #expect(Self.names(Bytes.tile())?.count == 1)
    #expect(Self.names(Self.rich)?.last == "roads")
    #expect(try VectorTile(Self.rich).examineFeatures() == nil)
    // Otherwise a check is slow.
    guard SharedMaps.arePresent else { return }
    for name in ["iburn-2022", "iburn-2024", "iburn-2025", "twolayers", "world_cities"] {
      let tileset = try Tileset(at: SharedMaps.tileset("\(name).mbtiles"))
      let coverage = try tileset.coverage()
      var count = 0
      for z in coverage.zoomLevels ?? 0...0 where z < 5 {
        for x in 0..<(1 << z) {
          for y in 0..<(1 << z) {
            guard let tile = try tileset.tile(at: TileCoordinate(z: z, x: x, y: y)) else {
              continue
            }
            let content = TileContent([UInt8](tile.data), with: ZlibInflater())
            guard case .vector = content.kind else { continue }
            count += 1
            var room: [UInt8] = []
            let length = ZlibInflater().inflateWhole(
              [UInt8](tile.data).span, into: &room, most: 1 << 22)
            let bytes = Array(room.prefix(length ?? 0))
            #expect(
              Self.names(bytes) == (try VectorTile(bytes).layers.map(\.name)),
              "\(name) \(z)/\(x)/\(y)")
          }
        }
      }
      #expect(count > 0 || name.hasPrefix("iburn"))
    }
  }

  /// Their names are not compared each with each other one.
  @Test func `Tiles with many layers are left to the other reader`() throws {
    let layers = (0..<257).map { Bytes.layer("\($0)") }
    let tiles = layers.map { Bytes.bytes(3, $0) }
    #expect(Self.names(Array(tiles.dropLast().joined()))?.count == 256)
    let tile = Array(tiles.joined())
    #expect(Self.names(tile) == nil)
    #expect(try VectorTile(tile).examineFeatures() == nil)
  }

  @Test(arguments: [
    [], Bytes.tile(Bytes.layer(version: nil)), Bytes.tile(Bytes.layer(version: 3)),
    Bytes.tile(Bytes.layer("a"), Bytes.layer("a")), Bytes.number(20, 3),
    Bytes.tile(Bytes.layer(features: [Bytes.feature(type: 4, geometry: [9, 2, 2])])),
    Bytes.tile(Bytes.layer(features: [Bytes.feature(tags: [0])])),
    Bytes.tile(Bytes.layer(features: [Bytes.feature(tags: [7, 0])])),
    Bytes.tile(Bytes.layer(features: [Bytes.feature(type: 1, geometry: [1, 2, 2])])),
    Bytes.tile(Bytes.layer(features: [Bytes.feature(type: 2, geometry: [9, 2, 2])])),
    Bytes.tile(Bytes.layer(features: [Bytes.feature(type: 3, geometry: [9, 2, 2, 10, 1, 1, 15])])),
    Bytes.tile(
      Bytes.layer(features: [Bytes.feature(type: 1, geometry: [17, 4_294_967_294, 0, 4, 0])])),
  ])
  func `What is not as it must be is left to the reader that says why`(bytes: [UInt8]) {
    #expect(Self.names(bytes) == nil)
  }

  /// `HOLDFAST_CASES=10000` runs more.
  @Test func `A mutated tile that is accepted has nothing wrong in it`() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["HOLDFAST_CASES"].flatMap(UInt64.init) ?? 5000
    var acceptedCount = 0
    for seed in 1...count {
      var random = SeededRandom(unprinted: seed)
      var bytes = Self.rich
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = .random(in: 0...255, using: &random)
        case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.insert(.random(in: 0...255, using: &random), at: index)
        default:
          bytes[index] = [0, 1, 2, 9, 15, 18, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        }
      }
      guard let names = Self.names(bytes) else { continue }
      acceptedCount += 1
      let tile = try VectorTile(bytes)
      #expect(tile.layers.map(\.name) == names, "HOLDFAST_SEED=\(seed)")
      #expect(try tile.examineFeatures() == nil, "HOLDFAST_SEED=\(seed)")
    }
    #expect(acceptedCount > 100 && acceptedCount < Int(count))
  }
}
