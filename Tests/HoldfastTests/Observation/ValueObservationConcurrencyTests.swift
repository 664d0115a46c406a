import Dispatch
import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// The values of an observation during concurrent writes, cancellations and waits.
@Suite struct ValueObservationConcurrencyTests {
  //  observation                  writer
  //  fetch: its snapshot begins
  //                               commit
  //  follow the region
  //  fetch again
  @Test func aCommitDuringTheFirstFetchIsNotLost() async throws {
    let stops = try ObservedStops(.pool)
    let fetching = Gate()
    let committed = Gate()
    let journal = Journal<Int>()
    let cancellable = ValueObservation.tracking { db in
      let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM stop") ?? 0
      fetching.open()
      committed.wait()
      return count
    }
    .start(in: stops.writer, scheduling: .task) {
      Issue.record($0)
    } onChange: {
      journal.append($0)
    }
    try await onOwnThread {
      fetching.wait()
      try stops.add("x")
      committed.open()
    }
    await journal.reaches(2)
    #expect(journal.entries == [0, 1])
    withExtendedLifetime(cancellable) {}
  }

  //  observation                  writer
  //                               insert
  //  start, fetch: sees nothing
  //                               commit
  //  fetch again
  @Test func aTransactionOpenAtTheStartIsNotLost() async throws {
    let stops = try ObservedStops(.pool)
    let inserted = Gate()
    let fetched = Gate()
    let writer = OwnThread {
      try stops.writer.write { db in
        try db.execute(sql: "INSERT INTO stop (name) VALUES ('x')")
        inserted.open()
        fetched.wait()
      }
    }
    let journal = Journal<Int>()
    let cancellable = await onAnotherThread {
      inserted.wait()
      return ObservedStops.count.start(in: stops.writer, scheduling: .task) {
        Issue.record($0)
      } onChange: {
        journal.append($0)
      }
    }
    await journal.reaches(1)
    fetched.open()
    try await writer.value
    await journal.reaches(2)
    // The same value may be delivered twice: at the start the writer could not be asked whether
    // other connections had committed.
    let values = journal.entries
    #expect(values.first == 0)
    #expect(Set(values.dropFirst()) == [1])
    withExtendedLifetime(cancellable) {}
  }

  private func onAnotherThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async
    -> Value
  {
    // Not a system queue, whose threads are those of the tasks here.
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }

  //  observation                  writer
  //  fetch table a
  //                               commit into b
  //  follow a and b
  //  fetch again
  @Test func aCommitIntoANewRegionIsNotLost() async throws {
    let stops = try ObservedStops(.pool)
    let fetching = Gate()
    let committed = Gate()
    let journal = Journal<Int>()
    let cancellable = ValueObservation.tracking { db in
      if try Int.fetchOne(db, sql: "SELECT count(*) FROM choice") == 0 { return -1 }
      let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM route") ?? 0
      fetching.open()
      committed.wait()
      return count
    }
    .start(in: stops.writer, scheduling: .task) {
      Issue.record($0)
    } onChange: {
      journal.append($0)
    }
    await journal.reaches(1)
    try await onOwnThread {
      try stops.write("INSERT INTO choice VALUES (1, 'route')")
      fetching.wait()
      try stops.write("INSERT INTO route VALUES (1, 'x')")
      committed.open()
    }
    await journal.reaches(3)
    #expect(journal.entries == [-1, 0, 1])
    withExtendedLifetime(cancellable) {}
  }

  //  observation                  writer
  //  deliver the first value …
  //                               20 commits
  //  … delivered
  //  deliver the last value
  @Test(arguments: ObservedStops.Kind.allCases)
  func manyCommitsLeadToOneValue(kind: ObservedStops.Kind) async throws {
    let stops = try ObservedStops(kind)
    let delivering = Gate()
    let committed = Gate()
    let journal = Journal<Int>()
    let cancellable = ObservedStops.count.start(
      in: stops.writer, scheduling: .async(onQueue: DispatchQueue(label: "values"))
    ) {
      Issue.record($0)
    } onChange: {
      journal.append($0)
      delivering.open()
      committed.wait()
    }
    try await onOwnThread {
      delivering.wait()
      for _ in 1...20 { try stops.add("x") }
      committed.open()
    }
    await journal.reaches(2)
    #expect(journal.entries == [0, 20])
    withExtendedLifetime(cancellable) {}
  }

