import Testing

@testable import Holdfast

@Suite struct HistoryCheckpointTests {
  private static let basis = HistoryCheckpoint.Basis(store: "a", schemaVersion: 7)

  private static let tables = HistoryCheckpoint.Tables(
    noted: [1: "stop", 2: "route"], others: ["log"])

  private func checkpoint(_ tables: HistoryCheckpoint.Tables? = Self.tables) -> HistoryCheckpoint {
    HistoryCheckpoint(Self.basis, tables, at: .init(number: 10, time: 100))
  }

  private func finding(
    _ basis: HistoryCheckpoint.Basis = Self.basis, isRecordedAsIntact: Bool = true,
    start: Int64 = 0,
    last: Int64 = 12, timeOfPosition: Int64? = 100, sources: Set<Int64> = [2]
  ) -> HistoryCheckpoint.Finding {
    .init(
      basis: basis, isRecordedAsIntact: isRecordedAsIntact, start: start,
      last: .init(number: last, time: 120), timeOfPosition: timeOfPosition, sources: sources)
  }

  @Test func unrecordedTablesMayAlwaysHaveChanged() {
    var checkpoint = checkpoint()
    #expect(
      checkpoint.advance(to: finding())
        == .tables(["log", "route"]))
    #expect(checkpoint.position == .init(number: 12, time: 120))
    #expect(
      checkpoint.advance(to: finding(timeOfPosition: 120, sources: []))
        == .tables(["log"]))
  }

  @Test(arguments: [
    HistoryCheckpoint.Basis(store: "b", schemaVersion: 7),
    HistoryCheckpoint.Basis(store: "a", schemaVersion: 8),
  ])
  func anotherBasisIsOutdated(_ basis: HistoryCheckpoint.Basis) {
    var checkpoint = checkpoint()
    #expect(checkpoint.advance(to: finding(basis)) == .outdated)
    #expect(checkpoint == self.checkpoint())
  }

  @Test func aHistoryThatDoesNotReachBackIsOutdated() {
    var checkpoint = checkpoint()
    #expect(checkpoint.advance(to: finding(start: 11)) == .outdated)
    // An older copy, and one that continued separately.
    #expect(checkpoint.advance(to: finding(last: 9)) == .outdated)
    #expect(checkpoint.advance(to: finding(timeOfPosition: 99)) == .outdated)
  }

  @Test func aPurgeUpToTheCheckpointLosesNothing() {
    var checkpoint = checkpoint()
    #expect(checkpoint.advance(to: finding(start: 10, timeOfPosition: nil)) != .outdated)
  }

  @Test func withoutReliableTriggersAnyTableMayHaveChanged() {
    var checkpoint = checkpoint(nil)
    #expect(checkpoint.advance(to: finding(isRecordedAsIntact: false)) == .tables(nil))
    // It advances, so that nothing is determined again each time.
    #expect(checkpoint.position.number == 12)
    // The triggers were recreated.
    #expect(checkpoint.advance(to: finding(timeOfPosition: 120)) == .outdated)
  }

  @Test func triggersThatWereVerifiedNeedNoRecord() {
    var checkpoint = checkpoint()
    #expect(
      checkpoint.advance(to: finding(isRecordedAsIntact: false))
        == .tables(["log", "route"]))
  }

  @Test func aChangeOfAnUnknownTableMeansAnyTable() {
    var checkpoint = checkpoint()
    #expect(checkpoint.advance(to: finding(sources: [2, 3])) == .tables(nil))
  }
}
