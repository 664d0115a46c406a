import Foundation
import Holdfast
import HoldfastMaps

/// Benchmarks of reads of random tiles.
struct TileCases {
  private static let zoom = 7
  private let count: Int

  init(isShort: Bool) {
    count = isShort ? 200 : 20_000
  }

  private struct Fixture {
    let directory: TemporaryDirectory
    let tileset: Tileset
    let floor: FloorTiles
    let places: [TilePlace]

    // The same for the C side, made before it is measured.
    let numbers: [Int64]

    init(_ format: String, sizes: ClosedRange<Int>, start: [UInt8], count: Int) throws {
      directory = try TemporaryDirectory()
      let url = directory.file("\(format).mbtiles")
      try FairPack.makeTileset(
        at: url, zoom: TileCases.zoom, sizes: sizes, format: format, start: start)
      tileset = try Tileset(at: url)
      floor = try FloorTiles(url)
      var random = SeededRandom(unprinted: 7)
      places = (0..<count).map { _ in
        TilePlace(
          zoom: TileCases.zoom, column: .random(in: 0..<1 << TileCases.zoom, using: &random),
          row: .random(in: 0..<1 << TileCases.zoom, using: &random))
      }
      numbers = places.flatMap(\.numbers)
    }
  }

  var all: [Case] {
    [
      row("random tile reads, vector", "pbf", 500...6_000, [0x1F, 0x8B, 0x08], .ratio(1.15)),
      row("random tile reads, raster", "png", 4_000...24_000, Self.png, .ratio(1.1)),
      row(
        "random tile reads, vector, borrowed", "pbf", 500...6_000, [0x1F, 0x8B, 0x08],
        .ratio(1.15), borrowed),
      row(
        "random tile reads, raster, borrowed", "png", 4_000...24_000, Self.png,
        .ratio(1.1), borrowed),
    ]
  }

  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private func copied(_ tileset: Tileset, _ place: TileCoordinate) throws -> UInt64 {
    try tileset.tile(at: place)?.data.tileSum ?? 0
  }

  /// Reads a tile without a copy, where C copies it.
  private func borrowed(_ tileset: Tileset, _ place: TileCoordinate) throws -> UInt64 {
    try tileset.withTile(at: place) { bytes in
      guard let bytes else { return 0 }
      return UInt64(bytes.count) + UInt64(bytes[0]) + UInt64(bytes[bytes.count / 2])
        + UInt64(bytes[bytes.count - 1])
    }
  }

  private func row(
    _ name: String, _ format: String, _ sizes: ClosedRange<Int>, _ start: [UInt8],
    _ bound: Bound, _ read: ((Tileset, TileCoordinate) throws -> UInt64)? = nil
  ) -> Case {
    let (count, read) = (count, read ?? copied)
    let fixture = Lazy { try Fixture(format, sizes: sizes, start: start, count: count) }
    return Case(
      name, unit: "ns/tile", bound: bound,
      ours: Probe { countsAllocations in
        // Made before it is measured, and before allocations are counted.
        let (tileset, places) = (try fixture.value.tileset, try fixture.value.places)
        return try Probe.timed(per: count) {
          var sum: UInt64 = 0
          for place in places {
            let coordinate = try TileCoordinate(z: place.zoom, x: place.column, y: place.row)
            sum += try read(tileset, coordinate)
          }
          return { [sum] in sum }
        }.read(countsAllocations)
      },
      floor: .timed(per: count) {
        let sum = try fixture.value.floor.read(fixture.value.numbers)
        return { sum }
      })
  }
}