  //  observation                  writer
  //                               write continues …
  //  start, fetch, deliver
  //                               … and ends
  @Test func aLongWriteDoesNotDelayTheFirstValue() async throws {
    let stops = try ObservedStops(.pool)
    let writing = Gate()
    let delivered = Gate()
    let writer = OwnThread {
      try stops.writer.write { db in
        writing.open()
        delivered.wait()
      }
    }
    let values = await onAnotherThread {
      writing.wait()
      return ObservedStops.count.values(in: stops.writer)
    }
    for try await value in values {
      #expect(value == 0)
      break
    }
    delivered.open()
    try await writer.value
  }

  //  observation                  writer
  //                               commit
  //  fetch continues …
  //                               the next write begins and ends
  //  … and ends
  @Test func fetchingDoesNotDelayTheNextWrite() async throws {
    let stops = try ObservedStops(.pool)
    let fetching = Gate()
    let written = Gate()
    let journal = Journal<Int>()
    let cancellable = ValueObservation.tracking { db in
      let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM stop") ?? 0
      guard count > 0 else { return count }
      fetching.open()
      written.wait()
      return count
    }
    .start(in: stops.writer, scheduling: .task) {
      Issue.record($0)
    } onChange: {
      journal.append($0)
    }
    await journal.reaches(1)
    try await onOwnThread {
      try stops.add("x")
      fetching.wait()
      try stops.add("y")
      written.open()
    }
    await journal.reaches(3)
    #expect(journal.entries == [0, 1, 2])
    withExtendedLifetime(cancellable) {}
  }

  //  observation                  writer
  //  fetch: counts once …
  //                               commit
  //  … and counts again
  @Test func aFetchSeesOneState() async throws {
    let stops = try ObservedStops(.pool)
    let fetching = Gate()
    let committed = Gate()
    let journal = Journal<[Int]>()
    let cancellable = ValueObservation.tracking { db in
      let before = try Int.fetchOne(db, sql: "SELECT count(*) FROM stop") ?? -1
      fetching.open()
      committed.wait()
      return [before, try Int.fetchOne(db, sql: "SELECT count(*) FROM stop") ?? -1]
    }
    .start(in: stops.writer, scheduling: .task) {
      Issue.record($0)
    } onChange: {
      journal.append($0)
    }
    try await onOwnThread {
      fetching.wait()
      try stops.add("x")
      committed.open()
    }
    await journal.reaches(2)
    #expect(journal.entries == [[0, 0], [1, 1]])
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: ObservedStops.Kind.allCases)
  func valuesAreOrderedAndTheLastIsTheLastCommit(kind: ObservedStops.Kind) async throws {
    let stops = try ObservedStops(kind)
    let journals = (0..<4).map { _ in Journal<Int>() }
    let cancellables = journals.map { journal in
      ObservedStops.count.start(in: stops.writer, scheduling: .task) {
        Issue.record($0)
      } onChange: {
        journal.append($0)
      }
    }
    let writers = (0..<3).map { _ in
      OwnThread {
        for _ in 1...40 { try stops.add("x") }
      }
    }
    for writer in writers {
      try await writer.value
    }
    for journal in journals {
      await until { journal.entries.last == 120 }
      #expect(journal.entries == journal.entries.sorted())
    }
    withExtendedLifetime(cancellables) {}
  }

  /// Each observation starts during commits; its last value must be that of the last commit.
  @Test func observationsStartAndEndDuringCommits() async throws {
    let stops = try ObservedStops(.pool)
    let rounds = 60
    let writer = OwnThread {
      for _ in 1...rounds * 4 { try stops.add("x") }
    }
    await withTaskGroup(of: Void.self) { group in
      for round in 1...rounds {
        group.addTask {
          let journal = Journal<Int>()
          let cancellable = ObservedStops.count.start(in: stops.writer, scheduling: .task) {
            Issue.record($0)
          } onChange: {
            journal.append($0)
          }
          if round.isMultiple(of: 3) { return cancellable.cancel() }
          await until { journal.entries.last == rounds * 4 }
          #expect(journal.entries == journal.entries.sorted())
        }
      }
    }
    try await writer.value
  }

  @Test func nothingIsDeliveredAfterACancellation() async throws {
    let stops = try ObservedStops(.pool)
    let scheduler = HoldingScheduler()
    let cancellable = ObservedStops.count.start(in: stops.writer, scheduling: scheduler) {
      Issue.record($0)
    } onChange: { _ in
      Issue.record("A cancelled observation delivered.")
    }
    await scheduler.deliveries.reaches(1)
    cancellable.cancel()
    scheduler.deliveries.entries[0]()
  }

  /// A scheduler that delivers only on request.
  private struct HoldingScheduler: ValueObservationScheduler {
    let deliveries = Journal<@Sendable () -> Void>()

    func immediateInitialValue() -> Bool { false }

    func schedule(_ action: @escaping @Sendable () -> Void) { deliveries.append(action) }
  }

