import Testing

@testable import Holdfast

@Suite struct HistoryCheckpointTests {
  private static let basis = HistoryCheckpoint.Basis(store: "a", schemaVersion: 7)

  private static let tables = HistoryCheckpoint.Tables(
    noted: [1: "stop", 2: "route"], others: ["log"])

  private func moment(_ tables: HistoryCheckpoint.Tables? = Self.tables) -> HistoryCheckpoint {
    HistoryCheckpoint(Self.basis, tables, at: .init(number: 10, time: 100))
  }

  private func finding(
    _ basis: HistoryCheckpoint.Basis = Self.basis, isNotedAsRight: Bool = true, start: Int64 = 0,
    last: Int64 = 12, timeOfPlace: Int64? = 100, sources: Set<Int64> = [2]
  ) -> HistoryCheckpoint.Finding {
    .init(
      basis: basis, isNotedAsRight: isNotedAsRight, start: start,
      last: .init(number: last, time: 120), timeOfPlace: timeOfPlace, sources: sources)
  }

  @Test func unrecordedTablesMayAlwaysHaveChanged() {
    var moment = moment()
    #expect(
      moment.advance(to: finding())
        == .tables(["log", "route"]))
    #expect(moment.place == .init(number: 12, time: 120))
    #expect(
      moment.advance(to: finding(timeOfPlace: 120, sources: []))
        == .tables(["log"]))
  }

  @Test(arguments: [
    HistoryCheckpoint.Basis(store: "b", schemaVersion: 7),
    HistoryCheckpoint.Basis(store: "a", schemaVersion: 8),
  ])
  func anotherBasisIsOutdated(_ basis: HistoryCheckpoint.Basis) {
    var moment = moment()
    #expect(moment.advance(to: finding(basis)) == .outdated)
    #expect(moment == self.moment())
  }

  @Test func aHistoryThatDoesNotReachBackIsOutdated() {
    var moment = moment()
    #expect(moment.advance(to: finding(start: 11)) == .outdated)
    // An older copy, and one that continued separately.
    #expect(moment.advance(to: finding(last: 9)) == .outdated)
    #expect(moment.advance(to: finding(timeOfPlace: 99)) == .outdated)
  }

  @Test func aPurgeUpToTheCheckpointLosesNothing() {
    var moment = moment()
    #expect(moment.advance(to: finding(start: 10, timeOfPlace: nil)) != .outdated)
  }

  @Test func withoutReliableTriggersAnyTableMayHaveChanged() {
    var moment = moment(nil)
    #expect(moment.advance(to: finding(isNotedAsRight: false)) == .tables(nil))
    // It advances, so that nothing is determined again each time.
    #expect(moment.place.number == 12)
    // The triggers were recreated.
    #expect(moment.advance(to: finding(timeOfPlace: 120)) == .outdated)
  }

  @Test func triggersThatWereVerifiedNeedNoRecord() {
    var moment = moment()
    #expect(
      moment.advance(to: finding(isNotedAsRight: false))
        == .tables(["log", "route"]))
  }

  @Test func aChangeOfAnUnknownTableMeansAnyTable() {
    var moment = moment()
    #expect(moment.advance(to: finding(sources: [2, 3])) == .tables(nil))
  }
}
