public import Foundation

/// An interpolation of values, names and other SQL in an ``SQL``.
///
/// - `\(value)` binds a value; `nil` is NULL.
/// - `\(values)` binds each value of a sequence, in parentheses, for `IN`.
/// - `\(Stop.self)` is the quoted name of a record type's table.
/// - `\(columnsOf: Stop.self)` and `\(columnsOf: Stop.self, tableAlias: "s")` are the columns that the type selects.
/// - `\(CodingKeys.name)` and `\(Column("name"))` are a quoted column.
/// - `\(expression)`, `\(selection)` and `\(ordering)` insert the SQL of an expression, of result
///   columns and of a term of an order, with their values.
/// - `\(literal: sql)` and `\(request)` insert other SQL with its values, the latter in
///   parentheses.
/// - `\(sql: text)` inserts a text as it is: for SQL that the program wrote, never for text from a
///   user.
public struct SQLInterpolation: StringInterpolationProtocol {
  private(set) var literal = SQL(sql: "")

  /// Creates an empty interpolation.
  public init(literalCapacity: Int, interpolationCount: Int) {}

  /// Appends a literal segment.
  public mutating func appendLiteral(_ sql: String) {
    literal.append(sql: sql)
  }

  // MARK: - Values

  /// Binds a value.
  public mutating func appendInterpolation(_ value: some DatabaseValueConvertible) {
    bind(value.databaseValue)
  }

  /// Binds a value; `nil` is NULL.
  public mutating func appendInterpolation(_ value: (any DatabaseValueConvertible)?) {
    bind(value?.databaseValue ?? .null)
  }

  /// Binds a blob, not its bytes one by one.
  public mutating func appendInterpolation(_ data: Data) {
    bind(data.databaseValue)
  }

  /// Binds each value of a sequence: `(?, ?, ?)`, or an empty subquery for an empty sequence.
  public mutating func appendInterpolation<Values: Sequence>(
    _ values: Values
  ) where Values.Element: DatabaseValueConvertible {
    let values = values.map { $0.databaseValue }
    // `()` is an extension of SQLite, not standard SQL.
    guard !values.isEmpty else { return literal.append(sql: "(SELECT NULL WHERE NULL)") }
    literal.append(
      sql: "(" + values.map { _ in "?" }.joined(separator: ", ") + ")",
      arguments: StatementArguments(values))
  }

  private mutating func bind(_ value: DatabaseValue) {
    literal.append(sql: "?", arguments: StatementArguments(CollectionOfOne(value)))
  }

  // MARK: - Names

  /// Appends the quoted name of a record type's table.
  public mutating func appendInterpolation(_ table: any TableRecord.Type) {
    literal.append(sql: table.databaseTableName.quotedDatabaseIdentifier)
  }

  /// Appends the quoted name of a record's table.
  public mutating func appendInterpolation(tableOf record: some TableRecord) {
    literal.append(sql: type(of: record).databaseTableName.quotedDatabaseIdentifier)
  }

  /// Appends a quoted column.
  public mutating func appendInterpolation(_ key: some CodingKey) {
    literal.append(sql: key.stringValue.quotedDatabaseIdentifier)
  }

  /// Appends a quoted column.
  public mutating func appendInterpolation(_ column: some ColumnExpression) {
    appendInterpolation(identifier: column.name)
  }

  /// Appends a quoted column.
  public mutating func appendInterpolation(_ key: some CodingKey & ColumnExpression) {
    appendInterpolation(identifier: key.name)
  }

  /// Appends a quoted name.
  public mutating func appendInterpolation(identifier: String) {
    literal.append(sql: identifier.quotedDatabaseIdentifier)
  }

  /// Appends a column with its table, both quoted.
  public mutating func appendInterpolation(columnOf table: any TableRecord.Type, _ column: String) {
    literal.append(
      sql: table.databaseTableName.quotedDatabaseIdentifier + "."
        + column.quotedDatabaseIdentifier)
  }

  /// Appends the columns that a record type selects, with their table or its alias.
  ///
  /// - Parameters:
  ///   - table: The record type.
  ///   - tableAlias: The name of the table in the SQL, unquoted; the table's own if `nil`.
  public mutating func appendInterpolation(
    columnsOf table: any TableRecord.Type, tableAlias: String? = nil
  ) {
    let alias = TableAliasIdentity(name: tableAlias ?? table.databaseTableName)
    literal.append { builder in
      try builder.append(table.databaseSelection) { builder, selection in
        try builder.append(selection.sqlSelection, from: .record(table), alias)
      }
    }
  }

  // MARK: - SQL

  /// Appends SQL text as it is, with its values.
  public mutating func appendInterpolation(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) {
    literal.append(sql: sql, arguments: arguments)
  }

  /// Appends other SQL with its values.
  public mutating func appendInterpolation(literal sqlLiteral: SQL) {
    literal.append(literal: sqlLiteral)
  }

  /// Appends a request as a subquery, in parentheses.
  public mutating func appendInterpolation(_ request: SQLRequest<some Any>) {
    literal.append(literal: "(\(literal: request.literal))")
  }

  /// Appends an expression with its values; a request as a subquery, in parentheses.
  public mutating func appendInterpolation(_ expression: some SQLSpecificExpressible) {
    let expression = expression.sqlExpression
    literal.append { builder in try builder.append(expression) }
  }

  /// Appends result columns with their values.
  public mutating func appendInterpolation(_ selection: some SQLSelectable) {
    let selection = selection.sqlSelection
    literal.append { builder in try builder.append(selection, from: nil) }
  }

  /// Appends a term of an order with its values.
  public mutating func appendInterpolation(_ ordering: some SQLOrderingTerm) {
    let ordering = ordering.sqlOrdering
    literal.append { builder in try builder.append(ordering) }
  }
}
