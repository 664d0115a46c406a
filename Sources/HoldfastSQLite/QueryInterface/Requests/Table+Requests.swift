// Requests for the rows of a table without a record type of its own.

extension Table {
  /// Returns a request for all rows.
  public func all() -> QueryInterfaceRequest<RowDecoder> {
    QueryInterfaceRequest(SelectQuery(.table(tableName)))
  }

  /// Returns a request for the rows that satisfy a condition; see ``FilteredRequest/filter(_:)``.
  public func filter(_ predicate: some SQLSpecificExpressible) -> QueryInterfaceRequest<RowDecoder>
  {
    all().filter(predicate)
  }

  /// Returns a request for the rows that satisfy a condition; see
  /// ``FilteredRequest/filter(literal:)``.
  public func filter(literal sqlLiteral: SQL) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(literal: sqlLiteral)
  }

  /// Returns a request for the rows that satisfy a condition; see
  /// ``FilteredRequest/filter(sql:arguments:)``.
  public func filter(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(sql: sql, arguments: arguments)
  }

  /// Returns a request for all rows with a name for the table; see ``TableRequest/aliased(_:)``.
  public func aliased(_ alias: TableAlias<some Any>) -> QueryInterfaceRequest<RowDecoder> {
    all().aliased(alias)
  }

  /// Returns a request for no row.
  public func none() -> QueryInterfaceRequest<RowDecoder> {
    all().none()
  }

  /// Returns a request for all rows in an order; see ``OrderedRequest``.
  public func order(_ orderings: any SQLOrderingTerm...) -> QueryInterfaceRequest<RowDecoder> {
    all().order(orderings)
  }

  /// Returns a request for all rows in an order; see ``OrderedRequest``.
  public func order(_ orderings: [any SQLOrderingTerm]) -> QueryInterfaceRequest<RowDecoder> {
    all().order(orderings)
  }

  /// Returns a request for all rows in an order; see ``OrderedRequest/order(literal:)``.
  public func order(literal sqlLiteral: SQL) -> QueryInterfaceRequest<RowDecoder> {
    all().order(literal: sqlLiteral)
  }

  /// Returns a request for all rows in an order; see ``OrderedRequest/order(sql:arguments:)``.
  public func order(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().order(sql: sql, arguments: arguments)
  }

  /// Returns a request for all rows in the order of the primary key.
  public func orderByPrimaryKey() -> QueryInterfaceRequest<RowDecoder> {
    all().orderByPrimaryKey()
  }

  /// Returns a request for some of the rows; see ``QueryInterfaceRequest/limit(_:offset:)``.
  public func limit(_ limit: Int, offset: Int? = nil) -> QueryInterfaceRequest<RowDecoder> {
    all().limit(limit, offset: offset)
  }

  /// Returns a request for some columns of all rows; see ``SelectionRequest``.
  public func select(_ selection: any SQLSelectable...) -> QueryInterfaceRequest<RowDecoder> {
    all().select(selection)
  }

  /// Returns a request for some columns of all rows; see ``SelectionRequest``.
  public func select(_ selection: [any SQLSelectable]) -> QueryInterfaceRequest<RowDecoder> {
    all().select(selection)
  }

  /// Returns a request for some columns of all rows; see ``SelectionRequest/select(literal:)``.
  public func select(literal sqlLiteral: SQL) -> QueryInterfaceRequest<RowDecoder> {
    all().select(literal: sqlLiteral)
  }

  /// Returns a request for some columns of all rows; see
  /// ``SelectionRequest/select(sql:arguments:)``.
  public func select(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().select(sql: sql, arguments: arguments)
  }

  /// Returns a request for some columns of all rows, with their type; see
  /// ``QueryInterfaceRequest``.
  public func select<Other>(
    _ selection: any SQLSelectable..., as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    all().select(selection, as: type)
  }

  /// Returns a request for some columns of all rows, with their type; see
  /// ``QueryInterfaceRequest``.
  public func select<Other>(
    _ selection: [any SQLSelectable], as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    all().select(selection, as: type)
  }

  /// Returns a request for some columns of all rows, with their type; see
  /// ``QueryInterfaceRequest/select(literal:as:)``.
  public func select<Other>(
    literal sqlLiteral: SQL, as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    all().select(literal: sqlLiteral, as: type)
  }

  /// Returns a request for some columns of all rows, with their type; see
  /// ``QueryInterfaceRequest/select(sql:arguments:as:)``.
  public func select<Other>(
    sql: String, arguments: StatementArguments = StatementArguments(),
    as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    all().select(sql: sql, arguments: arguments, as: type)
  }

  /// Returns a request for the primary keys of all rows; see
  /// ``QueryInterfaceRequest/selectPrimaryKey(as:)``.
  public func selectPrimaryKey<Key>(as type: Key.Type = Key.self) -> QueryInterfaceRequest<Key> {
    all().selectPrimaryKey(as: type)
  }

  /// Returns a request for all rows with additional columns; see ``SelectionRequest``.
  public func annotated(with selection: any SQLSelectable...) -> QueryInterfaceRequest<RowDecoder> {
    all().annotated(with: selection)
  }

  /// Returns a request for all rows with additional columns; see ``SelectionRequest``.
  public func annotated(with selection: [any SQLSelectable]) -> QueryInterfaceRequest<RowDecoder> {
    all().annotated(with: selection)
  }

  /// Returns a request for all rows, with a condition on their groups; see ``AggregatingRequest``.
  public func having(_ predicate: some SQLSpecificExpressible) -> QueryInterfaceRequest<RowDecoder>
  {
    all().having(predicate)
  }

  /// Returns a request for all rows, with a named query that it can use like a table; see
  /// ``DerivableRequest/with(_:)``.
  public func with<Rows>(_ cte: CommonTableExpression<Rows>) -> QueryInterfaceRequest<RowDecoder> {
    all().with(cte)
  }

  /// Returns a request for the row with a primary key of one column; see ``TableRequest``.
  public func filter(key: some DatabaseValueConvertible) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(key: key)
  }

  /// Returns a request for the rows with primary keys of one column; see ``TableRequest``.
  public func filter(keys: some Sequence<some DatabaseValueConvertible>) -> QueryInterfaceRequest<
    RowDecoder
  > {
    all().filter(keys: keys)
  }

  /// Returns a request for the row with a primary or unique key; see ``TableRequest``.
  public func filter(key: [String: (any DatabaseValueConvertible)?]?) -> QueryInterfaceRequest<
    RowDecoder
  > {
    all().filter(key: key)
  }

  /// Returns a request for the rows with primary or unique keys; see ``TableRequest``.
  public func filter(keys: [[String: (any DatabaseValueConvertible)?]]) -> QueryInterfaceRequest<
    RowDecoder
  > {
    all().filter(keys: keys)
  }
}

extension Table where RowDecoder: Identifiable, RowDecoder.ID: DatabaseValueConvertible {
  /// Returns a request for the row with an identifier, which is the primary key; see
  /// ``TableRequest/filter(id:)``.
  public func filter(id: RowDecoder.ID) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(id: id)
  }

  /// Returns a request for the rows with identifiers, which are the primary keys; see
  /// ``TableRequest/filter(ids:)``.
  public func filter(ids: some Sequence<RowDecoder.ID>) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(ids: ids)
  }

  /// Returns a request for the identifiers of all rows.
  public func selectID() -> QueryInterfaceRequest<RowDecoder.ID> {
    all().selectID()
  }
}
