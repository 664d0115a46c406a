// Membership in Swift's sequences and ranges.

extension Sequence where Element: SQLExpressible {
  /// Returns an expression that is true when a value is one of the elements.
  ///
  /// - Parameter element: The value; NULL is in no list.
  /// - Returns: The SQL `element IN (…)`, with each element bound; false for an empty sequence.
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(.isIn(element.sqlExpression, map(\.sqlExpression), isNegated: false))
  }
}

extension Sequence where Element == any SQLExpressible {
  /// Returns an expression that is true when a value is one of the elements.
  ///
  /// - Parameter element: The value; NULL is in no list.
  /// - Returns: The SQL `element IN (…)`, with each element bound; false for an empty sequence.
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(.isIn(element.sqlExpression, map(\.sqlExpression), isNegated: false))
  }
}

extension ClosedRange where Bound: SQLExpressible {
  /// Returns an expression that is true when a value is in the range.
  ///
  /// - Parameter element: The value.
  /// - Returns: The SQL `element BETWEEN … AND …`.
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(
      .between(
        element.sqlExpression, lowerBound.sqlExpression, upperBound.sqlExpression,
        isNegated: false))
  }
}

extension Range where Bound: SQLExpressible {
  /// Returns an expression that is true when a value is in the range, without its upper bound.
  ///
  /// - Parameter element: The value.
  /// - Returns: The SQL of both comparisons.
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    element >= lowerBound && element < upperBound
  }
}
