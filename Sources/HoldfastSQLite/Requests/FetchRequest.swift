/// A query with the type of its results.
public protocol FetchRequest<CodableRowDecoder> {
  /// The type to which each row is converted: a record, a value, or a ``Row``.
  associatedtype CodableRowDecoder

  /// Returns the SQL.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: One statement with its values.
  /// - Throws: ``DatabaseError`` when the schema that the request needs cannot be read.
  func makeSQL(_ db: Database) throws -> SQL
}

extension FetchRequest {
  /// Returns the region that the SQL reads: tables and columns, in all rows.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The region.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
    try db.makeStatement(literal: makeSQL(db)).databaseRegion
  }

  /// Returns the number of rows.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The number of rows of the query.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func fetchCount(_ db: Database) throws -> Int {
    try Int.fetchOne(db, literal: "SELECT COUNT(*) FROM (\(literal: makeSQL(db)))") ?? 0
  }

  /// Returns whether there are no rows.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: Whether the query has no rows.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func isEmpty(_ db: Database) throws -> Bool {
    try !(Bool.fetchOne(db, literal: "SELECT EXISTS (\(literal: makeSQL(db)))") ?? false)
  }
}

/// A request from SQL, with the type to which its rows are converted.
///
/// ```swift
/// let request: SQLRequest<Stop> = "SELECT * FROM stop WHERE name = \(name)"
/// let stops = try request.fetchAll(db)
/// ```
public struct SQLRequest<CodableRowDecoder>: FetchRequest, DatabaseRegionConvertible {
  let literal: SQL

  /// Creates a request from a text and its values.
  ///
  /// - Parameters:
  ///   - sql: One statement; values belong in `arguments`.
  ///   - arguments: Values for its parameters.
  public init(sql: String, arguments: StatementArguments = StatementArguments()) {
    literal = SQL(sql: sql, arguments: arguments)
  }

  /// Creates a request from SQL.
  ///
  /// - Parameter sqlLiteral: One statement.
  public init(literal sqlLiteral: SQL) {
    literal = sqlLiteral
  }

  /// Returns the SQL.
  public func makeSQL(_ db: Database) throws -> SQL { literal }
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