  //  observation                  writer
  //                               write continues …
  //  start, cancel
  //                               … and ends
  @Test func nothingIsFetchedAfterACancellation() async throws {
    let stops = try ObservedStops(.queue)
    let writing = Gate()
    let cancelled = Gate()
    let writer = OwnThread {
      try stops.writer.write { db in
        writing.open()
        cancelled.wait()
      }
    }
    try await onOwnThread {
      writing.wait()
      ValueObservation.tracking { _ in Issue.record("A cancelled observation fetched.") }
        .start(in: stops.writer, scheduling: .task) { _ in
        } onChange: { _ in
        }
        .cancel()
      cancelled.open()
    }
    try await writer.value
    // Its turn comes after that of the observation.
    try await stops.writer.write { _ in }
  }

  @Test func aCancelledObservationIsReleased() async throws {
    let stops = try ObservedStops(.pool)
    weak var fetched: Kept?
    do {
      let kept = Kept()
      fetched = kept
      let cancellable = ValueObservation.tracking { _ in withExtendedLifetime(kept) { 1 } }
        .start(in: stops.writer, scheduling: .task) { _ in
        } onChange: { _ in
        }
      cancellable.cancel()
    }
    while fetched != nil { await Task.yield() }
  }

  private final class Kept: Sendable {}

  @Test func aReleasedObservationEnds() async throws {
    let stops = try ObservedStops(.pool)
    let journal = Journal<String>()
    do {
      let cancellable = ObservedStops.count.handleEvents(didCancel: { journal.append("cancel") })
        .start(in: stops.writer, scheduling: .task) {
          Issue.record($0)
        } onChange: {
          journal.append("\($0)")
        }
      await journal.reaches(1)
      withExtendedLifetime(cancellable) {}
    }
    #expect(journal.entries == ["0", "cancel"])
    var kept: Set<AnyDatabaseCancellable> = []
    ObservedStops.count.handleEvents(didCancel: { journal.append("cancel") })
      .start(in: stops.writer, scheduling: .task) { _ in
      } onChange: { _ in
      }.store(in: &kept)
    #expect(journal.entries.count == 2)
    kept = []
    #expect(journal.entries.count == 3)
  }

  // MARK: - Sequences

  @Test func aSequenceKeepsTheNewestValue() async throws {
    let stops = try ObservedStops(.pool)
    let received = Journal<Int>()
    var iterator = ObservedStops.count
      .handleEvents(didReceiveValue: { received.append($0) })
      .values(in: stops.writer).makeAsyncIterator()
    #expect(try await iterator.next() == 0)
    for number in 1...5 {
      try stops.add("x")
      await until { received.entries.last == number }
    }
    // The last value was produced and may still be in transit: then the previous one is there.
    var values: [Int] = []
    while values.last != 5 { values.append(try #require(await iterator.next())) }
    #expect(values == [5] || values == [4, 5])
  }

  @Test func aSequenceCanKeepAllValues() async throws {
    let stops = try ObservedStops(.pool)
    let received = Journal<Int>()
    var iterator = ObservedStops.count
      .handleEvents(didReceiveValue: { received.append($0) })
      .values(in: stops.writer, scheduling: .task, bufferingPolicy: .unbounded).makeAsyncIterator()
    #expect(try await iterator.next() == 0)
    for number in 1...3 {
      try stops.add("x")
      await until { received.entries.last == number }
    }
    for number in 1...3 {
      #expect(try await iterator.next() == number)
    }
  }

  @Test func aSequenceEndsWithItsTask() async throws {
    let stops = try ObservedStops(.pool)
    let journal = Journal<String>()
    let values = ObservedStops.count.handleEvents(didCancel: { journal.append("cancel") })
      .values(in: stops.writer)
    let task = Task {
      var iterator = values.makeAsyncIterator()
      while let value = try await iterator.next() { journal.append("\(value)") }
      // It ends although the iterator still exists.
      await journal.reaches(2)
      return withExtendedLifetime(iterator) { "ended" }
    }
    await journal.reaches(1)
    task.cancel()
    #expect(try await task.value == "ended")
    #expect(journal.entries == ["0", "cancel"])
  }

  @Test func aSequenceThrowsTheError() async throws {
    let stops = try ObservedStops(.queue)
    var iterator = ValueObservation.tracking { db in
      try String.fetchAll(db, sql: "SELECT name FROM route")
    }
    .values(in: stops.writer).makeAsyncIterator()
    #expect(try await iterator.next() == [])
    try stops.write("DROP TABLE route")
    do {
      _ = try await iterator.next()
      Issue.record("An error was expected.")
    } catch ResultCode.SQLITE_ERROR {}
  }
}
