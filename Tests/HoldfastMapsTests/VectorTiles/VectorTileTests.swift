import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastMaps

@Suite struct VectorTileTests {
  private typealias Bytes = VectorTileBytes

  private static func read(_ bytes: [UInt8]) throws(VectorTileFault) -> VectorTileFault? {
    try VectorTile(bytes).examineFeatures()
  }

  @Test func `The layers of a tile have their features, attributes and geometries`() throws {
    let values = [
      Bytes.bytes(1, Array("Fair".utf8)), [0x15, 0, 0, 0xC0, 0x3F],
      [0x19, 0, 0, 0, 0, 0, 0, 4, 0x40], Bytes.number(4, .max), Bytes.number(5, .max),
      Bytes.number(6, 5), Bytes.number(7, 1),
    ]
    let tags = (0..<7).flatMap { [$0, $0] as [UInt64] }
    let tile = try VectorTile(
      Bytes.tile(
        Bytes.layer(
          "places", extent: 512,
          features: [Bytes.feature(id: 7, tags: tags, type: 1, geometry: [17, 2, 3, 4, 0])],
          keys: (0..<7).map { "k\($0)" }, values: values),
        Bytes.layer("areas")))
    #expect(tile.layers.map(\.name) == ["places", "areas"])
    #expect(tile.layers.map(\.extent) == [512, 4096])
    let feature = try tile.layers[0].readFeature(at: 0)
    #expect(feature.id == 7 && feature.geometry.kind == .point)
    #expect(feature.geometry.parts == [[.init(x: 1, y: -2), .init(x: 3, y: -2)]])
    #expect(feature.attributes.map(\.key) == (0..<7).map { "k\($0)" })
    #expect(
      feature.attributes.map(\.value) == [
        .text("Fair"), .real(1.5), .real(2.5), .integer(-1), .unsigned(.max), .integer(-3),
        .bool(true),
      ])
    let area = try tile.layers[1].readFeature(at: 0)
    #expect(area.geometry.polygons.map(\.count) == [1])
    #expect(try tile.examineFeatures() == nil)
  }

  private static func features(_ features: [UInt8]...) -> [UInt8] {
    Bytes.tile(Bytes.layer(features: features))
  }

  private static func geometry(_ geometry: [UInt64], type: UInt64 = 3) -> [UInt8] {
    features(Bytes.feature(type: type, geometry: geometry))
  }

  /// MapLibre Native refused each of these, or showed less.
  @Test(
    arguments: [
      (Bytes.tile().dropLast(), .truncated),
      ([0x1A, 0xFF, 0x7F] + Bytes.tile().dropFirst(2), .truncated),
      (Bytes.tile() + Bytes.bytes(3, [0xFF, 0xFF, 0xFF]), .truncated),
      ([0x1A] + [UInt8](repeating: 0x80, count: 11) + [1], .overlongInteger),
      (Bytes.tile() + [0x23, 0x24], .noField), (Bytes.tile() + [0x1E], .noField),
      (Bytes.tile() + [0x02, 0], .noField),
      (features(Bytes.bytes(1, [0x78]) + Bytes.feature()), .otherType),
      (features(Bytes.number(3, 3) + Bytes.number(4, 9)), .otherType),
      (features(Bytes.feature().dropLast(2)), .truncated),
      (Bytes.tile(Bytes.layer(nil)), .missing("name", layer: "")),
      (Bytes.tile(Bytes.layer(version: nil)), .missing("version", layer: "places")),
      (Bytes.tile(Bytes.layer(extent: nil)), .missing("extent", layer: "places")),
      (Bytes.tile(Bytes.layer(extent: 0)), .missing("extent", layer: "places")),
      (Bytes.tile(Bytes.layer(), Bytes.layer()), .repeatedLayer("places")),
      (features(Bytes.feature(tags: [0, 0])), .attribute(layer: "places")),
      (features(Bytes.feature(tags: [0])), .attribute(layer: "places")),
      (geometry([]), .noGeometry(layer: "places")),
      (features(Bytes.feature(geometry: nil)), .noGeometry(layer: "places")),
      (geometry([11, 0, 0]), .command(layer: "places")),
      (geometry([9, 0, 0, 82, 2, 2]), .command(layer: "places")),
      (geometry([9, 0]), .command(layer: "places")),
      (
        geometry([9, UInt64(UInt32.max) - 1, 0, 18, UInt64(UInt32.max) - 1, 0, 2, 2], type: 2),
        .farCoordinate(layer: "places")
      ),
      // The first coordinates that MapLibre Native leaves out, of layers that are 4096 and 1 wide.
      (geometry([9, 16384 * 2, 0], type: 1), .farCoordinate(layer: "places")),
      (geometry([9, 0, 16385 * 2 - 1], type: 1), .farCoordinate(layer: "places")),
      (
        Bytes.tile(
          Bytes.layer(extent: 1, features: [Bytes.feature(type: 1, geometry: [9, 8, 0])])),
        .farCoordinate(layer: "places")
      ),
    ] as [([UInt8], VectorTileFault)])
  func `What a renderer refuses is an error with its reason`(
    bytes: [UInt8], fault: VectorTileFault
  ) {
    #expect(!fault.isDrawn)
    #expect(throws: fault) { try Self.read(bytes) }
  }

  /// MapLibre Native drew each of these.
  @Test(
    arguments: [
      (Bytes.tile(Bytes.layer(version: 3)), .otherVersion(layer: "places")),
      (
        Bytes.tile(Bytes.bytes(3, [0xFF]) + Bytes.layer()), .notUTF8(layer: "places")
      ),
      (Bytes.tile(Bytes.layer(values: [[]])), .valueType(layer: "places")),
      (
        Bytes.tile(Bytes.layer(values: [Bytes.number(5, 1) + Bytes.number(7, 1)])),
        .valueType(layer: "places")
      ),
      (geometry(Bytes.square, type: 9), .geometryType(layer: "places")),
      (geometry(Array(Bytes.square.dropLast())), .commandOrder(layer: "places")),
      (geometry([1] + Bytes.square), .commandOrder(layer: "places")),
      (geometry([26] + Bytes.square.dropFirst(4)), .commandOrder(layer: "places")),
      (geometry(Bytes.square, type: 1), .commandOrder(layer: "places")),
      // 2^29 - 1 times, without a byte for each.
      (geometry(Bytes.square.dropLast() + [0xFFFF_FFFF]), .commandOrder(layer: "places")),
    ] as [([UInt8], VectorTileFault)])
  func `What a renderer draws is a remark`(bytes: [UInt8], fault: VectorTileFault) throws {
    #expect(fault.isDrawn)
    #expect(try Self.read(bytes) == fault)
  }

  @Test func `A feature that is drawn has a position`() {
    var random = SeededRandom()
    var counts = (drawn: 0, refused: 0)
    for _ in 0..<2000 {
      let integers: [UInt64] = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        // Commands for one position, for none, and numbers.
        [1, 2, 7, 9, 10, 15, 0, 4].randomElement(using: &random) ?? 0
      }
      let bytes = Self.geometry(integers, type: UInt64.random(in: 0...4, using: &random))
      do {
        let tile = try VectorTile(bytes)
        _ = try tile.examineFeatures()
        counts.drawn += 1
        #expect(try tile.layers[0].readFeature(at: 0).geometry.parts.isEmpty == false)
      } catch {
        counts.refused += 1
      }
    }
    #expect(counts.drawn > 0 && counts.refused > 0)
  }

  @Test(arguments: [
    Bytes.tile(Bytes.layer(version: 1)), Bytes.tile(Bytes.layer(features: [])),
    geometry(Bytes.square, type: 0), features(Bytes.feature(type: nil)),
    Bytes.tile() + Bytes.number(20, 3) + Bytes.bytes(16, [1, 2]),
    Bytes.number(20, 3) + Bytes.tile(), geometry(Bytes.square + Bytes.square),
    geometry([9, 2, 2, 18, 2, 2, 2, 2, 9, 2, 2, 10, 2, 2], type: 2),
  ]) func `What the specification allows is no remark`(bytes: [UInt8]) throws {
    #expect(try Self.read(bytes) == nil)
  }

  @Test func `Rings become polygons with their holes, whichever way the first one turns`() throws {
    /// A square of four positions, from its corner in the north-west.
    func ring(_ x: Int, _ side: Int, isClockwise: Bool) -> [(Int, Int)] {
      let ring = [(x, x), (x + side, x), (x + side, x + side), (x, x + side)]
      return isClockwise ? ring : ring.reversed()
    }
    func commands(_ rings: [[(Int, Int)]]) -> [UInt64] {
      var (last, commands) = ((0, 0), [] as [UInt64])
      for ring in rings {
        for (index, point) in ring.enumerated() {
          if index == 0 { commands.append(9) }
          if index == 1 { commands.append(UInt64(ring.count - 1) << 3 | 2) }
          for delta in [point.0 - last.0, point.1 - last.1] {
            commands.append(UInt64(delta >= 0 ? 2 * delta : -2 * delta - 1))
          }
          last = point
        }
        commands.append(15)
      }
      return commands
    }
    for isClockwise in [true, false] {
      let rings = [
        ring(0, 90, isClockwise: isClockwise), ring(10, 20, isClockwise: !isClockwise),
        ring(40, 20, isClockwise: !isClockwise), ring(200, 50, isClockwise: isClockwise),
        [(5, 5), (6, 6), (5, 5)],
      ]
      let tile = try VectorTile(Self.geometry(commands(rings)))
      let geometry = try tile.layers[0].readFeature(at: 0).geometry
      #expect(geometry.parts.count == 5)
      #expect(geometry.polygons.map(\.count) == [3, 1])
    }
  }

  /// `HOLDFAST_CASES=10000` runs more.
  @Test func `A mutated tile is read or refused`() throws {
    let count = ProcessInfo.processInfo.environment["HOLDFAST_CASES"].flatMap(UInt64.init) ?? 2000
    let base = Bytes.tile(
      Bytes.layer(
        features: [
          Bytes.feature(id: 1, tags: [0, 0, 1, 1]), Bytes.feature(type: 1, geometry: [9, 2, 2]),
        ], keys: ["a", "b"], values: [Bytes.number(5, 1), Bytes.bytes(1, [0x61])]),
      Bytes.layer("roads"))
    let inflater = ZlibInflater()
    var (readCount, refusedCount) = (0, 0)
    for seed in 1...count {
      var random = SeededRandom(unprinted: seed)
      var bytes = base
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = .random(in: 0...255, using: &random)
        case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        default: bytes = Array(bytes[..<max(1, index)])
        }
      }
      let stored = seed.isMultiple(of: 2) ? CompressedBytes.gzip(bytes) : bytes
      let content = TileContent(stored, with: inflater)
      guard case .vector(let tile) = content.kind else {
        refusedCount += 1
        continue
      }
      readCount += 1
      do throws(VectorTileFault) {
        _ = try tile.examineFeatures()
        // What was examined can be read.
        for layer in tile.layers {
          for index in 0..<layer.featureCount { _ = try layer.readFeature(at: index) }
        }
      } catch {
        #expect(!error.isDrawn, "HOLDFAST_SEED=\(seed)")
      }
    }
    #expect(readCount > 0 && refusedCount > 0)
  }
}
