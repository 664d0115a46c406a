/// A query used inside of another one.
public struct SQLSubquery: SQLSubqueryable, Sendable {
  private enum Content: Sendable {
    case request(any FetchRequest)
    case query(SelectQuery)
    case literal(SQL)
  }

  private let content: Content

  init(_ request: some FetchRequest) {
    content = .request(request)
  }

  init(_ query: SelectQuery) {
    content = .query(query)
  }

  init(literal: SQL) {
    content = .literal(literal)
  }

  /// The subquery itself.
  public var sqlSubquery: SQLSubquery { self }

  func append(_ builder: inout SQLBuilder) throws {
    switch content {
    case .request(let request): try builder.append(statement: request.makeSQL(builder.db))
    case .query(let query): try builder.append(query)
    case .literal(let literal): try builder.append(statement: literal)
    }
  }
}

/// A type whose values are queries that can be used inside of other ones.
///
/// ```swift
/// let teams = Team.filter(Column("color") == "red").select(Column("id"))
/// let players = try Player.filter(teams.contains(Column("teamId"))).fetchAll(db)
/// let best = Player.select(max(Column("score")))
/// let winners = try Player.filter(Column("score") == best).fetchAll(db)
/// ```
public protocol SQLSubqueryable: SQLSpecificExpressible {
  /// The query.
  var sqlSubquery: SQLSubquery { get }
}

extension SQLSubqueryable {
  /// The first column of the first row; NULL when there is no row.
  public var sqlExpression: SQLExpression { SQLExpression(.subquery(sqlSubquery)) }

  /// Returns an expression that is true when the query's only column contains a value.
  ///
  /// - Parameter element: The value.
  /// - Returns: The SQL `element IN (…)`.
  public func contains(_ element: some SQLExpressible) -> SQLExpression {
    SQLExpression(.isInSubquery(element.sqlExpression, sqlSubquery, isNegated: false))
  }

  /// Returns an expression that is true when the query has a row.
  ///
  /// - Returns: The SQL `EXISTS (…)`.
  public func exists() -> SQLExpression {
    SQLExpression(.exists(sqlSubquery, isNegated: false))
  }
}
