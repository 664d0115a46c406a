/// A request whose rows can be ordered.
public protocol OrderedRequest: Sendable {
  /// Returns the request with another order, in place of the one that it has.
  ///
  /// - Parameter orderings: The terms, the first one first.
  /// - Returns: A request with an `ORDER BY` clause.
  func order(_ orderings: [any SQLOrderingTerm]) -> Self

  /// Returns the request with the opposite order; without an order it stays without.
  func reversed() -> Self

  /// Returns the request without an order.
  func unordered() -> Self

  /// Returns the request with the primary key as its last order, so that the order is always the
  /// same.
  func withStableOrder() -> Self
}

extension OrderedRequest {
  /// Returns the request with another order, in place of the one that it has.
  public func order(_ orderings: any SQLOrderingTerm...) -> Self { order(orderings) }

  /// Returns the request with another order, whose terms are SQL.
  public func order(literal sqlLiteral: SQL) -> Self { order([sqlLiteral]) }

  /// Returns the request with another order, whose terms are SQL with values for its parameters.
  public func order(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> Self {
    order([SQL(sql: sql, arguments: arguments)])
  }
}
