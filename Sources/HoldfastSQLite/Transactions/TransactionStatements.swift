#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// The statements that begin and end transactions, prepared once for each connection.
///
/// Every access runs two of them, so they skip the work that other statements need: they are not in
/// the cache, and have no values and no rows.
struct TransactionStatements {
  /// A step of a transaction, with its SQL.
  enum Step: String {
    case beginDeferred = "BEGIN DEFERRED TRANSACTION"
    case beginImmediate = "BEGIN IMMEDIATE TRANSACTION"
    case beginExclusive = "BEGIN EXCLUSIVE TRANSACTION"
    /// The smallest read: no rows of a table that every database has.
    case read = "SELECT 1 FROM sqlite_master LIMIT 0"
    case commit = "COMMIT TRANSACTION"
    case rollback = "ROLLBACK TRANSACTION"
  }

  private var beginDeferred: Statement?
  private var beginImmediate: Statement?
  private var beginExclusive: Statement?
  private var read: Statement?
  private var commit: Statement?
  private var rollback: Statement?

  subscript(step: Step) -> Statement? {
    get {
      switch step {
      case .beginDeferred: beginDeferred
      case .beginImmediate: beginImmediate
      case .beginExclusive: beginExclusive
      case .read: read
      case .commit: commit
      case .rollback: rollback
      }
    }
    set {
      switch step {
      case .beginDeferred: beginDeferred = newValue
      case .beginImmediate: beginImmediate = newValue
      case .beginExclusive: beginExclusive = newValue
      case .read: read = newValue
      case .commit: commit = newValue
      case .rollback: rollback = newValue
      }
    }
  }
}

extension Database {
  /// Performs one of the steps that begin and end transactions.
  func perform(_ step: TransactionStatements.Step) throws {
    checkAccess()
    try handle.enter()
    defer { handle.leave() }
    let statement = try unsafe transactionStatements[step] ?? prepare(step)
    if let refusal = refusal(of: statement) { throw refusal }
    handle.busyHandler.begin()
    switch step {
    case .rollback: schemaCache.change()
    case .read: break
    default: schemaCache.invalidateVerification()
    }
    nameResolution.schemasMayChange()
    forgetEarlierSchemaVersion()
    writeClock?.began(statement)
    broker?.began(statement, isReadOnly: isReadOnly)
    let code = unsafe sqlite3_step(statement.handle)
    // Before the reset, which may change SQLite's message.
    let failure = code == SQLITE_DONE ? nil : statement.failure(code)
    let resetCode = unsafe sqlite3_reset(statement.handle)
    measured()
    let isGone = noteTransaction(after: statement.transactionVerb, resetCode)
    broker?.ended(statement, resetCode)
    if isGone { abortRuns() }
    if let veto = broker?.takeVeto() { throw veto }
    if let failure { throw failure }
    if !isRead { dateTransaction() }
  }

  private func prepare(_ step: TransactionStatements.Step) throws -> Statement {
    let statement = try deferringTemporaryObjects { try makeStatement(sql: step.rawValue) }
    unsafe transactionStatements[step] = statement
    return statement
  }
}
