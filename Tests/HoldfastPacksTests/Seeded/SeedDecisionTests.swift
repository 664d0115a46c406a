import Testing

@testable import HoldfastPacks

@Suite struct SeedDecisionTests {
  @Test func `The version alone orders the seeds of one application`() {
    let versions: [Int32] = [.min, -1, 0, 1, 2, .max]
    for found in versions {
      for seed in versions {
        let decision = SeedDecision(
          PackFile.Schema(applicationID: 7, userVersion: found),
          seed: PackFile.Schema(applicationID: 7, userVersion: seed))
        if found < seed {
          #expect(decision == .merge(SeedMerge(fromVersion: found, toVersion: seed)))
        } else {
          #expect(decision == (found == seed ? .keep : .refuseOlderSeed))
        }
        #expect(
          SeedDecision(
            PackFile.Schema(applicationID: 8, userVersion: found),
            seed: PackFile.Schema(applicationID: 7, userVersion: seed)) == .refuseOtherApplication)
      }
    }
  }
}
