// A type with raw values is what its raw values are: an expression, a result column, a term of an order.

extension SQLExpressible where Self: RawRepresentable, RawValue: SQLExpressible {
  /// The expression of the raw value.
  public var sqlExpression: SQLExpression { rawValue.sqlExpression }
}

extension SQLSelectable where Self: RawRepresentable, RawValue: SQLSelectable {
  /// The result columns of the raw value.
  public var sqlSelection: SQLSelection { rawValue.sqlSelection }
}

extension SQLOrderingTerm where Self: RawRepresentable, RawValue: SQLOrderingTerm {
  /// The term of the raw value.
  public var sqlOrdering: SQLOrdering { rawValue.sqlOrdering }
}

extension SQLSpecificExpressible where Self: RawRepresentable, RawValue: SQLSpecificExpressible {
  /// The result columns of the raw value.
  public var sqlSelection: SQLSelection { rawValue.sqlSelection }

  /// The term of the raw value.
  public var sqlOrdering: SQLOrdering { rawValue.sqlOrdering }
}
