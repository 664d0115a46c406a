extension SQLExpression {
  /// An operator whose operands can be grouped in any way, so that they need no nesting.
  public struct AssociativeBinaryOperator: Hashable, Sendable {
    let sql: String

    /// The result for no operands.
    let neutral: DatabaseValue

    /// The sum, 0 without operands.
    public static let add = AssociativeBinaryOperator(sql: "+", neutral: 0)
    /// The product, 1 without operands.
    public static let multiply = AssociativeBinaryOperator(sql: "*", neutral: 1)
    /// Whether all operands are true; true without operands.
    public static let and = AssociativeBinaryOperator(sql: "AND", neutral: 1)
    /// Whether an operand is true; false without operands.
    public static let or = AssociativeBinaryOperator(sql: "OR", neutral: 0)
    /// The texts one after the other, empty without operands.
    public static let concat = AssociativeBinaryOperator(sql: "||", neutral: "")
    /// The bits that all operands have, all bits without operands.
    public static let bitwiseAnd = AssociativeBinaryOperator(sql: "&", neutral: -1)
    /// The bits that an operand has, none without operands.
    public static let bitwiseOr = AssociativeBinaryOperator(sql: "|", neutral: 0)
  }

  /// Returns the operands joined by an operator, as a flat list.
  ///
  /// A flat list is nested less deeply: SQLite limits the depth of expressions to 1000.
  static func joined(
    _ operands: [SQLExpression], by joining: AssociativeBinaryOperator
  ) -> SQLExpression {
    switch operands.count {
    case 0: return SQLExpression(.value(joining.neutral))
    case 1: return operands[0]
    default: break
    }
    // Only the first, so that a long chain is not copied for each operand.
    guard case .chain(joining, var flat) = operands[0].node else {
      return SQLExpression(.chain(joining, operands))
    }
    flat.append(contentsOf: operands.dropFirst())
    return SQLExpression(.chain(joining, flat))
  }
}

extension Sequence where Element: SQLExpressible {
  /// Returns the elements joined by an operator.
  ///
  /// - Parameter joining: The operator.
  /// - Returns: The expression; the operator's neutral value for an empty sequence.
  public func joined(operator joining: SQLExpression.AssociativeBinaryOperator) -> SQLExpression {
    .joined(map(\.sqlExpression), by: joining)
  }
}

extension Sequence where Element == any SQLExpressible {
  /// Returns the elements joined by an operator.
  ///
  /// - Parameter joining: The operator.
  /// - Returns: The expression; the operator's neutral value for an empty sequence.
  public func joined(operator joining: SQLExpression.AssociativeBinaryOperator) -> SQLExpression {
    .joined(map(\.sqlExpression), by: joining)
  }
}
