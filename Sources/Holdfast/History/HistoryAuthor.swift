/// The signing of a connection's writes with the name of its author.
///
/// It uses a temporary trigger, which belongs to one connection and fires for no other. So the
/// database does not store the current author: nothing has to be cleared, and a killed process
/// leaves nothing that could be attributed to a later writer.
///
/// - SeeAlso: <https://www.sqlite.org/lang_createtrigger.html#temp_triggers_on_non_temp_tables>
enum HistoryAuthor {
  /// Repairs the history's tables and triggers, and signs the connection's writes.
  ///
  /// A history whose triggers cannot be made right does not keep the database from being opened: until
  /// they can be, it answers that tokens have expired.
  ///
  /// - Throws: `DatabaseError` when the history has a newer format, or writes cannot be signed.
  static func prepare(_ db: Database) throws {
    if try !HistoryStore.isReadable(db) {
      try db.inTransaction(.immediate) {
        try HistoryStore.createIfMissing(db)
        return .commit
      }
    }
    if try HistoryStore(db).schemaVersion != HistoryStore.schemaVersion(db) { try repair(db) }
    try signWrites(db)
  }

  private static func repair(_ db: Database) throws {
    do {
      try db.inTransaction(.immediate) {
        if try HistoryTables.repair(db).isEmpty {
          try HistoryStore.noteSchemaVersion(db)
        }
        return .commit
      }
    } catch let error as DatabaseError where !error.endsAccess {
      // `ChangeHistory.problems` and `install` say what is wrong. The next one to open tries again, and
      // what is written is signed all the same.
    }
  }

  /// Signs the connection's writes, if its configuration names an author.
  static func signWrites(_ db: Database) throws {
    guard let author = db.configuration.historyAuthor else { return }
    // SQL ends at a zero byte.
    let literal = author.split(separator: "\0", omittingEmptySubsequences: false)
      .map { String($0).quoted(by: "'") }.joined(separator: " || char(0) || ")
    // When a table is erased, SQLite keeps only the name of its temporary trigger.
    let count = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM temp.sqlite_schema WHERE name LIKE 'holdfast_history_author%'")
    try db.execute(
      sql: """
        CREATE TEMP TRIGGER holdfast_history_author_\(count ?? 0)
        AFTER INSERT ON main.holdfast_history BEGIN
          UPDATE holdfast_history SET author = \(literal) WHERE token = NEW.token;
        END
        """)
  }
}

extension DatabaseError {
  /// Whether the connection itself cannot continue, whatever it was about to do.
  fileprivate var endsAccess: Bool {
    let codes: [ResultCode] = [
      .SQLITE_INTERRUPT, .SQLITE_ABORT, .SQLITE_NOMEM, .SQLITE_IOERR, .SQLITE_CORRUPT,
      .SQLITE_CANTOPEN, .SQLITE_NOTADB, .SQLITE_MISUSE,
    ]
    return isDatabaseSuspensionError || codes.contains(resultCode)
  }
}

extension Configuration {
  /// The configuration of a connection whose writes are signed, if there is an author.
  var signingWrites: Configuration {
    guard historyAuthor != nil, !readonly else { return self }
    var own = self
    own.prepareDatabase { db in try HistoryAuthor.prepare(db) }
    return own
  }
}
