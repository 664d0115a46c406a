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
    func row(
      _ name: String, unit: String, bound: Bound?, _ value: @escaping (TilesetCampaign) -> Int
    ) -> Case {
      Case(
        name, unit: unit, bound: bound,
        ours: Probe { _ in
          Reading(value: Double(value(try campaign.value)), allocations: nil, proof: 0)
        }, floor: nil)
    }
    return [
      row(
        "mutated tilesets that end neither in tiles nor in a clear error", unit: "violations",
        bound: .value(0)
      ) { $0.violations.count },
      row("mutated tilesets that were read", unit: "tilesets", bound: nil) { $0.readCount },
      row("mutated tilesets that were refused", unit: "tilesets", bound: nil) {
        $0.refusedCount
      },
    ]
  }
}
