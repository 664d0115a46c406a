/// What may run on a connection that is opened while its database is suspended.
///
/// With a write-ahead log reading is allowed, which keeps no writer waiting; without one nothing is
/// but ending a transaction.
struct SuspendedAccess {
  enum Answer: Hashable {
    case allowed
    /// It would take a lock that others wait for.
    case refused
    /// A statement before it in the transaction was refused.
    case aborted
  }

  /// Whether the database is in write-ahead-log mode.
  let hasWriteAheadLog: Bool

  /// Whether a statement of a transaction was refused, which ended the transaction.
  var isAborted = false

  /// Says whether a statement may run.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - isReadonly: What SQLite says of it; `BEGIN`, `COMMIT` and `ROLLBACK` are, `BEGIN IMMEDIATE`
  ///     is not.
  /// - Returns: Whether it may run.
  func answer(to sql: String, isReadonly: Bool) -> Answer {
    if isAborted { return .aborted }
    guard isReadonly else { return .refused }
    if hasWriteAheadLog { return .allowed }
    switch TransactionVerb(SQLTokens(sql)) {
    case .commit, .rollback, .rollbackTo, .release: return .allowed
    case .begin, .savepoint, nil: return .refused
    }
  }
}
