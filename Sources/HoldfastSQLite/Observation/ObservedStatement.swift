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
    effects = unsafe statement.database.makeBroker().effects(of: statement)
    preparationCount = statement.preparationCount
  }

  /// Updates the effects if SQLite has prepared the statement again after a schema change.
  func update(_ statement: Statement) {
    guard statement.preparationCount != preparationCount else { return }
    preparationCount = statement.preparationCount
    effects = unsafe statement.database.makeBroker().effects(of: statement)
  }
}
