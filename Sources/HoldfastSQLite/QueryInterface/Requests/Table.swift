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
  /// Returns the number of rows; see ``FetchRequest/fetchCount(_:)``.
  public func fetchCount(_ db: Database) throws -> Int { try all().fetchCount(db) }

  /// Deletes all rows; see ``TableRecord/deleteAll(_:)``.
  @discardableResult
  public func deleteAll(_ db: Database) throws -> Int { try all().deleteAll(db) }

  /// Updates all rows and returns their number; see ``TableRecord``.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments)
  }

  /// Updates all rows and returns their number; see ``TableRecord``.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: ColumnAssignment...
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments)
  }

  /// Returns whether there is a row with a primary key of one column; see ``TableRecord``.
  public func exists(_ db: Database, key: some DatabaseValueConvertible) throws -> Bool {
    try !filter(key: key).isEmpty(db)
  }

  /// Returns whether there is a row with a primary or unique key; see ``TableRecord``.
  public func exists(
    _ db: Database, key: [String: (any DatabaseValueConvertible)?]
  ) throws -> Bool {
    try !filter(key: key).isEmpty(db)
  }

  /// Deletes the row with a primary key of one column, and returns whether there was one; see
  /// ``TableRecord``.
  @discardableResult
  public func deleteOne(_ db: Database, key: some DatabaseValueConvertible) throws -> Bool {
    try filter(key: key).deleteAll(db) > 0
  }

  /// Deletes the row with a primary or unique key, and returns whether there was one; see
  /// ``TableRecord``.
  @discardableResult
  public func deleteOne(
    _ db: Database, key: [String: (any DatabaseValueConvertible)?]
  ) throws -> Bool {
    try filter(key: key).deleteAll(db) > 0
  }

  /// Deletes the rows with primary keys of one column, and returns their number; see
  /// ``TableRecord``.
  @discardableResult
  public func deleteAll(
    _ db: Database, keys: some Sequence<some DatabaseValueConvertible>
  ) throws -> Int {
    try filter(keys: keys).deleteAll(db)
  }

  /// Deletes the rows with primary or unique keys, and returns their number; see ``TableRecord``.
  @discardableResult
  public func deleteAll(
    _ db: Database, keys: [[String: (any DatabaseValueConvertible)?]]
  ) throws -> Int {
    try filter(keys: keys).deleteAll(db)
  }
}

// MARK: - Fetching

extension Table where RowDecoder: FetchableRecord {
  /// Returns the records of all rows, in no particular order; see
  /// ``FetchableRecord/fetchAll(_:sql:arguments:)``.
  public func fetchAll(_ db: Database) throws -> [RowDecoder] { try all().fetchAll(db) }

  /// Returns the record of the first row, or `nil` if the table is empty; see
  /// ``FetchableRecord/fetchOne(_:sql:arguments:)``.
  public func fetchOne(_ db: Database) throws -> RowDecoder? { try all().fetchOne(db) }

  /// Returns a cursor of the records of all rows; see
  /// ``FetchableRecord/fetchCursor(_:sql:arguments:)``.
  public func fetchCursor(_ db: Database) throws -> RecordCursor<RowDecoder> {
    try all().fetchCursor(db)
  }
}

extension Table where RowDecoder: FetchableRecord & Hashable {
  /// Returns the distinct records of all rows; see ``FetchableRecord/fetchAll(_:sql:arguments:)``.
  public func fetchSet(_ db: Database) throws -> Set<RowDecoder> { try all().fetchSet(db) }
}

extension Table where RowDecoder: DatabaseValueConvertible {
  /// Returns the first column of all rows, in no particular order; see
  /// ``DatabaseValueConvertible/fetchAll(_:sql:arguments:)``.
  public func fetchAll(_ db: Database) throws -> [RowDecoder] { try all().fetchAll(db) }

  /// Returns the first column of the first row, or `nil` if the table is empty or the column is
  /// NULL; see ``DatabaseValueConvertible/fetchOne(_:sql:arguments:)``.
  public func fetchOne(_ db: Database) throws -> RowDecoder? { try all().fetchOne(db) }

  /// Returns a cursor of the first column of all rows; see
  /// ``DatabaseValueConvertible/fetchCursor(_:sql:arguments:)``.
  public func fetchCursor(_ db: Database) throws -> DatabaseValueCursor<RowDecoder> {
    try all().fetchCursor(db)
  }
}

extension Table where RowDecoder: DatabaseValueConvertible & Hashable {
  /// Returns the distinct values of the first column of all rows; see
  /// ``DatabaseValueConvertible/fetchAll(_:sql:arguments:)``.
  public func fetchSet(_ db: Database) throws -> Set<RowDecoder> { try all().fetchSet(db) }
}
