extension SQLExpression {
  /// The expression, whose value is JSON.
  var json: SQLExpression {
    var json = self
    json.isJSON = true
    return json
  }

  /// The expression as an argument of a function that builds JSON.
  ///
  /// SQLite takes what a JSON function returns for JSON, and every other value for a plain one.
  var jsonArgument: SQLExpression {
    isJSON ? SQLExpression(.function("JSON", [self])) : self
  }

  /// The expression, with a value as part of the SQL.
  ///
  /// SQLite uses an index on an expression only if the SQL contains the same one, and no parameter is the same.
  var constant: SQLExpression {
    if case .value(let value) = node { SQLExpression(.constant(value)) } else { self }
  }

  // MARK: - Functions

  /// Returns the call of a function of JSON.
  static func json(
    _ name: String, _ arguments: [any SQLExpressible], paths: [any SQLExpressible] = []
  ) -> SQLExpression {
    SQLExpression(
      .function(
        name, arguments.map(\.sqlExpression) + paths.map(\.sqlExpression.constant)))
  }

  /// Returns the call of a function that builds JSON from its arguments.
  static func json(_ name: String, building arguments: [any SQLExpressible]) -> SQLExpression {
    SQLExpression(.function(name, arguments.map(\.sqlExpression.jsonArgument)))
  }

  /// Returns the call of a function that builds JSON from names or paths with their values.
  static func json(
    _ name: String, _ value: (any SQLExpressible)? = nil,
    members: some Collection<(key: String, value: any SQLExpressible)>
  ) -> SQLExpression {
    let pairs = members.flatMap { [$0.key.sqlExpression, $0.value.sqlExpression.jsonArgument] }
    return SQLExpression(.function(name, (value.map { [$0.sqlExpression] } ?? []) + pairs))
  }

  /// Returns the call of an aggregate function that builds JSON.
  static func json(
    group name: String, _ arguments: [SQLExpression], _ ordering: (any SQLOrderingTerm)?,
    _ filter: (any SQLSpecificExpressible)?
  ) -> SQLExpression {
    SQLExpression(
      .aggregate(
        name,
        Aggregate(
          arguments: arguments, ordering: ordering?.sqlOrdering, filter: filter?.sqlExpression)))
  }
}
