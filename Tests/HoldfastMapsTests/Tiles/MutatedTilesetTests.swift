import Foundation
import HoldfastTestSupport
import Testing

@Suite struct MutatedTilesetTests {
  /// `HOLDFAST_CASES=10000` runs the whole campaign, as `make bench ONLY=packs` does.
  @Test func `A mutated tileset ends in tiles or in a clear error`() throws {
    let environment = ProcessInfo.processInfo.environment
    let only = environment["HOLDFAST_SEED"].flatMap(UInt64.init)
    let count = environment["HOLDFAST_CASES"].flatMap(UInt64.init) ?? 300
    let folder = try TemporaryDirectory()
    var tilesets: [URL] = []
    if SharedMaps.arePresent {
      tilesets = ["iburn-2025.mbtiles", "utf8grid.mbtiles", "world_cities.mbtiles"]
        .map(SharedMaps.tileset)
    }
    var campaign = try TilesetCampaign(in: folder.url, with: tilesets)
    for seed in only.map({ [$0] }) ?? Array(1...count) {
      try campaign.run(seed: seed, random: SeededRandom(unprinted: seed))
    }
    #expect(campaign.violations == [])
    // Otherwise nothing was at stake.
    if only == nil { #expect(campaign.readCount > 0 && campaign.refusedCount > 0) }
  }
}
