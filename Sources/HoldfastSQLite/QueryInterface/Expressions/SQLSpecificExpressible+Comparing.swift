// Comparisons of SQL expressions. Comparisons with NULL by `==` and `!=` ask whether a value is NULL,
// as in Swift.

extension SQLSpecificExpressible {
  /// Whether both are equal; with `nil`, whether the value is NULL.
  public static func == (lhs: Self, rhs: (any SQLExpressible)?) -> SQLExpression {
    .equality(lhs, rhs)
  }

  /// Whether both are equal; with `nil`, whether the value is NULL.
  public static func == (lhs: (any SQLExpressible)?, rhs: Self) -> SQLExpression {
    .equality(rhs, lhs)
  }

  /// Whether both are equal; with `nil`, whether the value is NULL.
  public static func == (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .equality(lhs, rhs)
  }

  /// Whether both are different; with `nil`, whether the value is not NULL.
  public static func != (lhs: Self, rhs: (any SQLExpressible)?) -> SQLExpression {
    .inequality(lhs, rhs)
  }

  /// Whether both are different; with `nil`, whether the value is not NULL.
  public static func != (lhs: (any SQLExpressible)?, rhs: Self) -> SQLExpression {
    .inequality(rhs, lhs)
  }

  /// Whether both are different; with `nil`, whether the value is not NULL.
  public static func != (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .inequality(lhs, rhs)
  }

  /// Whether both are equal or both NULL: the SQL `IS`.
  public static func === (lhs: Self, rhs: (any SQLExpressible)?) -> SQLExpression {
    .identity(lhs, rhs)
  }

  /// Whether both are equal or both NULL: the SQL `IS`.
  public static func === (lhs: (any SQLExpressible)?, rhs: Self) -> SQLExpression {
    .identity(rhs, lhs)
  }

  /// Whether both are equal or both NULL: the SQL `IS`.
  public static func === (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .identity(lhs, rhs)
  }

  /// Whether both are different, or one of them NULL: the SQL `IS NOT`.
  public static func !== (lhs: Self, rhs: (any SQLExpressible)?) -> SQLExpression {
    .difference(lhs, rhs)
  }

  /// Whether both are different, or one of them NULL: the SQL `IS NOT`.
  public static func !== (lhs: (any SQLExpressible)?, rhs: Self) -> SQLExpression {
    .difference(rhs, lhs)
  }

  /// Whether both are different, or one of them NULL: the SQL `IS NOT`.
  public static func !== (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .difference(lhs, rhs)
  }

  /// Whether the left value is smaller.
  public static func < (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .less, rhs.sqlExpression))
  }

  /// Whether the left value is smaller.
  public static func < (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .less, rhs.sqlExpression))
  }

  /// Whether the left value is smaller.
  public static func < (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .less, rhs.sqlExpression))
  }

  /// Whether the left value is smaller or equal.
  public static func <= (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .lessOrEqual, rhs.sqlExpression))
  }

  /// Whether the left value is smaller or equal.
  public static func <= (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .lessOrEqual, rhs.sqlExpression))
  }

  /// Whether the left value is smaller or equal.
  public static func <= (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .lessOrEqual, rhs.sqlExpression))
  }

  /// Whether the left value is larger.
  public static func > (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .greater, rhs.sqlExpression))
  }

  /// Whether the left value is larger.
  public static func > (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .greater, rhs.sqlExpression))
  }

  /// Whether the left value is larger.
  public static func > (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .greater, rhs.sqlExpression))
  }

  /// Whether the left value is larger or equal.
  public static func >= (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .greaterOrEqual, rhs.sqlExpression))
  }

  /// Whether the left value is larger or equal.
  public static func >= (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .greaterOrEqual, rhs.sqlExpression))
  }

  /// Whether the left value is larger or equal.
  public static func >= (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .greaterOrEqual, rhs.sqlExpression))
  }
}

extension SQLExpression {
  fileprivate static func equality(
    _ left: some SQLExpressible, _ right: (any SQLExpressible)?
  ) -> SQLExpression {
    let right = right?.sqlExpression ?? SQLExpression(.value(.null))
    return SQLExpression(.binary(left.sqlExpression, right.isNull ? .identical : .equal, right))
  }

  fileprivate static func inequality(
    _ left: some SQLExpressible, _ right: (any SQLExpressible)?
  ) -> SQLExpression {
    equality(left, right).negated
  }

  fileprivate static func identity(
    _ left: some SQLExpressible, _ right: (any SQLExpressible)?
  ) -> SQLExpression {
    SQLExpression(
      .binary(
        left.sqlExpression, .identical, right?.sqlExpression ?? SQLExpression(.value(.null))))
  }

  fileprivate static func difference(
    _ left: some SQLExpressible, _ right: (any SQLExpressible)?
  ) -> SQLExpression {
    identity(left, right).negated
  }
}
