/// A request whose rows can be restricted by conditions.
public protocol FilteredRequest: Sendable {
  /// Returns the request with an additional condition.
  ///
  /// - Parameter predicate: A condition on the columns of the table.
  /// - Returns: A request for the rows that satisfy both conditions.
  func filter(_ predicate: some SQLSpecificExpressible) -> Self
}

extension FilteredRequest {
  /// Returns the request with an additional condition, which is SQL.
  public func filter(literal sqlLiteral: SQL) -> Self { filter(sqlLiteral) }

  /// Returns the request with an additional condition, which is SQL with values for its parameters.
  public func filter(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> Self {
    filter(SQL(sql: sql, arguments: arguments))
  }

  /// Returns the request itself.
  public func all() -> Self { self }

  /// Returns a request for no row.
  public func none() -> Self { filter(SQLExpression.never) }
}
