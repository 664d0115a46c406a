internal import CSQLite
import Synchronization

extension Database {
  /// How far a checkpoint goes.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/wal_checkpoint_v2.html>
  public enum CheckpointMode: CInt, Sendable {
    /// Moves what it can without waiting for anybody.
    case passive = 0
    /// Waits for writers and for readers of older states, then moves everything.
    case full = 1
    /// As ``full``, and waits until the next writer may begin the log anew.
    case restart = 2
    /// As ``restart``, and makes the log's file empty.
    case truncate = 3
  }

  /// Moves committed changes from the write-ahead log into the database file.
  ///
  /// SQLite does it by itself after every 1000 pages; call it before a file is measured or copied
  /// by other means, or when a log grew because somebody read for long.
  ///
  /// - Parameters:
  ///   - kind: How far it goes. All but `.passive` wait as ``Configuration/busyMode`` says.
  ///   - databaseName: The name of one database of the connection; all of them when `nil`.
  /// - Returns: The number of frames in the log, and how many of them are in the database file;
  ///   both are -1 when there is no write-ahead log.
  /// - Throws: ``DatabaseError`` with `SQLITE_BUSY` when somebody was in the way for too long, with
  ///   `SQLITE_LOCKED` inside of a transaction.
  /// - SeeAlso: <https://www.sqlite.org/c3ref/wal_checkpoint_v2.html>
  @discardableResult public func checkpoint(
    _ kind: CheckpointMode = .passive, on databaseName: String? = "main"
  ) throws -> (walFrameCount: Int, checkpointedFrameCount: Int) {
    checkAccess()
    try handle.enter()
    defer { handle.leave() }
    try checkIsNotInterrupted()
    var frames: CInt = -1
    var moved: CInt = -1
    let code =
      if let databaseName {
        unsafe sqlite3_wal_checkpoint_v2(
          handle.pointer, databaseName, kind.rawValue, &frames, &moved)
      } else {
        unsafe sqlite3_wal_checkpoint_v2(handle.pointer, nil, kind.rawValue, &frames, &moved)
      }
    guard code == SQLITE_OK else { throw failure(code) }
    return (Int(frames), Int(moved))
  }

  /// Empties the log of a connection that was just opened, if it is as long as it may become.
  ///
  /// After the commit that makes it so long SQLite moves the log into the database file, and the
  /// next write starts it over. But how much was moved is known in shared memory only, which ends
  /// with the last connection: whoever opens the database next finds all of the log again, and
  /// continues it. The log of many short sessions would never be started over.
  ///
  /// Nothing is waited for. What another connection still reads stays in the log, until the next
  /// opening or until a write that finds no reader.
  ///
  /// - Throws: ``DatabaseError`` when the database cannot be read; not when the log stays.
  /// - SeeAlso: <https://www.sqlite.org/walformat.html#recovery>
  func emptyLongLog() throws {
    let limit = try Int.fetchOne(self, sql: "PRAGMA wal_autocheckpoint") ?? 0
    // A frame is 24 bytes and a page, of at least 512: most logs are short, and not looked at.
    guard limit > 0, try handle.inside({ handle.logSize }) >= Int64(clamping: limit) * 536,
      let state = try writeAheadLogState(), state.frameCount >= limit,
      state.checkpointedFrameCount < state.frameCount
    else { return }
    try handle.inside {
      handle.busyHandler.withoutWaiting {
        // The first moves everything and keeps nobody from writing; the second finds little to do.
        for mode in [SQLITE_CHECKPOINT_PASSIVE, SQLITE_CHECKPOINT_TRUNCATE] where !handle.isClaimed
        {
          unsafe sqlite3_wal_checkpoint_v2(handle.pointer, "main", mode, nil, nil)
        }
      }
    }
  }

  /// Throws when the access was interrupted, and otherwise lets the next call wait for locks.
  func checkIsNotInterrupted() throws(DatabaseError) {
    guard !handle.busyHandler.isAccessInterrupted.load(ordering: .relaxed) else {
      throw .interrupted(sql: nil, path: path)
    }
    if handle.isClaimed { throw .transactionAborted(path: path) }
    if isTransactionGone { throw .transactionLost(path: path) }
    handle.busyHandler.begin()
  }

  /// The error for a code that a call outside of a statement just returned.
  func failure(_ code: CInt) -> DatabaseError {
    handle.error(code, sql: nil, path: path)
  }
}
