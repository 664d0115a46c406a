/// A row that refers to a row that does not exist.
///
/// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_foreign_key_check>
public struct ForeignKeyViolation: Hashable, Sendable {
  /// The table of the row that refers.
  public var originTable: String

  /// The rowid of the row that refers; `nil` in a table without rowids.
  public var originRowID: Int64?

  /// The table that the row refers to.
  public var destinationTable: String

  /// SQLite's number of the foreign key, which ``ForeignKeyInfo/id`` tells too.
  public var foreignKeyId: Int

  /// Returns a sentence that names the tables, the columns and the row.
  ///
  /// Values are in it, so that it belongs into a log only where values may.
  ///
  /// - Parameter db: The connection of the current access, which the row is read from.
  /// - Returns: What is violated, and by which row if it still exists.
  /// - Throws: ``DatabaseError`` when the table cannot be read.
  public func failureDescription(_ db: Database) throws -> String {
    DatabaseError.sentence(violated: self, try foreignKey(db), row: try row(db))
  }

  /// Returns the error that SQLite would throw for the violation, with a sentence that says more.
  ///
  /// The row's values are in it only where ``Configuration/publicStatementArguments`` allows them.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: An error with `SQLITE_CONSTRAINT_FOREIGNKEY`.
  /// - Throws: ``DatabaseError`` when the schema cannot be read.
  public func databaseError(_ db: Database) throws -> DatabaseError {
    .foreignKey(
      violated: self, try foreignKey(db),
      row: db.configuration.publicStatementArguments ? try row(db) : nil, path: db.path)
  }

  private func row(_ db: Database) throws -> Row? {
    guard let originRowID else { return nil }
    return try Row.fetchOne(
      db, sql: "SELECT * FROM \(originTable.quotedDatabaseIdentifier) WHERE rowid = ?",
      arguments: [originRowID])
  }

  private func foreignKey(_ db: Database) throws -> ForeignKeyInfo? {
    try db.foreignKeys(on: originTable).first { $0.id == foreignKeyId }
  }
}

extension ForeignKeyViolation: FetchableRecord {
  /// Creates a violation from a row of `PRAGMA foreign_key_check`.
  ///
  /// - Parameter row: Its columns are those of the pragma.
  /// - Throws: ``RowDecodingError`` when the row is of another kind.
  public init(row: Row) throws {
    originTable = try row.decode(atIndex: 0)
    originRowID = try row.decode(atIndex: 1)
    destinationTable = try row.decode(atIndex: 2)
    foreignKeyId = try row.decode(atIndex: 3)
  }
}
