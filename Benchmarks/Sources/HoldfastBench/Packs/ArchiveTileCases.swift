import CFloor
import Foundation
import Holdfast
import HoldfastMaps

/// Benchmarks of reads of random tiles from PMTiles: against the same tiles in MBTiles, and against C.
struct ArchiveTileCases {
  private static let zoom = 7
  private let count: Int

  init(isShort: Bool) {
    count = isShort ? 200 : 20_000
  }

  private struct Fixture {
    let directory: TemporaryDirectory
    let tileset: Tileset
    let archive: PMTilesArchive
    let floor: FloorTileArchive
    let places: [TileCoordinate]

    // The same for the C side, made before it is measured.
    let numbers: [Int64]

    init(count: Int) throws {
      directory = try TemporaryDirectory()
      let url = directory.file("tiles.mbtiles")
      try FairPack.makeTileset(
        at: url, zoom: ArchiveTileCases.zoom, sizes: 4_000...24_000, format: "png",
        start: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
      let archiveURL = directory.file("tiles.pmtiles")
      _ = try TilesetConversion(from: url, to: archiveURL).run()
      tileset = try Tileset(at: url)
      archive = try PMTilesArchive(at: archiveURL)
      floor = try FloorTileArchive(archiveURL, of: tileset, archive, zoom: ArchiveTileCases.zoom)
      var random = SeededRandom(unprinted: 7)
      places = try (0..<count).map { _ in
        try TileCoordinate(
          z: ArchiveTileCases.zoom, x: .random(in: 0..<1 << ArchiveTileCases.zoom, using: &random),
          y: .random(in: 0..<1 << ArchiveTileCases.zoom, using: &random))
      }
      numbers = places.flatMap { [Int64($0.z), Int64($0.x), Int64($0.y)] }
    }
  }

  var all: [Case] {
    let count = count
    let fixture = Lazy { try Fixture(count: count) }
    func read(
      _ source: @escaping () throws -> any TileSource
    ) -> Probe {
      Probe { countsAllocations in
        // Made before it is measured, and before allocations are counted.
        let (tiles, places) = (try source(), try fixture.value.places)
        return try Probe.timed(per: count) {
          var sum: UInt64 = 0
          for place in places { sum += try tiles.tile(at: place)?.data.tileSum ?? 0 }
          return { [sum] in sum }
        }.read(countsAllocations)
      }
    }
    let ours = read { try fixture.value.archive }
    return [
      Case(
        "random tile reads, PMTiles to MBTiles", unit: "ns/tile", bound: .ratio(1.0), ours: ours,
        floor: read { try fixture.value.tileset }),
      Case(
        "random tile reads, PMTiles to C", unit: "ns/tile", bound: .ratio(1.3), ours: ours,
        floor: .timed(per: count) {
          let sum = try fixture.value.floor.read(fixture.value.numbers)
          return { sum }
        }),
    ]
  }
}

/// The tiles of an archive, read in C by pread(2), with its directory in memory.
final class FloorTileArchive: Sendable {
  private let file: Int32
  private let ids: [UInt64]
  private let offsets: [UInt64]
  private let sizes: [UInt64]

  /// Opens an archive that was converted from a tileset of one zoom level, of which no two tiles are equal.
  init(_ url: URL, of tileset: Tileset, _ archive: PMTilesArchive, zoom: Int) throws {
    file = unsafe floor_tile_archive_open(url.path)
    guard file >= 0 else { throw BenchmarkError.floor("open", message: url.path) }
    var places: [(id: UInt64, coordinate: TileCoordinate)] = []
    for x in 0..<1 << zoom {
      for y in 0..<1 << zoom {
        let coordinate = try TileCoordinate(z: zoom, x: x, y: y)
        places.append((coordinate.tileID, coordinate))
      }
    }
    places.sort { $0.id < $1.id }
    // A clustered archive: one tile after the other.
    var end = archive.header.tileData.offset
    var (offsets, sizes): ([UInt64], [UInt64]) = ([], [])
    for place in places {
      let size = UInt64(try tileset.tile(at: place.coordinate)?.data.count ?? 0)
      offsets.append(end)
      sizes.append(size)
      end += size
    }
    (ids, self.offsets, self.sizes) = (places.map(\.id), offsets, sizes)
  }

  deinit { floor_tile_archive_close(file) }

  /// Reads and copies tiles, and returns a sum over them.
  func read(_ numbers: [Int64]) -> UInt64 {
    unsafe floor_tile_archive_read(
      file, ids, offsets, sizes, Int64(ids.count), numbers, Int64(numbers.count / 3))
  }
}
