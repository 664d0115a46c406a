public import Observation

/// A value that is updated with the database, for SwiftUI views and other users of `Observation`.
///
/// ```swift
/// let stops = ObservedValue(
///   .tracking { db in try Stop.fetchAll(db, sql: "SELECT * FROM stops") }, in: pool, initial: [])
/// // in a view's body:
/// List(stops.value) { stop in Text(stop.name) }
/// ```
///
/// The observation ends when the object is deinitialized.
@MainActor
public final class ObservedValue<Value: Sendable>: Observable {
  private let registrar = ObservationRegistrar()
  private var current: Value
  private var failure: (any Error)?
  private var cancellable: AnyDatabaseCancellable?

  /// Creates a value and starts its observation.
  ///
  /// - Parameters:
  ///   - observation: The observation that fetches the values.
  ///   - reader: The database.
  ///   - initial: The value until the first one has been fetched.
  ///   - scheduler: With `.immediate` the first value is fetched before the initializer returns,
  ///     and `initial` is never seen; by default it is fetched later.
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

  /// The error that ended the observation; `nil` while it continues.
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
