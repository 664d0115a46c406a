extension SQLBuilder {
  mutating func append(_ expression: SQLExpression) throws {
    switch expression.node {
    case .value(let value): append(value)
    case .constant(let value): append(value.sqlLiteral)
    case .column(let name): append(column: name, of: columnTable)
    case .qualified(let alias, let name): append(column: name, of: alias)
    case .inTable(let alias, let value):
      try withColumns(of: alias) { try $0.append(value) }
    case .literal(let literal): try append(literal)
    case .subquery(let subquery): try append(subquery)
    case .primaryKey(let source):
      append(try source.primaryKey(db).columns) { $0.append(column: $1, of: $0.columnTable) }
    case .resolved(let resolve): try append(resolve(db))
    case .prefixed(let sign, let operand):
      append(sign)
      try append(operand: operand)
    case .binary(let left, let binary, let right):
      try append(operand: left)
      append(" ")
      append(binary.rawValue)
      append(" ")
      if right.isNull { append("NULL") } else { try append(operand: right) }
    case .chain(let joining, let operands):
      try append(operands, separator: " \(joining.sql) ") { try $0.append(operand: $1) }
    case .between(let value, let low, let high, let isNegated):
      try append(operand: value)
      append(isNegated ? " NOT BETWEEN " : " BETWEEN ")
      try append(operand: low)
      append(" AND ")
      try append(operand: high)
    case .isIn(let value, let list, let isNegated): try append(value, isNegated, in: list)
    case .isInSubquery(let value, let subquery, let isNegated):
      try append(operand: value)
      append(isNegated ? " NOT IN " : " IN ")
      try append(subquery)
    case .isLike(let value, let pattern, let escape, let isNegated):
      try append(operand: value)
      append(isNegated ? " NOT LIKE " : " LIKE ")
      try append(operand: pattern)
      if let escape {
        append(" ESCAPE ")
        try append(operand: escape)
      }
    case .exists(let subquery, let isNegated):
      append(isNegated ? "NOT EXISTS " : Self.exists)
      try append(subquery)
    case .function(let name, let arguments):
      append(name)
      append("(")
      try append(arguments) { try $0.append($1) }
      append(")")
    case .aggregate(let name, let aggregate): try append(name, aggregate)
    case .cast(let value, let type):
      append("CAST(")
      try append(value)
      append(" AS \(type.rawValue))")
    case .collated(let value, let collation):
      try append(operand: value)
      append(" COLLATE ")
      append(name: collation)
    }
  }

  /// The operator of an expression that is true when a query has a row.
  ///
  /// SQLite 3.51.0 and 3.51.1 make a join of it, and then count each row of the query for an `OFFSET`:
  /// requests lack rows, and deletions take others. A sign in front keeps the optimizer from it.
  ///
  /// - SeeAlso: <https://sqlite.org/releaselog/3_51_2.html>, "EXISTS-to-JOIN"
  private static let exists =
    (3_051_000...3_051_001).contains(Database.sqliteLibVersionNumber) ? "+EXISTS " : "EXISTS "

  /// Appends an expression, in parentheses unless it needs none between any operators.
  mutating func append(operand: SQLExpression) throws {
    switch operand.node {
    case .value, .constant, .column, .qualified, .subquery, .function, .aggregate, .cast, .collated,
      .exists(_, isNegated: false):
      try append(operand)
    case .inTable(let alias, let value):
      try withColumns(of: alias) { try $0.append(operand: value) }
    case .resolved(let resolve): try append(operand: resolve(db))
    default:
      append("(")
      try append(operand)
      append(")")
    }
  }

  private mutating func append(
    _ value: SQLExpression, _ isNegated: Bool, in list: [SQLExpression]
  ) throws {
    // `()` is an extension of SQLite, not standard SQL. A number alone would be the number of a column
    // in ORDER BY.
    guard !list.isEmpty else { return append(isNegated ? "1 = 1" : "1 = 0") }
    try append(operand: value)
    guard list.count > 1 else {
      append(isNegated ? " <> " : " = ")
      return try append(operand: list[0])
    }
    append(isNegated ? " NOT IN (" : " IN (")
    try append(list) { try $0.append($1) }
    append(")")
  }

  private mutating func append(_ name: String, _ aggregate: SQLExpression.Aggregate) throws {
    append(name)
    append(aggregate.isDistinct ? "(DISTINCT " : "(")
    if aggregate.arguments.isEmpty { append("*") }
    try append(aggregate.arguments) { try $0.append($1) }
    if let ordering = aggregate.ordering {
      append(" ORDER BY ")
      try append(ordering)
    }
    append(")")
    if let filter = aggregate.filter {
      append(" FILTER (WHERE ")
      try append(filter)
      append(")")
    }
  }

  mutating func append(_ ordering: SQLOrdering) throws {
    let direction = ordering.direction
    switch ordering.content {
    case .expression(let expression):
      if expression.isLiteral, direction != .unspecified {
        try append(text: expression, isReversed: ordering.isReversed)
      } else {
        try append(expression)
      }
      append(direction.rawValue)
    case .primaryKey(let source):
      try append(source.primaryKey(db).columns) { builder, column in
        builder.append(name: column)
        builder.append(direction.rawValue)
      }
    }
  }

  /// Appends SQL text that a direction follows, which then belongs to its last term, as in GRDB.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the text would have to be reversed, but is more
  ///   than an expression.
  private mutating func append(text expression: SQLExpression, isReversed: Bool) throws {
    var part = SQLBuilder(db, bindsValues: bindsValues, aliases: aliases)
    part.columnTable = columnTable
    try part.append(expression)
    let text = part.sql
    if isReversed, text.isMoreThanAnExpression {
      throw DatabaseError.orderingNotReversed(text, path: db.path)
    }
    let isQuery = SQLTokens(text).verb.map(["SELECT", "WITH", "VALUES"].contains) ?? false
    append(isQuery ? "(" : "")
    append(text)
    // A comment at its end would hide the direction.
    append(text.contains("--") ? "\n" : "")
    append(isQuery ? ")" : "")
    values += part.values
  }

  /// Appends a column, with the alias of its table if there is one.
  mutating func append(column: String, of alias: TableAliasIdentity?) {
    if let alias {
      append(name: aliases.name(of: alias))
      append(".")
    }
    append(name: column)
  }

  /// Calls the closure with a builder for which columns without an alias belong to a table.
  mutating func withColumns(
    of alias: TableAliasIdentity?, _ body: (inout SQLBuilder) throws -> Void
  ) rethrows {
    let outer = columnTable
    columnTable = alias
    defer { columnTable = outer }
    try body(&self)
  }

  /// Appends result columns of a source.
  mutating func append(
    _ selection: SQLSelection, from source: QuerySource?
  ) throws {
    switch selection.content {
    case .inTable(let alias, let selection):
      try withColumns(of: alias) { try $0.append(selection, from: source) }
    case .allColumns:
      if let columnTable {
        append(name: aliases.name(of: columnTable))
        append(".")
      }
      append("*")
    case .allColumnsExcluding(let excluded):
      guard let source else { Misuse.trap(Misuse.columnsOfNoTable) }
      let columns = try source.columns(db).filter {
        !excluded.contains($0.foldedDatabaseIdentifier)
      }
      guard !columns.isEmpty else { Misuse.trap(Misuse.emptySelect) }
      append(columns) { $0.append(column: $1, of: $0.columnTable) }
    case .expression(let expression): try append(expression)
    case .named(let expression, let name):
      try append(expression)
      append(" AS ")
      append(name: name)
    }
  }

  /// Appends a subquery in parentheses.
  mutating func append(_ subquery: SQLSubquery) throws {
    append("(")
    try append(text: subquery)
    append(")")
  }

  /// Appends a subquery, whose columns are its own, without parentheses.
  mutating func append(text subquery: SQLSubquery) throws {
    try withColumns(of: nil) { try subquery.append(&$0) }
  }
}

extension String {
  /// Whether the text of an ordering has several terms, or one with a direction.
  fileprivate var isMoreThanAnExpression: Bool {
    var depth = 0
    for token in SQLTokens(self) {
      switch token.uppercased() {
      case "(": depth += 1
      case ")": depth -= 1
      case ",", "ASC", "DESC", "NULLS": if depth == 0 { return true }
      default: break
      }
    }
    return false
  }
}
