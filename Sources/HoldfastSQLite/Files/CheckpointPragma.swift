/// A pragma with an effect on checkpoints, or on how long they wait.
///
/// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_wal_checkpoint>
enum CheckpointPragma: Equatable {
  /// `PRAGMA wal_checkpoint`, of one database or of all.
  case checkpoint(Database.CheckpointMode, databaseName: String?)
  /// `PRAGMA wal_autocheckpoint`, which SQLite prepares again, and obeys again, in each run.
  case automaticCheckpoint
  /// `PRAGMA busy_timeout` with a value.
  case busyTimeout

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
    guard verb == "PRAGMA" else { return nil }
    var rest = Array(tokens)
    while rest.last == ";" { rest.removeLast() }
    var databaseName: String?
    // PRAGMA main.wal_checkpoint
    if rest.count >= 3, rest[1] == "." {
      databaseName = rest[0].unquotedName.text
      rest.removeFirst(2)
    }
    guard let pragma = rest.first?.unquotedName else { return nil }
    // PRAGMA wal_checkpoint(FULL), and PRAGMA wal_checkpoint = FULL
    let value = rest.count > 2 ? rest[2].unquotedName : nil
    switch pragma {
    case "wal_checkpoint":
      guard !isExplained else { return nil }
      // SQLite takes any other word for a passive one.
      let mode: Database.CheckpointMode =
        switch value {
        case "full": .full
        case "restart": .restart
        case "truncate": .truncate
        default: .passive
        }
      self = .checkpoint(mode, databaseName: databaseName)
    case "wal_autocheckpoint": self = .automaticCheckpoint
    case "busy_timeout":
      guard value != nil else { return nil }
      self = .busyTimeout
    default: return nil
    }
  }
}
