extension ValueObservation {
  /// Starts the observation.
  ///
  /// ```swift
  /// let cancellable = observation.start(in: pool, scheduling: .task) { error in
  ///   print(error)
  /// } onChange: { stops in
  ///   print(stops.count)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - reader: The database. A snapshot, which never changes, delivers one value.
  ///   - scheduler: Where values and an error are delivered.
  ///   - onError: Called at most once, after the last value.
  ///   - onChange: Called with each value; no other value is delivered while it runs.
  /// - Returns: The cancellable, which ends the observation when it is cancelled or deinitialized.
  @preconcurrency public func start(
    in reader: any DatabaseReader,
    scheduling scheduler: some ValueObservationScheduler,
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Reducer.Value) -> Void
  ) -> AnyDatabaseCancellable {
    let observer = ValueObserver(
      self, of: ObservedDatabase(reader), scheduler: scheduler, onError: onError,
      onChange: onChange)
    observer.start()
    return AnyDatabaseCancellable { observer.cancel() }
  }

  /// Starts the observation, with values delivered on the main actor.
  ///
  /// - Parameters:
  ///   - reader: The database. A snapshot, which never changes, delivers one value.
  ///   - scheduler: By default all values are delivered later; with `.immediate` the first value is
  ///     delivered before this function returns.
  ///   - onError: Called at most once, after the last value.
  ///   - onChange: Called with each value.
  /// - Returns: The cancellable, which ends the observation when it is cancelled or deinitialized.
  @preconcurrency @MainActor public func start(
    in reader: any DatabaseReader,
    scheduling scheduler: some ValueObservationMainActorScheduler = .mainActor,
    onError: @escaping @MainActor (any Error) -> Void,
    onChange: @escaping @MainActor (Reducer.Value) -> Void
  ) -> AnyDatabaseCancellable {
    let anywhere: some ValueObservationScheduler = scheduler
    return start(in: reader, scheduling: anywhere) { error in
      MainActor.assumeIsolated { onError(error) }
    } onChange: { value in
      MainActor.assumeIsolated { onChange(value) }
    }
  }

  /// Returns the values as an asynchronous sequence.
  ///
  /// Each loop over the sequence starts its own observation, which ends with the loop.
  ///
  /// - Parameters:
  ///   - reader: The database. A snapshot, which never changes, delivers one value.
  ///   - bufferingPolicy: Which values are kept until the loop requests them; by default the newest
  ///     one, because it reflects the database.
  /// - Returns: The sequence; it throws the error that ends the observation.
  public func values(
    in reader: any DatabaseReader,
    bufferingPolicy: AsyncValueObservation<Reducer.Value>.BufferingPolicy = .bufferingNewest(1)
  ) -> AsyncValueObservation<Reducer.Value> {
    values(
      in: reader, scheduling: DirectValueObservationScheduler(), bufferingPolicy: bufferingPolicy)
  }

  /// Returns the values as an asynchronous sequence, to which a scheduler delivers them.
  ///
  /// - Parameters:
  ///   - reader: The database. A snapshot, which never changes, delivers one value.
  ///   - scheduler: Where values are delivered to the sequence.
  ///   - bufferingPolicy: Which values are kept until the loop requests them; by default the newest
  ///     one, because it reflects the database.
  /// - Returns: The sequence; it throws the error that ends the observation.
  public func values(
    in reader: any DatabaseReader,
    scheduling scheduler: some ValueObservationScheduler,
    bufferingPolicy: AsyncValueObservation<Reducer.Value>.BufferingPolicy = .bufferingNewest(1)
  ) -> AsyncValueObservation<Reducer.Value> {
    AsyncValueObservation(bufferingPolicy: bufferingPolicy) { onError, onChange in
      start(in: reader, scheduling: scheduler, onError: onError, onChange: onChange)
    }
  }
}
