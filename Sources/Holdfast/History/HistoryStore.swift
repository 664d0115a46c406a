/// The tables in which a database keeps its history, and their current state.
struct HistoryStore {
  /// The identifier of this database's history.
  let id: String

  /// The lowest number of a token that is still valid.
  let start: Int64

  /// The schema version for which all triggers were correct.
  let schemaVersion: Int64

  /// The number and the time of the last change.
  let last: (number: Int64, time: Int64)

  var lastToken: ChangeHistory.Token { token(last.number, time: last.time) }

  /// Reads the state of the history.
  init(_ db: Database) throws {
    guard try Self.exists(db) else { throw DatabaseError.noHistory(path: db.path) }
    guard
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT id, format, start, schemaVersion, ifnull(token, start), ifnull(time, 0)
          FROM main.holdfast_history_store LEFT JOIN (
            SELECT token, time FROM main.holdfast_history ORDER BY token DESC LIMIT 1)
          """)
    else { throw DatabaseError.noHistory(path: db.path) }
    guard row[1] as Int64 == Self.format else { throw DatabaseError.newerHistory(path: db.path) }
    (id, start, schemaVersion) = (row[0], row[2], row[3])
    last = (row[4], row[5])
  }

  func token(_ number: Int64, time: Int64) -> ChangeHistory.Token {
    ChangeHistory.Token(store: id, number: number, time: time)
  }

  // MARK: - Tables

  private static let format: Int64 = 1

  /// The columns of `holdfast_history` before the key's columns.
  static let fixedColumnCount = 5

  /// SQL for the current time in milliseconds since 1970, in every version of SQLite.
  static let now = "CAST((julianday('now') - 2440587.5) * 86400000.0 + 0.5 AS INTEGER)"

  /// The names of the tables.
  static let tableNames: Set<DatabaseIdentifier> = [
    "holdfast_history", "holdfast_history_sources", "holdfast_history_consumers",
    "holdfast_history_store",
  ]

  static func exists(_ db: Database) throws -> Bool {
    try db.tableExists("holdfast_history_store", in: "main")
  }

  /// Whether there is a complete history, of the format that this version knows.
  static func isReadable(_ db: Database) throws -> Bool {
    guard try storedFormat(db) == format else { return false }
    let others = ["holdfast_history", "holdfast_history_sources", "holdfast_history_consumers"]
    return try others.allSatisfy { try db.tableExists($0, in: "main") }
  }

  private static func storedFormat(_ db: Database) throws -> Int64? {
    guard try exists(db) else { return nil }
    return try Int64.fetchOne(db, sql: "SELECT format FROM main.holdfast_history_store")
  }

  /// Creates an empty history, unless there is a complete one.
  ///
  /// A history whose tables were dropped, or emptied with the app's tables, is not trusted: the new
  /// history has another identifier, so that tokens of the old one are expired, and its triggers
  /// are created again.
  ///
  /// Each value of a key has a column without a type: so it keeps its storage class and every byte,
  /// and needs no encoding. There are as many columns as the longest key needs.
  ///
  /// - Returns: Whether there was none.
  /// - Throws: `DatabaseError` when there is one of a newer format.
  @discardableResult
  static func createIfMissing(_ db: Database) throws -> Bool {
    guard try !isReadable(db) else { return false }
    if let found = try storedFormat(db), found != format {
      throw DatabaseError.newerHistory(path: db.path)
    }
    for trigger in try HistoryTriggers.names(db) {
      try db.execute(sql: "DROP TRIGGER main.\(trigger.quotedDatabaseIdentifier)")
    }
    try db.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS main.holdfast_history (
          token INTEGER PRIMARY KEY, source INTEGER NOT NULL, kind INTEGER NOT NULL,
          author TEXT, time INTEGER NOT NULL, key0);
        CREATE TABLE IF NOT EXISTS main.holdfast_history_sources (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, isTracked INTEGER NOT NULL, keyColumns TEXT);
        CREATE TABLE IF NOT EXISTS main.holdfast_history_consumers (
          name TEXT PRIMARY KEY, token TEXT NOT NULL, time INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS main.holdfast_history_store (
          id TEXT NOT NULL, format INTEGER NOT NULL, start INTEGER NOT NULL,
          schemaVersion INTEGER NOT NULL);
        DELETE FROM main.holdfast_history_store;
        INSERT INTO main.holdfast_history_store
          SELECT lower(hex(randomblob(16))), \(format), ifnull(max(token), 0), 0
          FROM main.holdfast_history;
        """)
    return true
  }

  /// Adds columns for keys with the given number of columns.
  static func widen(to keyColumnCount: Int, _ db: Database) throws {
    let count = try db.columns(in: "holdfast_history", in: "main").count - fixedColumnCount
    for index in stride(from: count, to: keyColumnCount, by: 1) {
      try db.execute(sql: "ALTER TABLE main.holdfast_history ADD COLUMN key\(index)")
    }
  }

  // MARK: - Validity

  /// Records that all triggers are correct for the current schema.
  static func noteSchemaVersion(_ db: Database) throws {
    let version = try schemaVersion(db)
    try db.execute(
      sql: """
        UPDATE main.holdfast_history_store SET schemaVersion = ?1 WHERE schemaVersion <> ?1
        """, arguments: [version])
  }

  /// Whether all triggers were right when the open transaction began, or at a later moment of it.
  ///
  /// Each change of the schema gives it a higher version.
  func wasRightBeforeChanges(_ db: Database) throws -> Bool {
    let version = try Self.schemaVersion(db)
    let before = db.schemaVersionBeforeChanges ?? version
    return before <= schemaVersion && schemaVersion <= version
  }

  static func schemaVersion(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db, sql: "PRAGMA main.schema_version") ?? 0
  }

  /// Expires all earlier tokens.
  ///
  /// The remaining row uses a number, so that earlier tokens are lower than `start`.
  static func expireTokens(_ db: Database) throws {
    let (next, isOverflow) = try HistoryStore(db).last.number.addingReportingOverflow(1)
    guard !isOverflow else {
      // As SQLite refuses the next row.
      throw DatabaseError(resultCode: .SQLITE_FULL, message: "the history has used its last number")
    }
    try db.execute(sql: "DELETE FROM main.holdfast_history")
    try db.execute(
      sql: """
        INSERT INTO main.holdfast_history (token, source, kind, time) VALUES (?, 0, 0, \(now))
        """, arguments: [next])
    try db.execute(sql: "UPDATE main.holdfast_history_store SET start = ?", arguments: [next])
  }

  /// Returns why the history does not know the changes after a token; `nil` when it does.
  func expiration(
    of token: ChangeHistory.Token, isFirst: Bool, _ db: Database
  ) throws -> ChangeHistory.Expiration? {
    guard token.store == id else { return .otherStore }
    guard token.number >= start else { return .purged }
    guard token.number <= last.number else { return .replaced }
    let time = try Int64.fetchOne(
      db, sql: "SELECT time FROM main.holdfast_history WHERE token = ?", arguments: [token.number])
    guard isFirst || time == nil || time == token.time else { return .replaced }
    // A reader cannot repair the triggers, but must detect that they are outdated.
    if try Self.schemaVersion(db) != schemaVersion, try !HistoryTables.areIntact(db) {
      return .outdatedTriggers
    }
    return nil
  }
}
