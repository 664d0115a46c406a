/// A statement's effects, and the state of its run, for observing a connection's changes.
final class ObservedStatement {
  private(set) var effects: StatementEffects
  private var preparationCount: CInt

  /// The rows that the current run can read; `nil` for all.
  var keyedRows: KeyedRows?

  /// Whether the current run has been observed from its beginning.
  var isRunning = false

  /// Whether the rows that it changes are collected.
  var gathersRows = false

  /// Whether the run began inside a transaction.
  var beganInTransaction = false

  /// The connection's count of changed rows when the run began.
  var changesBefore: CInt = 0

  /// The index of this statement's part in the transaction's changes.
  var partIndex = -1

  init(_ statement: Statement) {
    effects = StatementEffects(StatementEffects.Record(), mayReplaceRows: false)
    preparationCount = -1
    prepareAgain(statement)
  }

  /// Updates the effects of a statement that is about to run, and may change the schema.
  ///
  /// What such a statement does depends on the schema before it: afterwards it would do nothing, or fail.
  func willRun(_ statement: Statement) {
    if statement.schemaEffect == .change { prepareAgain(statement) }
  }

  /// Updates the effects if SQLite has prepared the statement again after a schema change.
  func update(_ statement: Statement) {
    guard statement.preparationCount != preparationCount, statement.schemaEffect != .change else {
      return
    }
    prepareAgain(statement)
  }

  private func prepareAgain(_ statement: Statement) {
    let count = statement.preparationCount
    guard let effects = unsafe statement.database.makeBroker().effects(of: statement) else {
      return
    }
    self.effects = effects
    preparationCount = count
  }
}
