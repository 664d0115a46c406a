import Foundation
import HoldfastTestSupport
import Testing

struct LedgerCampaignTests {
  @Test func noHistoryOfAContainerClearsOrLosesARecordWhoseFileIsThere() async throws {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["HOLDFAST_SEED"].flatMap(UInt64.init)
    let count = environment["HOLDFAST_CASES"].flatMap(UInt64.init) ?? 50
    var cleared = 0
    for seed in first.map({ [$0] }) ?? Array(1...count) {
      let folder = try TemporaryDirectory()
      let campaign = try LedgerCampaign(
        seed: seed, in: folder.url, random: SeededRandom(unprinted: seed))
      try await campaign.run()
      cleared += campaign.cleared
      #expect(campaign.violations == [], "HOLDFAST_SEED=\(seed)")
    }
    // Otherwise nothing was at stake.
    if first == nil { #expect(cleared > 0) }
  }
}
