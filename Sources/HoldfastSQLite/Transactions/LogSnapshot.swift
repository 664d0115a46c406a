#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// A state in the write-ahead log of a file, which any connection to it can read.
///
/// It can be opened as long as a transaction reads that state, on whichever connection: a checkpoint keeps
/// what a transaction reads.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/snapshot.html>
@safe
package final class LogSnapshot {
  fileprivate let pointer: UnsafeMutablePointer<sqlite3_snapshot>

  fileprivate init(_ pointer: UnsafeMutablePointer<sqlite3_snapshot>) {
    unsafe self.pointer = pointer
  }

  deinit {
    if let free = unsafe Self.calls?.free { unsafe free(pointer) }
  }

  @safe
  fileprivate struct Calls {
    let get: holdfast_snapshot_get
    let open: holdfast_snapshot_open
    let free: holdfast_snapshot_free
  }

  /// The calls, which SQLite has where it was built with `SQLITE_ENABLE_SNAPSHOT`, as on Apple's systems.
  fileprivate static let calls: Calls? = {
    guard let get = unsafe holdfast_find_snapshot_get(),
      let open = unsafe holdfast_find_snapshot_open(),
      let free = unsafe holdfast_find_snapshot_free()
    else { return nil }
    return unsafe Calls(get: get, open: open, free: free)
  }()

  /// Whether this SQLite has snapshots.
  package static var isAvailable: Bool { calls != nil }
}

// Sendable because the snapshot is never changed, and SQLite only compares and copies it.
extension LogSnapshot: @unchecked Sendable {}

extension Database {
  /// Returns the state that the open transaction reads.
  ///
  /// A transaction must be open. A suspension can end it before the call, which then throws its error.
  ///
  /// - Throws: ``DatabaseError`` when this SQLite has no snapshots, when the transaction has written, when the
  ///   database has no write-ahead log or an empty one, or when the database was suspended.
  package func logSnapshot() throws -> LogSnapshot {
    checkAccess()
    guard let calls = LogSnapshot.calls else { throw DatabaseError.noSnapshots(path: path) }
    var pointer: UnsafeMutablePointer<sqlite3_snapshot>?
    var code = SQLITE_OK
    var hasWritten = false
    var error: DatabaseError?
    try handle.inside {
      code = unsafe calls.get(handle.pointer, "main", &pointer)
      // Inside, because a suspension may close the connection as it leaves.
      if code != SQLITE_OK { error = handle.error(code, sql: nil, path: path) }
      hasWritten = unsafe sqlite3_txn_state(handle.pointer, "main") == SQLITE_TXN_WRITE
    }
    if let pointer = unsafe pointer { return unsafe LogSnapshot(pointer) }
    if code != SQLITE_ERROR, let error { throw error }
    // SQLite has one code for all reasons.
    if hasWritten { throw DatabaseError.snapshotAfterWrite(path: path) }
    try checkWriteAheadLog()
    throw DatabaseError.snapshotOfEmptyLog(path: path)
  }

  /// Commits a transaction that changes nothing, so that the log is not empty.
  package func fillLog() throws {
    try inTransaction(.immediate) {
      let version = try Int.fetchOne(self, sql: "PRAGMA user_version") ?? 0
      // SQLite writes the page even if the number is the same.
      try execute(sql: "PRAGMA user_version = \(version)")
      return .commit
    }
  }

  /// Begins a transaction that reads the current committed state, and keeps it in the log.
  ///
  /// A transaction that begins when the whole log is in the file reads only the file, so that a writer may
  /// restart the log. One that was opened with a snapshot reads the log.
  ///
  /// - Returns: The state that reads see until the transaction ends.
  /// - Throws: ``DatabaseError`` as ``logSnapshot()`` does.
  package func beginLogSnapshot() throws -> LogSnapshot {
    while true {
      try beginSnapshot()
      do {
        let snapshot = try logSnapshot()
        try open(snapshot)
        return snapshot
      } catch {
        // The first error explains more.
        do { try rollback() } catch _ {}
        // A writer restarted the log in between; the whole of the new one is not in the file yet.
        let code = (error as? DatabaseError)?.extendedResultCode
        guard code == .SQLITE_ERROR_SNAPSHOT else { throw error }
      }
    }
  }

  /// Begins a transaction that reads a state.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_ERROR_SNAPSHOT` when the log no longer has that state.
  package func begin(_ snapshot: LogSnapshot) throws {
    try beginTransaction(.deferred)
    do {
      try open(snapshot)
    } catch {
      // The error of the snapshot explains more.
      do { try rollback() } catch _ {}
      throw error
    }
  }

  /// Makes the open transaction, which has not written, read a state.
  private func open(_ snapshot: LogSnapshot) throws {
    guard let calls = LogSnapshot.calls else { throw DatabaseError.noSnapshots(path: path) }
    try handle.enter()
    defer { handle.leave() }
    let code = unsafe calls.open(handle.pointer, "main", snapshot.pointer)
    guard code == SQLITE_OK else {
      throw ResultCode(rawValue: code) == .SQLITE_ERROR_SNAPSHOT
        ? .snapshotOverwritten(path: path) : handle.error(code, sql: nil, path: path)
    }
  }
}
