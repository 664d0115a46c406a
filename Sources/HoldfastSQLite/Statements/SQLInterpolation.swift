/// An interpolation of values, names and other SQL in an ``SQL``.
///
/// - `\(value)` binds a value; `nil` is NULL.
/// - `\(values)` binds each value of a sequence, in parentheses, for `IN`; it may contain expressions too.
/// - `\(Stop.self)` and `\(Table("stop"))` are the quoted name of a table.
/// - `\(columnsOf: Stop.self)` and `\(columnsOf: Stop.self, tableAlias: "s")` are the columns that the type selects.
/// - `\(CodingKeys.name)` and `\(Column("name"))` are a quoted column.
/// - `\(expression)`, `\(selection)` and `\(ordering)` insert the SQL of an expression, of result
///   columns and of a term of an order, with their values.
/// - `\(sql)`, `\(literal: sql)` and `\(request)` insert other SQL with its values, without parentheses.
/// - `\(cte)` is the quoted name of a common table expression, and `\(definitionFor: cte)` its definition.
/// - `\(.nocase)` is the quoted name of a collation.
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

  /// Binds a value that is an expression too, such as a ``DatabaseValue``.
  public mutating func appendInterpolation(
    _ value: some DatabaseValueConvertible & SQLSpecificExpressible
  ) {
    append(value.sqlExpression)
  }

  /// Binds a text.
  @_disfavoredOverload
  public mutating func appendInterpolation(_ text: some StringProtocol) {
    bind(String(text).databaseValue)
  }

  /// Binds a value that is a sequence too, such as a blob, not its elements one by one.
  public mutating func appendInterpolation<Value: DatabaseValueConvertible & Sequence>(
    _ value: Value
  ) where Value.Element: DatabaseValueConvertible {
    bind(value.databaseValue)
  }

  /// Binds each value of a sequence: `(?, ?, ?)`, or an empty subquery for an empty sequence.
  public mutating func appendInterpolation<Values: Sequence>(
    _ values: Values
  ) where Values.Element: DatabaseValueConvertible {
    let values = values.map { $0.databaseValue }
    guard !values.isEmpty else { return appendEmptyList() }
    literal.append(
      sql: "(" + values.map { _ in "?" }.joined(separator: ", ") + ")",
      arguments: StatementArguments(values))
  }

  /// Appends the expressions of a sequence in parentheses, or an empty subquery for an empty sequence.
  public mutating func appendInterpolation<Expressions: Sequence>(
    _ expressions: Expressions
  ) where Expressions.Element: SQLExpressible {
    append(list: expressions.map { $0.sqlExpression })
  }

  /// Appends the expressions of a sequence in parentheses, or an empty subquery for an empty sequence.
  public mutating func appendInterpolation(_ expressions: some Sequence<any SQLExpressible>) {
    append(list: expressions.map { $0.sqlExpression })
  }

  // `()` is an extension of SQLite, not standard SQL.
  private mutating func appendEmptyList() {
    literal.append(sql: "(SELECT NULL WHERE NULL)")
  }

  private mutating func append(list: [SQLExpression]) {
    guard !list.isEmpty else { return appendEmptyList() }
    literal.append(sql: "(")
    for (index, expression) in list.enumerated() {
      if index > 0 { literal.append(sql: ", ") }
      append(expression)
    }
    literal.append(sql: ")")
  }

  private mutating func append(_ expression: SQLExpression) {
    if case .value(let value) = expression.node { return bind(value) }
    literal.append { builder in try builder.append(expression) }
  }

  private mutating func bind(_ value: DatabaseValue) {
    literal.append(sql: "?", arguments: StatementArguments(CollectionOfOne(value)))
  }

  // MARK: - Names

  /// Appends the quoted name of a record type's table.
  public mutating func appendInterpolation(_ table: any TableRecord.Type) {
    literal.append(sql: table.databaseTableName.quotedDatabaseIdentifier)
  }

  /// Appends the quoted name of a table.
  public mutating func appendInterpolation(_ table: Table<some Any>) {
    appendInterpolation(identifier: table.tableName)
  }

  /// Appends the quoted name of a common table expression.
  public mutating func appendInterpolation(_ cte: CommonTableExpression<some Any>) {
    appendInterpolation(identifier: cte.tableName)
  }

  /// Appends the quoted name of a collation.
  public mutating func appendInterpolation(_ collation: Database.CollationName) {
    appendInterpolation(identifier: collation.rawValue)
  }

  /// Appends the quoted name of a collation written in Swift.
  public mutating func appendInterpolation(_ collation: DatabaseCollation) {
    appendInterpolation(identifier: collation.name)
  }

  /// Appends the quoted name of a record's table.
  public mutating func appendInterpolation(tableOf record: any TableRecord) {
    literal.append(sql: type(of: record).databaseTableName.quotedDatabaseIdentifier)
  }

  /// Appends a quoted column.
  public mutating func appendInterpolation(_ key: some CodingKey) {
    literal.append(column: key.stringValue)
  }

  /// Appends a quoted column.
  @_disfavoredOverload
  public mutating func appendInterpolation(_ key: any CodingKey) {
    literal.append(column: key.stringValue)
  }

  /// Appends a quoted column.
  public mutating func appendInterpolation(_ column: some ColumnExpression) {
    literal.append(column: column.name)
  }

  /// Appends a quoted column.
  public mutating func appendInterpolation(_ key: some CodingKey & ColumnExpression) {
    literal.append(column: key.name)
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
      try builder.withColumns(of: alias) { builder in
        try builder.append(table.databaseSelection) { builder, selection in
          try builder.append(selection.sqlSelection, from: .record(table))
        }
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

  /// Appends other SQL with its values.
  public mutating func appendInterpolation(_ sqlLiteral: SQL) {
    literal.append(literal: sqlLiteral)
  }

  /// Appends the SQL of a request with its values, without parentheses.
  public mutating func appendInterpolation(_ request: some SQLSubqueryable) {
    let subquery = request.sqlSubquery
    literal.append { builder in try builder.append(text: subquery) }
  }

  /// Appends the definition of a common table expression: its name, its columns and its query.
  ///
  /// ```swift
  /// let rows = try Row.fetchAll(db, literal: "WITH \(definitionFor: best) SELECT * FROM \(best)")
  /// ```
  public mutating func appendInterpolation(definitionFor cte: CommonTableExpression<some Any>) {
    let table = cte.table
    literal.append { builder in try builder.append(definition: table) }
  }

  /// Appends an expression with its values.
  public mutating func appendInterpolation(_ expression: some SQLSpecificExpressible) {
    append(expression.sqlExpression)
  }

  /// Appends an expression or a value; NULL for `nil`.
  @_disfavoredOverload
  public mutating func appendInterpolation(_ expression: (any SQLExpressible)?) {
    append(expression?.sqlExpression ?? SQLExpression(.value(.null)))
  }

  /// Appends result columns with their values.
  public mutating func appendInterpolation(_ selection: some SQLSelectable) {
    let selection = selection.sqlSelection
    literal.append { builder in try builder.append(selection, from: nil) }
  }

  /// Appends result columns with their values; NULL for `nil`.
  @_disfavoredOverload
  public mutating func appendInterpolation(_ selection: (any SQLSelectable)?) {
    guard let selection else { return literal.append(sql: "NULL") }
    let columns = selection.sqlSelection
    literal.append { builder in try builder.append(columns, from: nil) }
  }

  /// Appends a term of an order with its values.
  public mutating func appendInterpolation(_ ordering: some SQLOrderingTerm) {
    let ordering = ordering.sqlOrdering
    literal.append { builder in try builder.append(ordering) }
  }

  /// Appends a term of an order with its values.
  @_disfavoredOverload
  public mutating func appendInterpolation(_ ordering: any SQLOrderingTerm) {
    let ordering = ordering.sqlOrdering
    literal.append { builder in try builder.append(ordering) }
  }
}
