/// A pragma with an effect on the write-ahead log and its checkpoints, or on how long they wait.
///
/// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_wal_checkpoint>
enum CheckpointPragma: Equatable {
  /// `PRAGMA wal_checkpoint`, of one database or of all.
  case checkpoint(Database.CheckpointMode, databaseName: String?)
  /// `PRAGMA wal_autocheckpoint`, which SQLite prepares again, and obeys again, in each run.
  case automaticCheckpoint
  /// `PRAGMA busy_timeout` with a value.
  case busyTimeout
  /// `PRAGMA journal_mode`, which may turn the log on, or find that others have.
  case journalMode

  /// Reads a statement; fails for any other one.
  ///
  /// - Parameters:
  ///   - verb: The first word, in capitals.
  ///   - tokens: The tokens that follow it.
  init?(_ verb: String?, before tokens: SQLTokens) {
    var tokens = tokens
    var verb = verb
    // SQLite obeys pragmas that it prepares, even if only to explain them.
    let isExplained = verb == "EXPLAIN"
    if isExplained { verb = tokens.nextWord() }
    if isExplained, verb == "QUERY", tokens.nextWord() == "PLAN" { verb = tokens.nextWord() }
    guard verb == "PRAGMA", var name = tokens.next() else { return nil }
    var databaseName: Substring?
    var mark = tokens.next()
    // PRAGMA main.wal_checkpoint
    if mark == ".", let other = tokens.next() {
      (databaseName, name, mark) = (name, other, tokens.next())
    }
    // PRAGMA wal_checkpoint(FULL), and PRAGMA wal_checkpoint = FULL
    func value() -> DatabaseIdentifier? {
      guard mark != nil, mark != ";", let value = tokens.next(), value != ";" else { return nil }
      return value.unquotedName
    }
    switch name.unquotedName {
    case "wal_checkpoint":
      guard !isExplained else { return nil }
      // SQLite takes any other word for a passive one.
      let mode: Database.CheckpointMode =
        switch value() {
        case "full": .full
        case "restart": .restart
        case "truncate": .truncate
        default: .passive
        }
      self = .checkpoint(mode, databaseName: databaseName?.unquotedName.text)
    case "wal_autocheckpoint": self = .automaticCheckpoint
    case "busy_timeout":
      guard value() != nil else { return nil }
      self = .busyTimeout
    case "journal_mode":
      guard !isExplained else { return nil }
      self = .journalMode
    default: return nil
    }
  }
}
