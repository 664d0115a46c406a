internal import CSQLite

/// What a statement asks of the transaction.
///
/// - SeeAlso: <https://www.sqlite.org/lang_transaction.html>,
///   <https://www.sqlite.org/lang_savepoint.html>
enum TransactionVerb {
  case begin, commit, rollback
  case savepoint, release, rollbackTo

  /// Creates the verb with which a statement begins; `nil` when that is none of these.
  init?(_ sql: SQLTokens) {
    var tokens = sql
    switch tokens.nextWord() {
    case "BEGIN": self = .begin
    case "COMMIT", "END": self = .commit
    case "SAVEPOINT": self = .savepoint
    case "RELEASE": self = .release
    case "ROLLBACK":
      let word = tokens.nextWord()
      self = (word == "TRANSACTION" ? tokens.nextWord() : word) == "TO" ? .rollbackTo : .rollback
    default: return nil
    }
  }

  /// Whether it was the statement that ended a transaction which is no longer open.
  ///
  /// - Parameter code: The result code of the run, extended.
  /// - Returns: Whether it was.
  func ended(_ code: CInt) -> Bool {
    switch self {
    case .commit, .rollback:
      true
    case .release:
      // A commit hook is asked only when the outermost savepoint is released, which is a commit.
      code == SQLITE_OK || code == ResultCode.SQLITE_CONSTRAINT_COMMITHOOK.rawValue
    case .begin, .savepoint, .rollbackTo:
      false
    }
  }
}
