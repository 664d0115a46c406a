// Two classes erase an aggregate's type for SQLite's callbacks, which cannot be generic.

/// The aggregate of one group, or of one window, in one run of a statement.
class AggregateGroup {
  func step(_ values: [DatabaseValue]) throws {}
  func inverse(_ values: [DatabaseValue]) throws {}
  func value() throws -> (any DatabaseValueConvertible)? { nil }
  func finalize() throws -> (any DatabaseValueConvertible)? { nil }
}

/// The group of an aggregate that rows cannot leave.
class TypedAggregateGroup<Aggregate: DatabaseAggregate>: AggregateGroup {
  fileprivate var aggregate = Aggregate()

  override func step(_ values: [DatabaseValue]) throws { try aggregate.step(values) }

  override func finalize() throws -> (any DatabaseValueConvertible)? { try aggregate.finalize() }
}

/// The group of an aggregate that rows can leave.
final class TypedWindowGroup<Aggregate: DatabaseWindowAggregate>: TypedAggregateGroup<Aggregate> {
  override func inverse(_ values: [DatabaseValue]) throws { try aggregate.inverse(values) }

  override func value() throws -> (any DatabaseValueConvertible)? { try aggregate.value() }
}
