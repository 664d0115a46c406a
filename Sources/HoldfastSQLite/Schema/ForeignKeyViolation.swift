/// A row that refers to a row that does not exist.
///
/// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_foreign_key_check>
public struct ForeignKeyViolation: Hashable, Sendable {
  /// The table of the referring row.
  public var originTable: String

  /// The rowid of the referring row; `nil` in a table without rowids.
  public var originRowID: Int64?

  /// The table to which the row refers.
  public var destinationTable: String

  /// SQLite's number of the foreign key; see ``ForeignKeyInfo/id``.
  public var foreignKeyId: Int

  /// Returns a description that names the tables, the columns and the row.
  ///
  /// It contains values, so write it to a log only if values may be logged.
  ///
  /// - Parameter db: The connection of the current access, from which the row is read.
  /// - Returns: The violated foreign key, and the violating row if it still exists.
  /// - Throws: ``DatabaseError`` when the table cannot be read.
  public func failureDescription(_ db: Database) throws -> String {
    DatabaseError.sentence(violated: self, try foreignKey(db), row: try row(db))
  }

  /// Returns the error that SQLite would throw for the violation, with a more detailed message.
  ///
  /// It contains the row's values only if ``Configuration/publicStatementArguments`` is true.
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
    guard let originRowID, let rowID = try db.primaryKey(originTable).rowIDName else { return nil }
    let table = originTable.quotedDatabaseIdentifier
    return try Row.fetchOne(
      db, sql: "SELECT * FROM \(table) WHERE \(rowID.quotedDatabaseIdentifier) = ?",
      arguments: [originRowID])
  }

  private func foreignKey(_ db: Database) throws -> ForeignKeyInfo? {
    try db.foreignKeys(on: originTable).first { $0.id == foreignKeyId }
  }
}
