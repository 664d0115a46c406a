/// A query with a name, which other queries use like a table.
///
/// ```swift
/// let best = CommonTableExpression(
///   named: "best", request: Player.order(Column("score").desc).limit(10))
/// let names = try best.all().select(Column("name"), as: String.self).with(best).fetchAll(db)
/// let players = try Player.with(best).filter(best.contains(Column("id"))).fetchAll(db)
/// ```
///
/// - SeeAlso: <https://www.sqlite.org/lang_with.html>
public struct CommonTableExpression<RowDecoder>: Sendable {
  let table: CommonTable

  /// The name, unquoted.
  public var tableName: String { table.name }

  /// Creates a common table expression from a request.
  ///
  /// - Parameters:
  ///   - isRecursive: Whether the request uses the table itself.
  ///   - tableName: The name, unquoted.
  ///   - columns: The names of the columns; the request's columns if `nil`.
  ///   - request: The request.
  public init(
    recursive isRecursive: Bool = false, named tableName: String, columns: [String]? = nil,
    request: some SQLSubqueryable
  ) {
    table = CommonTable(
      name: tableName, isRecursive: isRecursive, columns: columns, query: request.sqlSubquery)
  }

  /// Creates a common table expression from SQL text.
  ///
  /// - Parameters:
  ///   - isRecursive: Whether the query uses the table itself.
  ///   - tableName: The name, unquoted.
  ///   - columns: The names of the columns; the query's columns if `nil`.
  ///   - sql: A SELECT statement.
  ///   - arguments: Values for its parameters.
  public init(
    recursive isRecursive: Bool = false, named tableName: String, columns: [String]? = nil,
    sql: String, arguments: StatementArguments = StatementArguments()
  ) {
    self.init(
      recursive: isRecursive, named: tableName, columns: columns,
      literal: SQL(sql: sql, arguments: arguments))
  }

  /// Creates a common table expression from SQL.
  ///
  /// - Parameters:
  ///   - isRecursive: Whether the query uses the table itself.
  ///   - tableName: The name, unquoted.
  ///   - columns: The names of the columns; the query's columns if `nil`.
  ///   - sqlLiteral: A SELECT statement.
  public init(
    recursive isRecursive: Bool = false, named tableName: String, columns: [String]? = nil,
    literal sqlLiteral: SQL
  ) {
    self.init(
      recursive: isRecursive, named: tableName, columns: columns,
      request: SQLSubquery(literal: sqlLiteral))
  }

  /// Returns a request for all rows, to which ``DerivableRequest/with(_:)`` must be applied.
  public func all() -> QueryInterfaceRequest<RowDecoder> {
    QueryInterfaceRequest(SelectQuery(.table(tableName)))
  }

  /// Returns an expression that is true when the table's only column contains a value.
  ///
  /// - Parameter element: The value.
  /// - Returns: The SQL `element IN table`.
  public func contains(_ element: some SQLExpressible) -> SQLExpression {
    all().contains(element)
  }
}

extension CommonTableExpression where RowDecoder == Row {
  /// Creates a common table expression of plain rows from a request, as for other types of rows.
  public init(
    recursive isRecursive: Bool = false, named tableName: String, columns: [String]? = nil,
    request: some SQLSubqueryable
  ) {
    table = CommonTable(
      name: tableName, isRecursive: isRecursive, columns: columns, query: request.sqlSubquery)
  }

  /// Creates a common table expression of plain rows from SQL text, as for other types of rows.
  public init(
    recursive isRecursive: Bool = false, named tableName: String, columns: [String]? = nil,
    sql: String, arguments: StatementArguments = StatementArguments()
  ) {
    self.init(
      recursive: isRecursive, named: tableName, columns: columns,
      request: SQLSubquery(literal: SQL(sql: sql, arguments: arguments)))
  }

  /// Creates a common table expression of plain rows from SQL, as for other types of rows.
  public init(
    recursive isRecursive: Bool = false, named tableName: String, columns: [String]? = nil,
    literal sqlLiteral: SQL
  ) {
    self.init(
      recursive: isRecursive, named: tableName, columns: columns,
      request: SQLSubquery(literal: sqlLiteral))
  }
}

/// A named query of a WITH clause.
struct CommonTable: Sendable {
  var name: String
  var isRecursive: Bool
  var columns: [String]?
  var query: SQLSubquery
}
