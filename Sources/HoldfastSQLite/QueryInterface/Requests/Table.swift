/// A table, for requests without a record type of its own.
///
/// ```swift
/// let players = Table("player")
/// let rows = try players.filter(Column("score") > 100).fetchAll(db)
/// let count = try players.fetchCount(db)
/// ```
public struct Table<RowDecoder>: Sendable {
  /// The name of the table, unquoted.
  public let tableName: String

  /// Creates a table whose rows have a type.
  ///
  /// - Parameter tableName: The name, unquoted.
  public init(_ tableName: String) {
    self.tableName = tableName
  }
}

extension Table<Row> {
  /// Creates a table of plain rows.
  ///
  /// - Parameter tableName: The name, unquoted.
  public init(_ tableName: String) {
    self.tableName = tableName
  }
}

extension Table: DatabaseRegionConvertible {
  /// Returns the region of the whole table.
  public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
    DatabaseRegion(table: tableName)
  }
}

// MARK: - Counting and changing

extension Table {
  /// Returns the number of rows.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The number of rows.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func fetchCount(_ db: Database) throws -> Int { try all().fetchCount(db) }

  /// Deletes all rows.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The number of deleted rows.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  @discardableResult
  public func deleteAll(_ db: Database) throws -> Int { try all().deleteAll(db) }

  /// Updates all rows.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action when a row would violate a constraint; the row type's
  ///     own one if `nil`.
  ///   - assignments: The columns with their new values; without any, no statement runs.
  /// - Returns: The number of updated rows.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments)
  }

  /// Updates all rows.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action when a row would violate a constraint; the row type's
  ///     own one if `nil`.
  ///   - assignments: The columns with their new values.
  /// - Returns: The number of updated rows.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: ColumnAssignment...
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments)
  }

  /// Returns whether there is a row with a primary key of one column.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - key: The key's value.
  /// - Returns: Whether there is one.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func exists(_ db: Database, key: some DatabaseValueConvertible) throws -> Bool {
    try !filter(key: key).isEmpty(db)
  }

  /// Returns whether there is a row with a primary or unique key.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - key: The columns of the key with their values.
  /// - Returns: Whether there is one.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func exists(
    _ db: Database, key: [String: (any DatabaseValueConvertible)?]
  ) throws -> Bool {
    try !filter(key: key).isEmpty(db)
  }

  /// Deletes the row with a primary key of one column.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - key: The key's value.
  /// - Returns: Whether there was one.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  @discardableResult
  public func deleteOne(_ db: Database, key: some DatabaseValueConvertible) throws -> Bool {
    try filter(key: key).deleteAll(db) > 0
  }

  /// Deletes the row with a primary or unique key.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - key: The columns of the key with their values.
  /// - Returns: Whether there was one.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  @discardableResult
  public func deleteOne(
    _ db: Database, key: [String: (any DatabaseValueConvertible)?]
  ) throws -> Bool {
    try filter(key: key).deleteAll(db) > 0
  }

  /// Deletes the rows with primary keys of one column.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - keys: The keys' values, at most 32766 of them.
  /// - Returns: The number of deleted rows.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  @discardableResult
  public func deleteAll(
    _ db: Database, keys: some Sequence<some DatabaseValueConvertible>
  ) throws -> Int {
    try filter(keys: keys).deleteAll(db)
  }

  /// Deletes the rows with primary or unique keys.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - keys: The columns of each key with their values.
  /// - Returns: The number of deleted rows.
  /// - Throws: ``DatabaseError`` with SQLite's code, with `SQLITE_MISUSE` when the columns
  ///   are not a unique key.
  @discardableResult
  public func deleteAll(
    _ db: Database, keys: [[String: (any DatabaseValueConvertible)?]]
  ) throws -> Int {
    try filter(keys: keys).deleteAll(db)
  }
}

// MARK: - Fetching

extension Table where RowDecoder: FetchableRecord {
  /// Returns the records of all rows.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The records, in no particular order.
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when a row does not
  ///   convert.
  public func fetchAll(_ db: Database) throws -> [RowDecoder] { try all().fetchAll(db) }

  /// Returns the record of the first row.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The record; `nil` when the table is empty.
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when a row does not
  ///   convert.
  public func fetchOne(_ db: Database) throws -> RowDecoder? { try all().fetchOne(db) }

  /// Returns a cursor of the records of all rows.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: A cursor positioned before the first row.
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when a row does not
  ///   convert.
  public func fetchCursor(_ db: Database) throws -> RecordCursor<RowDecoder> {
    try all().fetchCursor(db)
  }
}

extension Table where RowDecoder: FetchableRecord & Hashable {
  /// Returns the distinct records of all rows.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The records, each once.
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when a row does not
  ///   convert.
  public func fetchSet(_ db: Database) throws -> Set<RowDecoder> { try all().fetchSet(db) }
}

extension Table where RowDecoder: DatabaseValueConvertible {
  /// Returns the first column of all rows.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The values, in no particular order.
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when a value does not
  ///   convert.
  public func fetchAll(_ db: Database) throws -> [RowDecoder] { try all().fetchAll(db) }

  /// Returns the first column of the first row.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The value; `nil` when the table is empty, or when the column is NULL.
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when the value does not
  ///   convert.
  public func fetchOne(_ db: Database) throws -> RowDecoder? { try all().fetchOne(db) }

  /// Returns a cursor of the first column of all rows.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: A cursor positioned before the first row.
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when a value does not
  ///   convert.
  public func fetchCursor(_ db: Database) throws -> DatabaseValueCursor<RowDecoder> {
    try all().fetchCursor(db)
  }
}

extension Table where RowDecoder: DatabaseValueConvertible & Hashable {
  /// Returns the distinct values of the first column of all rows.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The values, each once.
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when a value does not
  ///   convert.
  public func fetchSet(_ db: Database) throws -> Set<RowDecoder> { try all().fetchSet(db) }
}
