/// A history of row changes and their authors, kept in the database itself.
///
/// A table is tracked after ``install(on:tables:)``. From then on triggers record each inserted,
/// updated and deleted row in the transaction that changes it, in any process and with any library:
/// a change is in the history if and only if it is in the table. A reader fetches the changes after
/// its ``Token``, including those made while it was not running.
///
/// ```swift
/// let answer = try pool.read { db in try ChangeHistory.changes(db, after: token) }
/// ```
///
/// Writes of a queue or pool with `Configuration.historyAuthor` have that author; all others have
/// none. The triggers use only built-in SQL. A row that an INSERT OR REPLACE or an UPDATE OR
/// REPLACE removes counts as deleted, although SQLite fires no trigger for it.
///
/// Not noted:
/// - what is written through incremental blobs, and by connections that have triggers switched off;
/// - new rowids that VACUUM gives in a table without a primary key;
/// - a row that a REPLACE deletes because of an index on an expression, or on a generated column, of
///   the rowid that SQLite is about to choose;
/// - a row that a REPLACE deletes because a user's BEFORE UPDATE trigger changes the row being updated,
///   whose result SQLite leaves undefined;
/// - a row that a REPLACE deletes because of a unique index that was created without
///   ``install(on:tables:)``, and dropped again before the history was next asked or repaired;
/// - a row that a REPLACE deletes because of a unique index that was created earlier in the same
///   transaction, before ``install(on:tables:)``: call it right after the index is created.
///
/// Changes that a user's AFTER trigger makes to the table that fires it are returned in their order
/// if that trigger was created before the last ``install(on:tables:)``; temporary triggers always
/// fire first, and their changes are returned before the one that fired them.
///
/// - SeeAlso: <https://www.sqlite.org/lang_createtrigger.html>,
///   <https://www.sqlite.org/lang_conflict.html>
public enum ChangeHistory {
  /// Tracks tables, and recreates the outdated triggers of all tracked tables.
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
  /// A table that can no longer be tracked does not affect others: this fails only for those in
  /// `tables`, and ``problems(_:)`` names the others.
  ///
  /// - Parameters:
  ///   - db: A connection that may write.
  ///   - tables: Names of tables of the main database.
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when there is no such table, or it is none that
  ///   can have triggers, such as a view, a virtual table or one of SQLite's own, or its rows cannot be
  ///   distinguished, or the history was made by a newer version of the library.
  public static func install(on db: Database, tables: [String] = []) throws {
    try db.inSavepoint {
      let isNew = try HistoryStore.createIfMissing(db)
      let failures = try HistoryTables.repair(db)
      for table in tables {
        try HistoryTables.track(table, failures, db)
      }
      if failures.isEmpty { try HistoryStore.noteSchemaVersion(db) }
      // The previous signature belonged to the erased tables.
      if isNew { try HistoryAuthor.signWrites(db) }
      return .commit
    }
  }

  /// Stops tracking tables.
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

  /// Returns the names of the tracked tables, in the order in which they were added.
  ///
  /// - Parameter db: A connection.
  /// - Returns: The current names, even of renamed tables; none without a history.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public static func tables(_ db: Database) throws -> [String] {
    guard try HistoryStore.exists(db) else { return [] }
    return try HistoryTables.registered(db).filter { $0.isTracked && !$0.isReplaced }.map(\.name)
  }

  /// Returns the problems that prevent tables from being tracked, by the tables' names.
  ///
  /// While there are any, ``changes(_:after:_:excluding:)`` reports tokens as expired. The next
  /// writer that opens with a `Configuration.historyAuthor`, and ``install(on:tables:)``, repair
  /// what can be repaired; the other problems do not make them fail.
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

  /// Returns the token of the last change.
  ///
  /// Fetch it in the access that reads the tables: the changes after it are exactly those that the
  /// access did not see. A token from a transaction that is rolled back is invalid.
  ///
  /// - Parameter db: A connection.
  /// - Returns: The token of the last change.
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when the database has no history.
  public static func currentToken(_ db: Database) throws -> Token {
    try HistoryStore(db).lastToken
  }
}
