/// A request whose columns can be chosen.
public protocol SelectionRequest: Sendable {
  /// Returns the request with other columns.
  ///
  /// - Parameter selection: The columns, at least one.
  /// - Returns: The request.
  func select(_ selection: [any SQLSelectable]) -> Self

  /// Returns the request with additional columns.
  ///
  /// - Parameter selection: The columns, which follow the ones that are selected.
  /// - Returns: The request.
  func annotated(with selection: [any SQLSelectable]) -> Self
}

extension SelectionRequest {
  /// Returns the request with other columns.
  ///
  /// - Parameter selection: The columns, at least one.
  /// - Returns: The request.
  public func select(_ selection: any SQLSelectable...) -> Self { select(selection) }

  /// Returns the request with other columns.
  ///
  /// - Parameter sqlLiteral: The columns.
  /// - Returns: The request.
  public func select(literal sqlLiteral: SQL) -> Self { select([sqlLiteral]) }

  /// Returns the request with other columns.
  ///
  /// - Parameters:
  ///   - sql: The columns.
  ///   - arguments: Values for the parameters of the text.
  /// - Returns: The request.
  public func select(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> Self {
    select([SQL(sql: sql, arguments: arguments)])
  }

  /// Returns the request with additional columns.
  ///
  /// - Parameter selection: The columns, which follow the ones that are selected.
  /// - Returns: The request.
  public func annotated(with selection: any SQLSelectable...) -> Self {
    annotated(with: selection)
  }
}
