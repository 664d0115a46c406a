import HoldfastSQLite
import Testing

@Suite struct RefetchStateTests {
  private let stops = DatabaseRegion(table: "stop")

  private func changes(in table: String) -> TransactionChanges {
    TransactionChanges(in: DatabaseRegion(table: table))
  }

  /// Returns a state whose first fetch is in progress.
  private func makeWatch() -> RefetchState {
    let watch = RefetchState()
    watch.beginReading()
    _ = watch.setRegion(stops)
    return watch
  }

  @Test func afterAnUndisturbedFetchAChangeMakesTheNextOneDue() {
    let watch = makeWatch()
    #expect(watch.endReading() == .later)
    #expect(!watch.becomesDue(by: changes(in: "route")))
    #expect(watch.becomesDue(by: changes(in: "stop")))
    #expect(!watch.becomesDue(by: changes(in: "stop")))
  }

  @Test func aCommitDuringAFetchIsFetchedAtOnce() {
    let watch = makeWatch()
    #expect(!watch.becomesDue(by: changes(in: "stop")))
    #expect(watch.endReading() == .atOnce)
  }

  @Test func aCommitOutsideTheRegionCausesNoFetch() {
    let watch = makeWatch()
    #expect(!watch.becomesDue(by: changes(in: "route")))
    #expect(watch.endReading() == .later)
  }

  /// A caller that writes in response to a value must not wait for the next one.
  @Test func commitsMadeInResponseToAValueAreFetchedAtOnce() {
    let watch = makeWatch()
    for _ in 0..<5 {
      watch.beginDelivery()
      #expect(!watch.becomesDue(by: changes(in: "stop")))
      #expect(!watch.becomesDue(by: changes(in: "stop")))
      #expect(watch.endReading() == .atOnce)
      watch.beginReading()
    }
    // A commit before the delivery of the value is different.
    for next in [RefetchState.Next.atOnce, .afterPause, .afterPause] {
      _ = watch.becomesDue(by: changes(in: "stop"))
      watch.beginDelivery()
      #expect(watch.endReading() == next)
      watch.beginReading()
    }
    watch.beginDelivery()
    _ = watch.becomesDue(by: changes(in: "stop"))
    #expect(watch.endReading() == .atOnce)
  }

  @Test func commitsFasterThanTheirFetchesAreDelayed() {
    let watch = makeWatch()
    _ = watch.becomesDue(by: changes(in: "stop"))
    _ = watch.becomesDue(by: changes(in: "stop"))
    #expect(watch.endReading() == .afterPause)
    // One commit in each of two fetches is as fast.
    watch.beginReading()
    _ = watch.becomesDue(by: changes(in: "stop"))
    #expect(watch.endReading() == .afterPause)
    watch.beginReading()
    #expect(watch.endReading() == .later)
    _ = watch.becomesDue(by: changes(in: "stop"))
    watch.beginReading()
    _ = watch.becomesDue(by: changes(in: "stop"))
    #expect(watch.endReading() == .atOnce)
  }
}
