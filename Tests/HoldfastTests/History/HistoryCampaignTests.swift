import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// A short run of the campaign; `make bench ONLY=sharing` has the long one.
struct HistoryCampaignTests {
  @Test func noRandomChangeOfARandomTableIsMissed() throws {
    var random = SeededRandom()
    let environment = ProcessInfo.processInfo.environment
    let count = environment["HOLDFAST_HISTORY_TABLES"].flatMap(Int.init) ?? 8
    var checkCount = 0
    for _ in 0..<count {
      var campaign = try HistoryCampaign(seed: random.next())
      let failure = try campaign.run(steps: 30)
      #expect(failure == nil)
      checkCount += campaign.checkCount
    }
    #expect(checkCount > count)
  }
}
