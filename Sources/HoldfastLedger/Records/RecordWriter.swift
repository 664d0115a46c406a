import Holdfast
import HoldfastFiles

/// The changes of a repair to single rows.
///
/// A row is changed only while its path, location and state are those that were examined.
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
    /// The value of the location column; `nil` when there is none or it does not matter.
    var location: DatabaseValue?
    /// The value of the state column; `nil` when there is none or it does not matter.
    var state: DatabaseValue?
  }

  let layout: TableLayout
  let source: Int64

  /// About how many steps of SQLite's virtual machine the change of one row may make: seconds, and far
  /// more than a trigger that keeps an index of words up to date.
  static let stepLimit = ReadingLimit.rowChange.most

  /// Whether there are triggers, which may change a row again; `nil` before the first change.
  private var knownToHaveTriggers: Bool?

  /// The statements of the transaction, by what they set.
  private var statements: [Setting: Statement] = [:]
  private var lastStatement: (setting: Setting, statement: Statement)?

  /// The columns that an update sets, and those that it compares besides the path.
  private struct Setting: Hashable {
    var path = false
    var location = false
    var state = false
    var hasLocation = false
    var hasState = false
  }

  /// Creates a writer that is valid during one access.
  init(layout: TableLayout, source: Int64) {
    self.layout = layout
    self.source = source
  }

  /// Writes a path, and where it is not `nil`, the state.
  func write(
    _ written: PathDialect.Written, state: Bool? = nil, to target: Target, _ db: Database
  ) throws -> Outcome {
    if written.location == nil, state == nil, target.location == nil, layout.locators.count == 1,
      !target.text.isBlob
    {
      // The common case, millions of times: a literal costs a fraction of an array.
      guard let examined = target.state else {
        return try execute(
          Setting(path: true), [written.text, target.locator, target.text], of: target, db)
      }
      return try execute(
        Setting(path: true, hasState: true),
        [written.text, target.locator, target.text, examined], of: target, db)
    }
    var setting = Setting(path: true)
    var values = [written.value(like: target.text)]
    if layout.location != nil, let location = written.location {
      setting.location = true
      values.append(location.databaseValue)
    }
    if let state, layout.state != nil {
      setting.state = true
      values.append(state.databaseValue)
    }
    return try update(setting, values, of: target, db)
  }

  func setState(_ isRecorded: Bool, of target: Target, _ db: Database) throws -> Outcome {
    guard layout.state != nil else { return try isUnchanged(target, db) ? .done : .overtaken }
    return try update(Setting(state: true), [isRecorded.databaseValue], of: target, db)
  }

  /// Clears a row, and notes it so that it can be restored.
  ///
  /// - Parameters:
  ///   - target: The row as it was examined.
  ///   - path: The path of the file that is gone.
  ///   - written: The text in the table's dialect, when the stored one is absolute.
  ///   - db: The writing connection.
  /// - Returns: `.done` when the row was cleared and noted; otherwise neither was done.
  /// - Throws: `DatabaseError`.
  func clear(
    _ target: Target, of path: RelocatablePath, as written: PathDialect.Written?, _ db: Database
  ) throws -> Outcome {
    let outcome =
      try written.map { try write($0, state: false, to: target, db) }
      ?? setState(false, of: target, db)
    guard outcome == .done else { return outcome }
    try db.execute(
      sql: """
        INSERT INTO main.holdfast_ledger_files (source, key, cleared_at, cleared_path)
        SELECT ?, \(layout.key), \(SideTable.now), ? FROM \(layout.aliased)
        WHERE \(layout.isAtAliasedLocator)
        ON CONFLICT (source, key) DO UPDATE
        SET cleared_at = excluded.cleared_at, cleared_path = excluded.cleared_path
        """,
      arguments: StatementArguments(
        [source.databaseValue, path.description.databaseValue]
          + (try layout.locatorValues(target.locator, db))))
    return .done
  }

  private func update(
    _ setting: Setting, _ values: [DatabaseValue], of target: Target, _ db: Database
  ) throws -> Outcome {
    var (setting, values) = (setting, values)
    if layout.locators.count == 1 {
      values.append(target.locator)
    } else {
      values += try layout.locatorValues(target.locator, db)
    }
    values.append(target.text)
    if let location = target.location {
      setting.hasLocation = true
      values.append(location)
    }
    if let state = target.state {
      setting.hasState = true
      values.append(state)
    }
    return try execute(setting, StatementArguments(values), of: target, db)
  }

  /// Changes a row, or leaves it and all that triggers would change with it as they are.
  private func execute(
    _ setting: Setting, _ arguments: StatementArguments, of target: Target, _ db: Database
  ) throws -> Outcome {
    guard try hasTriggers(db) else { return try change(setting, arguments, of: target, db) }
    var outcome = Outcome.overtaken
    try db.inSavepoint {
      outcome = try change(setting, arguments, of: target, db)
      return outcome == .done ? .commit : .rollback
    }
    return outcome
  }

  private func change(
    _ setting: Setting, _ arguments: StatementArguments, of target: Target, _ db: Database
  ) throws -> Outcome {
    let statement: Statement
    if let lastStatement, lastStatement.setting == setting {
      statement = lastStatement.statement
    } else {
      statement = try statements[setting] ?? prepare(setting, db)
      lastStatement = (setting, statement)
    }
    let limit = db.stepLimit
    limit.begin(Self.stepLimit)
    defer { limit.end() }
    do {
      try statement.execute(arguments: arguments)
    } catch  where limit.isReached {
      throw LedgerError.endlessTrigger(of: layout.name, error)
    } catch let error as DatabaseError
      where error.resultCode.primaryResultCode == .SQLITE_CONSTRAINT
    {
      let reason = error.message ?? "\(error.resultCode)"
      guard db.isInsideTransaction else {
        throw LedgerError.rolledBack(
          reason, by: layout.name,
          isByTrigger: error.extendedResultCode == .SQLITE_CONSTRAINT_TRIGGER)
      }
      return .refused(reason)
    }
    guard db.changesCount == 0 else {
      return try !hasTriggers(db) || isWritten(setting, arguments, at: target, db)
        ? .done : .refused("a trigger has changed what was written")
    }
    // A trigger that ignores an update changes nothing either.
    return try isUnchanged(target, db) ? .refused("a trigger has ignored it") : .overtaken
  }

  private func hasTriggers(_ db: Database) throws -> Bool {
    if let knownToHaveTriggers { return knownToHaveTriggers }
    let answer =
      try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger')
          OR EXISTS (SELECT 1 FROM temp.sqlite_schema WHERE type = 'trigger')
          """) ?? true
    if answer, db.hasEndlessTriggers { throw LedgerError.endlessTrigger(beside: layout.name) }
    knownToHaveTriggers = answer
    return answer
  }

  /// Returns whether a row has the values that were written, which a trigger may have changed.
  private func isWritten(
    _ setting: Setting, _ arguments: StatementArguments, at target: Target, _ db: Database
  ) throws -> Bool {
    let columns = columns(setting)
    let written = Array(arguments.values.prefix(columns.count))
    return try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (SELECT 1 FROM \(layout.table) WHERE \(layout.isAtLocator)
        \(columns.map { " AND \($0) COLLATE BINARY IS ?" }.joined()))
        """,
      arguments: StatementArguments(try layout.locatorValues(target.locator, db) + written))
      ?? false
  }

  /// Returns whether a row is as it was examined.
  func isUnchanged(_ target: Target, _ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (SELECT 1 FROM \(layout.table)
        WHERE \(condition(location: target.location != nil, state: target.state != nil)))
        """,
      arguments: StatementArguments(
        (try layout.locatorValues(target.locator, db)) + [target.text]
          + [target.location, target.state].compactMap(\.self))) ?? false
  }

  private func condition(location: Bool, state: Bool) -> String {
    let columns = [layout.path, location ? layout.location : nil, state ? layout.state : nil]
    return layout.isAtLocator
      + columns.compactMap(\.self).map { " AND \($0) COLLATE BINARY IS ?" }.joined()
  }

  /// The columns that an update sets, in the order of its parameters.
  private func columns(_ setting: Setting) -> [String] {
    [
      setting.path ? layout.path : nil, setting.location ? layout.location : nil,
      setting.state ? layout.state : nil,
    ].compactMap(\.self)
  }

  private func prepare(_ setting: Setting, _ db: Database) throws -> Statement {
    let assignments = columns(setting).map { "\($0) = ?" }.joined(separator: ", ")
    do {
      let statement = try db.makeStatement(
        sql: """
          UPDATE \(layout.table) SET \(assignments)
          WHERE \(condition(location: setting.hasLocation, state: setting.hasState))
          """)
      statements[setting] = statement
      return statement
    } catch let error as DatabaseError {
      // The table itself was read before.
      guard let reason = error.message, reason.hasPrefix("no such table: ") else { throw error }
      throw LedgerError.unknownTable(reason, in: layout.name, error)
    }
  }

  /// Notes that the recorded digest belongs to the file at another path.
  func noteDigest(at path: RelocatablePath, of target: Target, _ db: Database) throws {
    try db.execute(
      sql: """
        UPDATE main.holdfast_ledger_files SET digest_path = ?
        WHERE digest_path IS NOT NULL AND source = ? AND key = (
          SELECT \(layout.key) FROM \(layout.aliased) WHERE \(layout.isAtAliasedLocator))
        """,
      arguments: StatementArguments(
        [path.identityText.databaseValue, source.databaseValue]
          + (try layout.locatorValues(target.locator, db))))
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
