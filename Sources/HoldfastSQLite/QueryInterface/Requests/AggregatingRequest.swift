/// A request whose rows can be grouped.
public protocol AggregatingRequest: Sendable {
  /// Returns the request with one row for each group of equal values, in place of its groups.
  ///
  /// - Parameter expressions: The values by which rows are grouped.
  /// - Returns: A request with a `GROUP BY` clause.
  func group(_ expressions: [any SQLExpressible]) -> Self

  /// Returns the request with an additional condition on its groups.
  ///
  /// - Parameter predicate: The condition, with aggregates such as `count(Column("id"))`.
  /// - Returns: A request for the groups that satisfy both conditions.
  func having(_ predicate: some SQLSpecificExpressible) -> Self
}

extension AggregatingRequest {
  // Disfavored, because the cases of an enum of columns are compared in Swift where a `Bool` is wanted.

  /// Returns the request with an additional condition on its groups, such as `true`.
  @_disfavoredOverload
  public func having(_ predicate: some SQLExpressible) -> Self {
    having(predicate.sqlExpression)
  }

  /// Returns the request with one row for each group of equal values, in place of its groups.
  public func group(_ expressions: any SQLExpressible...) -> Self { group(expressions) }

  /// Returns the request with one row for each group of equal values of a SQL expression.
  public func group(literal sqlLiteral: SQL) -> Self { group([sqlLiteral]) }

  /// Returns the request with one row for each group of equal values of a SQL expression, with
  /// values for its parameters.
  public func group(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> Self {
    group([SQL(sql: sql, arguments: arguments)])
  }

  /// Returns the request with an additional condition on its groups, which is SQL.
  public func having(literal sqlLiteral: SQL) -> Self { having(sqlLiteral) }

  /// Returns the request with an additional condition on its groups, which is SQL with values for
  /// its parameters.
  public func having(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> Self {
    having(SQL(sql: sql, arguments: arguments))
  }
}
