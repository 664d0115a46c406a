// SQLite's functions on expressions. They are global, as in Swift.

private func aggregate(
  _ name: String, _ value: some SQLSpecificExpressible,
  orderBy ordering: (any SQLOrderingTerm)? = nil, _ filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
  SQLExpression(
    .aggregate(
      name,
      SQLExpression.Aggregate(
        arguments: [value.sqlExpression], ordering: ordering?.sqlOrdering,
        filter: filter?.sqlExpression)))
}

// MARK: - Aggregates

/// Returns the number of rows in which a value is not NULL.
///
/// - Parameter value: The value.
/// - Returns: The SQL `COUNT`.
public func count(_ value: some SQLSpecificExpressible) -> SQLExpression {
  aggregate("COUNT", value)
}

/// Returns the number of rows.
///
/// - Parameter columns: `AllColumns()`, or `.allColumns`.
/// - Returns: The SQL `COUNT(*)`.
public func count(_ columns: AllColumns) -> SQLExpression {
  SQLExpression(.aggregate("COUNT", SQLExpression.Aggregate()))
}

/// Returns the number of distinct values that are not NULL.
///
/// - Parameter value: The value.
/// - Returns: The SQL `COUNT(DISTINCT …)`.
public func count(distinct value: some SQLSpecificExpressible) -> SQLExpression {
  SQLExpression(
    .aggregate("COUNT", SQLExpression.Aggregate(isDistinct: true, arguments: [value.sqlExpression]))
  )
}

/// Returns the average of the values that are not NULL.
///
/// - Parameters:
///   - value: The value.
///   - filter: The condition of the rows that count; all rows if `nil`.
/// - Returns: The SQL `AVG`; NULL when there is no value.
public func average(
  _ value: some SQLSpecificExpressible, filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
  aggregate("AVG", value, filter)
}

/// Returns the smallest value that is not NULL.
///
/// - Parameters:
///   - value: The value.
///   - filter: The condition of the rows that count; all rows if `nil`.
/// - Returns: The SQL `MIN`; NULL when there is no value.
public func min(
  _ value: some SQLSpecificExpressible, filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
  aggregate("MIN", value, filter)
}

/// Returns the largest value.
///
/// - Parameters:
///   - value: The value.
///   - filter: The condition of the rows that count; all rows if `nil`.
/// - Returns: The SQL `MAX`; NULL when there is no value.
public func max(
  _ value: some SQLSpecificExpressible, filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
  aggregate("MAX", value, filter)
}

/// Returns the sum of the values that are not NULL.
///
/// - Parameters:
///   - value: The value.
///   - ordering: The order in which real numbers are added, whose sum may depend on it; any if `nil`.
///     SQLite has it since 3.44.
///   - filter: The condition of the rows that count; all rows if `nil`.
/// - Returns: The SQL `SUM`: NULL when there is no value, an error when a sum of integers overflows.
public func sum(
  _ value: some SQLSpecificExpressible, orderBy ordering: (any SQLOrderingTerm)? = nil,
  filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
  aggregate("SUM", value, orderBy: ordering, filter)
}

/// Returns the sum of the values that are not NULL, as a real number.
///
/// - Parameters:
///   - value: The value.
///   - ordering: The order in which real numbers are added, whose sum may depend on it; any if `nil`.
///     SQLite has it since 3.44.
///   - filter: The condition of the rows that count; all rows if `nil`.
/// - Returns: The SQL `TOTAL`: 0 when there is no value.
public func total(
  _ value: some SQLSpecificExpressible, orderBy ordering: (any SQLOrderingTerm)? = nil,
  filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
  aggregate("TOTAL", value, orderBy: ordering, filter)
}

// MARK: - Values of one row

/// Returns the smallest of several values; NULL when one of them is NULL.
///
/// - Parameters:
///   - first: A value.
///   - second: A value.
///   - others: More values.
/// - Returns: The SQL `MIN` of several arguments.
public func min(
  _ first: some SQLSpecificExpressible, _ second: any SQLExpressible,
  _ others: any SQLExpressible...
) -> SQLExpression {
  SQLExpression(.function("MIN", ([first, second] + others).map(\.sqlExpression)))
}

/// Returns the largest of several values; NULL when one of them is NULL.
///
/// - Parameters:
///   - first: A value.
///   - second: A value.
///   - others: More values.
/// - Returns: The SQL `MAX` of several arguments.
public func max(
  _ first: some SQLSpecificExpressible, _ second: any SQLExpressible,
  _ others: any SQLExpressible...
) -> SQLExpression {
  SQLExpression(.function("MAX", ([first, second] + others).map(\.sqlExpression)))
}

/// Returns the absolute value.
///
/// - Parameter value: A number.
/// - Returns: The SQL `ABS`.
public func abs(_ value: some SQLSpecificExpressible) -> SQLExpression {
  SQLExpression(.function("ABS", [value.sqlExpression]))
}

/// Returns the number of characters of a text, up to its first NUL, or of bytes of a blob.
///
/// - Parameter value: The value.
/// - Returns: The SQL `LENGTH`.
public func length(_ value: some SQLSpecificExpressible) -> SQLExpression {
  SQLExpression(.function("LENGTH", [value.sqlExpression]))
}

/// Returns the value converted to another storage class.
///
/// - Parameters:
///   - expression: The value.
///   - storageClass: The storage class.
/// - Returns: The SQL `CAST`.
/// - SeeAlso: <https://www.sqlite.org/lang_expr.html#castexpr>
public func cast(
  _ expression: some SQLSpecificExpressible, as storageClass: Database.StorageClass
) -> SQLExpression {
  SQLExpression(.cast(expression.sqlExpression, storageClass))
}

/// Returns the first of several values that is not NULL.
///
/// - Parameter values: The values.
/// - Returns: The SQL `COALESCE`, the only value itself, or NULL without values.
public func coalesce(_ values: some Collection<any SQLExpressible>) -> SQLExpression {
  switch values.count {
  case 0: SQLExpression(.value(.null))
  case 1: values.first?.sqlExpression ?? SQLExpression(.value(.null))
  default: SQLExpression(.function("COALESCE", values.map(\.sqlExpression)))
  }
}

// MARK: - Dates

/// Returns a date as text, `YYYY-MM-DD HH:MM:SS`.
///
/// - Parameters:
///   - value: A date, as text or as a number.
///   - modifiers: Changes of the date, in order.
/// - Returns: The SQL `DATETIME`.
/// - SeeAlso: <https://www.sqlite.org/lang_datefunc.html>
public func dateTime(
  _ value: some SQLSpecificExpressible, _ modifiers: SQLDateModifier...
) -> SQLExpression {
  SQLExpression(.function("DATETIME", [value.sqlExpression] + modifiers.map(\.sqlExpression)))
}

/// Returns a date as a Julian day.
///
/// - Parameters:
///   - value: A date, as text or as a number.
///   - modifiers: Changes of the date, in order.
/// - Returns: The SQL `JULIANDAY`.
/// - SeeAlso: <https://www.sqlite.org/lang_datefunc.html>
public func julianDay(
  _ value: some SQLSpecificExpressible, _ modifiers: SQLDateModifier...
) -> SQLExpression {
  SQLExpression(.function("JULIANDAY", [value.sqlExpression] + modifiers.map(\.sqlExpression)))
}
