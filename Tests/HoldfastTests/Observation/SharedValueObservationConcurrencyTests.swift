import Dispatch
import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

/// Observations that several subscribers share.
@Suite(.timeLimit(.minutes(2))) struct SharedValueObservationConcurrencyTests {
  private struct Failure: Error {}

  /// An observation of the number of stops that counts its fetches, and fails if there are 99.
  private static func count(
    _ fetches: Journal<Int>
  ) -> ValueObservation<ValueReducers.Fetch<Int>> {
    .tracking { db in
      let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM stop") ?? 0
      fetches.append(count)
      if try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM choice)") == true {
        throw Failure()
      }
      return count
    }
  }

  private static func subscribe(
    _ shared: SharedValueObservation<Int>, _ values: Journal<Int>, _ errors: Journal<String>? = nil
  ) -> AnyDatabaseCancellable {
    shared.start { error in
      errors?.append("\(error)")
      if errors == nil { Issue.record(error) }
    } onChange: {
      values.append($0)
    }
  }

  @Test func subscribersShareEachFetch() async throws {
    let stops = try ObservedStops(.pool)
    let (fetches, first, second) = (Journal<Int>(), Journal<Int>(), Journal<Int>())
    let shared = Self.count(fetches).shared(
      in: stops.writer, scheduling: .async(onQueue: DispatchQueue(label: "values")))
    #expect(fetches.entries == [])
    let one = Self.subscribe(shared, first)
    await first.reaches(1)
    let two = Self.subscribe(shared, second)
    await second.reaches(1)
    #expect((fetches.entries, first.entries, second.entries) == ([0], [0], [0]))
    try stops.add("x")
    for values in [first, second] { await until { values.entries.last == 1 } }
    #expect(first.entries == second.entries && fetches.entries == first.entries)
    // The other one continues.
    one.cancel()
    try stops.add("y")
    await until { second.entries.last == 2 }
    #expect(first.entries.last == 1)
    for try await count in shared.values() {
      #expect(count == 2)
      break
    }
    withExtendedLifetime(two) {}
  }

  /// The extents differ in what happens between two subscribers.
  @Test(arguments: [SharedValueObservationExtent.whileObserved, .observationLifetime])
  func theExtentDecidesWhatFollowsTheLastSubscriber(extent: SharedValueObservationExtent)
    async throws
  {
    let isLasting = extent == .observationLifetime
    let stops = try ObservedStops(.pool)
    let (fetches, first, second, errors) = (
      Journal<Int>(), Journal<Int>(), Journal<Int>(), Journal<String>()
    )
    var shared: SharedValueObservation<Int>? = Self.count(fetches).shared(
      in: stops.writer, scheduling: .task, extent: extent)
    var cancellable = try Self.subscribe(#require(shared), first)
    await first.reaches(1)
    cancellable.cancel()
    try stops.add("x")
    if isLasting { await until { fetches.entries.last == 1 } }
    let countBefore = fetches.entries.count
    #expect(isLasting || countBefore == 1)
    cancellable = try Self.subscribe(#require(shared), second, errors)
    // A lasting one may have fetched the value, and not received it yet.
    await until { second.entries.last == 1 }
    #expect(isLasting || second.entries == [1])
    #expect(fetches.entries.count == countBefore + (isLasting ? 0 : 1))

    // After an error a lasting observation has ended, and another one begins again.
    try stops.write("INSERT INTO choice VALUES (1, 'fails')")
    await errors.reaches(1)
    try stops.write("DELETE FROM choice")
    let third = Journal<Int>()
    cancellable = try Self.subscribe(#require(shared), third, errors)
    if isLasting { await errors.reaches(2) } else { await third.reaches(1) }
    #expect((third.entries, errors.entries.count) == (isLasting ? [] : [1], isLasting ? 2 : 1))

    // It ends with the last reference.
    weak let released = shared
    shared = nil
    #expect(released != nil)
    cancellable = AnyDatabaseCancellable {}
    await until { released == nil }
  }

  @Test @MainActor func anImmediateValueIsReceivedBeforeStartReturns() async throws {
    let stops = try ObservedStops(.queue)
    let (fetches, first, second, inner) = (
      Journal<Int>(), Journal<Int>(), Journal<Int>(), Journal<Int>()
    )
    let shared = Self.count(fetches).shared(in: stops.writer, scheduling: .immediate)
    let added = Mutex<AnyDatabaseCancellable?>(nil)
    // A subscriber adds another one while it receives its first value.
    let one = shared.start {
      Issue.record($0)
    } onChange: { value in
      first.append(value)
      if value == 0 {
        let cancellable = Self.subscribe(shared, inner)
        added.withLock { $0 = cancellable }
      }
    }
    let two = Self.subscribe(shared, second)
    #expect((first.entries, second.entries, inner.entries) == ([0], [0], [0]))
    #expect(fetches.entries == [0])
    try await stops.writer.write { db in try db.execute(sql: "INSERT INTO stop VALUES (1, 'x')") }
    while inner.entries.count < 2 { await Task.yield() }
    #expect(inner.entries == [0, 1])
    // A subscriber removes itself, and all are gone.
    for cancellable in [one, two] { cancellable.cancel() }
    added.withLock { $0 = nil }
  }

  @Test func aCancelledSubscriptionKeepsNothing() async throws {
    let stops = try ObservedStops(.pool)
    var shared: SharedValueObservation<Int>? = ObservedStops.count.shared(
      in: stops.writer, scheduling: .task)
    var token: Ending? = Ending {}
    weak let observation = shared
    weak let captured = token
    let cancellable = try #require(shared).start { [token] _ in
      withExtendedLifetime(token) {}
    } onChange: { [token] _ in
      withExtendedLifetime(token) {}
    }
    (shared, token) = (nil, nil)
    #expect(observation != nil && captured != nil)
    cancellable.cancel()
    await until { observation == nil && captured == nil }
    withExtendedLifetime(cancellable) {}
  }

  /// An object that calls a closure when it is released.
  private final class Ending: Sendable {
    private let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }

  /// A value may use the observation as it is released.
  @Test(arguments: [SharedValueObservationExtent.whileObserved, .observationLifetime])
  func valuesAreReleasedOutsideOfTheLock(extent: SharedValueObservationExtent) {
    typealias Calls = (error: @Sendable (any Error) -> Void, value: @Sendable (Ending) -> Void)
    let calls = Mutex<Calls?>(nil)
    let ends = Journal<Int>()
    let shared = SharedValueObservation<Ending>(
      scheduler: DirectValueObservationScheduler(), extent: extent
    ) { onError, onChange in
      calls.withLock { $0 = (onError, onChange) }
      return AnyDatabaseCancellable {}
    }
    let subscribe: @Sendable () -> AnyDatabaseCancellable = {
      shared.start { _ in
      } onChange: { _ in
      }
    }
    let value = { @Sendable number in
      Ending {
        subscribe().cancel()
        ends.append(number)
      }
    }
    let subscription = subscribe()
    // Replaced by the next one, by the end of the last subscription, and by an error.
    for number in 1...2 { calls.withLock { $0 }?.value(value(number)) }
    #expect(ends.entries == [1])
    subscription.cancel()
    #expect(ends.entries == (extent == .whileObserved ? [1, 2] : [1]))
    let next = subscribe()
    calls.withLock { $0 }?.value(value(3))
    calls.withLock { $0 }?.error(Failure())
    #expect(ends.entries == [1, 2, 3])
    withExtendedLifetime(next) {}
  }

  @Test func whatWaitsForASubscriberIsReleasedOutsideOfItsLock() {
    let own = Mutex<SharedValueSubscriber<Ending>?>(nil)
    let ends = Journal<Int>()
    let deliver = { @Sendable number in
      let subscriber = own.withLock { $0 }
      let value = Ending {
        subscriber?.cancel()
        ends.append(number)
      }
      subscriber?.receive(.value(value, number: number))
    }
    let subscriber = SharedValueSubscriber<Ending> { _ in
    } onChange: { _ in
      deliver(2)
      deliver(3)
      #expect(ends.entries.contains(2))
    }
    own.withLock { $0 = subscriber }
    deliver(1)
    #expect(ends.entries.sorted() == [1, 2, 3])
  }

  /// Threads add and remove subscribers while others write; none sees an older value after a newer one.
  @Test(arguments: [SharedValueObservationExtent.whileObserved, .observationLifetime])
  func subscribersComeAndGoOnAnyThread(extent: SharedValueObservationExtent) async throws {
    let stops = try ObservedStops(.pool)
    let shared = ObservedStops.count.shared(in: stops.writer, scheduling: .task, extent: extent)
    let lasting = Journal<Int>()
    let last = Self.subscribe(shared, lasting)
    await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for number in 0..<25 {
            let values = Journal<Int>()
            let own = Mutex<AnyDatabaseCancellable?>(nil)
            let cancellable = shared.start {
              Issue.record($0)
            } onChange: { value in
              values.append(value)
              // Every other one removes itself, inside of its first value.
              if number.isMultiple(of: 2) { own.withLock { $0 }?.cancel() }
            }
            own.withLock { $0 = cancellable }
            if number.isMultiple(of: 3) { await values.reaches(1) }
            cancellable.cancel()
            own.withLock { $0 = nil }
            #expect(values.entries == values.entries.sorted())
          }
        }
      }
      group.addTask {
        for number in 0..<50 { try stops.add("\(number)") }
      }
    }
    await until { lasting.entries.last == 50 }
    #expect(lasting.entries == lasting.entries.sorted())
    withExtendedLifetime(last) {}
  }
}
