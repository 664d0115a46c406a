/// A request for rows of one table, built without SQL text.
///
/// ```swift
/// let players = try Player
///   .filter(Column("score") >= 1000)
///   .order(Column("name").collating(.nocase))
///   .limit(10)
///   .fetchAll(db)
/// ```
///
/// A request is a value: each function returns another one. Nothing is read before it is fetched;
/// values are always bound, and names and JSON paths always quoted.
public struct QueryInterfaceRequest<RowDecoder>: DerivableRequest, FetchRequest {
  var query: SelectQuery

  init(_ query: SelectQuery) {
    self.query = query
  }

  private func with(_ change: (inout SelectQuery) -> Void) -> Self {
    var request = self
    change(&request.query)
    return request
  }

  private func typed<Other>(_ type: Other.Type) -> QueryInterfaceRequest<Other> {
    QueryInterfaceRequest<Other>(query)
  }

  // MARK: - SQL

  /// Returns the SQL.
  public func makeSQL(_ db: Database) throws -> SQL {
    var builder = SQLBuilder(db)
    try builder.append(query)
    return builder.literal
  }

  /// Returns the SQL, for all rows or only for the first one.
  public func makeSQL(_ db: Database, forSingleResult: Bool) throws -> SQL {
    var builder = SQLBuilder(db)
    try builder.append(query, limitedToOne: forSingleResult)
    return builder.literal
  }

  /// The request as a subquery.
  public var sqlSubquery: SQLSubquery { SQLSubquery(query) }

  /// The name of the table, unquoted.
  public var databaseTableName: String { query.source.name }

