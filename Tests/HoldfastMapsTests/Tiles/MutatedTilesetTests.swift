import Foundation
import Holdfast
import HoldfastMaps
import HoldfastTestSupport
import Testing

/// Tilesets of which bytes were changed, in ways that a seed determines.
@Suite struct MutatedTilesetTests {
  /// `HOLDFAST_CASES=10000` runs the whole campaign.
  @Test func `A mutated tileset ends in tiles or in a clear error`() throws {
    let environment = ProcessInfo.processInfo.environment
    let only = environment["HOLDFAST_SEED"].flatMap(UInt64.init)
    let count = environment["HOLDFAST_CASES"].flatMap(UInt64.init) ?? 300
    let folder = try TemporaryDirectory()
    let bases = try baseFiles(in: folder)
    var readable = 0
    var refused = 0
    for seed in only.map({ [$0] }) ?? Array(1...count) {
      var random = SeededRandom(unprinted: seed)
      let base = bases[Int(seed) % bases.count]
      let url = folder.file("\(seed).mbtiles")
      try mutated(base, &random).write(to: url)
      defer { try? FileManager.default.removeItem(at: url) }  // The folder is removed anyway.
      do {
        try readEverything(url)
        readable += 1
      } catch let error as MapError {
        #expect(
          [.invalidTileset, .damaged].contains(error.code), "HOLDFAST_SEED=\(seed): \(error)")
        #expect(error.advice != nil, "HOLDFAST_SEED=\(seed)")
        refused += 1
      } catch {
        Issue.record("HOLDFAST_SEED=\(seed): not a clear error: \(error)")
      }
    }
    // Otherwise nothing was at stake.
    if only == nil { #expect(readable > 0 && refused > 0, "\(readable) read, \(refused) refused") }
  }

  private func baseFiles(in folder: TemporaryDirectory) throws -> [Data] {
    var files: [Data] = []
    for layout in SampleTileset.Layout.allCases {
      let url = folder.file("\(layout).mbtiles")
      try SampleTileset(layout: layout).write(to: url)
      files.append(try Data(contentsOf: url))
    }
    if SharedMaps.arePresent {
      for name in ["iburn-2025.mbtiles", "utf8grid.mbtiles", "world_cities.mbtiles"] {
        files.append(try Data(contentsOf: SharedMaps.tileset(name)))
      }
    }
    return files
  }

  private func mutated(_ base: Data, _ random: inout SeededRandom) -> Data {
    var data = base
    let page = 512 << Int.random(in: 0...3, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: data = data.prefix(Int.random(in: 0..<data.count, using: &random))
    case 1:
      let start = Int.random(in: 0..<data.count, using: &random)
      let end = min(data.count, start + page)
      data.replaceSubrange(start..<end, with: Data(count: end - start))
    case 2:
      // One page in place of another one.
      let one = Int.random(in: 0..<max(1, data.count / page), using: &random) * page
      let other = Int.random(in: 0..<max(1, data.count / page), using: &random) * page
      let content = data[other..<min(data.count, other + page)]
      data.replaceSubrange(one..<min(data.count, one + content.count), with: content)
    case 3:
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        data[Int.random(in: 0..<min(100, data.count), using: &random)] = .random(
          in: 0...255, using: &random)
      }
    case 4:
      // The schema, which lies on the first page.
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        data[Int.random(in: 0..<min(4096, data.count), using: &random)] = .random(
          in: 0...255, using: &random)
      }
    default:
      for _ in 0..<Int.random(in: 1...64, using: &random) {
        data[Int.random(in: 0..<data.count, using: &random)] = .random(in: 0...255, using: &random)
      }
    }
    return data
  }

  private func readEverything(_ url: URL) throws {
    let tileset = try Tileset(at: url)
    _ = tileset.metadata.vectorLayers
    _ = try tileset.check()
    let coverage = try tileset.coverage()
    _ = try tileset.tileJSON(tiles: []).data
    for z in 0...min(5, coverage.zoomLevels?.upperBound ?? 0) {
      for x in 0..<(1 << min(z, 2)) {
        for y in 0..<(1 << min(z, 2)) {
          let place = try TileCoordinate(z: z, x: x, y: y)
          _ = try tileset.tile(at: place)?.format
          if let grid = try tileset.grid(at: place), grid.compression == .none {
            do { _ = try UTFGrid(json: grid.data) } catch { #expect(error.code == .invalidGrid) }
          }
        }
      }
    }
  }
}
