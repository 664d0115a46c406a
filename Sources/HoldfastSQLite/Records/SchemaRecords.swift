// Facts about a schema, as records of the rows of pragmas.

extension ColumnInfo: FetchableRecord {
  /// Creates a column from a row of `PRAGMA table_xinfo`.
  ///
  /// - Parameter row: A row of the pragma.
  /// - Throws: ``RowDecodingError`` when the row has other columns.
  public init(row: Row) throws {
    name = try row.decode(forColumn: "name")
    type = try row.decode(forColumn: "type")
    isNotNull = try row.decode(forColumn: "notnull")
    defaultValueSQL = try row.decode(forColumn: "dflt_value")
    primaryKeyIndex = try row.decode(forColumn: "pk")
    // 1 is a hidden column of a virtual table, 2 and 3 are virtual and stored generated ones.
    isGenerated = try row.decode(Int?.self, forColumn: "hidden").map { $0 >= 2 } ?? false
  }
}

extension ForeignKeyViolation: FetchableRecord {
  /// Creates a violation from a row of `PRAGMA foreign_key_check`.
  ///
  /// - Parameter row: A row of the pragma.
  /// - Throws: ``RowDecodingError`` when the row has other columns.
  public init(row: Row) throws {
    originTable = try row.decode(atIndex: 0)
    originRowID = try row.decode(atIndex: 1)
    destinationTable = try row.decode(atIndex: 2)
    foreignKeyId = try row.decode(atIndex: 3)
  }
}
