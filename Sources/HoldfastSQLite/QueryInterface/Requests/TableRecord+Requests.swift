// Requests for the rows of a record type's table.

extension TableRecord {
  /// Returns a request for all rows.
  public static func all() -> QueryInterfaceRequest<Self> {
    QueryInterfaceRequest(SelectQuery(.record(self)))
  }

  /// Returns a request for the rows that satisfy a condition; see ``FilteredRequest/filter(_:)``.
  public static func filter(_ predicate: some SQLSpecificExpressible) -> QueryInterfaceRequest<Self>
  {
    all().filter(predicate)
  }

  /// Returns a request for the rows that satisfy a condition; see
  /// ``FilteredRequest/filter(literal:)``.
  public static func filter(literal sqlLiteral: SQL) -> QueryInterfaceRequest<Self> {
    all().filter(literal: sqlLiteral)
  }

  /// Returns a request for the rows that satisfy a condition; see
  /// ``FilteredRequest/filter(sql:arguments:)``.
  public static func filter(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<Self> {
    all().filter(sql: sql, arguments: arguments)
  }

  /// Returns a request for all rows with a name for the table; see ``TableRequest/aliased(_:)``.
  public static func aliased(_ alias: TableAlias<some Any>) -> QueryInterfaceRequest<Self> {
    all().aliased(alias)
  }

  /// Returns a request for no row.
  public static func none() -> QueryInterfaceRequest<Self> {
    all().none()
  }

  /// Returns a request for all rows in an order; see ``OrderedRequest``.
  public static func order(_ orderings: any SQLOrderingTerm...) -> QueryInterfaceRequest<Self> {
    all().order(orderings)
  }

  /// Returns a request for all rows in an order; see ``OrderedRequest``.
  public static func order(_ orderings: [any SQLOrderingTerm]) -> QueryInterfaceRequest<Self> {
    all().order(orderings)
  }

  /// Returns a request for all rows in an order; see ``OrderedRequest/order(literal:)``.
  public static func order(literal sqlLiteral: SQL) -> QueryInterfaceRequest<Self> {
    all().order(literal: sqlLiteral)
  }

  /// Returns a request for all rows in an order; see ``OrderedRequest/order(sql:arguments:)``.
  public static func order(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<Self> {
    all().order(sql: sql, arguments: arguments)
  }

  /// Returns a request for all rows in the order of the primary key.
  public static func orderByPrimaryKey() -> QueryInterfaceRequest<Self> {
    all().orderByPrimaryKey()
  }

  /// Returns a request for some of the rows; see ``QueryInterfaceRequest/limit(_:offset:)``.
  public static func limit(_ limit: Int, offset: Int? = nil) -> QueryInterfaceRequest<Self> {
    all().limit(limit, offset: offset)
  }

  /// Returns a request for some columns of all rows; see ``SelectionRequest``.
  public static func select(_ selection: any SQLSelectable...) -> QueryInterfaceRequest<Self> {
    all().select(selection)
  }

  /// Returns a request for some columns of all rows; see ``SelectionRequest``.
  public static func select(_ selection: [any SQLSelectable]) -> QueryInterfaceRequest<Self> {
    all().select(selection)
  }

  /// Returns a request for some columns of all rows; see ``SelectionRequest/select(literal:)``.
  public static func select(literal sqlLiteral: SQL) -> QueryInterfaceRequest<Self> {
    all().select(literal: sqlLiteral)
  }

  /// Returns a request for some columns of all rows; see
  /// ``SelectionRequest/select(sql:arguments:)``.
  public static func select(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<Self> {
    all().select(sql: sql, arguments: arguments)
  }

  /// Returns a request for some columns of all rows, with their type; see
  /// ``QueryInterfaceRequest``.
  public static func select<Other>(
    _ selection: any SQLSelectable..., as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    all().select(selection, as: type)
  }

  /// Returns a request for some columns of all rows, with their type; see
  /// ``QueryInterfaceRequest``.
  public static func select<Other>(
    _ selection: [any SQLSelectable], as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    all().select(selection, as: type)
  }

  /// Returns a request for some columns of all rows, with their type; see
  /// ``QueryInterfaceRequest/select(literal:as:)``.
  public static func select<Other>(
    literal sqlLiteral: SQL, as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    all().select(literal: sqlLiteral, as: type)
  }

  /// Returns a request for some columns of all rows, with their type; see
  /// ``QueryInterfaceRequest/select(sql:arguments:as:)``.
  public static func select<Other>(
    sql: String, arguments: StatementArguments = StatementArguments(),
    as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    all().select(sql: sql, arguments: arguments, as: type)
  }

  /// Returns a request for the primary keys of all rows; see
  /// ``QueryInterfaceRequest/selectPrimaryKey(as:)``.
  public static func selectPrimaryKey<Key>(as type: Key.Type = Key.self) -> QueryInterfaceRequest<
    Key
  > {
    all().selectPrimaryKey(as: type)
  }

  /// Returns a request for all rows with additional columns; see ``SelectionRequest``.
  public static func annotated(with selection: any SQLSelectable...) -> QueryInterfaceRequest<Self>
  {
    all().annotated(with: selection)
  }

  /// Returns a request for all rows with additional columns; see ``SelectionRequest``.
  public static func annotated(with selection: [any SQLSelectable]) -> QueryInterfaceRequest<Self> {
    all().annotated(with: selection)
  }

  /// Returns a request for all rows, with a condition on their groups; see ``AggregatingRequest``.
  public static func having(_ predicate: some SQLSpecificExpressible) -> QueryInterfaceRequest<Self>
  {
    all().having(predicate)
  }

  /// Returns a request for all rows, with a named query that it can use like a table; see
  /// ``DerivableRequest/with(_:)``.
  public static func with<Rows>(_ cte: CommonTableExpression<Rows>) -> QueryInterfaceRequest<Self> {
    all().with(cte)
  }

  /// Returns a request for the row with a primary key of one column; see ``TableRequest``.
  public static func filter(key: some DatabaseValueConvertible) -> QueryInterfaceRequest<Self> {
    all().filter(key: key)
  }

  /// Returns a request for the rows with primary keys of one column; see ``TableRequest``.
  public static func filter(keys: some Sequence<some DatabaseValueConvertible>)
    -> QueryInterfaceRequest<Self>
  {
    all().filter(keys: keys)
  }

  /// Returns a request for the row with a primary or unique key; see ``TableRequest``.
  public static func filter(key: [String: (any DatabaseValueConvertible)?]?)
    -> QueryInterfaceRequest<Self>
  {
    all().filter(key: key)
  }

  /// Returns a request for the rows with primary or unique keys; see ``TableRequest``.
  public static func filter(keys: [[String: (any DatabaseValueConvertible)?]])
    -> QueryInterfaceRequest<Self>
  {
    all().filter(keys: keys)
  }
}

extension TableRecord where Self: Identifiable, ID: DatabaseValueConvertible {
  /// Returns a request for the row with an identifier, which is the primary key; see
  /// ``TableRequest/filter(id:)``.
  public static func filter(id: ID) -> QueryInterfaceRequest<Self> {
    all().filter(id: id)
  }

  /// Returns a request for the rows with identifiers, which are the primary keys; see
  /// ``TableRequest/filter(ids:)``.
  public static func filter(ids: some Sequence<ID>) -> QueryInterfaceRequest<Self> {
    all().filter(ids: ids)
  }

  /// Returns a request for the identifiers of all rows.
  public static func selectID() -> QueryInterfaceRequest<ID> {
    all().selectID()
  }
}
