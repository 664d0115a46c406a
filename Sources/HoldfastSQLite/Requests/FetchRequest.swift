/// A query with the type of its results.
///
/// A request of an app's own needs only its SQL:
///
/// ```swift
/// struct BestPlayers: FetchRequest {
///   typealias RowDecoder = Player
///   var score: Int
///
///   func makeSQL(_ db: Database) throws -> SQL {
///     "SELECT * FROM player WHERE score >= \(score) ORDER BY score DESC"
///   }
/// }
/// let players = try BestPlayers(score: 100).fetchAll(db)
/// ```
public protocol FetchRequest<RowDecoder>: SQLSubqueryable, DatabaseRegionConvertible {
  /// The type to which each row is converted: a record, a value, or a ``Row``.
  associatedtype RowDecoder

  /// Returns the SQL.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: One statement with its values.
  /// - Throws: ``DatabaseError`` when the schema that the request needs cannot be read.
  func makeSQL(_ db: Database) throws -> SQL

  /// Returns the SQL for fetching all rows, or only the first one.
  ///
  /// The default implementation ignores how many rows are needed.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - forSingleResult: Whether only the first row is needed.
  /// - Returns: One statement with its values.
  /// - Throws: ``DatabaseError`` when the schema that the request needs cannot be read.
  func makeSQL(_ db: Database, forSingleResult: Bool) throws -> SQL

  /// Returns the adapter of the rows; by default there is none.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The adapter; `nil` for the rows as they are.
  /// - Throws: ``DatabaseError`` when the schema that the adapter needs cannot be read.
  func makeRowAdapter(_ db: Database) throws -> (any RowAdapter)?

  /// Returns the number of rows.
  ///
  /// - Throws: ``DatabaseError`` with SQLite's code.
  func fetchCount(_ db: Database) throws -> Int

  /// Returns whether there are no rows.
  ///
  /// - Throws: ``DatabaseError`` with SQLite's code.
  func isEmpty(_ db: Database) throws -> Bool
}

extension FetchRequest {
  /// Returns the SQL, which is the same for one row and for all.
  public func makeSQL(_ db: Database, forSingleResult: Bool) throws -> SQL { try makeSQL(db) }

  /// Returns `nil`: the rows are not adapted.
  @inlinable
  public func makeRowAdapter(_ db: Database) throws -> (any RowAdapter)? { nil }

  /// The request as a subquery.
  public var sqlSubquery: SQLSubquery { SQLSubquery(self) }

  /// Returns the region that the SQL reads: tables and columns, in all rows.
  public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
    try db.makeStatement(literal: makeSQL(db)).databaseRegion
  }

  /// Returns the number of rows of the query.
  public func fetchCount(_ db: Database) throws -> Int {
    try Int.fetchOne(db, literal: literal(db, "SELECT COUNT(*) FROM (")) ?? 0
  }

  /// Returns whether the query has no rows.
  public func isEmpty(_ db: Database) throws -> Bool {
    try !(Bool.fetchOne(db, literal: literal(db, "SELECT EXISTS (")) ?? false)
  }

  /// Returns the SQL of a query about this one.
  private func literal(_ db: Database, _ start: String) throws -> SQL {
    var builder = SQLBuilder(db)
    builder.append(start)
    try SQLSubquery(self).append(&builder)
    builder.append(")")
    return builder.literal
  }
}

/// A request from SQL, with the type to which its rows are converted.
///
/// ```swift
/// let request: SQLRequest<Stop> = "SELECT * FROM stop WHERE name = \(name)"
/// let stops = try request.fetchAll(db)
/// ```
public struct SQLRequest<RowDecoder>: FetchRequest {
  let literal: SQL

  /// The adapter of the rows; `nil` for the rows as they are.
  public var adapter: (any RowAdapter)?

  /// Creates a request from a text and its values.
  ///
  /// - Parameters:
  ///   - sql: One statement; values belong in `arguments`.
  ///   - arguments: Values for its parameters.
  ///   - adapter: The adapter of the rows.
  ///   - cached: Ignored, because the statements of all requests are cached.
  public init(
    sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil, cached: Bool = false
  ) {
    self.init(literal: SQL(sql: sql, arguments: arguments), adapter: adapter)
  }

  /// Creates a request from SQL.
  ///
  /// - Parameters:
  ///   - sqlLiteral: One statement.
  ///   - adapter: The adapter of the rows.
  ///   - cached: Ignored, because the statements of all requests are cached.
  public init(
    literal sqlLiteral: SQL, adapter: (any RowAdapter)? = nil, cached: Bool = false
  ) {
    literal = sqlLiteral
    self.adapter = adapter
  }

  /// Returns the SQL.
  public func makeSQL(_ db: Database) throws -> SQL { literal }

  /// Returns the adapter of the request.
  @inlinable
  public func makeRowAdapter(_ db: Database) throws -> (any RowAdapter)? { adapter }
}

extension SQLRequest where RowDecoder == Row {
  /// Creates a request of plain rows from a text and its values, as for other types of rows.
  public init(
    sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil, cached: Bool = false
  ) {
    self.init(literal: SQL(sql: sql, arguments: arguments), adapter: adapter)
  }

  /// Creates a request of plain rows from SQL, as for other types of rows.
  public init(
    literal sqlLiteral: SQL, adapter: (any RowAdapter)? = nil, cached: Bool = false
  ) {
    literal = sqlLiteral
    self.adapter = adapter
  }
}

extension SQLRequest: ExpressibleByStringInterpolation {
  /// Creates a request without values.
  public init(stringLiteral sql: String) {
    self.init(sql: sql)
  }

  /// Creates a request with the interpolated values bound.
  public init(stringInterpolation: SQLInterpolation) {
    self.init(literal: stringInterpolation.literal)
  }
}
