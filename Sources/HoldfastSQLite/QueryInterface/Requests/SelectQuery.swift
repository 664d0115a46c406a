/// A SELECT over one table, without the type of its rows.
struct SelectQuery: Sendable {
  struct Limit: Sendable {
    var count: Int
    var offset: Int?
  }

  var source: QuerySource

  /// The name by which other queries refer to the rows.
  var alias: TableAliasIdentity?

  /// The selected columns; `nil` for the source's columns.
  var selection: [SQLSelection]?
  var isDistinct = false
  var conditions: [SQLExpression] = []
  var groups: [SQLExpression] = []
  var groupConditions: [SQLExpression] = []
  var orderings: [SQLOrdering] = []
  var limit: Limit?
  var commonTables: [CommonTable] = []

  init(_ source: QuerySource) {
    self.source = source
  }

  /// Whether each row of the table that satisfies the conditions is a row of the result.
  private var countsRowsOfTable: Bool {
    limit == nil && !isDistinct && groups.isEmpty && groupConditions.isEmpty
      && (selection ?? source.selection).allSatisfy(\.keepsRowCount)
  }

  /// Whether the rows can be changed while it is decided which ones.
  ///
  /// SQLite 3.40 evaluates a subquery when a row first needs it, which may be after other rows were
  /// deleted: `DELETE FROM t WHERE a = 1 OR EXISTS (SELECT * FROM t WHERE a = 1)`.
  private var decidesRowByRow: Bool {
    // A condition can name a common table without a subquery: `id IN best`.
    limit == nil && commonTables.isEmpty && !conditions.contains(where: \.hasSubquery)
      && groups.isEmpty && groupConditions.isEmpty
  }

  fileprivate func appendTable(_ builder: inout SQLBuilder) {
    builder.append(name: source.name(builder.db))
    guard let alias else { return }
    builder.append(" AS ")
    builder.append(name: builder.aliases.name(of: alias))
  }

  // MARK: - Counting

  var count: SelectQuery {
    var query = self
    // Without a limit the order does not matter.
    if limit == nil { query.orderings = [] }
    return query
  }

  func appendCount(_ builder: inout SQLBuilder) throws {
    let query = count
    guard countsRowsOfTable else {
      builder.append("SELECT COUNT(*) FROM (")
      try builder.append(query)
      return builder.append(")")
    }
    try builder.append(commonTables)
    builder.append("SELECT COUNT(*) FROM ")
    appendTable(&builder)
    try builder.append(query.conditions, after: " WHERE ")
  }

  // MARK: - Changing

  func appendDeletion(_ builder: inout SQLBuilder) throws {
    try builder.append(commonTables)
    builder.append("DELETE FROM ")
    appendTable(&builder)
    try appendChangedRows(&builder)
  }

  func appendUpdate(
    _ assignments: [ColumnAssignment], _ resolution: Database.ConflictResolution,
    _ builder: inout SQLBuilder
  ) throws {
    try builder.append(commonTables)
    builder.append("UPDATE\(resolution.sql) ")
    appendTable(&builder)
    builder.append(" SET ")
    try builder.append(assignments) { try $0.append($1) }
    try appendChangedRows(&builder)
  }

  private func appendChangedRows(_ builder: inout SQLBuilder) throws {
    guard !decidesRowByRow else { return try builder.append(conditions, after: " WHERE ") }
    // A limit of a DELETE or UPDATE itself is an option with which SQLite is mostly not compiled.
    let key = try source.rowKey(builder.db)
    builder.append(key.count == 1 ? " WHERE " : " WHERE (")
    builder.append(key) { $0.append(name: $1) }
    builder.append(key.count == 1 ? " IN (" : ") IN (")
    var rows = self
    rows.selection = key.map { SQLSelection(.expression(SQLExpression(.column($0)))) }
    rows.commonTables = []
    try builder.append(rows)
    builder.append(")")
  }
}

extension QuerySource {
  /// Returns the columns that identify a row, none of which is NULL.
  fileprivate func rowKey(_ db: Database) throws -> [String] {
    let key = try primaryKey(db)
    return key.rowIDName.map { [$0] } ?? key.columns
  }
}

extension SQLBuilder {
  mutating func append(_ query: SelectQuery, limitedToOne isLimitedToOne: Bool = false) throws {
    try append(query.commonTables)
    append(query.isDistinct ? "SELECT DISTINCT " : "SELECT ")
    try append(query.selection ?? query.source.selection) { try $0.append($1, from: query.source) }
    append(" FROM ")
    query.appendTable(&self)
    try append(query.conditions, after: " WHERE ")
    if !query.groups.isEmpty {
      append(" GROUP BY ")
      try append(query.groups) { try $0.append($1) }
    }
    try append(query.groupConditions, after: " HAVING ")
    if !query.orderings.isEmpty {
      append(" ORDER BY ")
      try append(query.orderings) { try $0.append($1) }
    }
    try append(query.limit, limitedToOne: isLimitedToOne)
  }

  private mutating func append(
    _ limit: SelectQuery.Limit?, limitedToOne isLimitedToOne: Bool
  ) throws {
    if let limit, !isLimitedToOne || limit.count == 0 || limit.offset != nil {
      append(" LIMIT ")
      append((isLimitedToOne && limit.count != 0 ? 1 : limit.count).databaseValue)
      if let offset = limit.offset {
        append(" OFFSET ")
        append(offset.databaseValue)
      }
    } else if isLimitedToOne {
      append(" LIMIT 1")
    }
  }

  /// Appends conditions that must all be true, or nothing without conditions.
  fileprivate mutating func append(_ conditions: [SQLExpression], after keyword: String) throws {
    guard !conditions.isEmpty else { return }
    append(keyword)
    guard conditions.count > 1 else { return try append(conditions[0]) }
    try append(conditions, separator: " AND ") { try $0.append(operand: $1) }
  }

  fileprivate mutating func append(_ tables: [CommonTable]) throws {
    guard !tables.isEmpty else { return }
    // One recursive table is enough for the keyword, which the others do not mind.
    append(tables.contains(where: \.isRecursive) ? "WITH RECURSIVE " : "WITH ")
    try append(tables) { try $0.append(definition: $1) }
    append(" ")
  }

  /// Appends the name of a common table with its columns and its query.
  mutating func append(definition table: CommonTable) throws {
    append(name: table.name)
    if let columns = table.columns, !columns.isEmpty {
      append("(")
      append(columns) { $0.append(name: $1) }
      append(")")
    }
    append(" AS ")
    try append(table.query)
  }
}
