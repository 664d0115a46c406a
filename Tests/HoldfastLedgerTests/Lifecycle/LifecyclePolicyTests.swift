import Foundation
import HoldfastFiles
import HoldfastLedger
import Testing

/// SS-10: the rules of the seed.
struct LifecyclePolicyTests {
  private let policy = LifecyclePolicy()
  private let now = Date(timeIntervalSince1970: 1_700_000_000)
  private let day: TimeInterval = 86_400

  private func use(
    _ root: StorageRoot, days: Double? = nil, finished: Bool = false, pinned: Bool = false
  ) -> FileUse {
    var use = FileUse(root: root)
    use.lastAccess = days.map { now.addingTimeInterval(-$0 * day) }
    use.isFinished = finished
    use.isPinned = pinned
    return use
  }

  @Test func aFileMovesToTheCachesAfterFourteenDaysWithoutUse() {
    #expect(policy.move(for: use(.documents, days: 13.9), at: now) == nil)
    #expect(policy.move(for: use(.documents, days: 14), at: now) == nil)
    #expect(policy.move(for: use(.documents, days: 14.1), at: now) == .caches)
    #expect(policy.move(for: use(.caches, days: 14.1), at: now) == nil)
  }

  @Test func aFinishedFileMovesToTheCaches() {
    #expect(policy.move(for: use(.documents, days: 0, finished: true), at: now) == .caches)
    var keeping = policy
    keeping.movesFinished = false
    #expect(keeping.move(for: use(.documents, days: 0, finished: true), at: now) == nil)
  }

  @Test func aFileThatWasNeverAccessedStays() {
    #expect(policy.move(for: use(.documents), at: now) == nil)
    #expect(policy.move(for: use(.documents, finished: true), at: now) == nil)
  }

  @Test func aPinnedFileIsInTheDocuments() {
    #expect(
      policy.move(for: use(.documents, days: 99, finished: true, pinned: true), at: now) == nil)
    #expect(policy.move(for: use(.caches, pinned: true), at: now) == .documents)
  }

  @Test func filesInOtherRootsStay() {
    for root in [StorageRoot.applicationSupport, .temporary, .bundle, .appGroup("group.example")] {
      #expect(policy.move(for: use(root, days: 99, finished: true, pinned: true), at: now) == nil)
    }
  }

  @Test func aClockThatWasSetBackMovesNothing() {
    #expect(policy.move(for: use(.documents, days: -400), at: now) == nil)
  }

  @Test func theSettingsDecide() {
    var policy = policy
    policy.unusedLimit = .seconds(60)
    #expect(policy.move(for: use(.documents, days: 1), at: now) == .caches)
  }
}
