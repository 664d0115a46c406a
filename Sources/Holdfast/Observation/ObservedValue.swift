public import Observation

/// A value that follows the database, for SwiftUI views and whatever else uses `Observation`.
///
/// ```swift
/// let stops = ObservedValue(
///   .tracking { db in try Stop.fetchAll(db, sql: "SELECT * FROM stops") }, in: pool, initial: [])
/// // in a view's body:
/// List(stops.value) { stop in Text(stop.name) }
/// ```
///
/// It follows until nobody keeps it any more.
@MainActor
public final class ObservedValue<Value: Sendable>: Observable {
  private let registrar = ObservationRegistrar()
  private var current: Value
  private var failure: (any Error)?
  private var cancellable: AnyDatabaseCancellable?

  /// Starts to follow.
  ///
  /// - Parameters:
  ///   - observation: What is fetched, and when.
  ///   - reader: The database.
  ///   - initial: The value until the first one was fetched.
  ///   - scheduler: With `.immediate` the first value is fetched before the initializer returns,
  ///     and `initial` is never seen; by default it comes later.
  public init<Reducer: ValueReducer<Value>>(
    _ observation: ValueObservation<Reducer>, in reader: any DatabaseReader, initial: Value,
    scheduling scheduler: some ValueObservationMainActorScheduler = .mainActor
  ) {
    current = initial
    cancellable = observation.start(in: reader, scheduling: scheduler) { [weak self] error in
      self?.error = error
    } onChange: { [weak self] value in
      self?.value = value
    }
  }

  /// The latest value.
  public private(set) var value: Value {
    get {
      registrar.access(self, keyPath: \.value)
      return current
    }
    set {
      registrar.withMutation(of: self, keyPath: \.value) { current = newValue }
    }
  }

  /// What ended the observation, `nil` as long as it goes on.
  public private(set) var error: (any Error)? {
    get {
      registrar.access(self, keyPath: \.error)
      return failure
    }
    set {
      registrar.withMutation(of: self, keyPath: \.error) { failure = newValue }
    }
  }
}
