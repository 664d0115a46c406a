/// What those who follow a connection's changes keep beside a statement.
final class ObservedStatement {
  private(set) var effects: StatementEffects
  private var preparationCount: CInt

  /// Whether the present run has been followed from its beginning.
  var isRunning = false

  /// Whether the rows it changes are gathered.
  var gathersRows = false

  /// Whether the run began inside of a transaction.
  var beganInTransaction = false

  /// The connection's count of changed rows when the run began.
  var changesBefore: CInt = 0

  /// Where in the transaction's changes those of this statement are.
  var place = -1

  init(_ statement: Statement) {
    effects = unsafe statement.database.makeBroker().effects(of: statement)
    preparationCount = statement.preparationCount
  }

  /// Looks again if SQLite has prepared the statement again: the schema was changed.
  func update(_ statement: Statement) {
    guard statement.preparationCount != preparationCount else { return }
    preparationCount = statement.preparationCount
    effects = unsafe statement.database.makeBroker().effects(of: statement)
  }
}
