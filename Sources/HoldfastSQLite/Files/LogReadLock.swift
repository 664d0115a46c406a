#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// A shared lock on one of the read marks of a write-ahead log, during which no connection restarts the log.
///
/// To restart the log, a writer needs exclusive locks on all marks but the first. Nobody waits for this lock: a
/// writer that cannot restart the log continues it, and readers use another mark.
///
/// - SeeAlso: <https://www.sqlite.org/walformat.html#wal_locks>
@safe
struct LogReadLock {
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let lock: CInt

  /// The number of the read marks, and the place of the first one's lock among the locks.
  private static let markCount = 5
  private static let firstLock: CInt = 3

  /// Takes the lock for a database of a connection; fails when another one has an exclusive lock on each mark.
  ///
  /// - Parameters:
  ///   - name: The name of the database.
  ///   - connection: The connection, which has read the database in write-ahead-log mode and not in exclusive
  ///     locking mode, and has no transaction on it.
  init?(on name: String, of connection: OpaquePointer) {
    guard let file = unsafe Self.file(of: name, connection),
      let methods = unsafe file.pointee.pMethods?.pointee, methods.iVersion >= 2,
      let map = unsafe methods.xShmMap, let change = unsafe methods.xShmLock
    else { return nil }
    var index: UnsafeMutableRawPointer?
    // 32768 is the size of an index page; the 0 after it means that none is created.
    guard unsafe map(file, 0, 32768, 0, &index) == SQLITE_OK, let index = unsafe index else {
      return nil
    }
    // No array and no sorting: a commit waits for it.
    var refused: UInt8 = 0
    while let mark = unsafe Self.leastLimitingMark(in: index, without: refused) {
      let lock = Self.firstLock + CInt(mark)
      if unsafe change(file, lock, 1, SQLITE_SHM_LOCK | SQLITE_SHM_SHARED) == SQLITE_OK {
        unsafe self.file = file
        self.lock = lock
        return
      }
      refused |= 1 << mark
    }
    return nil
  }

  /// Returns the mark with the highest number of a frame, without some; `nil` when no other is left.
  ///
  /// A mark that is not used has the highest number and limits no checkpoint; the next lower limits it least. Of
  /// equal ones it is the last, because readers look for one from the first.
  private static func leastLimitingMark(
    in index: UnsafeMutableRawPointer, without refused: UInt8
  ) -> Int? {
    var best: (mark: Int, frame: UInt32)?
    for mark in 1..<markCount where refused & 1 << mark == 0 {
      let frame = unsafe index.load(fromByteOffset: 100 + 4 * mark, as: UInt32.self)
      if best.map({ frame >= $0.frame }) ?? true { best = (mark, frame) }
    }
    return best?.mark
  }

  /// Releases the lock.
  func release() {
    _ = unsafe file.pointee.pMethods?.pointee.xShmLock?(
      file, lock, 1, SQLITE_SHM_UNLOCK | SQLITE_SHM_SHARED)
  }

  private static func file(
    of name: String, _ connection: OpaquePointer
  ) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = unsafe sqlite3_file_control(connection, name, SQLITE_FCNTL_FILE_POINTER, &file)
    return unsafe code == SQLITE_OK ? file : nil
  }
}

/// The locks on the logs of a connection's databases.
@safe
final class LogReadLocks {
  private var locks: [LogReadLock] = []

  /// Takes the locks, if it has none yet.
  ///
  /// A writer that restarts the log has exclusive locks on all marks for some microseconds. It is waited for, as long
  /// as the access is not interrupted.
  ///
  /// - Returns: Whether all logs are locked; otherwise none, mostly because such a writer was stopped in the middle.
  func take(on names: [String], of handle: ConnectionHandle) -> Bool {
    guard locks.isEmpty else { return true }
    for name in names {
      var tries = 0
      while true {
        if let lock = unsafe LogReadLock(on: name, of: handle.pointer) {
          locks.append(lock)
          break
        }
        guard tries < 100, !handle.isClaimed, !handle.busyHandler.isInterrupted else {
          release()
          return false
        }
        tries += 1
        BusyHandler.sleep()
      }
    }
    return true
  }

  /// Releases the locks.
  func release() {
    for lock in locks { lock.release() }
    locks = []
  }
}