  /// Returns the region that the SQL reads: tables and columns, in all rows.
  ///
  /// A condition on the INTEGER PRIMARY KEY, as `filter(id: 1)` adds it, restricts it to the rows
  /// with these keys, unless the request contains a query.
  public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
    try db.makeStatement(literal: makeSQL(db)).databaseRegion.narrowed(to: query.keyedRows(db))
  }

  /// Returns the number of rows.
  public func fetchCount(_ db: Database) throws -> Int {
    var builder = SQLBuilder(db)
    try query.appendCount(&builder)
    try db.willFetch(builder.sql) { try query.keyedRows(db) }
    return try Int.fetchOne(db, literal: builder.literal) ?? 0
  }

  /// Returns whether there are no rows.
  public func isEmpty(_ db: Database) throws -> Bool {
    var builder = SQLBuilder(db)
    builder.append("SELECT EXISTS (")
    try builder.append(query.count)
    builder.append(")")
    try db.willFetch(builder.sql) { try query.keyedRows(db) }
    return try !(Bool.fetchOne(db, literal: builder.literal) ?? false)
  }

  // MARK: - Derived requests

  /// Returns the request with a name for its table.
  public func aliased(_ alias: TableAlias<some Any>) -> Self {
    with { $0.alias = alias.identity }
  }

  /// Returns the request with an additional condition.
  public func filter(_ predicate: some SQLSpecificExpressible) -> Self {
    with { $0.conditions.append(predicate.sqlExpression) }
  }

  /// Returns the request with other columns.
  public func select(_ selection: [any SQLSelectable]) -> Self {
    guard !selection.isEmpty else { Misuse.trap(Misuse.emptySelect) }
    return with { $0.selection = selection.map(\.sqlSelection) }
  }

  /// Returns the request with additional columns.
  public func annotated(with selection: [any SQLSelectable]) -> Self {
    with {
      $0.selection = ($0.selection ?? $0.source.selection) + selection.map(\.sqlSelection)
    }
  }

  /// Returns the request with another order, in place of the one that it has.
  public func order(_ orderings: [any SQLOrderingTerm]) -> Self {
    with { $0.orderings = orderings.map(\.sqlOrdering) }
  }

  /// Returns the request with the opposite order; without an order it stays without.
  public func reversed() -> Self {
    with { $0.orderings = $0.orderings.map(\.reversed) }
  }

  /// Returns the request without an order.
  public func unordered() -> Self {
    with { $0.orderings = [] }
  }

  /// Returns the request with the primary key as its last order.
  public func withStableOrder() -> Self {
    with { $0.orderings.append(SQLOrdering(.primaryKey($0.source), .unspecified)) }
  }

  /// Returns the request with one row for each group of equal values.
  public func group(_ expressions: [any SQLExpressible]) -> Self {
    with { $0.groups = expressions.map(\.sqlExpression) }
  }

  /// Returns the request with an additional condition on its groups.
  public func having(_ predicate: some SQLSpecificExpressible) -> Self {
    with { $0.groupConditions.append(predicate.sqlExpression) }
  }

  /// Returns the request without repeated rows.
  public func distinct() -> Self {
    with { $0.isDistinct = true }
  }

  /// Returns the request with a named query that it can use like a table.
  public func with<Rows>(_ cte: CommonTableExpression<Rows>) -> Self {
    with { query in
      let name = cte.table.name.foldedDatabaseIdentifier
      query.commonTables.removeAll { $0.name.foldedDatabaseIdentifier == name }
      query.commonTables.append(cte.table)
    }
  }

  /// Returns the request for some of its rows only, in place of its limit.
  ///
  /// - Parameters:
  ///   - limit: The largest number of rows.
  ///   - offset: The number of rows that are skipped before them; none if `nil`.
  /// - Returns: A request with a `LIMIT` clause.
  public func limit(_ limit: Int, offset: Int? = nil) -> Self {
    with { $0.limit = SelectQuery.Limit(count: limit, offset: offset) }
  }

  // MARK: - Other types of rows

  /// Returns the request with another type of its rows.
  ///
  /// - Parameter type: The type to which each row is converted.
  /// - Returns: A request for the same rows, decoded as that type.
  public func asRequest<Other>(of type: Other.Type) -> QueryInterfaceRequest<Other> {
    typed(type)
  }

  /// Returns the request with other columns and another type of its rows.
  public func select<Other>(
    _ selection: [any SQLSelectable], as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    select(selection).typed(type)
  }

  /// Returns the request with other columns and another type of its rows.
  ///
  /// ```swift
  /// let best = try Player.all().select(max(Column("score")), as: Int.self).fetchOne(db)
  /// ```
  ///
  /// - Parameters:
  ///   - selection: The columns, at least one.
  ///   - type: The type to which each row is converted.
  /// - Returns: A request for those columns only.
  public func select<Other>(
    _ selection: any SQLSelectable..., as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    select(selection).typed(type)
  }

  /// Returns the request with other columns, which are SQL, and another type of its rows.
  public func select<Other>(
    literal sqlLiteral: SQL, as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    select([sqlLiteral]).typed(type)
  }

  /// Returns the request with other columns, which are SQL with values for its parameters, and
  /// another type of its rows.
  public func select<Other>(
    sql: String, arguments: StatementArguments = StatementArguments(),
    as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    select([SQL(sql: sql, arguments: arguments)]).typed(type)
  }

  /// Returns the request for primary keys.
  ///
  /// They are converted as their type is by itself, and not by the coding strategies of the rows' type.
  ///
  /// - Parameter type: The type to which each key is converted; ``Row`` for keys of several columns.
  /// - Returns: A request for primary keys.
  public func selectPrimaryKey<Key>(as type: Key.Type = Key.self) -> QueryInterfaceRequest<Key> {
    select([SQLExpression(.primaryKey(query.source))]).typed(type)
  }
}

extension QueryInterfaceRequest where RowDecoder: TableRecord {
  /// Returns the request with another column, which the closure returns from the record's
  /// `Columns`, and another type of its rows.
  public func select<Other>(
    as type: Other.Type,
    _ selection: (RowDecoder.DatabaseComponents) throws -> any SQLSelectable
  ) rethrows -> QueryInterfaceRequest<Other> {
    try select([selection(RowDecoder.databaseComponents)]).typed(type)
  }

  /// Returns the request with another column, which the closure returns from the record's
  /// `Columns`, and another type of its rows.
  public func select<Other>(
    _ selection: (RowDecoder.DatabaseComponents) throws -> any SQLSelectable,
    as type: Other.Type = Other.self
  ) rethrows -> QueryInterfaceRequest<Other> {
    try select(as: type, selection)
  }
}

extension QueryInterfaceRequest
where RowDecoder: Identifiable, RowDecoder.ID: DatabaseValueConvertible {
  /// Returns the request for identifiers, which are the primary keys, as ``selectPrimaryKey(as:)``
  /// does.
  public func selectID() -> QueryInterfaceRequest<RowDecoder.ID> { selectPrimaryKey() }
}
