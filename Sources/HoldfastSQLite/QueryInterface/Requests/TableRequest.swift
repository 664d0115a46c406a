/// A request for rows of one table.
public protocol TableRequest: Sendable {
  /// The name of the table, unquoted.
  var databaseTableName: String { get }

  /// Returns the request with a name for its table, by which other requests refer to its rows.
  ///
  /// - Parameter alias: The name, in place of the one that the request has.
  /// - Returns: A request whose table has the name.
  func aliased(_ alias: TableAlias<some Any>) -> Self
}

// A key has the values that a record with it stores: the strategies of the rows' type apply to it.

extension TableRequest where Self: FilteredRequest & TypedRequest {
  /// Returns the request for the row with a primary key of one column.
  ///
  /// - Parameter key: The key's value; NULL matches no row.
  /// - Returns: A request for those rows only.
  public func filter(key: some DatabaseValueConvertible) -> Self {
    filter(keys: CollectionOfOne(key))
  }

  /// Returns the request for the rows with primary keys of one column.
  ///
  /// - Parameter keys: The keys' values, at most 32766 of them.
  /// - Returns: The request; it fails with `SQLITE_MISUSE` when the key has several columns.
  public func filter<Key: DatabaseValueConvertible>(keys: some Sequence<Key>) -> Self {
    guard Key.mayHaveStrategy, let record = RowDecoder.self as? any EncodableRecord.Type else {
      let values = keys.map(\.sqlExpression)
      return filter { _ in values }
    }
    let values = keys.compactMap { StrategicValue($0) }
    return filter { column in
      try values.map { try SQLExpression(.value($0.encoded(by: record, at: column))) }
    }
  }

  /// Returns the request for the rows with the keys that the closure returns for the key's column.
  private func filter(
    keys: @escaping @Sendable (_ column: String) throws -> [SQLExpression]
  ) -> Self {
    let table = databaseTableName
    return filter(
      SQLExpression(
        .resolved { db in
          let columns = try db.primaryKey(table).columns
          guard columns.count == 1 else {
            throw DatabaseError.keyOfSeveralColumns(columns, table: table, path: db.path)
          }
          return try keys(columns[0]).contains(Column(columns[0]))
        }))
  }

  /// Returns the request for the row with a primary or unique key.
  ///
  /// - Parameter key: The columns of the key with their values; `nil` matches no row.
  /// - Returns: The request; it fails with `SQLITE_MISUSE` when the columns are not a unique key.
  public func filter(key: [String: (any DatabaseValueConvertible)?]?) -> Self {
    filter(keys: key.map { [$0] } ?? [])
  }

  /// Returns the request for the rows with primary or unique keys.
  ///
  /// - Parameter keys: The columns of each key with their values.
  /// - Returns: The request; it fails with `SQLITE_MISUSE` when the columns are not a unique key.
  public func filter(keys: [[String: (any DatabaseValueConvertible)?]]) -> Self {
    let table = databaseTableName
    let columns = keys.map { Array($0.keys) }
    let conditions = keys.map { key in
      // Sorted, so that equal keys have equal SQL, which is prepared once.
      key.sorted { $0.key < $1.key }.map { column, value in
        Column(column) == value.map { stored($0, at: column) }
      }.joined(operator: .and)
    }
    return filter(
      SQLExpression(
        .resolved { db in
          for columns in columns where try !db.table(table, hasUniqueKey: columns) {
            throw DatabaseError.noUniqueKey(columns, table: table, path: db.path)
          }
          return conditions.isEmpty ? SQLExpression.never : conditions.joined(operator: .or)
        }))
  }

  /// Returns the value of a key's column.
  private func stored(_ value: any DatabaseValueConvertible, at column: String) -> SQLExpression {
    guard let record = RowDecoder.self as? any EncodableRecord.Type,
      let value = StrategicValue(value)
    else { return SQLExpression(.value(value.databaseValue)) }
    return SQLExpression(
      .resolved { _ in SQLExpression(.value(try value.encoded(by: record, at: column))) })
  }
}

extension TableRequest where Self: OrderedRequest {
  /// Returns the request with the order of the primary key.
  public func orderByPrimaryKey() -> Self {
    order(SQLOrdering(.primaryKey(.table(databaseTableName)), .unspecified))
  }
}

extension TableRequest where Self: AggregatingRequest {
  /// Returns the request with one row for each primary key.
  public func groupByPrimaryKey() -> Self {
    group(SQLExpression(.primaryKey(.table(databaseTableName))))
  }
}

extension TableRequest
where
  Self: FilteredRequest & TypedRequest, RowDecoder: Identifiable,
  RowDecoder.ID: DatabaseValueConvertible
{
  /// Returns the request for the row with an identifier, which is the primary key.
  public func filter(id: RowDecoder.ID) -> Self { filter(key: id) }

  /// Returns the request for the rows with identifiers, which are the primary keys, at most 32766
  /// of them.
  public func filter(ids: some Sequence<RowDecoder.ID>) -> Self { filter(keys: ids) }
}
