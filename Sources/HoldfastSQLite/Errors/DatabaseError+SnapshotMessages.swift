// The sentences about snapshots.

extension DatabaseError {
  /// The error for a snapshot whose transaction has ended.
  package static func snapshotEnded(path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ABORT,
      message: "The snapshot is lost: an access to it ended the transaction that held it",
      path: path)
  }

  /// The error for a snapshot whose transaction a suspension ended.
  package static func snapshotSuspended(path: String?) -> DatabaseError {
    var error = DatabaseError(
      resultCode: .SQLITE_ABORT,
      message: "The snapshot ended when its database was suspended", path: path)
    error.isDatabaseSuspensionError = true
    error.isSnapshotLost = true
    return error
  }

  /// The error for a snapshot of several connections, in a build of SQLite that cannot make one.
  static func noSnapshots(path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR,
      message:
        "This SQLite cannot show one state to several connections: use `makeSnapshot()`, which has "
        + "one connection, or link a SQLite that was built with SQLITE_ENABLE_SNAPSHOT", path: path)
  }

  static func snapshotAfterWrite(path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR,
      message: "A snapshot cannot have changes that are not committed: take it after the commit",
      path: path)
  }

  /// The error for a snapshot of several connections, while the write-ahead log has no transaction.
  static func snapshotOfEmptyLog(path: String?) -> DatabaseError {
    var error = DatabaseError(
      resultCode: .SQLITE_ERROR,
      message:
        "Several connections can show one state only if it is in the write-ahead log, which is "
        + "empty since the file was opened: write something first, or use `makeSnapshotPool()` of "
        + "a pool that may write", path: path)
    error.isLogEmpty = true
    return error
  }

  static func snapshotOverwritten(path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR_SNAPSHOT,
      message:
        "A writer has restarted the write-ahead log, which no longer has the state of the "
        + "transaction: take the snapshot in a new one", path: path)
  }

  /// The error for a snapshot of several connections that has no file.
  package static var snapshotNeedsFile: DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR,
      message:
        "A snapshot of several connections needs a file: a database in memory or a temporary one "
        + "has no write-ahead log")
  }

  static func snapshotNeedsWriteAheadLog(mode: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR,
      message: "A snapshot needs the write-ahead log, or it would keep every writer waiting; "
        + "the journal mode is \(mode)", path: path)
  }
}
