extension DatabaseFunction {
  /// Returns an expression that calls the function.
  ///
  /// ```swift
  /// let shout = DatabaseFunction("shout", argumentCount: 1) { values in … }
  /// let names = try Player.select(shout(Column("name")), as: String.self).fetchAll(db)
  /// ```
  ///
  /// - Parameter arguments: The arguments.
  /// - Returns: The call. The connection must have the function.
  public func callAsFunction(_ arguments: any SQLExpressible...) -> SQLExpression {
    SQLExpression(.function(name.quotedDatabaseIdentifier, arguments.map(\.sqlExpression)))
  }
}
