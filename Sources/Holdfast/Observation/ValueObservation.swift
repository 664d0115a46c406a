/// A value that is fetched again, and delivered, when what it was fetched from has changed.
///
/// ```swift
/// let observation = ValueObservation.tracking { db in
///   try Stop.fetchAll(db, sql: "SELECT * FROM stops ORDER BY stop_name")
/// }
/// for try await stops in observation.values(in: pool) { … }
/// ```
///
/// The first value is delivered once; after that no commit is missed, but several commits may lead
/// to one value. Values come in the order of the commits, one after the other, and the last one
/// delivered reflects the last commit. Fetching goes on beside the next write in a pool, and in
/// line with it in a queue. An error ends the observation.
public struct ValueObservation<Reducer: ValueReducer>: Sendable {
  let tracking: ValueTracking
  var reducer: Reducer
  /// Called with what happens, in the order in which they were added.
  var handlers: [@Sendable (ObservationEvent) -> Void] = []

  /// Whether the value is fetched where it could also be written; false by default.
  ///
  /// Such an observation waits for the writer, and its own changes do not concern it.
  public var requiresWriteAccess = false

  /// Returns the observation with another way of making values.
  func reducing<Other>(_ transform: (Reducer) -> Other) -> ValueObservation<Other> {
    var other = ValueObservation<Other>(tracking: tracking, reducer: transform(reducer))
    other.handlers = handlers
    other.requiresWriteAccess = requiresWriteAccess
    return other
  }

  // MARK: - Making

  /// Creates an observation of what a closure fetches.
  ///
  /// What each fetch reads is followed, so that the closure may read now this, now that.
  ///
  /// - Parameter fetch: Fetches the value.
  /// - Returns: The observation, which does nothing before it is started.
  public static func tracking<Value: Sendable>(
    _ fetch: @escaping @Sendable (Database) throws -> Value
  ) -> Self where Reducer == ValueReducers.Fetch<Value> {
    Self(tracking: .fetches, reducer: ValueReducers.Fetch(fetching: fetch))
  }

  /// Creates an observation of what a closure fetches, always from the same tables and columns.
  ///
  /// Only the first fetch is looked at.
  ///
  /// - Parameter fetch: Fetches the value.
  /// - Returns: The observation, which does nothing before it is started.
  public static func trackingConstantRegion<Value: Sendable>(
    _ fetch: @escaping @Sendable (Database) throws -> Value
  ) -> Self where Reducer == ValueReducers.Fetch<Value> {
    Self(tracking: .firstFetch, reducer: ValueReducers.Fetch(fetching: fetch))
  }

  /// Creates an observation of what a closure fetches whenever given regions change.
  ///
  /// - Parameters:
  ///   - region: A region to follow.
  ///   - otherRegions: More of them.
  ///   - fetch: Fetches the value; what it reads does not count.
  /// - Returns: The observation, which does nothing before it is started.
  public static func tracking<Value: Sendable>(
    region: any DatabaseRegionConvertible, _ otherRegions: any DatabaseRegionConvertible...,
    fetch: @escaping @Sendable (Database) throws -> Value
  ) -> Self where Reducer == ValueReducers.Fetch<Value> {
    tracking(regions: [region] + otherRegions, fetch: fetch)
  }

  /// Creates an observation of what a closure fetches whenever given regions change.
  ///
  /// - Parameters:
  ///   - regions: The regions to follow.
  ///   - fetch: Fetches the value; what it reads does not count.
  /// - Returns: The observation, which does nothing before it is started.
  public static func tracking<Value: Sendable>(
    regions: [any DatabaseRegionConvertible],
    fetch: @escaping @Sendable (Database) throws -> Value
  ) -> Self where Reducer == ValueReducers.Fetch<Value> {
    Self(tracking: .regions(regions), reducer: ValueReducers.Fetch(fetching: fetch))
  }

  // MARK: - Transforming

  /// Returns an observation of transformed values.
  ///
  /// - Parameter transform: Runs outside of the database access; an error ends the observation.
  /// - Returns: The observation.
  public func map<Value: Sendable>(
    _ transform: @escaping @Sendable (Reducer.Value) throws -> Value
  ) -> ValueObservation<ValueReducers.Map<Reducer, Value>> {
    reducing { ValueReducers.Map(base: $0, transform: transform) }
  }

  /// Returns an observation that delivers a value only if it differs from the one before.
  ///
  /// - Parameter predicate: Returns whether two values are alike; it runs outside of the access.
  /// - Returns: The observation.
  public func removeDuplicates(
    by predicate: @escaping @Sendable (Reducer.Value, Reducer.Value) -> Bool
  ) -> ValueObservation<ValueReducers.RemoveDuplicates<Reducer>> {
    reducing { ValueReducers.RemoveDuplicates(base: $0, areEqual: predicate) }
  }

  /// Returns an observation that delivers a value only if it differs from the one before.
  public func removeDuplicates() -> ValueObservation<ValueReducers.RemoveDuplicates<Reducer>>
  where Reducer.Value: Equatable {
    removeDuplicates(by: ==)
  }
}

/// How it is found out what an observed value depends on.
enum ValueTracking: Sendable {
  /// By looking at each fetch.
  case fetches
  /// By looking at the first fetch.
  case firstFetch
  /// By being told.
  case regions([any DatabaseRegionConvertible])
}
