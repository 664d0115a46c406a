extension SQLExpression {
  /// Returns the expression with a collation: a condition compares its values by it.
  ///
  /// Where a comparison is collated, that is said of its left operand. `a = b COLLATE NOCASE` would do too,
  /// but not `a IN (b, c) COLLATE NOCASE`, nor anything that follows a comparison in parentheses.
  ///
  /// - SeeAlso: <https://www.sqlite.org/datatype3.html#assigning_collating_sequences_from_sql>
  func collated(_ collation: String) -> SQLExpression {
    func by(_ value: SQLExpression) -> SQLExpression { SQLExpression(.collated(value, collation)) }
    switch node {
    case .binary(let left, let comparison, let right) where comparison.isComparison:
      return SQLExpression(.binary(by(left), comparison, right))
    case .between(let value, let low, let high, let isNegated):
      return SQLExpression(.between(by(value), low, high, isNegated: isNegated))
    case .isIn(let value, let list, let isNegated):
      return SQLExpression(.isIn(by(value), list, isNegated: isNegated))
    case .isInSubquery(let value, let subquery, let isNegated):
      return SQLExpression(.isInSubquery(by(value), subquery, isNegated: isNegated))
    case .chain(let joining, let conditions) where joining == .and || joining == .or:
      return SQLExpression(.chain(joining, conditions.map { $0.collated(collation) }))
    case .prefixed(let sign, let condition) where sign == Self.not:
      return SQLExpression(.prefixed(sign, condition.collated(collation)))
    case .inTable(let alias, let value):
      return SQLExpression(.inTable(alias, value.collated(collation)))
    case .literal(let literal) where !literal.isQuery:
      // Without parentheses, which would keep it from a comparison that the text ends with.
      return SQLExpression(
        .literal(literal + SQL(sql: " COLLATE " + collation.quotedDatabaseIdentifier)))
    default:
      return by(self)
    }
  }
}

extension SQL {
  /// Whether the text is a SELECT, whose value is a subquery's.
  fileprivate var isQuery: Bool {
    SQLTokens(sql).verb.map(["SELECT", "WITH", "VALUES"].contains) ?? false
  }
}

extension SQLExpression.BinaryOperator {
  /// Whether the operator compares its operands by a collation.
  fileprivate var isComparison: Bool {
    switch self {
    case .equal, .notEqual, .identical, .notIdentical, .less, .lessOrEqual, .greater,
      .greaterOrEqual:
      true
    case .subtract, .divide, .shiftLeft, .shiftRight, .matches, .extractJSON, .extractValue: false
    }
  }
}
