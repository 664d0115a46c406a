import Synchronization

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

extension Database {
  /// The extent of a checkpoint.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/wal_checkpoint_v2.html>
  public enum CheckpointMode: CInt, Sendable {
    /// Moves as much as possible without waiting for other connections.
    case passive = 0
    /// Waits for writers and for readers of older states, then moves everything.
    case full = 1
    /// As ``full``, and waits until the next writer can restart the log.
    case restart = 2
    /// As ``restart``, and truncates the log's file to zero bytes.
    case truncate = 3
  }

  /// Moves committed changes from the write-ahead log into the database file.
  ///
  /// SQLite does so automatically after every 1000 pages; call it before the file is measured or
  /// copied by other means, or when the log grew because of a long read.
  ///
  /// - Parameters:
  ///   - kind: The extent. All but `.passive` wait according to ``Configuration/busyMode``.
  ///   - databaseName: The name of one database of the connection; if `nil`, all of them.
  /// - Returns: The number of frames in the log, and how many of them are in the database file;
  ///   both are -1 when there is no write-ahead log.
  /// - Throws: ``DatabaseError`` with `SQLITE_BUSY` when the wait for another connection timed out,
  ///   with `SQLITE_LOCKED` inside a transaction.
  /// - SeeAlso: <https://www.sqlite.org/c3ref/wal_checkpoint_v2.html>
  @discardableResult public func checkpoint(
    _ kind: CheckpointMode = .passive, on databaseName: String? = "main"
  ) throws -> (walFrameCount: Int, checkpointedFrameCount: Int) {
    checkAccess()
    try handle.enter()
    defer { handle.leave() }
    try checkIsNotInterrupted()
    let result = handle.checkpoint(kind, on: databaseName)
    guard result.code == SQLITE_OK else { throw failure(result.code) }
    return (Int(result.frameCount), Int(result.checkpointedFrameCount))
  }

  /// Empties the write-ahead log of a new connection, if it is as long as `wal_autocheckpoint`.
  ///
  /// After the commit that makes it so long, SQLite moves the log into the database file, and the
  /// next write restarts it. But the number of moved frames is kept only in shared memory, which
  /// ends with the last connection: the next one that opens the database recovers the whole log and
  /// continues it. The log of many short sessions would never restart.
  ///
  /// It does not wait. Frames that another connection still reads stay in the log, until the
  /// database is next opened or until a write that finds no reader.
  ///
  /// - Throws: ``DatabaseError`` when the database cannot be read; not when the log stays.
  /// - SeeAlso: <https://www.sqlite.org/walformat.html#recovery>
  func emptyLongLog() throws {
    let size = try handle.inside { handle.logSize }
    guard size > 0 else { return }
    let limit = try Int.fetchOne(self, sql: "PRAGMA wal_autocheckpoint") ?? 0
    // A frame is 24 bytes and a page, of at least 512: most logs are shorter, and not examined.
    guard limit > 0, size >= Int64(clamping: limit) * 536,
      let state = try writeAheadLogState(), state.frameCount >= limit,
      state.checkpointedFrameCount < state.frameCount
    else { return }
    try handle.inside {
      handle.busyHandler.withoutWaiting {
        // The first moves everything without blocking writers, so that the second has little to do.
        for mode in [CheckpointMode.passive, .truncate] where !handle.isClaimed {
          handle.checkpoint(mode, on: "main")
        }
      }
    }
  }

  /// Throws if the access was interrupted or its connection claimed.
  func checkIsNotInterrupted() throws(DatabaseError) {
    guard !handle.busyHandler.isAccessInterrupted.load(ordering: .relaxed) else {
      throw .interrupted(sql: nil, path: path)
    }
    if handle.isClaimed { throw .transactionAborted(path: path) }
    if isTransactionGone { throw .transactionLost(path: path) }
    handle.busyHandler.begin()
  }

  /// Returns the error for a code that a call outside of a statement just returned.
  func failure(_ code: CInt) -> DatabaseError {
    handle.error(code, sql: nil, path: path)
  }
}
