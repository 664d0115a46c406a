import Holdfast
import HoldfastFiles

/// The changes of a repair to single rows.
///
/// A row is changed only while its path is the one that was examined.
struct RecordWriter {
  /// The outcome of a change.
  enum Outcome: Hashable {
    case done
    /// Another writer has changed or deleted the row meanwhile.
    case overtaken
    /// A constraint or a trigger of the app's table has refused the change.
    case refused(String)
  }

  /// A row as it was examined.
  struct Target {
    var locator: DatabaseValue
    var text: DatabaseValue
  }

  let layout: TableLayout
  let source: Int64

  func write(
    _ written: PathDialect.Written, setsState: Bool = false, to target: Target, _ db: Database
  ) throws -> Outcome {
    var assignments = ["\(layout.path) = ?"]
    var values = [written.text.databaseValue]
    if let column = layout.location, let location = written.location {
      assignments.append("\(column) = ?")
      values.append(location.databaseValue)
    }
    if setsState, let state = layout.state { assignments.append("\(state) = 1") }
    return try update(assignments, values, of: target, db)
  }

  func setState(_ isRecorded: Bool, of target: Target, _ db: Database) throws -> Outcome {
    guard let state = layout.state else { return .done }
    return try update(["\(state) = ?"], [isRecorded.databaseValue], of: target, db)
  }

  private func update(
    _ assignments: [String], _ values: [DatabaseValue], of target: Target, _ db: Database
  ) throws -> Outcome {
    let locator =
      layout.locators.count == 1
      ? [target.locator] : try layout.locatorValues(target.locator, db)
    do {
      try db.execute(
        sql: """
          UPDATE \(layout.table) SET \(assignments.joined(separator: ", "))
          WHERE \(layout.isAtLocator) AND \(layout.path) COLLATE BINARY IS ?
          """, arguments: StatementArguments(values + locator + [target.text]))
    } catch let error as DatabaseError
      where error.resultCode.primaryResultCode == .SQLITE_CONSTRAINT && db.isInsideTransaction
    {
      return .refused(error.message ?? "\(error.resultCode)")
    }
    return db.changesCount == 0 ? .overtaken : .done
  }

  /// Notes that a repair has cleared a row, so that it can be restored.
  func noteCleared(_ target: Target, _ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO main.holdfast_ledger_files (source, key, cleared_at, cleared_path)
        SELECT ?, \(layout.key), \(SideTable.now), ? FROM \(layout.aliased) WHERE \(layout.isAtAliasedLocator)
        ON CONFLICT (source, key) DO UPDATE
        SET cleared_at = excluded.cleared_at, cleared_path = excluded.cleared_path
        """,
      arguments: StatementArguments(
        [source.databaseValue, target.text] + (try layout.locatorValues(target.locator, db))))
  }

  /// Removes the note that a row was cleared.
  func removeTombstone(of target: Target, _ db: Database) throws {
    let arguments = [source.databaseValue] + (try layout.locatorValues(target.locator, db))
    let key = "(SELECT \(layout.key) FROM \(layout.aliased) WHERE \(layout.isAtAliasedLocator))"
    try db.execute(
      sql: """
        UPDATE main.holdfast_ledger_files SET cleared_at = NULL, cleared_path = NULL
        WHERE source = ? AND key = \(key)
        """, arguments: StatementArguments(arguments))
    try db.execute(
      sql: """
        DELETE FROM main.holdfast_ledger_files
        WHERE source = ? AND key = \(key) AND byte_count IS NULL AND cleared_at IS NULL
        """, arguments: StatementArguments(arguments))
  }
}
