import Holdfast
import HoldfastFiles

/// The changes of a repair to single rows.
///
/// A row is changed only while its path is the one that was examined.
final class RecordWriter {
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

  /// The statements of the transaction, by what they set.
  private var statements: [Setting: Statement] = [:]
  private var lastStatement: (setting: Setting, statement: Statement)?

  /// The columns that an update sets.
  private struct Setting: Hashable {
    var path = false
    var location = false
    var state = false
  }

  /// Creates a writer that is valid during one access.
  init(layout: TableLayout, source: Int64) {
    self.layout = layout
    self.source = source
  }

  func write(
    _ written: PathDialect.Written, setsState: Bool = false, to target: Target, _ db: Database
  ) throws -> Outcome {
    if written.location == nil, !setsState, layout.locators.count == 1 {
      // The common case, millions of times: a literal costs a fraction of an array.
      return try update(
        Setting(path: true), [written.text, target.locator, target.text], db)
    }
    var setting = Setting(path: true)
    var values = [written.text.databaseValue]
    if layout.location != nil, let location = written.location {
      setting.location = true
      values.append(location.databaseValue)
    }
    if setsState, layout.state != nil {
      setting.state = true
      values.append(true.databaseValue)
    }
    return try update(setting, values, of: target, db)
  }

  func setState(_ isRecorded: Bool, of target: Target, _ db: Database) throws -> Outcome {
    guard layout.state != nil else { return .done }
    return try update(Setting(state: true), [isRecorded.databaseValue], of: target, db)
  }

  private func update(
    _ setting: Setting, _ values: [DatabaseValue], of target: Target, _ db: Database
  ) throws -> Outcome {
    var values = values
    if layout.locators.count == 1 {
      values.append(target.locator)
    } else {
      values += try layout.locatorValues(target.locator, db)
    }
    values.append(target.text)
    return try update(setting, StatementArguments(values), db)
  }

  private func update(
    _ setting: Setting, _ arguments: StatementArguments, _ db: Database
  ) throws -> Outcome {
    let statement: Statement
    if let lastStatement, lastStatement.setting == setting {
      statement = lastStatement.statement
    } else {
      statement = try statements[setting] ?? prepare(setting, db)
      lastStatement = (setting, statement)
    }
    do {
      try statement.execute(arguments: arguments)
    } catch let error as DatabaseError
      where error.resultCode.primaryResultCode == .SQLITE_CONSTRAINT && db.isInsideTransaction
    {
      return .refused(error.message ?? "\(error.resultCode)")
    }
    return db.changesCount == 0 ? .overtaken : .done
  }

  private func prepare(_ setting: Setting, _ db: Database) throws -> Statement {
    let columns = [
      setting.path ? layout.path : nil, setting.location ? layout.location : nil,
      setting.state ? layout.state : nil,
    ]
    let assignments = columns.compactMap(\.self).map { "\($0) = ?" }.joined(separator: ", ")
    let statement = try db.makeStatement(
      sql: """
        UPDATE \(layout.table) SET \(assignments)
        WHERE \(layout.isAtLocator) AND \(layout.path) COLLATE BINARY IS ?
        """)
    statements[setting] = statement
    return statement
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
    try LifecycleTables.removeNotice(of: key, StatementArguments(arguments), db)
  }
}
