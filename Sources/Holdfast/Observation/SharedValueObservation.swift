import Synchronization

/// An observation whose values several subscribers share: each value is fetched once for all of them.
///
/// ```swift
/// let stops = ValueObservation
///   .tracking { db in try Stop.fetchAll(db, sql: "SELECT * FROM stops ORDER BY stop_name") }
///   .shared(in: pool)
/// let list = stops.start { error in … } onChange: { stops in … }
/// let badge = stops.start { error in … } onChange: { stops in … }
/// ```
///
/// A new subscriber receives the latest value by the scheduler of the observation, without another fetch:
/// immediately with `.immediate`, and soon with any other. Each subscriber receives values one at a time, in
/// the order of the commits, and never one that is older than the one before. A subscriber that is slow
/// delays all of them, and may miss values that are not the latest.
public final class SharedValueObservation<Element: Sendable>: Sendable {
  typealias Subscriber = SharedValueSubscriber<Element>
  typealias Start = Subscriber.Start

  private struct State {
    /// By number, in the order of their subscription.
    var subscribers: [(number: Int, subscriber: Subscriber)] = []
    var lastNumber = 0
    /// The number of observations that were started; the last one may be running.
    var round = 0
    var isRunning = false
    var running: AnyDatabaseCancellable?
    /// The latest value of this round, or the error that ended the last one of all.
    var latest: Subscriber.Delivery?
  }

  private let scheduler: any ValueObservationScheduler
  private let extent: SharedValueObservationExtent
  private let observe: Start
  // Values and cancellables are released outside of the lock, which their end might need.
  private let state = Mutex(State())

  init(
    scheduler: any ValueObservationScheduler, extent: SharedValueObservationExtent,
    observe: @escaping Start
  ) {
    (self.scheduler, self.extent, self.observe) = (scheduler, extent, observe)
  }

  // MARK: - Subscribing

  /// Adds a subscriber.
  ///
  /// It may be called on any thread, also by a subscriber while it receives a value; on the main actor if the
  /// scheduler is `.immediate`.
  ///
  /// - Parameters:
  ///   - onError: Called at most once, after the last value.
  ///   - onChange: Called with each value; no other value is delivered to this subscriber while it runs.
  /// - Returns: The cancellable, which ends the subscription when it is cancelled or deinitialized.
  @preconcurrency public func start(
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Element) -> Void
  ) -> AnyDatabaseCancellable {
    let subscriber = Subscriber(onError: onError, onChange: onChange)
    let (number, latest, round) = state.withLock { state in
      state.lastNumber += 1
      state.subscribers.append((state.lastNumber, subscriber))
      // After an error, which is the latest then, there is no further round.
      let isFirst = !state.isRunning && state.latest == nil
      if isFirst {
        state.isRunning = true
        state.round += 1
      }
      return (state.lastNumber, state.latest, isFirst ? state.round : nil)
    }
    if let round {
      begin(round)
    } else if let latest, scheduler.immediateInitialValue() {
      subscriber.receive(latest)
    } else if let latest {
      scheduler.schedule { subscriber.receive(latest) }
    }
    // The cancellable keeps the observation, so that it outlives the reference of the app.
    return AnyDatabaseCancellable { self.remove(subscriber, number) }
  }

  /// Returns the values as an asynchronous sequence.
  ///
  /// Each loop over the sequence is a subscriber, which ends with the loop.
  ///
  /// - Parameter bufferingPolicy: Which values are kept until the loop requests them; by default the newest
  ///   one, because it reflects the database.
  /// - Returns: The sequence; it throws the error that ends the observation.
  public func values(
    bufferingPolicy: AsyncValueObservation<Element>.BufferingPolicy = .bufferingNewest(1)
  ) -> AsyncValueObservation<Element> {
    AsyncValueObservation(bufferingPolicy: bufferingPolicy) { onError, onChange in
      self.start(onError: onError, onChange: onChange)
    }
  }

  private func remove(_ subscriber: Subscriber, _ number: Int) {
    subscriber.cancel()
    let ended = state.withLock { state -> (AnyDatabaseCancellable?, Subscriber.Delivery?)? in
      guard let index = state.subscribers.firstIndex(where: { $0.number == number }) else {
        return nil
      }
      state.subscribers.remove(at: index)
      guard state.subscribers.isEmpty, extent == .whileObserved else { return nil }
      defer { (state.isRunning, state.running, state.latest) = (false, nil, nil) }
      return (state.running, state.latest)
    }
    ended?.0?.cancel()
  }

  // MARK: - Observing

  /// Starts the observation of a round, which may deliver a value before this returns.
  private func begin(_ round: Int) {
    // Weak, because the observation belongs to this object, and ends with it.
    let started = observe(
      { [weak self] error in self?.fail(error, in: round) },
      { [weak self] value in self?.publish(value, in: round) })
    let isCurrent = state.withLock { state in
      guard state.isRunning, state.round == round else { return false }
      state.running = started
      return true
    }
    // The subscribers left while it was started.
    if !isCurrent { started.cancel() }
  }

  private func publish(_ value: Element, in round: Int) {
    deliver(in: round) { state in
      let delivery = Subscriber.Delivery.value(value, number: (state.latest?.number ?? 0) + 1)
      state.latest = delivery
      return delivery
    }
  }

  private func fail(_ error: any Error, in round: Int) {
    deliver(in: round) { state in
      let delivery = Subscriber.Delivery.failure(error)
      (state.isRunning, state.running, state.subscribers) = (false, nil, [])
      state.latest = extent == .observationLifetime ? delivery : nil
      return delivery
    }
  }

  /// Delivers what the closure returns to the subscribers, unless the round has ended.
  private func deliver(in round: Int, _ next: (inout State) -> Subscriber.Delivery) {
    let due = state.withLock { state -> (State, Subscriber.Delivery)? in
      guard state.isRunning, state.round == round else { return nil }
      let before = state
      return (before, next(&state))
    }
    guard let (before, delivery) = due else { return }
    for (_, subscriber) in before.subscribers { subscriber.receive(delivery) }
  }
}

extension ValueObservation {
  /// Returns an observation whose values several subscribers share.
  ///
  /// - Parameters:
  ///   - reader: The database. A snapshot, which never changes, delivers one value.
  ///   - scheduler: Where values are delivered to all subscribers.
  ///   - extent: How long the database is observed; by default while there are subscribers.
  /// - Returns: The shared observation, which does nothing before its first subscriber.
  public func shared(
    in reader: any DatabaseReader,
    scheduling scheduler: some ValueObservationScheduler = .mainActor,
    extent: SharedValueObservationExtent = .whileObserved
  ) -> SharedValueObservation<Reducer.Value> {
    SharedValueObservation(scheduler: scheduler, extent: extent) { onError, onChange in
      self.start(in: reader, scheduling: scheduler, onError: onError, onChange: onChange)
    }
  }
}
