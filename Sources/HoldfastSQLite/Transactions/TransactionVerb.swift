#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// The transaction command of a statement.
///
/// - SeeAlso: <https://www.sqlite.org/lang_transaction.html>,
///   <https://www.sqlite.org/lang_savepoint.html>
enum TransactionVerb {
  case begin, commit, rollback
  case savepoint, release, rollbackTo

  /// Creates the verb with which a statement begins; `nil` when that is none of these.
  init?(_ sql: SQLTokens) {
    var tokens = sql
    self.init(tokens.nextWord(), before: tokens)
  }

  /// Creates the verb of a statement; `nil` when it is none of these.
  ///
  /// - Parameters:
  ///   - verb: The word with which the statement begins, in capitals.
  ///   - rest: The tokens that follow it.
  init?(_ verb: String?, before rest: SQLTokens) {
    switch verb {
    case "BEGIN": self = .begin
    case "COMMIT", "END": self = .commit
    case "SAVEPOINT": self = .savepoint
    case "RELEASE": self = .release
    case "ROLLBACK":
      var tokens = rest
      let word = tokens.nextWord()
      self = (word == "TRANSACTION" ? tokens.nextWord() : word) == "TO" ? .rollbackTo : .rollback
    default: return nil
    }
  }

  /// Returns whether the statement itself ended a transaction that is no longer open.
  ///
  /// - Parameter code: The extended result code of the run.
  /// - Returns: Whether the statement ended the transaction.
  func ended(_ code: CInt) -> Bool {
    switch self {
    case .commit, .rollback:
      true
    case .release:
      // The commit hook runs only when the outermost savepoint is released, which is a commit.
      code == SQLITE_OK || code == ResultCode.SQLITE_CONSTRAINT_COMMITHOOK.rawValue
    case .begin, .savepoint, .rollbackTo:
      false
    }
  }
}
