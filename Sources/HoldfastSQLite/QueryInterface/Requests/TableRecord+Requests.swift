// Requests for the rows of a record type's table.

extension TableRecord {
  /// Returns a request for all rows.
  ///
  /// - Returns: A request without a condition.
  public static func all() -> QueryInterfaceRequest<Self> {
    QueryInterfaceRequest(SelectQuery(.record(self)))
  }

  /// Returns a request for the rows that satisfy a condition.
  ///
  /// - Parameter predicate: A condition on the columns of the table.
  /// - Returns: A request for those rows only.
  public static func filter(_ predicate: some SQLSpecificExpressible) -> QueryInterfaceRequest<Self>
  {
    all().filter(predicate)
  }

  /// Returns a request for the rows that satisfy a condition.
  ///
  /// - Parameter sqlLiteral: A condition on the columns of the table.
  /// - Returns: A request for those rows only.
  public static func filter(literal sqlLiteral: SQL) -> QueryInterfaceRequest<Self> {
    all().filter(literal: sqlLiteral)
  }

  /// Returns a request for the rows that satisfy a condition.
  ///
  /// - Parameters:
  ///   - sql: A condition on the columns of the table.
  ///   - arguments: Values for the parameters of the text.
  /// - Returns: A request for those rows only.
  public static func filter(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<Self> {
    all().filter(sql: sql, arguments: arguments)
  }

  /// Returns a request for all rows with a name for the table, by which other requests refer to its rows.
  ///
  /// - Parameter alias: The name.
  /// - Returns: A request whose table has the name.
  public static func aliased(_ alias: TableAlias<some Any>) -> QueryInterfaceRequest<Self> {
    all().aliased(alias)
  }

  /// Returns a request for no row.
  ///
  /// - Returns: A request that is always empty.
  public static func none() -> QueryInterfaceRequest<Self> {
    all().none()
  }

  /// Returns a request for all rows in an order.
  ///
  /// - Parameter orderings: The terms, the first one first.
  /// - Returns: A request with an `ORDER BY` clause.
  public static func order(_ orderings: any SQLOrderingTerm...) -> QueryInterfaceRequest<Self> {
    all().order(orderings)
  }

  /// Returns a request for all rows in an order.
  ///
  /// - Parameter orderings: The terms, the first one first.
  /// - Returns: A request with an `ORDER BY` clause.
  public static func order(_ orderings: [any SQLOrderingTerm]) -> QueryInterfaceRequest<Self> {
    all().order(orderings)
  }

  /// Returns a request for all rows in an order.
  ///
  /// - Parameter sqlLiteral: The terms.
  /// - Returns: A request with an `ORDER BY` clause.
  public static func order(literal sqlLiteral: SQL) -> QueryInterfaceRequest<Self> {
    all().order(literal: sqlLiteral)
  }

  /// Returns a request for all rows in an order.
  ///
  /// - Parameters:
  ///   - sql: The terms.
  ///   - arguments: Values for the parameters of the text.
  /// - Returns: A request with an `ORDER BY` clause.
  public static func order(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<Self> {
    all().order(sql: sql, arguments: arguments)
  }

  /// Returns a request for all rows in the order of the primary key.
  ///
  /// - Returns: A request with an `ORDER BY` clause.
  public static func orderByPrimaryKey() -> QueryInterfaceRequest<Self> {
    all().orderByPrimaryKey()
  }

  /// Returns a request for some of the rows.
  ///
  /// - Parameters:
  ///   - limit: The largest number of rows.
  ///   - offset: The number of rows that are skipped before them; none if `nil`.
  /// - Returns: A request with a `LIMIT` clause.
  public static func limit(_ limit: Int, offset: Int? = nil) -> QueryInterfaceRequest<Self> {
    all().limit(limit, offset: offset)
  }

  /// Returns a request for some columns of all rows.
  ///
  /// - Parameter selection: The columns, at least one.
  /// - Returns: A request for those columns only.
  public static func select(_ selection: any SQLSelectable...) -> QueryInterfaceRequest<Self> {
    all().select(selection)
  }

  /// Returns a request for some columns of all rows.
  ///
  /// - Parameter selection: The columns, at least one.
  /// - Returns: A request for those columns only.
  public static func select(_ selection: [any SQLSelectable]) -> QueryInterfaceRequest<Self> {
    all().select(selection)
  }

  /// Returns a request for some columns of all rows.
  ///
  /// - Parameter sqlLiteral: The columns.
  /// - Returns: A request for those columns only.
  public static func select(literal sqlLiteral: SQL) -> QueryInterfaceRequest<Self> {
    all().select(literal: sqlLiteral)
  }

  /// Returns a request for some columns of all rows.
  ///
  /// - Parameters:
  ///   - sql: The columns.
  ///   - arguments: Values for the parameters of the text.
  /// - Returns: A request for those columns only.
  public static func select(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<Self> {
    all().select(sql: sql, arguments: arguments)
  }

  /// Returns a request for some columns of all rows, with their type.
  ///
  /// - Parameters:
  ///   - selection: The columns, at least one.
  ///   - type: The type to which each row is converted.
  /// - Returns: A request for those columns only.
  public static func select<Other>(
    _ selection: any SQLSelectable..., as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    all().select(selection, as: type)
  }

  /// Returns a request for some columns of all rows, with their type.
  ///
  /// - Parameters:
  ///   - selection: The columns, at least one.
  ///   - type: The type to which each row is converted.
  /// - Returns: A request for those columns only.
  public static func select<Other>(
    _ selection: [any SQLSelectable], as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    all().select(selection, as: type)
  }

  /// Returns a request for some columns of all rows, with their type.
  ///
  /// - Parameters:
  ///   - sqlLiteral: The columns.
  ///   - type: The type to which each row is converted.
  /// - Returns: A request for those columns only.
  public static func select<Other>(
    literal sqlLiteral: SQL, as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    all().select(literal: sqlLiteral, as: type)
  }

  /// Returns a request for some columns of all rows, with their type.
  ///
  /// - Parameters:
  ///   - sql: The columns.
  ///   - arguments: Values for the parameters of the text.
  ///   - type: The type to which each row is converted.
  /// - Returns: A request for those columns only.
  public static func select<Other>(
    sql: String, arguments: StatementArguments = StatementArguments(),
    as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    all().select(sql: sql, arguments: arguments, as: type)
  }

  /// Returns a request for the primary keys of all rows.
  ///
  /// - Parameter type: The type to which each key is converted; ``Row`` for keys of several columns.
  /// - Returns: A request for primary keys.
  public static func selectPrimaryKey<Key>(as type: Key.Type = Key.self) -> QueryInterfaceRequest<
    Key
  > {
    all().selectPrimaryKey(as: type)
  }

  /// Returns a request for all rows with additional columns.
  ///
  /// - Parameter selection: The columns, which follow those of the table.
  /// - Returns: A request whose rows end with those columns.
  public static func annotated(with selection: any SQLSelectable...) -> QueryInterfaceRequest<Self>
  {
    all().annotated(with: selection)
  }

  /// Returns a request for all rows with additional columns.
  ///
  /// - Parameter selection: The columns, which follow those of the table.
  /// - Returns: A request whose rows end with those columns.
  public static func annotated(with selection: [any SQLSelectable]) -> QueryInterfaceRequest<Self> {
    all().annotated(with: selection)
  }

  /// Returns a request for all rows, with a condition on their groups.
  ///
  /// - Parameter predicate: The condition, which needs ``AggregatingRequest/group(_:)``.
  /// - Returns: A request with a `HAVING` clause.
  public static func having(_ predicate: some SQLSpecificExpressible) -> QueryInterfaceRequest<Self>
  {
    all().having(predicate)
  }

  /// Returns a request for all rows, with a named query that it can use like a table.
  ///
  /// - Parameter cte: The named query.
  /// - Returns: A request with a `WITH` clause.
  public static func with<Rows>(_ cte: CommonTableExpression<Rows>) -> QueryInterfaceRequest<Self> {
    all().with(cte)
  }

  /// Returns a request for the rows of an FTS5 table that match a pattern.
  ///
  /// - Parameter pattern: The pattern; `nil` matches no row.
  /// - Returns: A request for those rows only.
  public static func matching(_ pattern: FTS5Pattern?) -> QueryInterfaceRequest<Self> {
    all().matching(pattern)
  }

  /// Returns a request for the rows of an FTS3 or FTS4 table that match a pattern.
  ///
  /// - Parameter pattern: The pattern; `nil` matches no row.
  /// - Returns: A request for those rows only.
  public static func matching(_ pattern: FTS3Pattern?) -> QueryInterfaceRequest<Self> {
    all().matching(pattern)
  }

  /// Returns a request for the row with a primary key of one column.
  ///
  /// - Parameter key: The key's value; NULL matches no row.
  /// - Returns: A request for those rows only.
  public static func filter(key: some DatabaseValueConvertible) -> QueryInterfaceRequest<Self> {
    all().filter(key: key)
  }

  /// Returns a request for the rows with primary keys of one column.
  ///
  /// - Parameter keys: The keys' values, at most 32766 of them.
  /// - Returns: The request; the rows have no particular order.
  public static func filter(keys: some Sequence<some DatabaseValueConvertible>)
    -> QueryInterfaceRequest<Self>
  {
    all().filter(keys: keys)
  }

  /// Returns a request for the row with a primary or unique key.
  ///
  /// - Parameter key: The columns of the key with their values; `nil` matches no row.
  /// - Returns: The request; it fails with `SQLITE_MISUSE` when the columns are not a unique key.
  public static func filter(key: [String: (any DatabaseValueConvertible)?]?)
    -> QueryInterfaceRequest<Self>
  {
    all().filter(key: key)
  }

  /// Returns a request for the rows with primary or unique keys.
  ///
  /// - Parameter keys: The columns of each key with their values.
  /// - Returns: The request; it fails with `SQLITE_MISUSE` when the columns are not a unique key.
  public static func filter(keys: [[String: (any DatabaseValueConvertible)?]])
    -> QueryInterfaceRequest<Self>
  {
    all().filter(keys: keys)
  }
}

extension TableRecord where Self: Identifiable, ID: DatabaseValueConvertible {
  /// Returns a request for the row with an identifier, which is the primary key.
  ///
  /// - Parameter id: The identifier.
  /// - Returns: A request for those rows only.
  public static func filter(id: ID) -> QueryInterfaceRequest<Self> {
    all().filter(id: id)
  }

  /// Returns a request for the rows with identifiers, which are the primary keys.
  ///
  /// - Parameter ids: The identifiers, at most 32766 of them.
  /// - Returns: The request; the rows have no particular order.
  public static func filter(ids: some Sequence<ID>) -> QueryInterfaceRequest<Self> {
    all().filter(ids: ids)
  }

  /// Returns a request for the identifiers of all rows.
  ///
  /// - Returns: A request for identifiers.
  public static func selectID() -> QueryInterfaceRequest<ID> {
    all().selectID()
  }
}
