/// An expression whose value is JSON.
///
/// Its parts can be read in SQL. Where a function builds JSON from it, such as
/// `Database.jsonArray(_:)`, its value is part of the JSON and not a text in it:
///
/// ```swift
/// let info = JSONColumn("info")  // or Column("info").asJSON
/// let cities = try Player.select(info["city"], as: String.self).fetchAll(db)
/// let values: [any SQLExpressible] = [info, Column("info")]
/// // [{"city":"Sydney"},"{\"city\":\"Sydney\"}"]
/// let both = try Player.select(Database.jsonArray(values), as: String.self).fetchAll(db)
/// ```
///
/// Paths are part of the SQL, like names, and not bound, so that SQLite finds an index on
/// `JSONColumn("info")["city"]`.
///
/// - SeeAlso: <https://www.sqlite.org/json1.html>
public protocol SQLJSONExpressible: SQLSpecificExpressible {}

extension SQLJSONExpressible {
  /// The value of a part as SQL has it: a text, a number, NULL, and an object or array as its JSON.
  ///
  /// It is the SQL `->>`. A text that is no path is the name of a member, and an integer the index of an element.
  ///
  /// - Parameter path: A member, an index, or a path such as `$.address.city`.
  public subscript(_ path: some SQLExpressible) -> SQLExpression {
    SQLExpression(.binary(sqlExpression, .extractValue, path.sqlExpression.constant))
  }

  /// Returns a part as JSON: a text has quotes, and a missing part alone is NULL.
  ///
  /// - Parameter path: A member, an index, or a path such as `$.address.city`.
  /// - Returns: The SQL `->`.
  public func jsonRepresentation(atPath path: some SQLExpressible) -> SQLExpression {
    SQLExpression(.binary(sqlExpression, .extractJSON, path.sqlExpression.constant))
  }

  /// Returns the value of a part as SQL has it: a text, a number, NULL, and an object or array as
  /// its JSON; see ``Database/jsonExtract(_:atPath:)``.
  public func jsonExtract(atPath path: some SQLExpressible) -> SQLExpression {
    Database.jsonExtract(self, atPath: path)
  }

  /// Returns several parts as a JSON array; with one path, the value as SQL has it; see
  /// ``Database/jsonExtract(_:atPaths:)``.
  public func jsonExtract(
    atPaths paths: some Collection<some SQLExpressible>
  ) -> SQLExpression {
    Database.jsonExtract(self, atPaths: paths)
  }
}

extension SQLSpecificExpressible {
  /// The expression as JSON, which is JSON where a function builds JSON from it.
  ///
  /// ```swift
  /// let city = Player.Columns.address.asJSON["city"]
  /// ```
  public var asJSON: AnySQLJSONExpressible { AnySQLJSONExpressible(json: sqlExpression) }
}

/// A type-erased expression whose value is JSON.
public struct AnySQLJSONExpressible: SQLJSONExpressible {
  /// The expression.
  public let sqlExpression: SQLExpression

  /// Creates an expression that wraps another one.
  ///
  /// - Parameter base: The other expression.
  public init(_ base: some SQLJSONExpressible) {
    self.init(json: base.sqlExpression)
  }

  init(json expression: SQLExpression) {
    sqlExpression = expression.json
  }
}
