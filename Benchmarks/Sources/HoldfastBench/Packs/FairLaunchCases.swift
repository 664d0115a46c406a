import Foundation
import Holdfast
import HoldfastFiles
import HoldfastMaps
import HoldfastPacks

/// Benchmarks of launches: the first one, and one with everything installed.
struct FairLaunchCases {
  private static let place = TilePlace(zoom: 5, column: 7, row: 9)
  private static let styles = MapAppearance.allCases.map(\.styleName)

  /// A pack with a map of 260 KB and two style templates, as the festival's app ships it.
  private final class Fixture {
    let directory: TemporaryDirectory
    private var runs = 0

    init(on volume: URL) throws {
      directory = try TemporaryDirectory(in: volume)
      let pack = directory.url.appending(path: "packs/seed")
      try FileManager.default.createDirectory(at: pack, withIntermediateDirectories: true)
      try FairPack.makeTileset(
        at: pack.appending(path: FairPack.map), zoom: 5, sizes: 150...250, format: "pbf",
        start: [0x1F, 0x8B])
      for style in FairLaunchCases.styles {
        try FileManager.default.copyItem(
          at: FairPack.sample("1.0").appending(path: style), to: pack.appending(path: style))
      }
      try FairPack.seal(pack, version: "1.0")
    }

    func next() throws -> URL {
      runs += 1
      let folder = directory.url.appending(path: "run-\(runs)")
      try FileManager.default.createDirectory(
        at: folder.appending(path: "home/Library/Application Support"),
        withIntermediateDirectories: true)
      return folder
    }

    var pack: URL { directory.url.appending(path: "packs/seed") }
  }

  var all: [Case] {
    let disk = FileManager.default.temporaryDirectory
    let memory = TemporaryDirectory.volumes.last ?? disk
    return [
      // Where an fsync costs nothing: it is the disk's time and not ours.
      first("first launch to a tile, 260 KB map and two styles, fsync apart", memory, .value(10)),
      first("first launch to a tile, 260 KB map and two styles, with fsync", disk, nil),
      later("launch when installed, to an open database", disk),
    ]
  }

  private func first(_ name: String, _ volume: URL, _ bound: Bound?) -> Case {
    let fixture = Lazy { try Fixture(on: volume) }
    return Case(
      name, unit: "ms", bound: bound,
      ours: .milliseconds {
        let folder = try fixture.value.next()
        return {
          let sum = try awaiting { try await Self.launch(folder) }
          return {
            try FileManager.default.removeItem(at: folder)
            return sum
          }
        }
      },
      floor: .milliseconds {
        let folder = try fixture.value.next()
        return {
          let target = folder.appending(path: "generation")
          _ = try FairFloor.copy(
            [FairPack.map, PackManifest.fileName] + Self.styles, from: fixture.value.pack,
            to: target)
          let sum = try FairFloor.tile(of: target.appending(path: FairPack.map), Self.place)
          return {
            try FileManager.default.removeItem(at: folder)
            return sum
          }
        }
      })
  }

  /// Installs the pack, writes the styles, and reads a tile.
  private static func launch(_ folder: URL) async throws -> UInt64 {
    let app = try PackApp(at: folder)
    let report = try await app.install("seed")
    guard let generation = report.generation, let map = report.url(ofFileAt: FairPack.map) else {
      throw BenchmarkError.childFailed(report.reason)
    }
    let templates = Dictionary(
      uniqueKeysWithValues: MapAppearance.allCases.map {
        ($0, generation.url.appending(path: $0.styleName))
      })
    let styles = MapStyles(
      templates: templates, tileset: map, assets: .bundle,
      folder: folder.appending(path: "home/styles"))
    for appearance in MapAppearance.allCases { _ = try await styles.prepare(appearance) }
    let tile = try await Tileset(at: map).tile(
      at: TileCoordinate(z: place.zoom, x: place.column, y: place.row))
    return tile?.data.tileSum ?? 0
  }

  private func later(_ name: String, _ volume: URL) -> Case {
    let installed = Lazy {
      let fixture = try Fixture(on: volume)
      let folder = try fixture.next()
      let report = try awaiting { try await PackApp(at: folder).install("seed") }
      guard let map = report.url(ofFileAt: FairPack.map) else {
        throw BenchmarkError.childFailed(report.reason)
      }
      return (fixture, folder, map)
    }
    return Case(
      name, unit: "ms", bound: .value(2),
      ours: .milliseconds {
        let folder = try installed.value.1
        return {
          let report = try awaiting { try await PackApp(at: folder).install("seed") }
          guard case .kept = report.action, let map = report.url(ofFileAt: FairPack.map) else {
            throw BenchmarkError.childFailed(report.reason)
          }
          let queue = try DatabaseQueue(readOnlyFileAt: map, isNeverModified: true)
          let sum = try queue.read { db in
            try Data.fetchOne(
              db,
              sql:
                "SELECT tile_data FROM tiles WHERE zoom_level = 5 AND tile_column = 7 AND tile_row = 22"
            )?.tileSum ?? 0
          }
          return {
            try queue.close()
            return sum
          }
        }
      },
      floor: .milliseconds {
        let map = try installed.value.2
        return {
          let sum = try FairFloor.tile(of: map, Self.place)
          return { sum }
        }
      })
  }
}
