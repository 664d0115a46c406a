/// The restrictions of a connection that is opened while its database is suspended.
///
/// With a write-ahead log, reading is allowed, because no writer waits for it; without one, only
/// ending a transaction is.
struct SuspendedAccess {
  enum Answer: Hashable {
    case allowed
    /// The statement would take a lock that other connections wait for.
    case refused
    /// An earlier statement of the transaction was refused.
    case aborted
  }

  /// Whether the database is in write-ahead-log mode.
  let hasWriteAheadLog: Bool

  /// Whether a statement of a transaction was refused, which ended the transaction.
  var isAborted = false

  /// Returns whether a statement may run.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - isReadonly: Whether SQLite considers it read-only; `BEGIN`, `COMMIT` and `ROLLBACK` are,
  ///     `BEGIN IMMEDIATE` is not.
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
