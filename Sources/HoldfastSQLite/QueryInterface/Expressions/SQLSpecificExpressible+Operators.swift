// Arithmetic and logic of SQL expressions, with SQLite's meaning: a NULL operand mostly makes the
// result NULL, and a division of integers is an integer.

extension SQLSpecificExpressible {
  /// The sum; texts are joined by `[a, b].joined(operator: .concat)`.
  public static func + (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .joined([lhs.sqlExpression, rhs.sqlExpression], by: .add)
  }

  /// The sum; texts are joined by `[a, b].joined(operator: .concat)`.
  public static func + (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .joined([lhs.sqlExpression, rhs.sqlExpression], by: .add)
  }

  /// The sum; texts are joined by `[a, b].joined(operator: .concat)`.
  public static func + (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .joined([lhs.sqlExpression, rhs.sqlExpression], by: .add)
  }

  /// The difference.
  public static func - (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .subtract, rhs.sqlExpression))
  }

  /// The difference.
  public static func - (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .subtract, rhs.sqlExpression))
  }

  /// The difference.
  public static func - (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .subtract, rhs.sqlExpression))
  }

  /// The product.
  public static func * (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .joined([lhs.sqlExpression, rhs.sqlExpression], by: .multiply)
  }

  /// The product.
  public static func * (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .joined([lhs.sqlExpression, rhs.sqlExpression], by: .multiply)
  }

  /// The product.
  public static func * (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .joined([lhs.sqlExpression, rhs.sqlExpression], by: .multiply)
  }

  /// The quotient, an integer for integers; NULL for a division by 0.
  public static func / (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .divide, rhs.sqlExpression))
  }

  /// The quotient, an integer for integers; NULL for a division by 0.
  public static func / (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .divide, rhs.sqlExpression))
  }

  /// The quotient, an integer for integers; NULL for a division by 0.
  public static func / (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .divide, rhs.sqlExpression))
  }

  /// The bits that both have.
  public static func & (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .joined([lhs.sqlExpression, rhs.sqlExpression], by: .bitwiseAnd)
  }

  /// The bits that both have.
  public static func & (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .joined([lhs.sqlExpression, rhs.sqlExpression], by: .bitwiseAnd)
  }

  /// The bits that both have.
  public static func & (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .joined([lhs.sqlExpression, rhs.sqlExpression], by: .bitwiseAnd)
  }

  /// The bits that one of both has.
  public static func | (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .joined([lhs.sqlExpression, rhs.sqlExpression], by: .bitwiseOr)
  }

  /// The bits that one of both has.
  public static func | (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .joined([lhs.sqlExpression, rhs.sqlExpression], by: .bitwiseOr)
  }

  /// The bits that one of both has.
  public static func | (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .joined([lhs.sqlExpression, rhs.sqlExpression], by: .bitwiseOr)
  }

  /// The bits moved to the left.
  public static func << (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .shiftLeft, rhs.sqlExpression))
  }

  /// The bits moved to the left.
  public static func << (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .shiftLeft, rhs.sqlExpression))
  }

  /// The bits moved to the left.
  public static func << (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .shiftLeft, rhs.sqlExpression))
  }

  /// The bits moved to the right.
  public static func >> (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .shiftRight, rhs.sqlExpression))
  }

  /// The bits moved to the right.
  public static func >> (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .shiftRight, rhs.sqlExpression))
  }

  /// The bits moved to the right.
  public static func >> (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(.binary(lhs.sqlExpression, .shiftRight, rhs.sqlExpression))
  }

  /// Whether both are true.
  public static func && (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .joined([lhs.sqlExpression, rhs.sqlExpression], by: .and)
  }

  /// Whether both are true.
  public static func && (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .joined([lhs.sqlExpression, rhs.sqlExpression], by: .and)
  }

  /// Whether both are true.
  public static func && (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .joined([lhs.sqlExpression, rhs.sqlExpression], by: .and)
  }

  /// Whether one of both is true.
  public static func || (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .joined([lhs.sqlExpression, rhs.sqlExpression], by: .or)
  }

  /// Whether one of both is true.
  public static func || (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .joined([lhs.sqlExpression, rhs.sqlExpression], by: .or)
  }

  /// Whether one of both is true.
  public static func || (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .joined([lhs.sqlExpression, rhs.sqlExpression], by: .or)
  }

  /// The left value, or the right one where it is NULL.
  public static func ?? (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    SQLExpression(.function("IFNULL", [lhs.sqlExpression, rhs.sqlExpression]))
  }

  /// Whether the value is not true; NULL for NULL.
  public static prefix func ! (value: Self) -> SQLExpression { value.sqlExpression.negated }

  /// The value with the opposite sign.
  public static prefix func - (value: Self) -> SQLExpression {
    SQLExpression(.prefixed("-", value.sqlExpression))
  }

  /// The opposite bits.
  public static prefix func ~ (value: Self) -> SQLExpression {
    SQLExpression(.prefixed("~", value.sqlExpression))
  }

  // MARK: - Texts

  /// Returns whether the text has the shape of a pattern, ignoring the case of ASCII letters.
  ///
  /// ```swift
  /// let query = "100%".replacing("%", with: "\\%")
  /// let request = Product.filter(Column("discount").like(query + "%", escape: "\\"))
  /// ```
  ///
  /// - Parameters:
  ///   - pattern: The pattern, in which `%` is any text and `_` any character.
  ///   - escape: The character that makes a following `%` or `_` a plain one, if there is one.
  /// - Returns: The SQL `LIKE`.
  public func like(
    _ pattern: some SQLExpressible, escape: (any SQLExpressible)? = nil
  ) -> SQLExpression {
    SQLExpression(
      .isLike(
        sqlExpression, pattern.sqlExpression, escape: escape?.sqlExpression, isNegated: false))
  }
}

extension SQLSpecificExpressible {
  /// The text with each word capitalized, by Swift's rules.
  public var capitalized: SQLExpression { DatabaseFunction.capitalize(sqlExpression) }

  /// The text in lowercase, by Swift's rules.
  public var lowercased: SQLExpression { DatabaseFunction.lowercase(sqlExpression) }

  /// The text in uppercase, by Swift's rules.
  public var uppercased: SQLExpression { DatabaseFunction.uppercase(sqlExpression) }

  /// The text with each word capitalized, by the rules of the current locale.
  public var localizedCapitalized: SQLExpression {
    DatabaseFunction.localizedCapitalize(sqlExpression)
  }

  /// The text in lowercase, by the rules of the current locale.
  public var localizedLowercased: SQLExpression {
    DatabaseFunction.localizedLowercase(sqlExpression)
  }

  /// The text in uppercase, by the rules of the current locale.
  public var localizedUppercased: SQLExpression {
    DatabaseFunction.localizedUppercase(sqlExpression)
  }
}
