// SQLite's functions that return JSON as text.
// https://www.sqlite.org/json1.html

extension Database {
  /// Returns JSON without spaces, or an error if it is malformed.
  ///
  /// - Parameter value: JSON, as text or binary.
  /// - Returns: The SQL `JSON`.
  public static func json(_ value: some SQLExpressible) -> SQLExpression {
    .json("JSON", [value])
  }

  // MARK: - Building

  /// Returns a JSON array of values; a ``SQLJSONExpressible`` value is inserted as JSON.
  public static func jsonArray(_ values: some Collection<some SQLExpressible>) -> SQLExpression {
    .json("JSON_ARRAY", building: values.map { $0 })
  }

  /// Returns a JSON array of values; a ``SQLJSONExpressible`` value is inserted as JSON.
  public static func jsonArray(_ values: [any SQLExpressible]) -> SQLExpression {
    .json("JSON_ARRAY", building: values)
  }

  /// Returns a JSON object of members.
  ///
  /// - Parameter elements: The names with their values, such as a dictionary; values of
  ///   ``SQLJSONExpressible`` are JSON.
  /// - Returns: The SQL `JSON_OBJECT`.
  public static func jsonObject(
    _ elements: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .json("JSON_OBJECT", members: elements)
  }

  /// Returns the values of all rows of a group as a JSON array.
  ///
  /// - Parameters:
  ///   - value: The value of a row.
  ///   - ordering: The order of the elements, which SQLite has since 3.44; any if `nil`.
  ///   - filter: The condition of the rows that count; all rows if `nil`.
  /// - Returns: The SQL `JSON_GROUP_ARRAY`.
  public static func jsonGroupArray(
    _ value: some SQLExpressible, orderBy ordering: (any SQLOrderingTerm)? = nil,
    filter: (any SQLSpecificExpressible)? = nil
  ) -> SQLExpression {
    .json(group: "JSON_GROUP_ARRAY", [value.sqlExpression.jsonArgument], ordering, filter)
  }

  /// Returns the values of all rows of a group as a JSON object.
  ///
  /// - Parameters:
  ///   - key: The name of a row's member.
  ///   - value: Its value.
  ///   - filter: The condition of the rows that count; all rows if `nil`.
  /// - Returns: The SQL `JSON_GROUP_OBJECT`.
  public static func jsonGroupObject(
    key: some SQLExpressible, value: some SQLExpressible,
    filter: (any SQLSpecificExpressible)? = nil
  ) -> SQLExpression {
    .json(
      group: "JSON_GROUP_OBJECT", [key.sqlExpression, value.sqlExpression.jsonArgument], nil, filter
    )
  }

  // MARK: - Changing

  /// Returns JSON with values where its paths have none yet.
  ///
  /// - Parameters:
  ///   - value: JSON.
  ///   - assignments: Paths with their values; a ``SQLJSONExpressible`` value is inserted as JSON.
  /// - Returns: The SQL `JSON_INSERT`.
  public static func jsonInsert(
    _ value: some SQLExpressible,
    _ assignments: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .json("JSON_INSERT", value, members: assignments)
  }

  /// Returns JSON with other values where its paths have one.
  ///
  /// - Parameters:
  ///   - value: JSON.
  ///   - assignments: Paths with their values; a ``SQLJSONExpressible`` value is inserted as JSON.
  /// - Returns: The SQL `JSON_REPLACE`.
  public static func jsonReplace(
    _ value: some SQLExpressible,
    _ assignments: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .json("JSON_REPLACE", value, members: assignments)
  }

  /// Returns JSON with values at paths, whether they had one or not.
  ///
  /// - Parameters:
  ///   - value: JSON.
  ///   - assignments: Paths with their values; a ``SQLJSONExpressible`` value is inserted as JSON.
  /// - Returns: The SQL `JSON_SET`.
  public static func jsonSet(
    _ value: some SQLExpressible,
    _ assignments: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .json("JSON_SET", value, members: assignments)
  }

  /// Returns JSON with the changes of another one, as RFC 7396 defines them.
  ///
  /// - Parameters:
  ///   - value: JSON.
  ///   - patch: The changes, as JSON; null removes a member.
  /// - Returns: The SQL `JSON_PATCH`.
  public static func jsonPatch(
    _ value: some SQLExpressible, with patch: some SQLExpressible
  ) -> SQLExpression {
    .json("JSON_PATCH", [value, patch])
  }

  /// Returns JSON without a part.
  ///
  /// - Parameters:
  ///   - value: JSON.
  ///   - path: A path, such as `$.address.city`.
  /// - Returns: The SQL `JSON_REMOVE`.
  public static func jsonRemove(
    _ value: some SQLExpressible, atPath path: some SQLExpressible
  ) -> SQLExpression {
    .json("JSON_REMOVE", [value], paths: [path])
  }

  /// Returns JSON without some parts.
  ///
  /// - Parameters:
  ///   - value: JSON.
  ///   - paths: Paths, such as `$.address.city`; removed in order.
  /// - Returns: The SQL `JSON_REMOVE`.
  public static func jsonRemove(
    _ value: some SQLExpressible, atPaths paths: some Collection<some SQLExpressible>
  ) -> SQLExpression {
    .json("JSON_REMOVE", [value], paths: paths.map { $0 })
  }
}
