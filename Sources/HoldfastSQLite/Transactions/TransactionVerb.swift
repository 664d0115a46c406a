internal import CSQLite

/// The transaction command of a statement.
///
/// - SeeAlso: <https://www.sqlite.org/lang_transaction.html>,
///   <https://www.sqlite.org/lang_savepoint.html>
enum TransactionVerb {
  case begin, commit, rollback
  case savepoint, release, rollbackTo

  /// Creates the command from a statement's first words; `nil` when it is not a transaction
  /// command.
  init?(_ words: LeadingWords) {
    var words = words
    switch words.next() {
    case "BEGIN": self = .begin
    case "COMMIT", "END": self = .commit
    case "SAVEPOINT": self = .savepoint
    case "RELEASE": self = .release
    case "ROLLBACK":
      let word = words.next()
      self = (word == "TRANSACTION" ? words.next() : word) == "TO" ? .rollbackTo : .rollback
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

/// The first words of a statement in uppercase, without the spaces and comments between them.
///
/// The sequence ends at the first token that is not a word.
struct LeadingWords: Sequence, IteratorProtocol {
  private var rest: Substring.UTF8View

  init(_ sql: String) {
    rest = sql[...].utf8
  }

  mutating func next() -> String? {
    skipSpace()
    let word = rest.prefix { (65...90).contains($0) || (97...122).contains($0) }
    guard !word.isEmpty else { return nil }
    rest = rest[word.endIndex...]
    return String(decoding: word.map { $0 & 0xDF }, as: UTF8.self)
  }

  private mutating func skipSpace() {
    while let first = rest.first {
      if [0x20, 0x09, 0x0A, 0x0C, 0x0D, UInt8(ascii: ";")].contains(first) {
        rest = rest.dropFirst()
      } else if rest.starts(with: "--".utf8) {
        rest = rest.drop { $0 != 0x0A }
      } else if rest.starts(with: "/*".utf8) {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
        rest = rest.dropFirst(2)
      } else {
        break
      }
    }
  }
}
