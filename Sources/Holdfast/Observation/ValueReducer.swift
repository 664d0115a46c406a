/// Makes the values of an observation from what is fetched.
///
/// You do not write one: `tracking`, `map` and `removeDuplicates` make them.
public protocol ValueReducer<Value>: Sendable {
  /// What is fetched inside of the database access.
  associatedtype Fetched: Sendable

  /// What is delivered.
  associatedtype Value: Sendable

  /// Fetches.
  ///
  /// - Parameter db: The connection of the access.
  /// - Returns: What was fetched.
  /// - Throws: What ends the observation.
  func fetch(_ db: Database) throws -> Fetched

  /// Makes a value, outside of the access.
  ///
  /// - Parameter fetched: What was fetched.
  /// - Returns: The value, `nil` when there is nothing new to deliver.
  /// - Throws: What ends the observation.
  mutating func value(_ fetched: Fetched) throws -> Value?
}

/// The ways in which observations make their values.
public enum ValueReducers {
  /// Delivers what was fetched.
  public struct Fetch<Value: Sendable>: ValueReducer {
    let fetching: @Sendable (Database) throws -> Value

    /// Fetches the value.
    public func fetch(_ db: Database) throws -> Value {
      try fetching(db)
    }

    /// Returns what was fetched.
    public func value(_ fetched: Value) -> Value? {
      fetched
    }
  }

  /// Delivers transformed values.
  public struct Map<Base: ValueReducer, Value: Sendable>: ValueReducer {
    var base: Base
    let transform: @Sendable (Base.Value) throws -> Value

    /// Fetches what the base does.
    public func fetch(_ db: Database) throws -> Base.Fetched {
      try base.fetch(db)
    }

    /// Transforms the base's value.
    public mutating func value(_ fetched: Base.Fetched) throws -> Value? {
      try base.value(fetched).map(transform)
    }
  }

  /// Delivers values that differ from the one before.
  public struct RemoveDuplicates<Base: ValueReducer>: ValueReducer {
    var base: Base
    var last: Base.Value?
    let areEqual: @Sendable (Base.Value, Base.Value) -> Bool

    /// Fetches what the base does.
    public func fetch(_ db: Database) throws -> Base.Fetched {
      try base.fetch(db)
    }

    /// Returns the base's value, unless it is the last one again.
    public mutating func value(_ fetched: Base.Fetched) throws -> Base.Value? {
      guard let value = try base.value(fetched) else { return nil }
      if let last, areEqual(last, value) { return nil }
      last = value
      return value
    }
  }

  /// Reports what the base does.
  public struct Trace<Base: ValueReducer>: ValueReducer {
    /// One step on the way to a value.
    enum Step: Sendable {
      case fetching
      case made(Base.Value)
    }

    var base: Base
    let report: @Sendable (Step) -> Void

    /// Fetches what the base does.
    public func fetch(_ db: Database) throws -> Base.Fetched {
      report(.fetching)
      return try base.fetch(db)
    }

    /// Returns the base's value.
    public mutating func value(_ fetched: Base.Fetched) throws -> Base.Value? {
      try base.value(fetched).map { value in
        report(.made(value))
        return value
      }
    }
  }
}
