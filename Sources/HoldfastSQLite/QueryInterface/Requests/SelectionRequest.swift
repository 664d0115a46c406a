/// A request whose columns can be chosen.
public protocol SelectionRequest: Sendable {
  /// Returns the request with other columns.
  ///
  /// - Parameter selection: The columns, at least one.
  /// - Returns: A request for those columns only.
  func select(_ selection: [any SQLSelectable]) -> Self

  /// Returns the request with additional columns.
  ///
  /// - Parameter selection: The columns, which follow the ones that are selected.
  /// - Returns: A request whose rows end with those columns.
  func annotated(with selection: [any SQLSelectable]) -> Self
}

extension SelectionRequest {
  /// Returns the request with other columns, at least one.
  public func select(_ selection: any SQLSelectable...) -> Self { select(selection) }

  /// Returns the request with other columns, which are SQL.
  public func select(literal sqlLiteral: SQL) -> Self { select([sqlLiteral]) }

  /// Returns the request with other columns, which are SQL with values for its parameters.
  public func select(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> Self {
    select([SQL(sql: sql, arguments: arguments)])
  }

  /// Returns the request with additional columns, which follow the ones that are selected.
  public func annotated(with selection: any SQLSelectable...) -> Self {
    annotated(with: selection)
  }
}
