public import Foundation

/// An interpolation of values, names and other SQL in an ``SQL``.
///
/// - `\(value)` binds a value; `nil` is NULL.
/// - `\(values)` binds each value of a sequence, in parentheses, for `IN`.
/// - `\(Stop.self)` is the quoted name of a record type's table.
/// - `\(CodingKeys.name)` and `\(Column("name"))` are a quoted column.
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
    let values = values.map(\.databaseValue)
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
    literal.append(literal: column.sqlSelection)
  }

  /// Appends a quoted column.
  public mutating func appendInterpolation(_ key: some CodingKey & ColumnExpression) {
    literal.append(literal: key.sqlSelection)
  }

  /// Appends a column with its table, both quoted.
  public mutating func appendInterpolation(columnOf table: any TableRecord.Type, _ column: String) {
    literal.append(
      sql: table.databaseTableName.quotedDatabaseIdentifier + "."
        + column.quotedDatabaseIdentifier)
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
}
