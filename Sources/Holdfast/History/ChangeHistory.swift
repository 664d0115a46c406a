/// What changed in which tables, and who did it, kept in the database itself.
///
/// A table takes part after ``install(on:tables:)``. From then on triggers note each inserted,
/// updated and deleted row in the transaction that changes it, whichever process or library writes:
/// a change is in the history exactly when it is in the table. A reader asks for what came after
/// its ``Token``, also when it was not running meanwhile.
///
/// ```swift
/// let answer = try pool.read { db in try ChangeHistory.changes(db, after: token) }
/// ```
///
/// Writes of a queue or pool with `Configuration.historyAuthor` carry that name; all others have
/// none. The triggers use built-in SQL only. A row that an INSERT OR REPLACE, or an UPDATE OR
/// REPLACE, takes away counts as deleted, although SQLite fires no trigger for it.
///
/// Not noted:
/// - what is written through incremental blobs, and by connections that have triggers switched off;
/// - new rowids that VACUUM gives in a table without a primary key;
/// - a row that a REPLACE deletes because of an index on an expression, or on a generated column, of
///   the rowid that SQLite is about to choose;
/// - a row that a REPLACE deletes because a user's BEFORE UPDATE trigger changes the row being updated,
///   whose result SQLite leaves undefined;
/// - a row that a REPLACE deletes because of a unique index that was created without
///   ``install(on:tables:)``, and dropped again before the history was next asked or repaired.
///
/// Changes that a user's AFTER trigger makes to the table that fires it are told in their order when
/// that trigger was created before the last ``install(on:tables:)``; temporary triggers always fire
/// first, and their changes are told before the one that fired them.
///
/// - SeeAlso: <https://www.sqlite.org/lang_createtrigger.html>,
///   <https://www.sqlite.org/lang_conflict.html>
public enum ChangeHistory {
  /// Lets tables take part, and makes the triggers of all that do anew where they are outdated.
  ///
  /// It is *atomic*, and does nothing when all is in place. Call it in the migration that creates
  /// a table, and again in each one that changes its columns or indexes, in the same transaction:
  /// then no change is missed. Where a table was changed without it, the next call and the next writer
  /// to open with a `Configuration.historyAuthor` repair its triggers, and older tokens expire, because
  /// changes may have been missed until then. They also expire when a table is found rebuilt or dropped, also
  /// with its triggers created again, or takes part again after
  /// ``uninstall(from:tables:deletingChanges:)``. VACUUM, ALTER TABLE ADD COLUMN and RENAME TO expire
  /// nothing.
  ///
  /// A table that cannot be followed any more keeps others from nothing: this fails only for those in
  /// `tables`, and ``problems(_:)`` names the rest.
  ///
  /// - Parameters:
  ///   - db: A connection that may write.
  ///   - tables: Names of tables of the main database.
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when there is no such table, or it is none that
  ///   can have triggers, such as a view, a virtual table or one of SQLite's own, or its rows cannot be
  ///   told apart, or the history was made by a newer version of the library.
  public static func install(on db: Database, tables: [String] = []) throws {
    try db.inSavepoint {
      let isNew = try HistoryStore.createIfMissing(db)
      let failures = try HistoryTables.repair(db)
      for table in tables {
        try HistoryTables.track(table, failures, db)
      }
      if failures.isEmpty { try HistoryStore.noteSchemaVersion(db) }
      // The signature of before was that of tables that were erased.
      if isNew { try HistoryAuthor.signWrites(db) }
      return .commit
    }
  }

  /// Ends the part of tables in the history.
  ///
  /// - Parameters:
  ///   - db: A connection that may write.
  ///   - tables: Names of tables; those that take no part are ignored.
  ///   - deletingChanges: Whether their changes of before go too; else they can still be fetched.
  /// - Throws: `DatabaseError` when the database cannot be written, or the history was made by a newer
  ///   version of the library.
  public static func uninstall(
    from db: Database, tables: [String], deletingChanges: Bool = false
  ) throws {
    guard try HistoryStore.exists(db) else { return }
    try db.inSavepoint {
      _ = try HistoryTables.repair(db)
      for table in tables {
        try HistoryTables.release(table, deletingChanges: deletingChanges, db)
      }
      if try HistoryTables.areIntact(db) { try HistoryStore.noteSchemaVersion(db) }
      return .commit
    }
  }

  /// Returns the names of the tables that take part, in the order in which they were added.
  ///
  /// - Parameter db: A connection.
  /// - Returns: The names as they are now, also after a table was renamed; none without a history.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public static func tables(_ db: Database) throws -> [String] {
    guard try HistoryStore.exists(db) else { return [] }
    return try HistoryTables.registered(db).filter { $0.isTracked && !$0.isReplaced }.map(\.name)
  }

  /// Returns what keeps the history from following tables, by the tables' names.
  ///
  /// While there is something, ``changes(_:after:_:excluding:)`` answers that tokens have expired. The
  /// next writer to open with a `Configuration.historyAuthor`, and ``install(on:tables:)``, remove
  /// what can be removed; neither is kept from opening by what cannot.
  ///
  /// - Parameter db: A connection.
  /// - Returns: A sentence for each table that cannot be followed as it is; none without a history.
  /// - Throws: `DatabaseError` when the database cannot be read, or the history was made by a newer
  ///   version of the library.
  public static func problems(_ db: Database) throws -> [String: String] {
    guard try HistoryStore.exists(db) else { return [:] }
    _ = try HistoryStore(db)
    return try HistoryTables.problems(db)
  }

  /// Returns the token after which nothing has changed yet.
  ///
  /// Take it in the access that reads the tables: what is fetched after it is what that access did
  /// not see. One that is taken in a transaction that is rolled back is void.
  ///
  /// - Parameter db: A connection.
  /// - Returns: The token of the last change.
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when the database has no history.
  public static func currentToken(_ db: Database) throws -> Token {
    try HistoryStore(db).lastToken
  }
}
