import Foundation
import HoldfastMaps

/// Tilesets of which bytes were changed, each of which must end in tiles or in a clear error.
///
/// It uses the public interface only, so that the benchmarks can run it too.
struct TilesetCampaign {
  /// What ended otherwise, with the seed of its case.
  private(set) var violations: [String] = []

  /// The number of tilesets that were read.
  private(set) var readCount = 0

  /// The number of tilesets that were refused.
  private(set) var refusedCount = 0

  private let folder: URL
  private let bases: [Data]

  /// Prepares the tilesets that are changed.
  ///
  /// - Parameters:
  ///   - folder: An empty folder.
  ///   - tilesets: Tilesets besides the small ones of each layout.
  /// - Throws: The errors of a database that cannot be written, or of a file that cannot be read.
  init(in folder: URL, with tilesets: [URL]) throws {
    self.folder = folder
    let samples = try SampleTileset.Layout.allCases.map { layout in
      let url = folder.appending(path: "\(layout).mbtiles")
      try SampleTileset(layout: layout).write(to: url)
      return url
    }
    bases = try (samples + tilesets).map { try Data(contentsOf: $0) }
  }

  /// Changes a tileset and reads all of it.
  ///
  /// - Parameters:
  ///   - seed: What determines the change.
  ///   - random: Numbers that the seed determines.
  /// - Throws: A `CocoaError` when the file cannot be written.
  mutating func run(seed: UInt64, random: some RandomNumberGenerator) throws {
    var random = random
    let url = folder.appending(path: "\(seed).mbtiles")
    try Self.mutated(bases[Int(seed) % bases.count], &random).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }  // The folder is removed anyway.
    do {
      try Self.readEverything(url)
      readCount += 1
    } catch let error as MapError {
      refusedCount += 1
      if ![.invalidTileset, .damaged, .notEvaluated].contains(error.code) || error.advice == nil {
        violations.append("HOLDFAST_SEED=\(seed): not a clear error: \(error)")
      }
    } catch {
      violations.append("HOLDFAST_SEED=\(seed): not a clear error: \(error)")
    }
  }

  private static func mutated(_ base: Data, _ random: inout some RandomNumberGenerator) -> Data {
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

  private static func readEverything(_ url: URL) throws {
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
            do throws(MapError) {
              _ = try UTFGrid(json: grid.data)
            } catch {
              guard error.code == .invalidGrid else { throw error }
            }
          }
        }
      }
    }
  }
}
