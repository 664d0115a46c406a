import Dispatch
import Foundation
import Holdfast
import HoldfastTestSupport
import Observation
import Testing

/// Observations on the main actor, which here has no run loop.
@MainActor @Suite struct MainActorObservationTests {
  /// State that is isolated to the main actor.
  private final class Screen {
    var counts: [Int] = []
  }

  @Test func valuesAreDeliveredOnTheMainActor() async throws {
    let stops = try ObservedStops(.pool)
    let screen = Screen()
    let cancellable = ObservedStops.count.start(in: stops.writer) {
      Issue.record($0)
    } onChange: {
      screen.counts.append($0)
    }
    #expect(screen.counts == [])
    while screen.counts.count < 1 { await Task.yield() }
    try await stops.writer.write { db in try db.execute(sql: "INSERT INTO stop VALUES (1, 'x')") }
    while screen.counts.count < 2 { await Task.yield() }
    #expect(screen.counts == [0, 1])
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: ObservedStops.Kind.allCases)
  func theFirstValueCanBeDeliveredImmediately(kind: ObservedStops.Kind) async throws {
    let stops = try ObservedStops(kind)
    let screen = Screen()
    let cancellable = ObservedStops.count.start(in: stops.writer, scheduling: .immediate) {
      Issue.record($0)
    } onChange: {
      screen.counts.append($0)
    }
    #expect(screen.counts == [0])
    try await stops.writer.write { db in try db.execute(sql: "INSERT INTO stop VALUES (1, 'x')") }
    while screen.counts.count < 2 { await Task.yield() }
    #expect(screen.counts == [0, 1])
    withExtendedLifetime(cancellable) {}
  }

  @Test func valuesAreDeliveredOnTheMainQueue() async throws {
    let stops = try ObservedStops(.queue)
    let journal = Journal<Int>()
    let cancellable = ObservedStops.count.start(
      in: stops.writer, scheduling: .async(onQueue: .main)
    ) {
      Issue.record($0)
    } onChange: {
      dispatchPrecondition(condition: .onQueue(.main))
      journal.append($0)
    }
    await journal.reaches(1)
    try await stops.writer.write { db in try db.execute(sql: "INSERT INTO stop VALUES (1, 'x')") }
    await journal.reaches(2)
    #expect(journal.entries == [0, 1])
    withExtendedLifetime(cancellable) {}
  }

  @Test func anImmediateStartOffTheMainActorTraps() async {
    await #expect(processExitsWith: .failure) {
      let queue = try DatabaseQueue()
      let observation = ValueObservation.tracking { db in try Int.fetchOne(db, sql: "SELECT 1") }
      try await onOwnThread {
        let anywhere: any ValueObservationScheduler = .immediate
        startAnywhere(observation, in: queue, anywhere)
      }
    }
  }

  // MARK: - Observable values

  @Test func anObservableValueFollowsTheDatabase() async throws {
    let stops = try ObservedStops(.pool)
    let count = ObservedValue(
      ObservedStops.count, in: stops.writer, initial: -1, scheduling: .immediate)
    #expect(count.value == 0)
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking {
      _ = count.value
    } onChange: {
      continuation.yield()
    }
    try await stops.writer.write { db in try db.execute(sql: "INSERT INTO stop VALUES (1, 'x')") }
    var iterator = changes.makeAsyncIterator()
    await iterator.next()
    while count.value != 1 { await Task.yield() }
    #expect(count.error == nil)
  }

  @Test func anObservableValueBeginsWithItsInitialValue() async throws {
    let stops = try ObservedStops(.pool)
    let names = ObservedValue(
      .tracking { db in try String.fetchAll(db, sql: "SELECT name FROM route") }, in: stops.writer,
      initial: ["none yet"])
    #expect(names.value == ["none yet"])
    while names.value != [] { await Task.yield() }
    try await stops.writer.write { db in try db.execute(sql: "DROP TABLE route") }
    while names.error == nil { await Task.yield() }
    #expect(names.value == [])
    #expect((names.error as? DatabaseError)?.message == "no such table: route")
  }

  @Test func anObservableValueReportsAnError() async throws {
    let stops = try ObservedStops(.pool)
    let names = ObservedValue(
      .tracking { db in try String.fetchAll(db, sql: "SELECT name FROM route") }, in: stops.writer,
      initial: [], scheduling: .immediate)
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking {
      _ = names.error
    } onChange: {
      continuation.yield()
    }
    try await stops.writer.write { db in try db.execute(sql: "DROP TABLE route") }
    var iterator = changes.makeAsyncIterator()
    await iterator.next()
    while names.error == nil { await Task.yield() }
  }

  @Test func anErrorIsDeliveredOnTheMainActor() async throws {
    let stops = try ObservedStops(.pool)
    let screen = Screen()
    let cancellable = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM missing") ?? 0
    }
    .start(in: stops.writer) { _ in
      screen.counts.append(-1)
    } onChange: { _ in
      Issue.record("A missing table gave a value.")
    }
    while screen.counts.isEmpty { await Task.yield() }
    #expect(screen.counts == [-1])
    withExtendedLifetime(cancellable) {}
  }

  @Test func anObservableValueEndsWhenItIsReleased() async throws {
    let stops = try ObservedStops(.pool)
    let journal = Journal<String>()
    var count: ObservedValue? = ObservedValue(
      ObservedStops.count.handleEvents(didCancel: { journal.append("cancel") }), in: stops.writer,
      initial: 0, scheduling: .immediate)
    #expect(count?.value == 0)
    count = nil
    await journal.reaches(1)
  }
}

private func startAnywhere<Reducer>(
  _ observation: ValueObservation<Reducer>, in reader: any DatabaseReader,
  _ scheduler: some ValueObservationScheduler
) {
  _ = observation.start(in: reader, scheduling: scheduler) { _ in
  } onChange: { _ in
  }
}
