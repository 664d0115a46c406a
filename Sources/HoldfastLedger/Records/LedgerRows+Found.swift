import Holdfast

extension LedgerRows {
  /// A record, and the values by which it is found again.
  struct Found {
    var record: LedgerRecord
    var target: RecordWriter.Target
    /// The value under which the side tables know the row.
    var key: DatabaseValue
  }

  /// The selection that ``found(_:)`` decodes, without a condition.
  var foundSelection: String {
    "SELECT \(layout.locator), \(layout.key), " + columns(withSide: source != nil)
      + " FROM \(layout.aliased)" + sideJoin
  }

  func found(_ row: Row) throws -> Found {
    let record = try record(row, from: 2)
    return Found(
      record: record,
      target: RecordWriter.Target(locator: row[0], text: row[2 + layout.ids.count]), key: row[1])
  }

  func found(_ id: RecordID, _ db: Database) throws -> Found? {
    guard id.values.count == layout.ids.count else { return nil }
    return try Row.fetchOne(
      db, sql: foundSelection + " WHERE " + layout.hasAliasedID,
      arguments: StatementArguments(TableLayout.idArguments(id))
    ).map(found)
  }

  /// Returns the identifier that the side tables' value stands for.
  func id(_ key: DatabaseValue, _ db: Database) throws -> RecordID {
    guard layout.ids.count > 1 else { return RecordID([key]) }
    // The literals were made by SQLite's `quote()`.
    let literals = String.fromDatabaseValue(key) ?? "NULL"
    return RecordID(try Row.fetchOne(db, sql: "SELECT \(literals)")?.databaseValues ?? [])
  }
}
