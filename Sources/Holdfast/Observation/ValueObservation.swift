/// An observation of a value that is fetched again when the database changes.
///
/// ```swift
/// let observation = ValueObservation.tracking { db in
///   try Stop.fetchAll(db, sql: "SELECT * FROM stops ORDER BY stop_name")
/// }
/// for try await stops in observation.values(in: pool) { … }
/// ```
///
/// The first value is delivered once; after that no commit is missed, but several commits may lead
/// to one value. Values are delivered one at a time in the order of the commits, and the last one
/// reflects the last commit. In a pool, values are fetched concurrently with the next write; in a
/// queue, fetches and writes wait for each other. An error ends the observation.
public struct ValueObservation<Reducer: ValueReducer>: Sendable {
  let tracking: ValueTracking
  var reducer: Reducer
  /// Called with what happens, in the order in which they were added.
  var handlers: [@Sendable (ObservationEvent) -> Void] = []

  /// Whether the value is fetched on the writer's connection; `false` by default.
  ///
  /// Such an observation waits for the writer, and its own changes do not notify it.
  public var requiresWriteAccess = false

  /// Returns the observation with another reducer.
  func reducing<Other>(_ transform: (Reducer) -> Other) -> ValueObservation<Other> {
    var other = ValueObservation<Other>(tracking: tracking, reducer: transform(reducer))
    other.handlers = handlers
    other.requiresWriteAccess = requiresWriteAccess
    return other
  }

  // MARK: - Making

  /// Creates an observation of the value that a closure fetches.
  ///
  /// The region is determined again at each fetch, so the closure need not always read the same.
  ///
  /// - Parameter fetch: Fetches the value.
  /// - Returns: The observation, which does nothing before it is started.
  public static func tracking<Value: Sendable>(
    _ fetch: @escaping @Sendable (Database) throws -> Value
  ) -> Self where Reducer == ValueReducers.Fetch<Value> {
    Self(tracking: .fetches, reducer: ValueReducers.Fetch(fetching: fetch))
  }

  /// Creates an observation of a value that is always fetched from the same tables and columns.
  ///
  /// Only the first fetch determines the region.
  ///
  /// - Parameter fetch: Fetches the value.
  /// - Returns: The observation, which does nothing before it is started.
  public static func trackingConstantRegion<Value: Sendable>(
    _ fetch: @escaping @Sendable (Database) throws -> Value
  ) -> Self where Reducer == ValueReducers.Fetch<Value> {
    Self(tracking: .firstFetch, reducer: ValueReducers.Fetch(fetching: fetch))
  }

  /// Creates an observation of a value that is fetched again when the given regions change.
  ///
  /// - Parameters:
  ///   - region: A region to observe.
  ///   - otherRegions: More regions to observe.
  ///   - fetch: Fetches the value; what it reads is not observed.
  /// - Returns: The observation, which does nothing before it is started.
  public static func tracking<Value: Sendable>(
    region: any DatabaseRegionConvertible, _ otherRegions: any DatabaseRegionConvertible...,
    fetch: @escaping @Sendable (Database) throws -> Value
  ) -> Self where Reducer == ValueReducers.Fetch<Value> {
    tracking(regions: [region] + otherRegions, fetch: fetch)
  }

  /// Creates an observation of a value that is fetched again when the given regions change.
  ///
  /// - Parameters:
  ///   - regions: The regions to observe.
  ///   - fetch: Fetches the value; what it reads is not observed.
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
  /// - Parameter transform: Runs outside the database access; an error ends the observation.
  /// - Returns: An observation of the same region.
  public func map<Value: Sendable>(
    _ transform: @escaping @Sendable (Reducer.Value) throws -> Value
  ) -> ValueObservation<ValueReducers.Map<Reducer, Value>> {
    reducing { ValueReducers.Map(base: $0, transform: transform) }
  }

  /// Returns an observation that delivers a value only if it differs from the previous one.
  ///
  /// - Parameter predicate: Returns whether two values are equal; it runs outside the access.
  /// - Returns: An observation of the same region, with as many values or fewer.
  public func removeDuplicates(
    by predicate: @escaping @Sendable (Reducer.Value, Reducer.Value) -> Bool
  ) -> ValueObservation<ValueReducers.RemoveDuplicates<Reducer>> {
    reducing { ValueReducers.RemoveDuplicates(base: $0, areEqual: predicate) }
  }

  /// Returns an observation that delivers a value only if it differs from the previous one.
  public func removeDuplicates() -> ValueObservation<ValueReducers.RemoveDuplicates<Reducer>>
  where Reducer.Value: Equatable {
    removeDuplicates(by: ==)
  }
}

/// The way in which the region of an observed value is determined.
enum ValueTracking: Sendable {
  /// From what each fetch reads.
  case fetches
  /// From what the first fetch reads.
  case firstFetch
  /// By the caller, which names the regions.
  case regions([any DatabaseRegionConvertible])
}
