import Foundation

/// Benchmarks that change bytes of tilesets and read them.
struct TilesetCampaignCases {
  private let count: UInt64

  init(isShort: Bool) {
    count = isShort ? 100 : 10_000
  }

  var all: [Case] {
    let campaign = Lazy { [count] in
      let folder = try TemporaryDirectory()
      var campaign = try TilesetCampaign(
        in: folder.url,
        with: ["1.0", "1.1"].map { FairPack.sample($0).appending(path: FairPack.map) })
      for seed in 1...count {
        try campaign.run(seed: seed, random: SeededRandom(unprinted: seed))
      }
      for violation in campaign.violations {
        FileHandle.standardError.write(Data("\(violation)\n".utf8))
      }
      return campaign
    }
    return [
      Case(
        "mutated tilesets that end neither in tiles nor in a clear error", unit: "violations",
        bound: .value(0), of: campaign
      ) { $0.violations.count },
      Case("mutated tilesets that were read", unit: "tilesets", bound: nil, of: campaign) {
        $0.readCount
      },
      Case("mutated tilesets that were refused", unit: "tilesets", bound: nil, of: campaign) {
        $0.refusedCount
      },
    ]
  }
}
