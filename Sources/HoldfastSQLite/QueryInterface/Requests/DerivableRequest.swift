/// A request from which other requests are made: filtered, ordered, with other columns.
///
/// Extend it to name the parts of an app's requests:
///
/// ```swift
/// extension DerivableRequest<Player> {
///   func best(atLeast score: Int) -> Self {
///     filter(Column("score") >= score).order(Column("score").desc)
///   }
/// }
/// let players = try Player.all().best(atLeast: 100).limit(10).fetchAll(db)
/// ```
public protocol DerivableRequest<RowDecoder>:
  AggregatingRequest, FilteredRequest, OrderedRequest, SelectionRequest, TableRequest, TypedRequest
{
  /// Returns the request without repeated rows.
  func distinct() -> Self

  /// Returns the request with a named query that it can use like a table.
  ///
  /// - Parameter cte: The named query.
  /// - Returns: A request with a `WITH` clause.
  func with<Rows>(_ cte: CommonTableExpression<Rows>) -> Self
}

/// A request with the type of its rows.
public protocol TypedRequest<RowDecoder>: Sendable {
  /// The type to which each row is converted: a record, a value, or a ``Row``.
  associatedtype RowDecoder
}

extension DerivableRequest where RowDecoder: TableRecord {
  /// Returns the request with an additional condition.
  ///
  /// ```swift
  /// let request = Player.all().filter { $0.score > 100 }
  /// ```
  ///
  /// - Parameter predicate: Returns the condition from the record's `Columns`.
  /// - Returns: A request for the rows that satisfy both conditions.
  public func filter(
    _ predicate: (RowDecoder.DatabaseComponents) throws -> any SQLSpecificExpressible
  ) rethrows -> Self {
    try filter(predicate(RowDecoder.databaseComponents).sqlExpression)
  }

  /// Returns the request with another order, whose only term the closure returns from the record's
  /// `Columns`.
  public func order(
    _ ordering: (RowDecoder.DatabaseComponents) throws -> any SQLOrderingTerm
  ) rethrows -> Self {
    try order([ordering(RowDecoder.databaseComponents)])
  }

  /// Returns the request with another order, whose terms the closures return from the record's
  /// `Columns`, such as `\.score.desc`.
  public func order(_ orderings: (RowDecoder.DatabaseComponents) -> any SQLOrderingTerm...) -> Self
  {
    order(orderings.map { $0(RowDecoder.databaseComponents) })
  }

  /// Returns the request with another order, whose terms the closure returns from the record's
  /// `Columns`.
  public func order(
    _ orderings: (RowDecoder.DatabaseComponents) throws -> [any SQLOrderingTerm]
  ) rethrows -> Self {
    try order(orderings(RowDecoder.databaseComponents))
  }

  /// Returns the request with another column, which the closure returns from the record's
  /// `Columns`.
  public func select(
    _ selection: (RowDecoder.DatabaseComponents) throws -> any SQLSelectable
  ) rethrows -> Self {
    try select([selection(RowDecoder.databaseComponents)])
  }

  /// Returns the request with other columns, which the closures return from the record's `Columns`.
  public func select(_ selection: (RowDecoder.DatabaseComponents) -> any SQLSelectable...) -> Self {
    select(selection.map { $0(RowDecoder.databaseComponents) })
  }

  /// Returns the request with other columns, which the closure returns from the record's `Columns`.
  public func select(
    _ selection: (RowDecoder.DatabaseComponents) throws -> [any SQLSelectable]
  ) rethrows -> Self {
    try select(selection(RowDecoder.databaseComponents))
  }

  /// Returns the request with an additional column, which the closure returns from the record's
  /// `Columns`.
  public func annotated(
    with selection: (RowDecoder.DatabaseComponents) throws -> any SQLSelectable
  ) rethrows -> Self {
    try annotated(with: [selection(RowDecoder.databaseComponents)])
  }

  /// Returns the request with additional columns, which the closure returns from the record's
  /// `Columns`.
  public func annotated(
    with selection: (RowDecoder.DatabaseComponents) throws -> [any SQLSelectable]
  ) rethrows -> Self {
    try annotated(with: selection(RowDecoder.databaseComponents))
  }

  /// Returns the request with additional columns, which the closures return from the record's
  /// `Columns`.
  public func annotated(
    with selection: (RowDecoder.DatabaseComponents) -> any SQLSelectable...
  ) -> Self {
    annotated(with: selection.map { $0(RowDecoder.databaseComponents) })
  }

  /// Returns the request with one row for each distinct value of the expression that the closure
  /// returns from the record's `Columns`.
  public func group(
    _ expression: (RowDecoder.DatabaseComponents) throws -> any SQLExpressible
  ) rethrows -> Self {
    try group([expression(RowDecoder.databaseComponents)])
  }

  /// Returns the request with one row for each group of equal values of the expressions that the
  /// closure returns from the record's `Columns`.
  public func group(
    _ expressions: (RowDecoder.DatabaseComponents) throws -> [any SQLExpressible]
  ) rethrows -> Self {
    try group(expressions(RowDecoder.databaseComponents))
  }

  /// Returns the request with one row for each group of equal values of the expressions that the
  /// closures return from the record's `Columns`.
  public func group(_ expressions: (RowDecoder.DatabaseComponents) -> any SQLExpressible...) -> Self
  {
    group(expressions.map { $0(RowDecoder.databaseComponents) })
  }

  /// Returns the request with an additional condition on its groups, which the closure returns from
  /// the record's `Columns`.
  public func having(
    _ predicate: (RowDecoder.DatabaseComponents) throws -> any SQLSpecificExpressible
  ) rethrows -> Self {
    try having(predicate(RowDecoder.databaseComponents).sqlExpression)
  }

  /// Returns the request with an additional condition on its groups, which the closure returns from
  /// the record's `Columns`.
  @_disfavoredOverload
  public func having(
    _ predicate: (RowDecoder.DatabaseComponents) throws -> any SQLExpressible
  ) rethrows -> Self {
    try having(predicate(RowDecoder.databaseComponents).sqlExpression)
  }
}
