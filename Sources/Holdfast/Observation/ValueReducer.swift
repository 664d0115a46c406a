/// A type that makes the values of an observation from what is fetched.
///
/// You do not implement it: `tracking`, `map` and `removeDuplicates` create reducers.
public protocol ValueReducer<Value>: Sendable {
  /// The type that is fetched during the database access.
  associatedtype Fetched: Sendable

  /// The type that is delivered.
  associatedtype Value: Sendable

  /// Fetches from the database.
  ///
  /// - Parameter db: The connection of the access.
  /// - Returns: The fetched value, from which a value is made when the access has ended.
  /// - Throws: The error that ends the observation.
  func fetch(_ db: Database) throws -> Fetched

  /// Makes a value, outside the access.
  ///
  /// - Parameter fetched: The fetched value.
  /// - Returns: The value to deliver; `nil` when there is none.
  /// - Throws: The error that ends the observation.
  mutating func value(_ fetched: Fetched) throws -> Value?
}

/// The reducers that `tracking` and the transformations of an observation create.
public enum ValueReducers {
  /// A reducer that delivers what was fetched.
  public struct Fetch<Value: Sendable>: ValueReducer {
    let fetching: @Sendable (Database) throws -> Value

    /// Fetches the value.
    public func fetch(_ db: Database) throws -> Value {
      try fetching(db)
    }

    /// Returns the fetched value.
    public func value(_ fetched: Value) -> Value? {
      fetched
    }
  }

  /// A reducer that delivers transformed values.
  public struct Map<Base: ValueReducer, Value: Sendable>: ValueReducer {
    var base: Base
    let transform: @Sendable (Base.Value) throws -> Value

    /// Fetches with the base reducer.
    public func fetch(_ db: Database) throws -> Base.Fetched {
      try base.fetch(db)
    }

    /// Returns the transformed value of the base reducer.
    public mutating func value(_ fetched: Base.Fetched) throws -> Value? {
      try base.value(fetched).map(transform)
    }
  }

  /// A reducer that delivers a value only if it differs from the previous one.
  public struct RemoveDuplicates<Base: ValueReducer>: ValueReducer {
    var base: Base
    var last: Base.Value?
    let areEqual: @Sendable (Base.Value, Base.Value) -> Bool

    /// Fetches with the base reducer.
    public func fetch(_ db: Database) throws -> Base.Fetched {
      try base.fetch(db)
    }

    /// Returns the value of the base reducer, unless it equals the previous one.
    public mutating func value(_ fetched: Base.Fetched) throws -> Base.Value? {
      guard let value = try base.value(fetched) else { return nil }
      if let last, areEqual(last, value) { return nil }
      last = value
      return value
    }
  }

  /// A reducer that reports when its base reducer fetches and makes a value.
  public struct Trace<Base: ValueReducer>: ValueReducer {
    /// One step on the way to a value.
    enum Step: Sendable {
      case fetching
      case made(Base.Value)
    }

    var base: Base
    let report: @Sendable (Step) -> Void

    /// Fetches with the base reducer.
    public func fetch(_ db: Database) throws -> Base.Fetched {
      report(.fetching)
      return try base.fetch(db)
    }

    /// Returns the value of the base reducer.
    public mutating func value(_ fetched: Base.Fetched) throws -> Base.Value? {
      try base.value(fetched).map { value in
        report(.made(value))
        return value
      }
    }
  }
}
