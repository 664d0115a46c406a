// SQLite's functions that return its binary JSON, a blob, which every function that reads JSON accepts. SQLite has
// them since 3.45; an earlier one, such as 3.40 of Debian 12, refuses them when the statement is prepared: "no such
// function: JSONB".

extension Database {
  /// Returns JSON in SQLite's binary form.
  ///
  /// - Parameter value: JSON, as text or binary.
  /// - Returns: The SQL `JSONB`.
  public static func jsonb(_ value: some SQLExpressible) -> SQLExpression {
    .json("JSONB", [value])
  }

  /// Returns the value of a part as SQL has it: a text, a number, NULL, an object or array as
  /// binary JSON; see ``jsonExtract(_:atPath:)``.
  public static func jsonbExtract(
    _ value: some SQLExpressible, atPath path: some SQLExpressible
  ) -> SQLExpression {
    .json("JSONB_EXTRACT", [value], paths: [path])
  }

  /// Returns several parts as a binary JSON array; with one path, the value as SQL has it; see
  /// ``jsonExtract(_:atPaths:)``.
  public static func jsonbExtract(
    _ value: some SQLExpressible, atPaths paths: some Collection<some SQLExpressible>
  ) -> SQLExpression {
    .json("JSONB_EXTRACT", [value], paths: paths.map { $0 })
  }

  // MARK: - Building

  /// Returns a binary JSON array of values; a ``SQLJSONExpressible`` value is inserted as JSON.
  public static func jsonbArray(_ values: some Collection<some SQLExpressible>) -> SQLExpression {
    .json("JSONB_ARRAY", building: values.map { $0 })
  }

  /// Returns a binary JSON array of values; a ``SQLJSONExpressible`` value is inserted as JSON.
  public static func jsonbArray(_ values: [any SQLExpressible]) -> SQLExpression {
    .json("JSONB_ARRAY", building: values)
  }

  /// Returns a binary JSON object of members; see ``jsonObject(_:)``.
  public static func jsonbObject(
    _ elements: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .json("JSONB_OBJECT", members: elements)
  }

  /// Returns the values of all rows of a group as a binary JSON array; see
  /// ``jsonGroupArray(_:orderBy:filter:)``.
  public static func jsonbGroupArray(
    _ value: some SQLExpressible, orderBy ordering: (any SQLOrderingTerm)? = nil,
    filter: (any SQLSpecificExpressible)? = nil
  ) -> SQLExpression {
    .json(group: "JSONB_GROUP_ARRAY", [value.sqlExpression.jsonArgument], ordering, filter)
  }

  /// Returns the values of all rows of a group as a binary JSON object; see
  /// ``jsonGroupObject(key:value:filter:)``.
  public static func jsonbGroupObject(
    key: some SQLExpressible, value: some SQLExpressible,
    filter: (any SQLSpecificExpressible)? = nil
  ) -> SQLExpression {
    .json(
      group: "JSONB_GROUP_OBJECT", [key.sqlExpression, value.sqlExpression.jsonArgument], nil,
      filter)
  }

  // MARK: - Changing

  /// Returns binary JSON with values where its paths have none yet; see ``jsonInsert(_:_:)``.
  public static func jsonbInsert(
    _ value: some SQLExpressible,
    _ assignments: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .json("JSONB_INSERT", value, members: assignments)
  }

  /// Returns binary JSON with other values where its paths have one; see ``jsonReplace(_:_:)``.
  public static func jsonbReplace(
    _ value: some SQLExpressible,
    _ assignments: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .json("JSONB_REPLACE", value, members: assignments)
  }

  /// Returns binary JSON with values at paths, whether they had one or not; see ``jsonSet(_:_:)``.
  public static func jsonbSet(
    _ value: some SQLExpressible,
    _ assignments: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    .json("JSONB_SET", value, members: assignments)
  }

  /// Returns binary JSON with the changes of another one, as RFC 7396 defines them; see
  /// ``jsonPatch(_:with:)``.
  public static func jsonbPatch(
    _ value: some SQLExpressible, with patch: some SQLExpressible
  ) -> SQLExpression {
    .json("JSONB_PATCH", [value, patch])
  }

  /// Returns binary JSON without a part; see ``jsonRemove(_:atPath:)``.
  public static func jsonbRemove(
    _ value: some SQLExpressible, atPath path: some SQLExpressible
  ) -> SQLExpression {
    .json("JSONB_REMOVE", [value], paths: [path])
  }

  /// Returns binary JSON without some parts; see ``jsonRemove(_:atPaths:)``.
  public static func jsonbRemove(
    _ value: some SQLExpressible, atPaths paths: some Collection<some SQLExpressible>
  ) -> SQLExpression {
    .json("JSONB_REMOVE", [value], paths: paths.map { $0 })
  }
}
