/// A SQL expression that is no plain value, such as a column, a computation or a subquery.
///
/// At least one operand of a SQL operator has such a type, so that operators of plain Swift values
/// keep their meaning.
public protocol SQLSpecificExpressible: SQLExpressible, SQLSelectable, SQLOrderingTerm {}

extension SQLSpecificExpressible {
  /// The expression as a result column.
  public var sqlSelection: SQLSelection { SQLSelection(.expression(sqlExpression)) }

  /// The expression as an ordering, smallest values first.
  public var sqlOrdering: SQLOrdering { SQLOrdering(sqlExpression, .unspecified) }

  // MARK: - Orderings

  /// Orders the smallest values first; NULL is the smallest.
  public var asc: SQLOrdering { SQLOrdering(sqlExpression, .ascending) }

  /// Orders the largest values first, and NULL last.
  public var desc: SQLOrdering { SQLOrdering(sqlExpression, .descending) }

  /// Orders the smallest values first, and NULL last.
  public var ascNullsLast: SQLOrdering { SQLOrdering(sqlExpression, .ascendingNullsLast) }

  /// Orders NULL first, then the largest values.
  public var descNullsFirst: SQLOrdering { SQLOrdering(sqlExpression, .descendingNullsFirst) }

  // MARK: - Collations and names

  /// Returns the expression with a collation of SQLite, for comparisons and orderings.
  ///
  /// A condition has it for its own comparisons: `(name == "x").collating(.nocase)` is
  /// `name.collating(.nocase) == "x"`.
  ///
  /// - Parameter collation: The collation.
  /// - Returns: The expression.
  public func collating(_ collation: Database.CollationName) -> SQLExpression {
    sqlExpression.collated(collation.rawValue)
  }

  /// Returns the expression with a collation written in Swift, for comparisons and orderings.
  ///
  /// A condition has it for its own comparisons: `(name == "x").collating(.localizedCompare)` is
  /// `name.collating(.localizedCompare) == "x"`.
  ///
  /// - Parameter collation: The collation.
  /// - Returns: The expression.
  public func collating(_ collation: DatabaseCollation) -> SQLExpression {
    sqlExpression.collated(collation.name)
  }

  /// Returns the result column with another name.
  ///
  /// - Parameter key: The name, unquoted.
  /// - Returns: The result column, which a row has under that name.
  public func forKey(_ key: String) -> SQLSelection {
    SQLSelection(.named(sqlExpression, key))
  }

  /// Returns the result column with the name of a coding key.
  ///
  /// - Parameter key: The key, whose string value is the name.
  /// - Returns: The result column, which a row has under that name.
  public func forKey(_ key: some CodingKey) -> SQLSelection { forKey(key.stringValue) }
}
