/// A request for rows of a record type's table, for fetching, counting or deleting.
///
/// ```swift
/// let stops = try Stop.filter(keys: [1, 2, 3]).fetchAll(db)
/// try Stop.filter(literal: "name LIKE \(pattern)").deleteAll(db)
/// ```
public struct TableRequest<CodableRowDecoder: TableRecord>: FetchRequest {
  private let condition: (Database) throws -> SQL?

  /// Creates a request for the rows that satisfy a condition, or for all rows.
  ///
  /// - Parameter condition: Returns the condition, or `nil` for all rows. It is called when the
  ///   request runs, because a key needs the schema.
  init(_ condition: @escaping (Database) throws -> SQL?) {
    self.condition = condition
  }

  /// Returns the SELECT of the rows.
  public func makeSQL(_ db: Database) throws -> SQL {
    try "SELECT \(literal: CodableRowDecoder.databaseSelection.sql) FROM \(CodableRowDecoder.self)"
      + clause(db)
  }

  private func clause(_ db: Database) throws -> SQL {
    try condition(db).map { " WHERE \(literal: $0)" } ?? ""
  }

  /// Returns the request with an additional condition.
  ///
  /// - Parameter sqlLiteral: A condition on the columns of the table.
  /// - Returns: A request for the rows that satisfy both conditions.
  public func filter(literal sqlLiteral: SQL) -> TableRequest {
    TableRequest { db in
      try condition(db).map { "(\(literal: $0)) AND (\(literal: sqlLiteral))" } ?? sqlLiteral
    }
  }

  /// Returns the request with an additional condition.
  ///
  /// - Parameters:
  ///   - sql: A condition on the columns of the table.
  ///   - arguments: Values for its parameters.
  /// - Returns: A request for the rows that satisfy both conditions.
  public func filter(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> TableRequest {
    filter(literal: SQL(sql: sql, arguments: arguments))
  }

  /// Deletes the rows.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The number of deleted rows.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  @discardableResult
  public func deleteAll(_ db: Database) throws -> Int {
    try db.execute(literal: "DELETE FROM \(CodableRowDecoder.self)" + clause(db))
    return db.changesCount
  }
}

extension TableRecord {
  /// Returns a request for all rows.
  ///
  /// - Returns: The request.
  public static func all() -> TableRequest<Self> {
    TableRequest { _ in nil }
  }

  /// Returns a request for the rows that satisfy a condition.
  ///
  /// - Parameter sqlLiteral: A condition on the columns of the table.
  /// - Returns: The request.
  public static func filter(literal sqlLiteral: SQL) -> TableRequest<Self> {
    TableRequest { _ in sqlLiteral }
  }

  /// Returns a request for the rows that satisfy a condition.
  ///
  /// - Parameters:
  ///   - sql: A condition on the columns of the table.
  ///   - arguments: Values for its parameters.
  /// - Returns: The request.
  public static func filter(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> TableRequest<Self> {
    filter(literal: SQL(sql: sql, arguments: arguments))
  }

  /// Returns a request for the row with a primary key of one column.
  ///
  /// - Parameter key: The key's value; NULL matches no row.
  /// - Returns: The request.
  public static func filter(key: some DatabaseValueConvertible) -> TableRequest<Self> {
    filter(keys: CollectionOfOne(key))
  }

  /// Returns a request for the rows with primary keys of one column.
  ///
  /// - Parameter keys: The keys' values, at most 32766 of them.
  /// - Returns: The request; the rows have no particular order.
  public static func filter(
    keys: some Sequence<some DatabaseValueConvertible>
  ) -> TableRequest<Self> {
    let values = keys.map(\.databaseValue)
    return TableRequest { db in
      let column = try db.recordStatementCache(for: Self.self).singleKeyColumn(db)
        .quotedDatabaseIdentifier
      return values.count == 1
        ? "\(sql: column) = \(values[0])" : "\(sql: column) IN \(values)"
    }
  }

  /// Returns a request for the row with a primary or unique key.
  ///
  /// - Parameter key: The columns of the key with their values.
  /// - Returns: The request; it fails with `SQLITE_MISUSE` when the columns are not a unique key.
  public static func filter(
    key: [String: (any DatabaseValueConvertible)?]
  ) -> TableRequest<Self> {
    filter(keys: [key])
  }

  /// Returns a request for the rows with primary or unique keys.
  ///
  /// - Parameter keys: The columns of each key with their values.
  /// - Returns: The request; it fails with `SQLITE_MISUSE` when the columns are not a unique key.
  public static func filter(
    keys: [[String: (any DatabaseValueConvertible)?]]
  ) -> TableRequest<Self> {
    let keys = keys.map { $0.mapValues { $0?.databaseValue ?? .null } }
    return TableRequest { db in
      let conditions = try keys.map { key -> SQL in
        guard try db.table(databaseTableName, hasUniqueKey: key.keys) else {
          throw DatabaseError.noUniqueKey(
            Array(key.keys), table: databaseTableName, path: db.path)
        }
        // Sorted, so that equal keys have equal SQL, which is prepared once.
        return key.sorted { $0.key < $1.key }.map { column, value -> SQL in
          let column = column.quotedDatabaseIdentifier
          return value.isNull ? "\(sql: column) IS NULL" : "\(sql: column) = \(value)"
        }.joined(separator: " AND ")
      }
      guard conditions.count != 1 else { return conditions[0] }
      return conditions.isEmpty
        ? "0" : conditions.map { "(\(literal: $0))" }.joined(separator: " OR ")
    }
  }
}

extension TableRecord where Self: Identifiable, ID: DatabaseValueConvertible {
  /// Returns a request for the row with an identifier, which is the primary key.
  ///
  /// - Parameter id: The identifier.
  /// - Returns: The request.
  public static func filter(id: ID) -> TableRequest<Self> {
    filter(key: id)
  }

  /// Returns a request for the rows with identifiers, which are the primary keys.
  ///
  /// - Parameter ids: The identifiers, at most 32766 of them.
  /// - Returns: The request; the rows have no particular order.
  public static func filter(ids: some Sequence<ID>) -> TableRequest<Self> {
    filter(keys: ids)
  }
}
